package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/yomi-shogi/yomi/internal/learn"
)

// loopGroup begins the names of the groups of flags that only yomi train --loop has, playPrefix the names of those for its self-play.
const (
	loopGroup  = "Loop"
	playPrefix = "play-"
)

// loopFlags are those of yomi train --loop.
type loopFlags struct {
	Loop        string  `group:"Loop" type:"path" placeholder:"DIR" help:"Run the learning loop in this folder: self-play, training, gate, again and again. When it is there already, it goes on."`
	Generations int     `group:"Loop" default:"10" help:"Generations that the folder is to have; 0 for no end (${default})."`
	Disk        float64 `group:"Loop" default:"2000" placeholder:"MB" help:"Most MB that the folder may take; old games go first (${default})."`
	Games       int64   `group:"Loop" default:"500" help:"Games of self-play in a generation (${default})."`
	Window      int     `group:"Loop" default:"5" help:"Generations whose games are learnt from, the newest included (${default})."`
	HandedShare float64 `group:"Loop" default:"0.5" help:"Share of positions from the files, if there are any, among those that are learnt from (${default})."`
	FromScratch bool    `group:"Loop" help:"Begin each training with random weights instead of those of the best net."`

	GateNodes int64   `group:"Loop: gate" default:"400" help:"Playouts of a move in the match of the new nets against the best (${default})."`
	GateGames int     `group:"Loop: gate" default:"1600" help:"Most games; undecided then means rejected (${default})."`
	GateSPRT  string  `group:"Loop: gate" name:"gate-sprt" default:"0,30" placeholder:"ELO0,ELO1" help:"Bounds of the test in normalized Elo, new − best (${default})."`
	GateAlpha float64 `group:"Loop: gate" default:"0.05" help:"Risk to promote nets that are no better than ELO0 (${default})."`
	GateBeta  float64 `group:"Loop: gate" default:"0.05" help:"Risk to reject nets that are as good as ELO1 (${default})."`
	GateHash  int     `group:"Loop: gate" default:"16" help:"Memory of each player's tree in MB (${default})."`

	Openings string        `group:"Loop: games" type:"existingfile" placeholder:"FILE" help:"Opening file for self-play and gate, as for yomi match. Without it the embedded balanced list."`
	Play     selfplayFlags `embed:"" prefix:"play-"`
}

// loopConfig reads the flags.
func (c *trainCmd) loopConfig() (learn.Config, error) {
	config := learn.DefaultConfig()
	config.Seed, config.Games, config.Window, config.HandedShare, config.Scratch = c.Seed, c.Games, c.Window, c.HandedShare, c.FromScratch
	config.Policy, config.Value = c.config(config.Policy), c.config(config.Value)
	config.Handed.Share = c.ValidateShare
	g := &config.Gate
	g.Nodes, g.Games, g.HashMB = c.GateNodes, c.GateGames, c.GateHash
	var err error
	if config.SelfPlay, err = c.Play.config(); err != nil {
		return config, err
	}
	g.Rules.MaxPlies, g.Rules.Declaration = c.Play.MaxMoves, c.Play.Declaration
	if g.SPRT.Elo0, g.SPRT.Elo1, err = parseBounds("--gate-sprt", c.GateSPRT); err != nil {
		return config, err
	}
	g.SPRT.Alpha, g.SPRT.Beta = c.GateAlpha, c.GateBeta
	for _, list := range []struct {
		to   *[]string
		from []string
	}{{&config.Handed.Train, c.Files}, {&config.Handed.Last, c.ValidateLast}, {&config.Handed.Also, c.AlsoValidate}} {
		for _, path := range list.from {
			if path, err = filepath.Abs(path); err != nil {
				return config, err
			}
			*list.to = append(*list.to, path)
		}
	}
	if c.Openings != "" {
		config.Openings, err = filepath.Abs(c.Openings)
	}
	return config, err
}

// loopOptions reads the flags that do not change the result.
func (c *trainCmd) loopOptions(l *learn.Loop) (learn.Options, error) {
	const mega = 1e6
	o := learn.Options{Generations: c.Generations, Workers: c.Workers, Disk: int64(c.Disk * mega)}
	if o.Generations < 0 {
		return o, fmt.Errorf("bad --generations %d: want 0 or more", o.Generations)
	}
	if !(c.Disk > 0 && c.Disk*mega < math.MaxInt64) {
		return o, fmt.Errorf("bad --disk %v: want a number of MB above 0", c.Disk)
	}
	if o.Workers == 0 {
		o.Workers = l.Config.Policy.Workers
	}
	var err error
	o.Program, err = programHash()
	return o, err
}

// loop runs a learning loop.
func (c *trainCmd) loop(ctx context.Context, s streams, given map[string]bool) error {
	l, err := c.openLoop(given)
	if err != nil {
		return err
	}
	defer l.Close()
	o, err := c.loopOptions(l)
	if err != nil {
		return err
	}
	again := c.loopAgain(given)
	fmt.Fprintf(s.Err, "folder %s: %d generations finished, the best nets are those of generation %d; %d games at a time\n", c.Loop, len(l.History), l.Best(), o.Workers)
	fmt.Fprintf(s.Err, "settings: %s; to go on after an interruption: %s\n", filepath.Join(c.Loop, "config.json"), again)
	if cores := runtime.NumCPU(); o.Workers > cores {
		fmt.Fprintf(s.Err, "warning: %d games at a time on %d cores\n", o.Workers, cores)
	}
	progress := loopProgress{streams: s}
	o.Report = progress.report
	err = l.Run(ctx, o)
	progress.end()
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		fmt.Fprintf(s.Err, "Interrupted after %d generations%s. To go on:\n  %s\n", len(l.History), progress.where(), again)
		return errInterrupted
	}
	if err != nil {
		return fmt.Errorf("%w\nto go on:\n  %s", err, again)
	}
	p, v := l.Files(l.Best())
	fmt.Fprintf(s.Out, "%d generations; the best nets are those of generation %d:\n  %s\n  %s\ntable       %s\npicture     %s\n", len(l.History), l.Best(), p, v,
		filepath.Join(c.Loop, "generations.md"), filepath.Join(c.Loop, "generations.svg"))
	return nil
}

// anyTime are the flags of a loop that may change when it goes on.
func anyTime() []string { return []string{"loop", "resume", "generations", "disk", "workers"} }

// openLoop begins or goes on.
func (c *trainCmd) openLoop(given map[string]bool) (*learn.Loop, error) {
	for _, name := range []string{"policy", "value", "origin", "checkpoint"} {
		if given[name] {
			return nil, fmt.Errorf("--%s cannot be given with --loop", name)
		}
	}
	if c.Resume {
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if !slices.Contains(anyTime(), name) {
				return nil, fmt.Errorf("--%s cannot be given with --loop and --resume: settings come from the folder", name)
			}
		}
		if len(c.Files) > 0 {
			return nil, fmt.Errorf("%s cannot be given with --loop and --resume: files come from the folder", c.Files[0])
		}
		return learn.Resume(c.Loop)
	}
	config, err := c.loopConfig()
	if err != nil {
		return nil, err
	}
	return learn.Open(c.Loop, config, learn.Start{Policy: c.StartPolicy, Value: c.StartValue})
}

// loopAgain returns the command that goes on with the loop.
func (c *trainCmd) loopAgain(given map[string]bool) string {
	words := []string{commandFor(os.Args[0]), "train", "--loop", quoted(c.Loop), "--resume"}
	for _, f := range []struct {
		name  string
		value any
	}{{"generations", c.Generations}, {"disk", c.Disk}, {"workers", c.Workers}} {
		if given[f.name] {
			words = append(words, "--"+f.name, fmt.Sprint(f.value))
		}
	}
	return strings.Join(words, " ")
}

// loopProgress shows how far a loop is: a bar for each stage on a terminal, and a line for what it has brought.
type loopProgress struct {
	streams
	now learn.Progress
	bar *progressBar
}

func (p *loopProgress) report(now learn.Progress) {
	if now.Line != "" {
		p.end()
		fmt.Fprintln(p.Out, now.Line)
		return
	}
	if p.bar == nil || p.now.Stage != now.Stage || p.now.Total != now.Total {
		p.end()
		p.bar = newProgressBar(p.Err, fmt.Sprintf("generation %d, %s", now.Generation, now.Stage), now.Done, now.Total)
	}
	p.now = now
	p.bar.set(now.Done, "  "+now.Text)
}

// where says in what generation and stage the loop was last.
func (p *loopProgress) where() string {
	switch {
	case p.now.Stage == "":
		return ""
	case p.now.Total == 0:
		return fmt.Sprintf(", in generation %d, %s", p.now.Generation, p.now.Stage)
	}
	return fmt.Sprintf(", in generation %d, %s (%d of %d)", p.now.Generation, p.now.Stage, p.now.Done, p.now.Total)
}

// end takes the bar away.
func (p *loopProgress) end() {
	if p.bar != nil {
		p.bar.end()
		p.bar = nil
	}
}
