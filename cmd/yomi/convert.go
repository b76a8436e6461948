package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// convertCmd is yomi convert.
type convertCmd struct {
	Files []string `arg:"" name:"file" help:"Files to read, and last the file to write. Their names tell the formats: .yomi, .psv, .hcpe, .hcpe2 (read only), .hcpe3 (these four also .zst), .csa, .kif, .kifu, .ki2, .ki2u, .usi, .sfen."`

	DropDuplicates bool    `help:"Leave out games with the same moves, or, in formats of positions, positions with the same move, that were written before."`
	DeepOnly       bool    `help:"In formats of positions: leave out moves that do not teach a policy."`
	Game           int64   `placeholder:"N" help:"Convert only the game with this number, counted from 1 over all files."`
	EvalCoef       float64 `placeholder:"C" help:"Bring the scores to the scale cp = -C·ln(1/winrate - 1). Files that do not tell their scale are taken for 600; hcpe3 has 756."`
	Force          bool    `help:"Overwrite the file to write."`
}

// Help shows examples.
func (*convertCmd) Help() string {
	return `Examples:
  yomi convert games.yomi games.hcpe3.zst
  yomi convert a1.psv.zst a2.psv.zst all.yomi
  yomi convert --drop-duplicates games.yomi floodgate.csa train.psv.zst
  yomi convert --game 17 games.yomi game17.kif

What the target cannot hold is named. A record that cannot be read, or has an illegal move, is named and left out; the exit status
is then 1 although the file was written. It is written as NAME.partial and renamed at the end.`
}

// target is what is written.
type target struct {
	path string
	// people says that kifu is the format, otherwise it is record.
	people bool
	kifu   kifu.Format
	record record.Format
}

// formatOf returns a file's format by its name.
func formatOf(path string) (target, error) {
	if f, err := kifu.ParseFormat(strings.ToLower(filepath.Ext(path))); err == nil && filepath.Ext(path) != "" {
		return target{path: path, people: true, kifu: f}, nil
	}
	f, err := record.FormatOf(path)
	if err != nil {
		return target{}, fmt.Errorf("%s: unknown format, want a name ending in .yomi, .psv, .hcpe, .hcpe3, .csa, .kif, .kifu, .ki2, .ki2u, .usi or .sfen (see --help)", path)
	}
	return target{path: path, record: f}, nil
}

// holdsGames reports whether the file holds games rather than positions.
func (t target) holdsGames() bool { return t.people || t.record.HoldsGames() }

func (t target) String() string {
	if t.people {
		return t.kifu.String()
	}
	return t.record.String()
}

// Run converts.
func (c *convertCmd) Run(ctx context.Context, s streams) error {
	inputs, out, err := c.files()
	if err != nil {
		return err
	}
	work := &conversion{streams: s, convertCmd: c, out: out, seen: make(map[uint64]struct{})}
	if work.total, err = totalSize(inputs); err != nil {
		return err
	}
	err = writeFile(out.path, func(w io.Writer) error { return work.run(ctx, inputs, w) })
	if err != nil {
		err = errors.Join(err, removeIfThere(out.path+".partial"))
		if ctx.Err() != nil {
			fmt.Fprintf(s.Err, "interrupted: %s was not written\n", out.path)
			return errInterrupted
		}
		return err
	}
	work.report()
	if n := work.bad + work.illegal; n > 0 {
		return fmt.Errorf("%s was written, but %d records that make no sense were left out", out.path, n)
	}
	return nil
}

// files returns the files to read and the one to write.
func (c *convertCmd) files() (inputs []target, out target, err error) {
	last := len(c.Files) - 1
	if last < 1 {
		return nil, out, errors.New("name the files to read and last the one to write, for example: yomi convert games.yomi games.psv.zst")
	}
	for _, path := range c.Files[:last] {
		in, err := formatOf(path)
		if err != nil {
			return nil, out, err
		}
		inputs = append(inputs, in)
	}
	if out, err = formatOf(c.Files[last]); err != nil {
		return nil, out, err
	}
	switch _, missing := os.Stat(out.path); {
	case missing == nil && !c.Force:
		return nil, out, fmt.Errorf("%s is there already; --force overwrites it", out.path)
	case !out.people && out.record == record.HCPE2:
		return nil, out, errors.New("hcpe2 is only read; write hcpe or hcpe3")
	case c.DeepOnly && out.holdsGames():
		return nil, out, fmt.Errorf("--deep-only is for positions (.psv, .hcpe); %s holds games", out)
	case c.Game < 0:
		return nil, out, fmt.Errorf("bad --game %d: games are counted from 1", c.Game)
	case c.Game > 0 && !out.holdsGames():
		return nil, out, fmt.Errorf("--game is for games; %s holds positions", out)
	case c.EvalCoef < 0:
		return nil, out, fmt.Errorf("bad --eval-coef %g: want more than 0", c.EvalCoef)
	}
	return inputs, out, nil
}

func totalSize(files []target) (int64, error) {
	var total int64
	for _, f := range files {
		info, err := os.Stat(f.path)
		if err != nil {
			return 0, err
		}
		if info.IsDir() {
			return 0, fmt.Errorf("%s is a folder", f.path)
		}
		total += info.Size()
	}
	return total, nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
