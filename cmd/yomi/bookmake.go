package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/book"
)

// bookMakeCmd makes a book from records.
type bookMakeCmd struct {
	Records  []string `arg:"" type:"existingfile" help:"Records: .yomi, .psv, .hcpe, .hcpe3 (also .zst), .csa, .kif, .kifu, .ki2, .ki2u, .usi, .sfen."`
	Out      string   `short:"o" required:"" placeholder:"FILE.db" help:"Book to write: a name ending in .db for DB2016 or .bin for Apery's format."`
	Plies    int      `default:"30" help:"Last move of a game that counts (${default})."`
	MinGames int64    `default:"2" help:"Games in which a move must have been played (${default})."`
	MaxMoves int      `default:"8" help:"Moves kept of a position, the most played ones (${default})."`
	Winners  bool     `help:"Count only the moves of the side that won."`
	Value    string   `enum:"results,scores" default:"results" help:"What a move's value comes from: results, the games' results; scores, the mean of what the players thought, where that is known (${default})."`
	Force    bool     `help:"Overwrite the file to write."`
}

// Help shows examples.
func (*bookMakeCmd) Help() string {
	return `Examples:
  yomi book make floodgate.csa -o own.db
  yomi book make games.yomi --plies 24 --min-games 5 --value scores -o own.db

A move's count is the number of games, and the most played move stands first. By results its value is that of (wins + draws/2 + 1) /
(games + 2) as a score, so a move of one lost game is not worth nothing.`
}

// playedMove is what is known of a move of a position.
type playedMove struct {
	games int64
	// points is 1 for a win of the mover, 0.5 for a draw, over results games whose result is known.
	points  float64
	results int64
	// rates is the sum of the win rates that the mover saw, over scores games in which they are known.
	rates   float64
	scores  int64
	replies map[shogi.Move]int64
}

// playedPosition is a position with what was played in it.
type playedPosition struct {
	sfen  string
	ply   int
	moves map[shogi.Move]*playedMove
}

// bookMaker counts games.
type bookMaker struct {
	*bookMakeCmd
	positions map[uint64]*playedPosition
	games     int64
}

// Run makes the book.
func (c *bookMakeCmd) Run(ctx context.Context, s streams) error {
	toApery, err := isAperyName(c.Out)
	if err != nil {
		return err
	}
	if c.Plies < 1 || c.MinGames < 1 || c.MaxMoves < 1 {
		return errors.New("--plies, --min-games and --max-moves must be 1 or more")
	}
	if err := mayWrite(c.Out, c.Force); err != nil {
		return err
	}
	var files []target
	for _, path := range c.Records {
		f, err := formatOf(path)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	maker := &bookMaker{bookMakeCmd: c, positions: make(map[uint64]*playedPosition)}
	in := &gameFiles{streams: s}
	if err := in.each(ctx, files, maker.add); err != nil {
		if ctx.Err() != nil {
			fmt.Fprintf(s.Err, "interrupted: %s was not written; the same command begins again\n", c.Out)
			return errInterrupted
		}
		return err
	}
	b, err := maker.book()
	if err != nil {
		return err
	}
	err = writeFile(c.Out, func(w io.Writer) error {
		if toApery {
			return book.WriteApery(w, b)
		}
		return book.WriteDB2016(w, b, fmt.Sprintf("made by yomi book make from %d games: %d plies, moves of at least %d games", maker.games, c.Plies, c.MinGames))
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s: %d games, %d positions, %d moves\n", c.Out, maker.games, b.Len(), b.Moves())
	if b.Len() == 0 {
		fmt.Fprintf(s.Err, "no move up to move %d was played in %d games; see --plies and --min-games\n", c.Plies, c.MinGames)
	}
	if in.bad > 0 {
		return fmt.Errorf("%s was written, but %d records that make no sense were left out", c.Out, in.bad)
	}
	return nil
}

// add counts a game.
func (b *bookMaker) add(g *record.Game) {
	b.games++
	p := g.Start
	for i, m := range g.Moves {
		if p.Ply() > b.Plies {
			return
		}
		if !b.Winners || g.Result == record.WinFor(p.Side()) {
			b.count(&p, g, i)
		}
		p.Do(m.Move)
	}
}

// count counts move i of the game, which is played in the position.
func (b *bookMaker) count(p *shogi.Position, g *record.Game, i int) {
	at := b.positions[p.Key()]
	if at == nil {
		at = &playedPosition{sfen: p.SFEN(), ply: p.Ply(), moves: make(map[shogi.Move]*playedMove)}
		b.positions[p.Key()] = at
	} else if p.Ply() < at.ply {
		at.sfen, at.ply = p.SFEN(), p.Ply()
	}
	m := at.moves[g.Moves[i].Move]
	if m == nil {
		m = &playedMove{replies: make(map[shogi.Move]int64)}
		at.moves[g.Moves[i].Move] = m
	}
	m.games++
	if g.Result != record.NoResult {
		m.results++
		m.points += (1 + float64(g.Result.For(p.Side()))) / 2
	}
	if rate, known := g.WinRateOf(i); known {
		m.scores++
		m.rates += rate
	}
	if i+1 < len(g.Moves) {
		m.replies[g.Moves[i+1].Move]++
	}
}

// book returns the book of what was counted.
func (b *bookMaker) book() (*book.Book, error) {
	out := book.New()
	for _, at := range b.positions {
		var moves []book.Move
		for move, m := range at.moves {
			if m.games >= b.MinGames {
				moves = append(moves, b.move(move, m))
			}
		}
		if len(moves) == 0 {
			continue
		}
		slices.SortFunc(moves, func(x, y book.Move) int {
			return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(y.Value, x.Value), cmp.Compare(x.Move, y.Move))
		})
		p, err := shogi.ParseSFEN(at.sfen)
		if err != nil {
			return nil, err
		}
		out.Put(&p, moves[:min(len(moves), b.MaxMoves)])
	}
	return out, nil
}

// move returns a move as it stands in the book.
func (b *bookMaker) move(move shogi.Move, m *playedMove) book.Move {
	out := book.Move{Move: move, Count: m.games, HasValue: true}
	switch {
	case b.Value == "scores" && m.scores > 0:
		out.Value = int32(record.CentipawnsOf(m.rates/float64(m.scores), record.DefaultEvalCoef))
	case m.results > 0:
		out.Value = int32(record.CentipawnsOf((m.points+1)/float64(m.results+2), record.DefaultEvalCoef))
	default:
		out.HasValue = false
	}
	most := int64(0)
	for reply, n := range m.replies {
		if n > most || n == most && reply < out.Ponder {
			most, out.Ponder = n, reply
		}
	}
	return out
}
