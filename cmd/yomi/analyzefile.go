package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// analysedFile is a file of games with what is written about it.
type analysedFile struct {
	path string
	// games are those to analyse.
	games []*analysedGame
	// lossless says that a file of games with all they hold is written (.yomi), otherwise records for people in a format.
	lossless bool
	format   kifu.Format
	japanese bool
	// out, page and graphs are the files to write: the games with comments, the page and a picture for each game.
	out, page string
	graphs    []string
	// dropped is what the format could not hold.
	dropped []string
}

// open reads a file. Games that are readable in part only come with an error, and are analysed as far as they go.
func (c *analyzeCmd) open(path string) (*analysedFile, error) {
	f := &analysedFile{path: path, format: kifu.CSA}
	ending := filepath.Ext(strings.TrimSuffix(path, ".zst"))
	var err error
	if format, notRecord := record.FormatOf(path); notRecord == nil {
		err = f.readGames(path)
		if f.lossless = format == record.Yomi; !f.lossless {
			ending = ".csa"
		}
	} else {
		err = f.readKifu(path)
		if f.format == kifu.USI {
			f.format, ending = kifu.CSA, ".csa"
		}
	}
	if len(f.games) == 0 {
		if err == nil {
			err = fmt.Errorf("%s: there is no game in it", path)
		}
		return nil, err
	}
	if c.Game > len(f.games) {
		return nil, fmt.Errorf("%s: there are only %d games, no game %d", path, len(f.games), c.Game)
	}
	if c.Game > 0 {
		f.games = f.games[c.Game-1 : c.Game]
	}
	f.japanese = c.Language == "ja" || c.Language == "auto" && f.isKakinoki()
	if err = errors.Join(err, f.prepare()); len(f.games) == 0 {
		return nil, err
	}
	f.name(c, ending)
	return f, err
}

// prepare prepares the games, and leaves out those that cannot be analysed. The error names them.
func (f *analysedFile) prepare() error {
	var all error
	kept := f.games[:0]
	for i, g := range f.games {
		err := g.prepare(f)
		if err == nil {
			kept = append(kept, g)
			continue
		}
		name := f.path
		if len(f.games) > 1 {
			name = fmt.Sprintf("%s, game %d", f.path, i+1)
		}
		all = errors.Join(all, fmt.Errorf("%s: %w", name, err))
	}
	f.games = kept
	return all
}

// name chooses the names of the files to write.
func (f *analysedFile) name(c *analyzeCmd, ending string) {
	stem := c.stem(f.path)
	f.out, f.page = stem+ending, stem+".html"
	for i := range f.games {
		name := stem + ".svg"
		if len(f.games) > 1 {
			name = fmt.Sprintf("%s.%d.svg", stem, i+1)
		}
		f.graphs = append(f.graphs, name)
	}
}

func (f *analysedFile) isKakinoki() bool {
	return !f.lossless && f.format != kifu.CSA && f.format != kifu.USI
}

func (f *analysedFile) readGames(path string) error {
	r, err := record.OpenGames(path)
	if err != nil {
		return err
	}
	defer r.Close()
	var all error
	for {
		g := new(record.Game)
		err := r.Next(g)
		var bad *record.BadRecord
		switch {
		case errors.Is(err, io.EOF):
			return all
		case errors.As(err, &bad):
			all = errors.Join(all, err)
		case err != nil:
			return err
		default:
			k, _ := g.Kifu()
			f.games = append(f.games, &analysedGame{record: k, game: g})
		}
	}
}

func (f *analysedFile) readKifu(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	records, format, err := kifu.Read(data)
	f.format = format
	for _, r := range records {
		if r.Err == nil || len(r.Main()) > 0 {
			f.games = append(f.games, &analysedGame{record: r})
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// positions returns the number of positions to search.
func (f *analysedFile) positions() int {
	n := 0
	for _, g := range f.games {
		n += len(g.positions)
	}
	return n
}

// write writes the games with their comments.
func (f *analysedFile) write(w io.Writer) error {
	if f.lossless {
		games, err := record.NewGameWriter(bufferOnly{w})
		if err != nil {
			return err
		}
		for _, g := range f.games {
			if err := games.Write(g.game); err != nil {
				return err
			}
		}
		return games.Close()
	}
	var records []*kifu.Record
	for _, g := range f.games {
		records = append(records, g.record)
	}
	var err error
	f.dropped, err = kifu.Write(w, f.format, records...)
	return err
}

// report says what was found.
func (f *analysedFile) report() string {
	var b strings.Builder
	for i, g := range f.games {
		name := f.path
		if len(f.games) > 1 {
			name = fmt.Sprintf("%s, game %d", f.path, i+1)
		}
		fmt.Fprintf(&b, "%s: %d moves\n", name, len(g.moves))
		for c := shogi.Black; c <= shogi.White; c++ {
			t := g.tally(c)
			fmt.Fprintf(&b, "  %s %s: %d mistakes, %d blunders, mean loss of win rate %.1f %%\n", []string{"Black", "White"}[c], g.name(c), t.Mistakes, t.Blunders, t.MeanLoss)
		}
	}
	fmt.Fprintf(&b, "  written: %s\n", f.out)
	for _, text := range f.dropped {
		fmt.Fprintf(&b, "  %s does not hold %s\n", f.format, text)
	}
	return b.String()
}
