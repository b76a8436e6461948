package match

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// Positions of the scenarios.
const (
	atStart  = "position startpos"
	middle   = "position startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b"
	inHand   = "position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
	mated    = "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"
	mateIn1  = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
	declares = "position sfen 3+R1K3/2+R1+BG+P+P1/1+P+P+P+P+P3/9/9/9/9/4k4/9 b B3G4S4N4L9P 1"
	shortGo  = "go btime 0 wtime 0 byoyomi 300"
)

// scenarios returns all checks in order.
func scenarios() []scenario {
	list := handshakes()
	list = append(list, optionChecks()...)
	list = append(list, positionChecks()...)
	list = append(list, timeChecks()...)
	list = append(list, stopChecks()...)
	return append(list, otherChecks()...)
}

func handshakes() []scenario {
	return []scenario{
		{"H01", true, "usi is answered by id name, id author and usiok within 10 s", func(d *dialogue) error {
			if err := d.open(); err != nil {
				return err
			}
			d.send("usi")
			h, err := d.wait("usiok", 10*time.Second)
			switch {
			case err != nil:
				return fmt.Errorf("%w: %w", errNoEngine, err)
			case h.line != "usiok":
				return fmt.Errorf("usiok is not alone: %q", h.line)
			case d.client.Name() == "":
				return errors.New("no id name")
			}
			return nil
		}},
		{"H03", false, "nothing is said before usi", func(d *dialogue) error {
			if err := d.open(); err != nil {
				return err
			}
			time.Sleep(quietTime)
			d.mu.Lock()
			defer d.mu.Unlock()
			if len(d.lines) > 0 {
				return fmt.Errorf("%q", d.lines[0].line)
			}
			return nil
		}},
		{"H08", true, "quit right after usiok ends the process within 5 s", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			d.send("quit")
			return d.gone(5 * time.Second)
		}},
		{"H10", true, "isready is answered each time", func(d *dialogue) error {
			return errors.Join(d.begin(), d.ready(), d.ready())
		}},
		{"H11", true, "commands that come in one write are answered in order", func(d *dialogue) error {
			if err := d.open(); err != nil {
				return err
			}
			d.send("usi", "isready", "usinewgame", atStart, shortGo)
			_, err1 := d.wait("usiok", startTime)
			_, err2 := d.wait("readyok", startTime)
			_, _, err3 := d.best(atStart, time.Now())
			return errors.Join(err1, err2, err3)
		}},
		{"H12", true, "all output is printable ASCII", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			_, _, err := d.think(middle, shortGo)
			d.mu.Lock()
			defer d.mu.Unlock()
			if err == nil && d.strange != "" {
				err = fmt.Errorf("%q", d.strange)
			}
			return err
		}},
	}
}

func optionChecks() []scenario {
	return []scenario{
		{"H05", true, "option lines: names without blanks, defaults in range", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			seen := make(map[string]bool)
			for _, o := range d.client.Options() {
				name := strings.ToLower(o.Name)
				if strings.Contains(name, " ") || seen[name] {
					return fmt.Errorf("the name %q has a blank or comes twice", o.Name)
				}
				seen[name] = true
				if o.Type == usi.Button {
					continue
				}
				if _, err := o.Check(o.Default); err != nil {
					return err
				}
			}
			return nil
		}},
		{"O02", true, "all options take their defaults", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			for _, o := range d.client.Options() {
				if o.Type != usi.Button {
					d.send(usi.Setting{Name: o.Name, Value: o.Default, HasValue: true}.String())
				}
			}
			return d.plays()
		}},
		{"O03", true, "unknown and malformed options do no harm", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			d.send("setoption name No_Such_Option value 7", "setoption name USI_Hash value x", "setoption", "setoption name", "setoption value 3")
			return d.plays()
		}},
		{"O01", true, "USI_Ponder and USI_Hash are taken, declared or not", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			d.send("setoption name USI_Ponder value true", "setoption name USI_Hash value 32")
			return d.plays()
		}},
	}
}

// plays checks that the engine still answers a search.
func (d *dialogue) plays() error {
	if err := d.ready(); err != nil {
		return err
	}
	_, _, err := d.think(atStart, shortGo)
	return err
}

// positionCheck makes a scenario that searches a position.
func positionCheck(id string, must bool, title, position string) scenario {
	return scenario{id, must, title, func(d *dialogue) error {
		if err := d.begin(); err != nil {
			return err
		}
		_, _, err := d.think(position, shortGo)
		return errors.Join(err, d.ready())
	}}
}

// answerCheck makes a scenario in which only one answer is right.
func answerCheck(id string, must bool, title, position, want string) scenario {
	return scenario{id, must, title, func(d *dialogue) error {
		if err := d.begin(); err != nil {
			return err
		}
		got, _, err := d.think(position, "go btime 0 wtime 0 byoyomi 1000")
		if err == nil && got != want {
			err = fmt.Errorf("bestmove %s, want %s", got, want)
		}
		return err
	}}
}

// badPositions makes a scenario that sends lines which are wrong.
func badPositions(id, title string, lines ...string) scenario {
	return scenario{id, false, title, func(d *dialogue) error {
		if err := d.begin(); err != nil {
			return err
		}
		d.send(lines...)
		return d.plays()
	}}
}

func positionChecks() []scenario {
	return []scenario{
		positionCheck("P01", true, "startpos", atStart),
		positionCheck("P02", true, "startpos moves …", middle),
		positionCheck("P03", true, "moves without a move", atStart+" moves "),
		positionCheck("P04", true, "sfen with pieces in hand, White to move", inHand),
		positionCheck("P06", false, "sfen without a move number", strings.TrimSuffix(inHand, " 1")),
		positionCheck("P07", true, "a handicap game, White moves first", "position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
		positionCheck("P08", true, "18 pawns in hand", "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1"),
		positionCheck("P10", true, "moves that do not promote", "position sfen k8/9/2P6/9/9/9/8L/1B5R1/4K4 b 2g2s2n2p 1 moves 7c7b 9a9b 2h2c 9b9a 8h3c 9a8a 1g1b"),
		positionCheck("P11", false, "blanks and tabs between words", "position  startpos\tmoves   7g7f 3c3d"),
		{"P12", true, "a game of 600 plies is answered in time", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			return d.within("position "+longGame(600).USI(), "go btime 0 wtime 0 byoyomi 1000", time.Second)
		}},
		badPositions("P13", "illegal moves in position do not kill the engine", atStart+" moves 7g7e", atStart+" moves P*5e", atStart+" moves xyz", atStart+" moves 7g7f 7g7f"),
		badPositions("P14", "malformed positions do not kill the engine", "position", "position sfen", "position foo", "position sfen 9/9/9 b - 1", "position moves 7g7f"),
		answerCheck("P15", true, "a mated side resigns", mated, "resign"),
		answerCheck("P16", false, "a position that can be declared won (27-point rule) gives bestmove win", declares, "win"),
		answerCheck("M06", true, "a mate in one is played", mateIn1, "G*5b"),
	}
}

// longGame plays random moves to a length at which the game has not ended.
func longGame(plies int) *shogi.Game {
	for seed := uint64(1); ; seed++ {
		random := rand.New(rand.NewPCG(seed, seed))
		game := shogi.NewGame(shogi.StartPosition())
		for len(game.Moves()) < plies {
			moves := game.Position().AppendLegal(nil)
			if len(moves) == 0 || game.History().Fourfold() != shogi.NoRepetition {
				break
			}
			if err := game.Do(moves[random.IntN(len(moves))]); err != nil {
				panic("match: " + err.Error())
			}
		}
		if len(game.Moves()) == plies && game.Position().HasLegalMove() {
			return game
		}
	}
}

// timeCheck makes a scenario that a search must end by itself within a time.
func timeCheck(id string, must bool, title, position, command string, limit time.Duration) scenario {
	return scenario{id, must, title, func(d *dialogue) error {
		if err := d.begin(); err != nil {
			return err
		}
		return d.within(position, command, limit)
	}}
}

func timeChecks() []scenario {
	const s, ms = time.Second, time.Millisecond
	return []scenario{
		timeCheck("T01", true, "byoyomi 1000 is kept", middle, "go btime 0 wtime 0 byoyomi 1000", s),
		timeCheck("T03", false, "byoyomi 100 is kept", middle, "go btime 0 wtime 0 byoyomi 100", 100*ms),
		timeCheck("T04", true, "without any time the answer comes at once", middle, "go btime 0 wtime 0 byoyomi 0", s),
		timeCheck("T05", true, "main time and byoyomi are not exceeded", middle, "go btime 500 wtime 500 byoyomi 1000", 1500*ms),
		timeCheck("T06", true, "time left and increment are not exceeded", middle, "go btime 300 wtime 300 binc 700 winc 700", s),
		timeCheck("T07", true, "a negative time is paid from the increment", atStart, "go btime -2000 wtime -2000 binc 3000 winc 3000", s),
		timeCheck("T08", true, "sudden death: the time left is not exceeded", middle, "go btime 2000 wtime 2000 byoyomi 0", 2*s),
		timeCheck("T10", true, "White plays on wtime", atStart+" moves 7g7f", "go btime 600000 wtime 700 byoyomi 0", 700*ms),
		timeCheck("T11", true, "Black plays on btime", middle, "go btime 700 wtime 600000 byoyomi 0", 700*ms),
		timeCheck("T12", false, "movetime 500 is kept", middle, "go movetime 500", 500*ms),
		timeCheck("T13", false, "nodes 100 ends by itself", middle, "go nodes 100", 10*s),
		timeCheck("T14", false, "depth 1 ends by itself", middle, "go depth 1", 10*s),
		timeCheck("T15", false, "unknown words in go are skipped", middle, "go foo btime 0 bar wtime 0 byoyomi 500 baz", 500*ms),
		timeCheck("T18", true, "of several limits the first one ends the search", middle, "go movetime 700 depth 60 nodes 1000000000 btime 60000 wtime 60000 byoyomi 10000", 700*ms),
	}
}
