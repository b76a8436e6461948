package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// studyCmd compares ways of searching, weights of the evaluation, and engines on test positions.
type studyCmd struct {
	Positions []string `arg:"" optional:"" type:"existingfile" help:"Files of positions, one a line as in opening files. Without one the first embedded openings are taken."`

	Suite string `group:"What to do" type:"existingdir" placeholder:"DIR" help:"Solve the test cases of a folder (testdata/study) with uct and alphabeta and print how many they pass."`
	Match int    `group:"What to do" placeholder:"GAMES" help:"Play the changed weights against the old ones."`

	Config    []string `group:"Search" sep:"none" placeholder:"SETTINGS" help:"A configuration to compare, for example driver=mtdf,killers=off; it changes the configuration for play. May be given several times."`
	Depth     int      `group:"Search" default:"5" help:"Depth in plies (${default})."`
	Nodes     int64    `group:"Search" default:"2000000" help:"Most nodes for a position; 0 for no limit (${default})."`
	Count     int      `group:"Search" default:"8" help:"Number of positions to take; 0 for all (${default})."`
	Evaluator string   `group:"Search" default:"features" enum:"features,net" help:"Who judges positions: features or net (${default})."`
	Counters  bool     `group:"Search" help:"Print every counter of each configuration."`

	Weights string   `group:"Weights" type:"existingfile" placeholder:"FILE" help:"Weights of the features instead of the built-in ones."`
	Weight  []string `group:"Weights" sep:"none" placeholder:"NAME=VALUE" help:"Change a feature's weight, in thousandths: king_safety=1500, or 800,1500 for opening and ending. Lists the best moves that change."`
	Print   bool     `group:"Weights" help:"Print the built-in weights file."`

	Time   string `group:"Match" default:"nodes=20000" placeholder:"TC" help:"Time control of --match, as in yomi match (${default})."`
	Seed   uint64 `group:"Match" default:"1" help:"Order of the openings (${default})."`
	Record string `group:"Match" short:"o" placeholder:"FILE" help:"Keep the games in this file, and go on with those that are in it."`

	UCTNodes int64  `group:"Suite" name:"uct-nodes" default:"10000" help:"Playouts of uct for each case (${default})."`
	ABNodes  int64  `group:"Suite" name:"alphabeta-nodes" default:"300000" help:"Nodes of alphabeta for each case (${default})."`
	History  string `group:"Suite" placeholder:"FILE" help:"Append the pass rates to this file of JSON lines; default: history.jsonl in the folder. - for none."`
	Label    string `group:"Suite" placeholder:"TEXT" help:"What the history calls this version; default: the revision it was built from."`
	Failures bool   `group:"Suite" help:"List the cases that were not passed."`
}

// Help shows examples.
func (studyCmd) Help() string {
	return `Examples:
  yomi study --config driver=minimax --config driver=alphabeta,ordering=none --config driver=pvs --depth 3
  yomi study positions.sfen --config "" --config killers=off --config history=off --counters
  yomi study --weight king_safety=1500 --depth 4 --count 100
  yomi study --weight king_safety=1500 --match 100 -o king_safety.jsonl
  yomi study --suite testdata/study --failures

Settings: ` + strings.Join(alphabeta.SettingNames(), ", ") + `.
Features: ` + strings.Join(alphabeta.FeatureNames(), ", ") + `.`
}

// Run does what the flags say.
func (c *studyCmd) Run(ctx context.Context, s streams, k *kong.Context) error {
	if c.Depth < 1 || c.Nodes < 0 || c.Count < 0 {
		return errors.New("--depth must be positive, --nodes and --count not negative")
	}
	if err := c.check(); err != nil {
		return err
	}
	if err := c.checkEffect(givenFlags(k)); err != nil {
		return err
	}
	if c.Print {
		fmt.Fprint(s.Out, alphabeta.WeightsText())
		return nil
	}
	old, changed, err := c.weights()
	if err != nil {
		return err
	}
	switch {
	case c.Suite != "":
		return c.suite(ctx, s, old)
	case c.Match > 0:
		return c.match(ctx, s, old, changed)
	case len(c.Weight) > 0:
		return c.compareWeights(ctx, s, old, changed)
	}
	return c.compareConfigs(ctx, s, old)
}

// check refuses numbers without an end and flags that would have no effect.
func (c *studyCmd) check() error {
	switch {
	case c.Match < 0:
		return fmt.Errorf("--match %d: want a number of games", c.Match)
	case c.UCTNodes < 1 || c.ABNodes < 1:
		return errors.New("--uct-nodes and --alphabeta-nodes must be positive: a case needs a limit")
	case c.Suite != "" && c.Match > 0:
		return errors.New("--suite does not go with --match")
	case (c.Suite != "" || c.Match > 0) && c.Evaluator == "net":
		return errors.New("--suite and --match judge by the features; --evaluator net has no effect on them")
	}
	return nil
}

// studyModes are what yomi study does, the first that is asked for, with the flags that take part in it.
var studyModes = []struct {
	name  string
	asked func(c *studyCmd) bool
	flags string
	takes bool // position files
}{
	{"--print", func(c *studyCmd) bool { return c.Print }, "print", false},
	{"--suite", func(c *studyCmd) bool { return c.Suite != "" }, "suite weights uct-nodes alphabeta-nodes history label failures", false},
	{"--match", func(c *studyCmd) bool { return c.Match > 0 }, "match config weight weights time seed record", false},
	{"a comparison of weights", func(c *studyCmd) bool { return len(c.Weight) > 0 }, "weight weights evaluator depth nodes count", true},
	{"a comparison of configurations", func(*studyCmd) bool { return true }, "config weights evaluator depth nodes count counters", true},
}

// checkEffect refuses flags and files that take no part in what is to be done.
func (c *studyCmd) checkEffect(given map[string]bool) error {
	for _, mode := range studyModes {
		if !mode.asked(c) {
			continue
		}
		if len(c.Positions) > 0 && !mode.takes {
			return fmt.Errorf("%s has no effect with %s, which takes no files of positions", c.Positions[0], mode.name)
		}
		return refuseOthers(given, mode.flags, mode.name)
	}
	return nil
}

// refuseOthers returns an error for the first flag, by name, that is not among the known words.
func refuseOthers(given map[string]bool, known, what string) error {
	words := strings.Fields(known)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(words, name) {
			return fmt.Errorf("--%s has no effect with %s", name, what)
		}
	}
	return nil
}

// weights returns the weights to begin with, and those that --weight changes them to.
func (c *studyCmd) weights() (old, changed *alphabeta.Weights, err error) {
	old = alphabeta.DefaultWeights()
	if c.Weights != "" {
		text, err := os.ReadFile(c.Weights)
		if err != nil {
			return nil, nil, err
		}
		if old, err = alphabeta.ParseWeights(string(text)); err != nil {
			return nil, nil, fmt.Errorf("%s, %w", c.Weights, err)
		}
	}
	copied := *old
	for _, text := range c.Weight {
		if err := copied.Set(text); err != nil {
			name, _, _ := strings.Cut(text, "=")
			if errors.Is(err, alphabeta.ErrUnknownWeight) {
				err = fmt.Errorf("%w%s", err, nearest(name, alphabeta.FeatureNames()))
			}
			return nil, nil, err
		}
	}
	return old, &copied, nil
}

// positions returns the games at whose end the positions stand.
func (c *studyCmd) positions() ([]*shogi.Game, error) {
	files := c.Positions
	if len(files) == 0 {
		files = []string{""}
	}
	var games []*shogi.Game
	for _, path := range files {
		list, err := match.LoadOpenings(path)
		if err != nil {
			return nil, err
		}
		for _, o := range list {
			games = append(games, o.Game())
		}
	}
	if c.Count > 0 {
		games = games[:min(c.Count, len(games))]
	}
	return games, nil
}

// game returns shogi as alphabeta sees it, judged by the weights or the net.
func (c *studyCmd) game(w *alphabeta.Weights) *alphabeta.Shogi {
	rules := alphabeta.ShogiRules{Declaration: shogi.CSARule27}
	if c.Evaluator == "net" {
		return alphabeta.NewShogiValue(value.NewNetEvaluator(value.Default()), value.EvalCoef, rules)
	}
	return alphabeta.NewShogi(w, rules)
}

// scoreText writes a score: hundredths of a pawn, or the length of the mate.
func scoreText(score int) string {
	if plies, ok := alphabeta.IsMate(score); ok {
		return fmt.Sprintf("mate %d", plies)
	}
	return fmt.Sprintf("%+d", score)
}

// lineText writes moves.
func lineText(moves []shogi.Move) string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = m.String()
	}
	return strings.Join(words, " ")
}

// nearest returns `, did you mean "…"?` with the known name that shares the most letter pairs with the unknown one, "" when none shares any.
func nearest(unknown string, known []string) string {
	best := slices.MaxFunc(known, func(a, b string) int { return sharedPairs(unknown, a) - sharedPairs(unknown, b) })
	if sharedPairs(unknown, best) == 0 {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// sharedPairs counts the pairs of neighbouring letters of a that b has too.
func sharedPairs(a, b string) int {
	n := 0
	for i := range len(a) - 1 {
		if strings.Contains(b, a[i:i+2]) {
			n++
		}
	}
	return n
}
