package match

import (
	"errors"
	"fmt"
	"time"

	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

const longGo = "go btime 600000 wtime 600000 byoyomi 60000"

// stopCheck makes a scenario that begins a search, is silent for a while, and then sends lines that must bring exactly one
// bestmove.
func stopCheck(id string, must bool, title, command string, silence time.Duration, lines ...string) scenario {
	return scenario{id, must, title, func(d *dialogue) error {
		if err := d.begin(); err != nil {
			return err
		}
		d.send(middle, command)
		if silence > 0 {
			if err := d.quiet("bestmove", silence, "before it was asked for"); err != nil {
				return err
			}
		}
		start := time.Now()
		d.send(lines...)
		_, took, err := d.best(middle, start)
		if err == nil && took > 2*time.Second {
			err = fmt.Errorf("the answer took %s", took.Round(time.Millisecond))
		}
		return errors.Join(err, d.quiet("bestmove", quietTime, "as a second answer"), d.ready())
	}}
}

// endCheck makes a scenario in which the process must end within 5 s.
func endCheck(id, title string, thinking bool, do func(d *dialogue)) scenario {
	return scenario{id, true, title, func(d *dialogue) error {
		if err := d.begin(); err != nil {
			return err
		}
		if thinking {
			d.send(middle, "go infinite")
			time.Sleep(300 * time.Millisecond)
		}
		do(d)
		return d.gone(5 * time.Second)
	}}
}

func stopChecks() []scenario {
	return []scenario{
		stopCheck("S01", true, "go infinite is silent until stop, then one bestmove", "go infinite", 1500*time.Millisecond, "stop"),
		stopCheck("S07", true, "two stops bring one bestmove", "go infinite", 300*time.Millisecond, "stop", "stop"),
		stopCheck("S08", true, "stop ends a timed search early", longGo, 500*time.Millisecond, "stop"),
		stopCheck("T16", true, "a bare go takes stop", "go", 0, "stop"),
		{"S03", true, "stop right after go, ten times: one bestmove each", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			for range 10 {
				d.send(middle, "go infinite", "stop")
				if _, _, err := d.best(middle, time.Now()); err != nil {
					return err
				}
			}
			return d.quiet("bestmove", quietTime, "as an extra answer")
		}},
		{"S06", true, "stop without a search is ignored", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			d.send("stop")
			err1 := d.quiet("bestmove", quietTime, "without a search")
			_, _, err2 := d.think(atStart, shortGo)
			d.send("stop")
			return errors.Join(err1, err2, d.quiet("bestmove", quietTime, "after the search had ended"), d.ready())
		}},
		{"S09", true, "stop and gameover in one write: one bestmove, and the next game works", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			d.send(middle, longGo)
			time.Sleep(300 * time.Millisecond)
			d.send("stop", "gameover lose")
			if _, _, err := d.best(middle, time.Now()); err != nil {
				return err
			}
			if err := d.ready(); err != nil {
				return err
			}
			d.send("usinewgame")
			return d.within(atStart, "go btime 0 wtime 0 byoyomi 1000", time.Second)
		}},
		{"S20", false, "stop, position and go in one write bring two bestmoves", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			d.send(middle, "go infinite")
			time.Sleep(300 * time.Millisecond)
			d.send("stop", atStart, shortGo)
			_, _, err1 := d.best(middle, time.Now())
			_, _, err2 := d.best(atStart, time.Now())
			return errors.Join(err1, err2)
		}},
		endCheck("S12", "quit while thinking ends the process within 5 s", true, func(d *dialogue) { d.send("quit") }),
		endCheck("S13", "the end of the input ends the process within 5 s", false, func(d *dialogue) { d.client.CloseInput() }),
		endCheck("S14", "the end of the input while thinking ends it too", true, func(d *dialogue) { d.client.CloseInput() }),
	}
}

func otherChecks() []scenario {
	return []scenario{
		stopCheck("D01", true, "go ponder is silent until ponderhit, then one bestmove", "go ponder btime 0 wtime 0 byoyomi 500", 1200*time.Millisecond, "ponderhit"),
		stopCheck("D02", true, "a ponder miss (stop) brings one bestmove", "go ponder btime 600000 wtime 600000 byoyomi 10000", 500*time.Millisecond, "stop"),
		{"M01", false, "go mate is answered by one checkmate", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			d.send(mateIn1, "go mate 2000")
			h, err := d.wait("checkmate", 4*time.Second)
			if err != nil {
				return err
			}
			_, args := usi.Split(h.line)
			_, err = usi.ParseCheckmate(args)
			return err
		}},
		{"I01", true, "the moves of info pv are legal", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			if _, _, err := d.think(middle, "go btime 0 wtime 0 byoyomi 1000"); err != nil {
				return err
			}
			d.mu.Lock()
			line := d.info
			d.mu.Unlock()
			if line == "" {
				return errSkip
			}
			_, args := usi.Split(line)
			info, err := usi.ParseInfo(args)
			if err != nil {
				return err
			}
			game, err := shogi.ParsePosition(middle)
			for _, m := range info.PV {
				if err == nil {
					err = game.Do(m)
				}
			}
			return err
		}},
		{"S16", false, "CR LF and blank lines are understood", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			d.send("", "  ", atStart+"\r", shortGo+"\r")
			_, _, err := d.best(atStart, time.Now())
			return err
		}},
		{"S18", true, "unknown commands are ignored", func(d *dialogue) error {
			if err := d.begin(); err != nil {
				return err
			}
			d.send("hello", "xyzzy 1 2 3")
			return d.plays()
		}},
	}
}
