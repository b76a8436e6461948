package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
)

// analyzeCmd searches the moves of games.
type analyzeCmd struct {
	Files []string `arg:"" name:"file" type:"existingfile" help:"Game records: KIF, KI2, CSA or USI whatever their name, .yomi, and .psv, .hcpe, .hcpe3 (also .zst)."`

	Nodes    int64         `default:"10000" help:"Playouts for each move (${default}); 0 with --movetime for no such limit."`
	Movetime time.Duration `placeholder:"TIME" help:"Time for each move, for example 2s, instead of --nodes."`
	Option   []string      `sep:"none" placeholder:"NAME=VALUE" help:"An option of the engine, for example Threads=2. May be given several times."`
	Mistake  float64       `default:"10" help:"Loss of win rate in percentage points that marks a move with ? (${default})."`
	Blunder  float64       `default:"20" help:"The same for ?? (${default})."`
	Line     int           `default:"8" help:"Moves of the best line to write (${default})."`
	Language string        `default:"auto" enum:"auto,en,ja" help:"Words of the comments and graphs: en, ja, or auto: Japanese in KIF and KI2, else English (${default})."`
	Game     int           `placeholder:"N" help:"Analyse only the game with this number in each file, counted from 1."`
	Graph    bool          `default:"true" negatable:"" help:"Write the graphs of the win rate (true)."`
	Out      string        `short:"o" type:"existingdir" placeholder:"DIR" help:"Folder for the files to write; default: beside each record."`
	Force    bool          `help:"Overwrite files."`
}

// Help shows examples.
func (*analyzeCmd) Help() string {
	return `Examples:
  yomi analyze game.kif
  yomi analyze --movetime 2s --option Threads=2 game.csa other.kif
  yomi analyze --game 17 --language ja games.yomi

game.kif gives game.analysed.kif with comments (win rate and score for the side to move, best line, mistakes and blunders),
game.analysed.html and game.analysed.svg. Formats that hold no comments (USI, psv, hcpe, hcpe3) give a CSA file. Moves are searched from
the last to the first, so that each search knows what followed.`
}

// Run analyses the files, one after the other.
func (c *analyzeCmd) Run(ctx context.Context, s streams) error {
	if err := c.check(); err != nil {
		return err
	}
	var files []*analysedFile
	total, unreadable := 0, error(nil)
	for _, path := range c.Files {
		f, err := c.open(path)
		unreadable = errors.Join(unreadable, err)
		if f == nil {
			continue
		}
		files = append(files, f)
		total += f.positions()
	}
	if err := c.refuseOverwriting(files); err != nil {
		return err
	}
	searcher, err := c.searcher(s.Err)
	if err != nil {
		return err
	}
	searcher.bar = newProgressBar(s.Err, "moves", 0, int64(total))
	for i, f := range files {
		if err := c.analyse(ctx, searcher, f); err != nil {
			searcher.bar.end()
			if ctx.Err() != nil {
				fmt.Fprintf(s.Err, "interrupted: %d of %d files are finished; nothing was written of %s\n", i, len(files), f.path)
				return errInterrupted
			}
			return err
		}
	}
	searcher.bar.end()
	for _, f := range files {
		fmt.Fprint(s.Out, f.report())
	}
	return unreadable
}

func (c *analyzeCmd) check() error {
	switch {
	case c.Nodes < 0 || c.Movetime < 0 || c.Nodes == 0 && c.Movetime == 0:
		return fmt.Errorf("bad --nodes %d or --movetime %s: one of them must be more than 0", c.Nodes, c.Movetime)
	case !(c.Mistake > 0 && c.Mistake <= c.Blunder && c.Blunder <= 100):
		return fmt.Errorf("bad --mistake %g and --blunder %g: want 0 < mistake <= blunder <= 100", c.Mistake, c.Blunder)
	case c.Line < 1:
		return fmt.Errorf("bad --line %d: want at least 1", c.Line)
	case c.Game < 0:
		return fmt.Errorf("bad --game %d: games are counted from 1", c.Game)
	}
	return nil
}

// searcher makes the engine.
func (c *analyzeCmd) searcher(out io.Writer) (*analyst, error) {
	e := engine.New()
	for _, text := range append([]string{"Resign_Threshold=0", "PV_Interval=0"}, c.Option...) {
		o, err := match.ParseSetting(text)
		if err != nil {
			return nil, err
		}
		if err := e.Set(usi.Setting{Name: o.Name, Value: o.Value, HasValue: true}); err != nil {
			return nil, err
		}
	}
	for _, message := range e.Ready() {
		fmt.Fprintln(out, "yomi:", message)
	}
	a := &analyst{engine: e, limits: search.Limits{Nodes: c.Nodes, MoveTime: c.Movetime}, mistake: c.Mistake / 100, blunder: c.Blunder / 100}
	if c.Movetime > 0 {
		a.limits.Nodes = 0
	}
	return a, nil
}

// analyse analyses the games of a file and writes what is to be written.
func (c *analyzeCmd) analyse(ctx context.Context, a *analyst, f *analysedFile) error {
	for _, g := range f.games {
		if err := a.analyse(ctx, g); err != nil {
			return err
		}
		g.comment(f, c.Line)
	}
	type output struct {
		path  string
		write func(io.Writer) error
	}
	outputs := []output{{f.out, f.write}}
	if c.Graph {
		for i, g := range f.games {
			outputs = append(outputs, output{f.graphs[i], g.writeSVG})
		}
		outputs = append(outputs, output{f.page, f.writePage})
	}
	for _, o := range outputs {
		if err := writeFile(o.path, o.write); err != nil {
			return errors.Join(err, removeIfThere(o.path+".partial"))
		}
	}
	return nil
}

// refuseOverwriting returns an error when a file to write is there already, or two records would write the same one.
func (c *analyzeCmd) refuseOverwriting(files []*analysedFile) error {
	from := make(map[string]string)
	for _, f := range files {
		outputs := []string{f.out}
		if c.Graph {
			outputs = append(append(outputs, f.page), f.graphs...)
		}
		for _, path := range outputs {
			if other := from[path]; other != "" {
				return fmt.Errorf("%s and %s would both write %s; analyse one of them with -o", other, f.path, path)
			}
			from[path] = f.path
			if _, err := os.Stat(path); err == nil && !c.Force {
				return fmt.Errorf("%s is there already; --force overwrites it", path)
			}
		}
	}
	return nil
}

// stem returns the path without its endings, in the folder for output.
func (c *analyzeCmd) stem(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), ".zst")
	base = strings.TrimSuffix(base, filepath.Ext(base)) + ".analysed"
	if c.Out != "" {
		return filepath.Join(c.Out, base)
	}
	return filepath.Join(filepath.Dir(path), base)
}
