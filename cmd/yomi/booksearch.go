package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/book"
	"github.com/yomi-shogi/yomi/uct"
)

// bookSearchCmd makes a book by searching.
type bookSearchCmd struct {
	Out       string        `short:"o" required:"" placeholder:"FILE.db" help:"Book, DB2016. When it is there already, it grows."`
	Positions int           `default:"1000" help:"Number of positions that the book is to have (${default})."`
	Nodes     int64         `default:"20000" help:"Playouts of a position; 0 for no limit (${default})."`
	MoveTime  time.Duration `placeholder:"TIME" help:"Time for a position, for example 10s, beside the playouts."`
	Plies     int           `default:"40" help:"Last move number of a position (${default})."`
	MinShare  float64       `default:"0.02" help:"Share of a position's visits that a move must have (${default})."`
	MaxMoves  int           `default:"8" help:"Moves kept of a position, the most visited ones (${default})."`
	Start     []string      `sep:"none" placeholder:"POSITION" help:"Position from which the book grows, as in the protocol; default: startpos. May be given several times."`
	Option    []string      `sep:"none" placeholder:"NAME=VALUE" help:"An option of the engine, such as Threads=2. May be given several times."`
	Save      time.Duration `default:"1m" help:"Time after which the book is saved on the way (${default})."`
}

// Help shows examples.
func (*bookSearchCmd) Help() string {
	return `Examples:
  yomi book search -o deep.db --positions 500 --nodes 20000
  yomi book search -o deep.db --positions 5000 --nodes 20000          goes on with the same file
  yomi book search -o furi.db --start "startpos moves 7g7f 3c3d 6g6f" --option Threads=2

The likeliest position that is not in the book comes next, where a move is as likely as its share of the visits. The values of
later positions are brought back to earlier ones (best move of each side). Ctrl-C saves the book; the same command goes on.`
}

// bookSearch is a book that grows.
type bookSearch struct {
	*bookSearchCmd
	progress io.Writer
	engine   *engine.Engine
	grower   *bookGrower
	book     *book.Book
}

// Run grows the book.
func (c *bookSearchCmd) Run(ctx context.Context, s streams, k *kong.Context) error {
	work, err := c.open(s)
	if err != nil {
		return err
	}
	again := strings.Join(append([]string{commandFor(os.Args[0]), "book", "search"}, flagWords(k)...), " ")
	fmt.Fprintf(s.Err, "%s: %d of %d positions; to go on after an interruption: %s\n", c.Out, work.book.Len(), c.Positions, again)
	err = work.grow(ctx)
	if failed := work.save(); failed != nil {
		return failed
	}
	fmt.Fprintf(s.Out, "%s: %d positions, %d moves\n", c.Out, work.book.Len(), work.book.Moves())
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(s.Err, "Interrupted at %d of %d positions. To go on:\n  %s\n", work.book.Len(), c.Positions, again)
		return errInterrupted
	case err != nil:
		return err
	case work.book.Len() < c.Positions:
		fmt.Fprintf(s.Err, "no more positions: raise --plies or lower --min-share for more\n")
	}
	return nil
}

// flagWords returns the flags of the command line, quoted.
func flagWords(k *kong.Context) []string {
	var words []string
	for _, p := range k.Path {
		if p.Flag == nil {
			continue
		}
		values := []string{fmt.Sprint(k.FlagValue(p.Flag))}
		if list, ok := k.FlagValue(p.Flag).([]string); ok {
			values = list
		}
		for _, v := range values {
			words = append(words, "--"+p.Flag.Name, quoted(v))
		}
	}
	return words
}

// open checks the flags and reads the book if it is there.
func (c *bookSearchCmd) open(s streams) (*bookSearch, error) {
	apery, err := isAperyName(c.Out)
	switch {
	case err != nil:
		return nil, err
	case apery:
		return nil, errors.New("a book grows in DB2016 only, want a name ending in .db; yomi book convert makes a .bin of it")
	case c.Nodes < 1 && c.MoveTime <= 0:
		return nil, errors.New("give --nodes or --move-time")
	case c.MinShare < 0 || c.MinShare > 1:
		return nil, fmt.Errorf("bad --min-share %g: want 0..1", c.MinShare)
	case c.MaxMoves < 1, c.Positions < 1, c.Plies < 1:
		return nil, errors.New("--positions, --plies and --max-moves must be 1 or more")
	}
	work := &bookSearch{bookSearchCmd: c, progress: s.Err, book: book.New()}
	if work.engine, err = c.newEngine(s); err != nil {
		return nil, err
	}
	if _, err := os.Stat(c.Out); err == nil {
		if work.book, err = openBook(c.Out, s); err != nil {
			return nil, err
		}
		if work.book.Format() == book.Apery {
			return nil, fmt.Errorf("%s is a book of Apery's format; yomi book convert makes a DB2016 of it", c.Out)
		}
	}
	starts, err := startPositions(c.Start)
	if err != nil {
		return nil, err
	}
	if len(c.Start) > 0 {
		starts = starts[1:]
	}
	work.grower = newBookGrower(work.book, starts, c.Plies)
	return work, nil
}

// newEngine returns the engine that searches.
func (c *bookSearchCmd) newEngine(s streams) (*engine.Engine, error) {
	e := engine.New()
	for _, text := range append([]string{"Resign_Threshold=0", "PV_Interval=0", "USI_OwnBook=false"}, c.Option...) {
		o, err := match.ParseSetting(text)
		if err != nil {
			return nil, err
		}
		err = e.Set(usi.Setting{Name: o.Name, Value: o.Value, HasValue: true})
		if errors.Is(err, engine.ErrUnknownOption) {
			var names []string
			for _, known := range e.Options() {
				names = append(names, known.Name)
			}
			err = fmt.Errorf("unknown option %q%s", o.Name, nearest(o.Name, names))
		}
		if err != nil {
			return nil, err
		}
	}
	for _, message := range e.Ready() {
		fmt.Fprintln(s.Err, message)
	}
	if e.Search(context.Background(), shogi.NewGame(shogi.StartPosition()), search.Limits{Nodes: 1}, func([]search.Info) {}); e.RootMoves() == nil {
		return nil, errors.New("a book needs the visits of the tree search; SearchEngine must be uct")
	}
	return e, nil
}

// grow searches positions until the book has enough or ctx ends.
func (b *bookSearch) grow(ctx context.Context) error {
	bar := newProgressBar(b.progress, "positions", int64(b.book.Len()), int64(b.Positions))
	defer bar.end()
	saved := time.Now()
	for b.book.Len() < b.Positions {
		at, ok := b.grower.next()
		if !ok {
			return nil
		}
		moves := b.search(ctx, &at.position)
		if ctx.Err() != nil {
			return ctx.Err() // what was not searched to its end is not stored
		}
		b.grower.put(at, moves)
		bar.set(int64(b.book.Len()), fmt.Sprintf("  move %d, likelihood %.2g", at.position.Ply(), at.likelihood))
		if time.Since(saved) >= b.Save {
			if err := b.save(); err != nil {
				return err
			}
			saved = time.Now()
		}
	}
	return nil
}

// save brings the values up to date and writes the book.
func (b *bookSearch) save() error {
	if err := backUp(b.book); err != nil {
		return err
	}
	return writeFile(b.Out, func(w io.Writer) error {
		return book.WriteDB2016(w, b.book, "made by yomi book search")
	})
}

// mateValue is the value of a mate at once, in centipawns; a mate in n plies is worth n less.
const mateValue = 32000

// search returns the moves of a position as they stand in the book. It has none when the game is over there.
func (b *bookSearch) search(ctx context.Context, p *shogi.Position) []book.Move {
	b.engine.NewGame() // so that the result does not depend on what was searched before
	if _, wins := p.CanDeclare(b.engine.Rule()); wins || !p.HasLegalMove() {
		return nil
	}
	result := b.engine.Search(ctx, shogi.NewGame(*p), search.Limits{Nodes: b.Nodes, MoveTime: b.MoveTime}, func([]search.Info) {})
	roots := b.engine.RootMoves()
	total := int64(0)
	for _, m := range roots {
		total += m.Visits
	}
	var moves []book.Move
	for i, m := range roots[:min(len(roots), b.MaxMoves)] {
		if i > 0 && float64(m.Visits) < b.MinShare*float64(total) {
			continue
		}
		moves = append(moves, bookMove(&m, result.Lines, b.engine.EvalCoef()))
	}
	return moves
}

// bookMove returns a root move as a move of a book. Its reply and depth come from the line that begins with it.
func bookMove(m *uct.RootMove, lines []search.Info, coef float64) book.Move {
	out := book.Move{Move: m.Move, Count: m.Visits, HasValue: true, Value: int32(uct.Centipawns(m.WinRate, coef))}
	if m.Proof > 0 {
		out.Value = mateValue - int32(m.Proof)
	} else if m.Proof < 0 {
		out.Value = -mateValue - int32(m.Proof)
	}
	for _, line := range lines {
		if len(line.PV) > 0 && line.PV[0] == m.Move {
			out.Depth = int32(len(line.PV))
			if len(line.PV) > 1 {
				out.Ponder = line.PV[1]
			}
		}
	}
	return out
}
