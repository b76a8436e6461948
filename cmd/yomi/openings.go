package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/usi"
)

// openingsCmd makes lists of balanced openings.
type openingsCmd struct {
	Records     []string `arg:"" optional:"" type:"existingfile" help:"Training records (.psv, .hcpe, also .zst) to take positions from."`
	Play        bool     `help:"Make the openings by play instead: random moves by the policy, then a search that keeps balanced ones."`
	Count       int      `default:"500" help:"Number of openings."`
	Plies       string   `default:"16-24" placeholder:"MIN-MAX" help:"Moves played before the opening (${default})."`
	MaxScore    int      `default:"60" help:"Largest score in centipawns, for either side, that counts as balanced (${default})."`
	Seed        uint64   `default:"1" help:"Which ones are taken (${default})."`
	Temperature float64  `default:"0.7" help:"With --play: how random the moves are; 1 is as the policy says (${default})."`
	Nodes       int64    `default:"20000" help:"With --play: playouts of the search that checks an opening (${default})."`
	Option      []string `sep:"none" placeholder:"NAME=VALUE" help:"With --play: an option of the engine. May be given several times."`
	Out         string   `short:"o" placeholder:"FILE" help:"File to write. Without it the list goes to the standard output."`
}

// Help shows examples.
func (openingsCmd) Help() string {
	return `Examples:
  yomi openings --count 500 --plies 16-24 --max-score 60 -o balanced.sfen a1.psv.zst a2.psv.zst
  yomi openings --play --count 100 --nodes 20000 -o own.sfen

One position a game is taken, none twice, none in check. Use the list with: yomi match --openings balanced.sfen A B`
}

// Run makes the list.
func (c *openingsCmd) Run(ctx context.Context, s streams) error {
	rules := match.OpeningRules{Count: c.Count, MaxScore: c.MaxScore, Seed: c.Seed}
	low, high, found := strings.Cut(c.Plies, "-")
	var err1, err2 error
	rules.MinPly, err1 = strconv.Atoi(low)
	rules.MaxPly, err2 = strconv.Atoi(high)
	if err := errors.Join(err1, err2); !found || err != nil {
		return fmt.Errorf("bad --plies %q: want MIN-MAX, for example 16-24", c.Plies)
	}
	if c.Play == (len(c.Records) > 0) {
		return errors.New("give either record files or --play")
	}
	lines, incomplete := c.list(ctx, s, rules)
	if ctx.Err() != nil {
		incomplete = errInterrupted
	}
	if len(lines) == 0 {
		return incomplete
	}
	text := c.heading(len(lines)) + strings.Join(lines, "\n") + "\n"
	if c.Out == "" {
		if _, err := fmt.Fprint(s.Out, text); err != nil {
			return err
		}
	} else if err := writeFile(c.Out, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		return err
	}
	if incomplete != nil {
		fmt.Fprintf(s.Err, "yomi: only %d of %d openings were written\n", len(lines), c.Count)
	}
	return incomplete
}

// list makes the openings. There may be some together with an error.
func (c *openingsCmd) list(ctx context.Context, s streams, rules match.OpeningRules) ([]string, error) {
	if !c.Play {
		return match.OpeningsFromRecords(ctx, c.Records, rules)
	}
	play := match.PlayRules{OpeningRules: rules, Temperature: c.Temperature, Nodes: c.Nodes}
	for _, text := range c.Option {
		o, err := match.ParseSetting(text)
		if err != nil {
			return nil, err
		}
		play.Options = append(play.Options, usi.Setting{Name: o.Name, Value: o.Value, HasValue: true})
	}
	bar := newProgressBar(s.Err, "openings", 0, int64(c.Count))
	defer bar.end()
	return match.OpeningsByPlay(ctx, play, func(found int) { bar.set(int64(found), "") })
}

// heading says how the list was made.
func (c *openingsCmd) heading(count int) string {
	how := fmt.Sprintf("--count %d --plies %s --max-score %d --seed %d", c.Count, c.Plies, c.MaxScore, c.Seed)
	if c.Play {
		how += fmt.Sprintf(" --play --temperature %g --nodes %d", c.Temperature, c.Nodes)
	}
	for _, o := range c.Option {
		how += " --option " + o
	}
	for _, path := range c.Records {
		how += " " + filepath.Base(path)
	}
	return fmt.Sprintf("# %d balanced openings. Remade by:\n# yomi openings %s\n", count, how)
}
