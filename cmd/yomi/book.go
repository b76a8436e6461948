package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/book"
)

// bookCmd is yomi book.
type bookCmd struct {
	Make    bookMakeCmd    `cmd:"" help:"Make a book of what was played in records."`
	Search  bookSearchCmd  `cmd:"" help:"Make a book by searching, most likely positions first, or go on with one."`
	Show    bookShowCmd    `cmd:"" help:"Show the moves that a book has in a position."`
	Convert bookConvertCmd `cmd:"" help:"Convert a book between DB2016 (.db) and Apery's format (.bin)."`
}

// Help shows examples.
func (*bookCmd) Help() string {
	return `Examples:
  yomi book make games.yomi floodgate.csa -o own.db
  yomi book search -o deep.db --positions 500 --nodes 20000
  yomi book show own.db startpos moves 7g7f
  yomi book convert book.bin own.db

The engine plays from a book with: setoption name BookFile value own.db`
}

// bookShowCmd shows a position.
type bookShowCmd struct {
	File     string   `arg:"" type:"existingfile" help:"Book, DB2016 or Apery's format."`
	Position []string `arg:"" optional:"" help:"Position as in the protocol, for example: startpos moves 7g7f. Default: startpos. Quote a SFEN."`
	Flip     bool     `default:"true" negatable:"" help:"Look also with the colours swapped (${default})."`
}

// Help shows examples.
func (*bookShowCmd) Help() string {
	return `Examples:
  yomi book show own.db
  yomi book show own.db startpos moves 7g7f 3c3d
  yomi book show book.bin "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"`
}

// Run shows the position.
func (c *bookShowCmd) Run(s streams) error {
	text := strings.Join(c.Position, " ")
	if text == "" {
		text = "startpos"
	}
	game, err := shogi.ParsePosition(text)
	if err != nil {
		return err
	}
	b, err := openBook(c.File, s)
	if err != nil {
		return err
	}
	p := game.Position()
	fmt.Fprintf(s.Out, "%s: %s, %d positions, %d moves\n%s\n", c.File, b.Format(), b.Len(), b.Moves(), p)
	found, ok := b.Find(p, c.Flip)
	for _, m := range found.Illegal {
		fmt.Fprintf(s.Out, "illegal: %s\n", m)
	}
	if !ok {
		fmt.Fprintln(s.Out, "The book has no move here.")
		return nil
	}
	if found.Flipped {
		fmt.Fprintln(s.Out, "Found with the colours swapped.")
	}
	return showMoves(s.Out, b, p, found.Moves, c.Flip)
}

// showMoves lists the moves of a position.
func showMoves(out io.Writer, b *book.Book, p *shogi.Position, moves []book.Move, flip bool) error {
	total := int64(0)
	for _, m := range moves {
		total += m.Count
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "move\tvalue\tdepth\tcount\tshare\treply\tgoes on\t")
	for _, m := range moves {
		value, depth, share, more := "-", "-", "-", "no"
		if m.HasValue {
			value = fmt.Sprint(m.Value)
		}
		if m.Depth != 0 {
			depth = fmt.Sprint(m.Depth)
		}
		if total > 0 {
			share = fmt.Sprintf("%.1f %%", 100*float64(m.Count)/float64(total))
		}
		next := *p
		next.Do(m.Move)
		if _, ok := b.Find(&next, flip); ok {
			more = "yes"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\t%s\t%s\t\n", m.Move, value, depth, m.Count, share, m.Ponder, more)
	}
	return table.Flush()
}

// openBook reads a book; what makes no sense in it is said and left out.
func openBook(path string, s streams) (*book.Book, error) {
	b, err := book.Open(path)
	var faults *book.Faults
	if errors.As(err, &faults) {
		fmt.Fprintf(s.Err, "left out: %v\n", err)
		return b, nil
	}
	return b, err
}

// bookConvertCmd converts a book.
type bookConvertCmd struct {
	In    string   `arg:"" type:"existingfile" help:"Book to read."`
	Out   string   `arg:"" help:"Book to write: a name ending in .db for DB2016 or .bin for Apery's format."`
	Start []string `sep:"none" placeholder:"POSITION" help:"A position, beside the start position, from which the positions of a book in Apery's format are looked for. May be given several times."`
	Force bool     `help:"Overwrite the file to write."`
}

// Help shows examples.
func (*bookConvertCmd) Help() string {
	return `Examples:
  yomi book convert own.db book.bin
  yomi book convert book.bin own.db

Apery's format has keys in place of positions. They become positions again by playing the book's moves from the start; those that no
book moves lead to are counted and left out. Apery's format keeps moves, counts and values, not replies and depths.`
}

// Run converts.
func (c *bookConvertCmd) Run(s streams) error {
	toApery, err := isAperyName(c.Out)
	if err != nil {
		return err
	}
	if err := mayWrite(c.Out, c.Force); err != nil {
		return err
	}
	starts, err := startPositions(c.Start)
	if err != nil {
		return err
	}
	b, err := openBook(c.In, s)
	if err != nil {
		return err
	}
	missed := 0
	if b.Format() == book.Apery && !toApery {
		b, missed = b.Walk(starts...)
	}
	if err := writeFile(c.Out, func(w io.Writer) error {
		if toApery {
			return book.WriteApery(w, b)
		}
		return book.WriteDB2016(w, b)
	}); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s: %d positions, %d moves\n", c.Out, b.Len(), b.Moves())
	if missed > 0 {
		fmt.Fprintf(s.Out, "%d positions are left out: the book's moves do not lead to them\n", missed)
	}
	return nil
}

// isAperyName reports whether the name is one of a file in Apery's format; the other one is DB2016.
func isAperyName(path string) (bool, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".db":
		return false, nil
	case ".bin":
		return true, nil
	}
	return false, fmt.Errorf("%s: unknown format, want a name ending in .db (DB2016) or .bin (Apery)", path)
}

// mayWrite refuses a file that is there already.
func mayWrite(path string, force bool) error {
	if _, missing := os.Stat(path); missing == nil && !force {
		return fmt.Errorf("%s is there already; --force overwrites it", path)
	}
	return nil
}

// startPositions returns the start position and those that are given.
func startPositions(texts []string) ([]shogi.Position, error) {
	list := []shogi.Position{shogi.StartPosition()}
	for _, text := range texts {
		game, err := shogi.ParsePosition(text)
		if err != nil {
			return nil, fmt.Errorf("--start: %w", err)
		}
		list = append(list, *game.Position())
	}
	return list, nil
}
