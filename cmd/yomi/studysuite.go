package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// testCase is a position with its best moves, or with moves to avoid.
type testCase struct {
	id          string
	game        *shogi.Game
	best, avoid []shogi.Move
}

// passes reports whether the move is right.
func (c *testCase) passes(m shogi.Move) bool {
	return (len(c.best) == 0 || slices.Contains(c.best, m)) && !slices.Contains(c.avoid, m)
}

// parseCase reads a test case, an extended position: a position as in an opening file, then "bm" with the best moves or "am" with
// the moves to avoid, then further operations after semicolons, of which id (in quotes) is needed.
//
//	sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 bm G*5b; id "mates-001";
//
// "win" stands for a declaration. The error names the bad token.
func parseCase(line string) (testCase, error) {
	var c testCase
	head, tail, _ := strings.Cut(line, ";")
	words := strings.Fields(head)
	at := slices.IndexFunc(words, func(w string) bool { return w == "bm" || w == "am" })
	if at < 0 {
		return c, errors.New(`no "bm" or "am"`)
	}
	game, err := shogi.ParsePosition(strings.Join(words[:at], " "))
	if err != nil {
		return c, err
	}
	c.game = game
	if at+1 == len(words) {
		return c, fmt.Errorf("no move after %q", words[at])
	}
	for _, word := range words[at+1:] {
		m, err := caseMove(game.Position(), word)
		if err != nil {
			return c, err
		}
		if words[at] == "bm" {
			c.best = append(c.best, m)
		} else {
			c.avoid = append(c.avoid, m)
		}
	}
	for operation := range strings.SplitSeq(tail, ";") {
		if name, text, _ := strings.Cut(strings.TrimSpace(operation), " "); name == "id" {
			c.id = strings.Trim(strings.TrimSpace(text), `"`)
		}
	}
	if c.id == "" {
		return c, errors.New("no id")
	}
	return c, nil
}

// caseMove reads a move that must be legal in the position.
func caseMove(p *shogi.Position, word string) (shogi.Move, error) {
	if word == shogi.MoveWin.String() {
		return shogi.MoveWin, nil
	}
	m, err := shogi.ParseMove(word)
	if err == nil && !p.IsLegal(m) {
		err = fmt.Errorf("move %q is illegal in %s", word, p.SFEN())
	}
	return m, err
}

// category is the cases of one file.
type category struct {
	name  string
	cases []testCase
}

// readSuite reads the *.txt files of a folder. Empty lines and those that begin with # are skipped. Ids must differ.
func readSuite(dir string) ([]category, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s has no .txt file of cases", dir)
	}
	var suite []category
	seen := make(map[string]bool)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		c := category{name: strings.TrimSuffix(filepath.Base(path), ".txt")}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			one, err := parseCase(line)
			if err == nil && seen[one.id] {
				err = fmt.Errorf("id %q is there twice", one.id)
			}
			if err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", path, number, err)
			}
			seen[one.id] = true
			c.cases = append(c.cases, one)
		}
		suite = append(suite, c)
	}
	return suite, nil
}

// solver is an engine that solves cases.
type solver struct {
	name  string
	solve func(ctx context.Context, g *shogi.Game) search.Result
}

// solvers returns uct and alphabeta.
func (c *studyCmd) solvers(w *alphabeta.Weights) ([]solver, error) {
	tree := engine.New()
	if err := tree.Set(usi.Setting{Name: "USI_Hash", Value: "64", HasValue: true}); err != nil {
		return nil, err
	}
	tree.Ready()
	o := alphabeta.DefaultOptions()
	o.Weights, o.PVInterval = w, 0
	ab, err := alphabeta.NewEngine(o)
	if err != nil {
		return nil, err
	}
	quiet := func([]search.Info) {}
	return []solver{
		{"uct", func(ctx context.Context, g *shogi.Game) search.Result {
			tree.NewGame()
			return tree.Search(ctx, g, search.Limits{Nodes: c.UCTNodes}, quiet)
		}},
		{"alphabeta", func(ctx context.Context, g *shogi.Game) search.Result {
			ab.Clear()
			return ab.Search(ctx, g, search.Limits{Nodes: c.ABNodes}, quiet)
		}},
	}, nil
}

// passRate is a line of the history file: what one engine passed in one run.
type passRate struct {
	Date    string `json:"date"`
	Version string `json:"version"`
	Engine  string `json:"engine"`
	Nodes   int64  `json:"nodes"`
	// Passed and Cases are by category, and in all under "all".
	Passed map[string]int `json:"passed"`
	Cases  map[string]int `json:"cases"`
}

const allCases = "all"

// suite solves the cases of a folder with both engines.
func (c *studyCmd) suite(ctx context.Context, s streams, w *alphabeta.Weights) (err error) {
	suite, err := readSuite(c.Suite)
	if err != nil {
		return err
	}
	solvers, err := c.solvers(w)
	if err != nil {
		return err
	}
	history, err := c.openHistory()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, history.Close()) }()
	total := 0
	for _, k := range suite {
		total += len(k.cases)
	}
	bar := newProgressBar(s.Err, "cases", 0, int64(total*len(solvers)))
	defer bar.end()
	now := time.Now().UTC().Format(time.RFC3339)
	var rates []passRate
	var failures strings.Builder
	done := int64(0)
	for i, solver := range solvers {
		rate := passRate{Date: now, Version: c.version(), Engine: solver.name, Nodes: []int64{c.UCTNodes, c.ABNodes}[i],
			Passed: make(map[string]int), Cases: make(map[string]int)}
		for _, k := range suite {
			for _, one := range k.cases {
				r := solver.solve(ctx, one.game)
				if ctx.Err() != nil {
					return errInterrupted
				}
				rate.count(k.name, one.passes(r.Best))
				if !one.passes(r.Best) {
					fmt.Fprintf(&failures, "%s: %s plays %s; best %s, to avoid %s: %s\n", one.id, solver.name, r.Best, movesText(one.best), movesText(one.avoid), one.game.USI())
				}
				done++
				bar.set(done, "")
			}
		}
		rates = append(rates, rate)
	}
	if err := printRates(s, suite, rates); err != nil {
		return err
	}
	if c.Failures {
		fmt.Fprint(s.Out, failures.String())
	}
	return keepRates(history, rates)
}

func (r *passRate) count(category string, passed bool) {
	for _, key := range []string{category, allCases} {
		r.Cases[key]++
		if passed {
			r.Passed[key]++
		}
	}
}

func movesText(moves []shogi.Move) string {
	if len(moves) == 0 {
		return "-"
	}
	return lineText(moves)
}

// printRates prints the table of pass rates.
func printRates(s streams, suite []category, rates []passRate) error {
	out := tabwriter.NewWriter(s.Out, 0, 0, 3, ' ', 0)
	fmt.Fprint(out, "category\tcases")
	for _, r := range rates {
		fmt.Fprintf(out, "\t%s (%d nodes)", r.Engine, r.Nodes)
	}
	fmt.Fprintln(out)
	names := make([]string, 0, len(suite)+1)
	for _, k := range suite {
		names = append(names, k.name)
	}
	for _, name := range append(names, allCases) {
		fmt.Fprintf(out, "%s\t%d", name, rates[0].Cases[name])
		for _, r := range rates {
			fmt.Fprintf(out, "\t%d (%s)", r.Passed[name], percent(int64(r.Passed[name]), int64(r.Cases[name])))
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// version returns what the history calls this program.
func (c *studyCmd) version() string {
	if c.Label != "" {
		return c.Label
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return "unknown"
}

// openHistory opens the file that the pass rates are appended to, before time is spent on them.
func (c *studyCmd) openHistory() (io.WriteCloser, error) {
	path := c.History
	switch path {
	case "-":
		return noHistory{io.Discard}, nil
	case "":
		path = filepath.Join(c.Suite, "history.jsonl")
	}
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
}

// noHistory keeps nothing.
type noHistory struct{ io.Writer }

func (noHistory) Close() error { return nil }

// keepRates appends the pass rates to the history, all of them in one piece.
func keepRates(history io.Writer, rates []passRate) error {
	var lines bytes.Buffer
	for i := range rates {
		if err := json.NewEncoder(&lines).Encode(&rates[i]); err != nil {
			return err
		}
	}
	_, err := history.Write(lines.Bytes())
	return err
}
