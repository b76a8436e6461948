package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// studied is the outcome of a configuration on a position.
type studied struct {
	outcome alphabeta.Outcome[shogi.Move]
	time    time.Duration
}

// configs returns the configurations to compare and what to call them.
func (c *studyCmd) configs() (names []string, configs []alphabeta.Config, err error) {
	texts := c.Config
	if len(texts) == 0 {
		texts = []string{"driver=alphabeta,ordering=none,table=0", "driver=alphabeta,ordering=heuristic,table=0", "driver=alphabeta", "driver=scout", "driver=pvs", "driver=mtdf"}
	}
	for _, text := range texts {
		config, err := alphabeta.ParseConfig(alphabeta.Default(), text)
		if errors.Is(err, alphabeta.ErrUnknownSetting) {
			return nil, nil, fmt.Errorf("--config %s: %w%s", text, err, nearest(unknownName(text), alphabeta.SettingNames()))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("--config %s: %w", text, err)
		}
		if needs, has := alphabeta.ShogiTableBytes(config.TableSize)>>20, engine.MachineMB(); config.TableSize > 0 && has > 0 && needs > has {
			return nil, nil, fmt.Errorf("--config %s: a table of %d entries takes %d MB; this machine has %d MB to give", text, config.TableSize, needs, has)
		}
		if text == "" {
			text = "for play"
		}
		names, configs = append(names, text), append(configs, config)
	}
	return names, configs, nil
}

// unknownName returns the first name in the settings that is not known.
func unknownName(text string) string {
	known := make(map[string]bool)
	for _, name := range alphabeta.SettingNames() {
		known[name] = true
	}
	for _, name := range settingNames(text) {
		if !known[name] {
			return name
		}
	}
	return ""
}

// compareConfigs runs every configuration on every position.
func (c *studyCmd) compareConfigs(ctx context.Context, s streams, w *alphabeta.Weights) error {
	names, configs, err := c.configs()
	if err != nil {
		return err
	}
	games, err := c.positions()
	if err != nil {
		return err
	}
	bar := newProgressBar(s.Err, "searches", 0, int64(len(games)*len(configs)))
	results := make([][]studied, len(games))
	for i, g := range games {
		for _, config := range configs {
			r, err := c.study(ctx, g, config, w)
			if err != nil {
				bar.end()
				return err
			}
			results[i] = append(results[i], r)
			bar.set(int64(i*len(configs)+len(results[i])), "")
		}
	}
	bar.end()
	out := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i, g := range games {
		fmt.Fprintf(out, "%s\n", g.Position().SFEN())
		printStudied(out, names, results[i])
	}
	fmt.Fprintln(out, "All positions together")
	sums := make([]studied, len(configs))
	for _, row := range results {
		for j, r := range row {
			sums[j].outcome.Stats.Add(&r.outcome.Stats)
			sums[j].time += r.time
		}
	}
	printSums(out, names, sums)
	if c.Counters {
		printCounters(out, names, sums)
	}
	return out.Flush()
}

// study searches one position with one configuration.
func (c *studyCmd) study(ctx context.Context, g *shogi.Game, config alphabeta.Config, w *alphabeta.Weights) (studied, error) {
	game := c.game(w)
	game.Reset(g)
	search, err := alphabeta.New[shogi.Move](game, config, nil)
	if err != nil {
		return studied{}, err
	}
	begin := time.Now()
	out := search.Run(alphabeta.Goal[shogi.Move]{Depth: c.Depth, Nodes: c.Nodes, Stop: func() bool { return ctx.Err() != nil }})
	if ctx.Err() != nil {
		return studied{}, errInterrupted
	}
	return studied{out, time.Since(begin)}, nil
}

// printStudied prints what the configurations say of a position.
func printStudied(out *tabwriter.Writer, names []string, row []studied) {
	fmt.Fprintln(out, "value\tmove\tdepth\tnodes\tcut-offs\tfirst\ttable hits\tms\tb\t  configuration")
	for i, r := range row {
		o := &r.outcome
		move := "-"
		if len(o.Lines) > 0 {
			move = o.Move().String()
		}
		st := &o.Stats
		stopped := ""
		if o.Stopped {
			stopped = " (stopped)"
		}
		fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%d\t%s\t%d\t%d\t%.2f\t  %s%s\n", scoreText(o.Score()), move, o.Depth, st.Nodes, st.Cutoffs, percent(st.FirstCutoffs, st.Cutoffs),
			st.Hits, r.time.Milliseconds(), alphabeta.BranchingFactor(st.Nodes, o.Depth), names[i], stopped)
	}
}

// printSums prints the configurations over all positions.
func printSums(out *tabwriter.Writer, names []string, sums []studied) {
	fmt.Fprintln(out, "nodes\tcut-offs\tfirst\ttable cut-offs\tms\tnodes/s\t  configuration")
	for i, r := range sums {
		st := &r.outcome.Stats
		fmt.Fprintf(out, "%d\t%d\t%s\t%d\t%d\t%.0f\t  %s\n", st.Nodes, st.Cutoffs, percent(st.FirstCutoffs, st.Cutoffs), st.Answers,
			r.time.Milliseconds(), float64(st.Nodes)/max(r.time, time.Microsecond).Seconds(), names[i])
	}
}

// printCounters prints every counter, a column for each configuration.
func printCounters(out *tabwriter.Writer, names []string, sums []studied) {
	for i, name := range names {
		fmt.Fprintf(out, "%d: %s\n", i+1, name)
	}
	for row := range sums[0].outcome.Stats.Counters() {
		fmt.Fprint(out, sums[0].outcome.Stats.Counters()[row].Name)
		for i := range sums {
			fmt.Fprintf(out, "\t%d", sums[i].outcome.Stats.Counters()[row].Value)
		}
		fmt.Fprintln(out, "\t")
	}
}

// percent writes a share.
func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

// settingNames returns the names before the equal signs.
func settingNames(text string) (names []string) {
	for part := range strings.SplitSeq(text, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), "=")
		names = append(names, name)
	}
	return names
}
