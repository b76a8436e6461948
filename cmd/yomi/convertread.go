package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// conversion reads files into a sink and counts.
type conversion struct {
	streams
	*convertCmd
	out  target
	sink sink
	bar  *progressBar
	// done and total are bytes of the files to read: of those that were read whole, of all.
	done, total int64
	// seen holds the hashes of what was written.
	seen map[uint64]struct{}
	// lost is what the target cannot hold, notes are further remarks on that with how often they were made.
	lost  record.Content
	notes map[string]int64

	games, positions        int64 // read
	written                 int64
	bad, illegal            int64
	duplicates, noResult    int64
	fast, withoutScore, cut int64
}

// namedRecords is how many bad records are named; more are only counted.
const namedRecords = 20

// run reads the files, one after the other.
func (c *conversion) run(ctx context.Context, inputs []target, w io.Writer) error {
	c.notes = make(map[string]int64)
	c.bar = newProgressBar(c.Err, "convert", 0, c.total)
	defer c.bar.end()
	var err error
	if c.sink, err = newSink(c.out, w); err != nil {
		return err
	}
	for _, in := range inputs {
		switch {
		case in.people:
			err = c.readKifu(ctx, in.path)
		case in.record.HoldsGames() || c.out.holdsGames():
			err = c.readGames(ctx, in.path)
		default:
			err = c.readSamples(ctx, in.path)
		}
		if err != nil {
			return err
		}
		if info, err := os.Stat(in.path); err == nil {
			c.done += info.Size()
		}
	}
	if c.Game > 0 && c.games < c.Game {
		return fmt.Errorf("there are only %d games, no game %d", c.games, c.Game)
	}
	return c.sink.close()
}

// failed handles an error of a record: one that makes no sense is named and counted, others end the conversion.
func (c *conversion) failed(err error) error {
	var bad *record.BadRecord
	if !errors.As(err, &bad) {
		return err
	}
	c.leftOut(err)
	return nil
}

// leftOut names a record that is left out and counts it.
func (c *conversion) leftOut(err error) {
	var text *kifu.Error
	if errors.Is(err, record.ErrIllegalMove) || errors.As(err, &text) && text.Illegal {
		c.illegal++
	} else {
		c.bad++
	}
	switch n := c.bad + c.illegal; {
	case n <= namedRecords:
		fmt.Fprintln(c.Err, "left out:", err)
	case n == namedRecords+1:
		fmt.Fprintln(c.Err, "more are left out and only counted")
	}
}

// step shows how far the file is read, and ends the conversion when ctx does.
func (c *conversion) step(ctx context.Context, offset int64) error {
	const every = 1 << 10
	if (c.games+c.positions)%every == 0 {
		c.bar.set(c.done+offset, "")
	}
	return ctx.Err()
}

func (c *conversion) readSamples(ctx context.Context, path string) error {
	r, err := record.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		s, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && !s.Position.IsLegal(s.Move) {
			err = &record.BadRecord{Path: path, Number: r.Number(), Err: fmt.Errorf("%w %s in %s", record.ErrIllegalMove, s.Move, s.Position.SFEN())}
		}
		if err == nil {
			c.positions++
			err = c.sample(&s, place{path, r.Number()}, true)
		} else {
			err = c.failed(err)
		}
		if err := errors.Join(err, c.step(ctx, r.Offset())); err != nil {
			return err
		}
	}
}

func (c *conversion) readGames(ctx context.Context, path string) error {
	r, err := record.OpenGames(path)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		g := new(record.Game)
		err := r.Next(g)
		if errors.Is(err, io.EOF) {
			if r.Cut() > 0 {
				c.cut++
				fmt.Fprintf(c.Err, "%s: its last game was cut when it was written; the others are whole\n", path)
			}
			return nil
		}
		if err == nil {
			err = c.game(g, place{path, r.Number()})
		} else {
			err = c.failed(err)
		}
		if err := errors.Join(err, c.step(ctx, r.Offset())); err != nil {
			return err
		}
	}
}

func (c *conversion) readKifu(ctx context.Context, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	records, _, err := kifu.Read(data)
	if len(records) == 0 && err != nil {
		c.leftOut(fmt.Errorf("%s: %w", path, err))
		return nil
	}
	for i, r := range records {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := place{path, int64(i + 1)}
		g, dropped, err := record.FromKifu(r)
		if err != nil {
			c.leftOut(&record.BadRecord{Path: at.path, Number: at.number, Err: err})
			continue
		}
		for _, note := range dropped {
			c.notes[note]++
		}
		if err := c.game(g, at); err != nil {
			return err
		}
	}
	c.bar.set(c.done+int64(len(data)), "")
	return ctx.Err()
}
