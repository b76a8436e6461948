package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/alecthomas/kong"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/tune"
)

// tuneCmd tunes options of the engine.
type tuneCmd struct {
	List   bool   `group:"What to do" help:"List the options that can be tuned, with start, range and step."`
	Resume string `group:"What to do" type:"existingdir" placeholder:"DIR" help:"Go on with the run in this folder. Only --concurrency may be given with it."`
	Report string `group:"What to do" type:"existingdir" placeholder:"DIR" help:"Write the report of the run in this folder anew and print where it stands."`

	Param      []string `group:"Tuning" sep:"none" placeholder:"NAME[=START:MIN:MAX:STEP]" help:"An option to tune. Numbers left out come from the engine. May be given several times, at best up to 6."`
	Iterations int      `group:"Tuning" default:"500" help:"Number of random shifts to try (${default})."`
	Pairs      int      `group:"Tuning" default:"4" help:"Pairs of games for each shift (${default})."`
	R          float64  `group:"Tuning" name:"r" default:"0.01" help:"Rate at the end: a game that is won moves each value by so many steps (${default})."`
	Seed       string   `group:"Tuning" default:"random" help:"Decides shifts and openings: a number or random; it is printed."`

	Time        string   `group:"Games" default:"10+0.1" placeholder:"TC" help:"Time control: 10+0.1 (seconds + increment), 60,1 (seconds, byoyomi), movetime=1s, nodes=800, depth=6 (${default})."`
	Option      []string `group:"Games" sep:"none" placeholder:"NAME=VALUE" help:"An option of both players. May be given several times."`
	Openings    string   `group:"Games" type:"existingfile" placeholder:"FILE" help:"Opening file as for yomi match. Without it the embedded balanced list."`
	Concurrency int      `group:"Games" default:"1" help:"Games at the same time, each on one core, at most those of one iteration (${default})."`

	MaxPlies      int           `group:"Rules" default:"320" help:"Draw after so many moves; 0 for no limit (${default})."`
	Declaration   string        `group:"Rules" default:"CSARule27" help:"Entering-king rule, as the USI option EnteringKingRule (${default})."`
	Resign        string        `group:"Rules" default:"2500x3" placeholder:"SCORExCOUNT" help:"Lost when both players' scores say so by SCORE for COUNT moves, or off (${default})."`
	ResignOneSide bool          `group:"Rules" help:"The losing player's scores are enough for --resign."`
	Draw          string        `group:"Rules" default:"30x8@160" placeholder:"SCORExCOUNT@MOVE" help:"Drawn when both scores are within SCORE for COUNT moves, from MOVE on, or off (${default})."`
	Margin        time.Duration `group:"Rules" default:"100ms" help:"What a move may take over its time without loss (${default})."`
	Hang          time.Duration `group:"Rules" default:"1m" help:"Most time for a move without a limit of time, such as nodes=800 (${default})."`

	Out string `group:"Output" short:"o" placeholder:"DIR" help:"Folder for the journal and the report; default: tunes/TIME."`
}

// Help shows examples.
func (tuneCmd) Help() string {
	return `Examples:
  yomi tune --list
  yomi tune --param C_puct --param C_puct_root --time nodes=800 --iterations 500 --concurrency 2 -o tunes/cpuct
  yomi tune --param C_puct=2690:500:20000:400 --param SlowMover=:50:200:10 --time 10+0.1 --option USI_Hash=64
  yomi tune --resume tunes/cpuct
  yomi tune --report tunes/cpuct

The engine plays itself: one player has all values shifted up or down by chance, the other the opposite way, and the values move
towards the winner (SPSA). The folder gets tune.jsonl (each iteration at once; a killed run goes on from it) and report.html. At the
end the options to set are printed, and the match that verifies them.`
}

// Run does what the flags say.
func (c *tuneCmd) Run(ctx context.Context, s streams, k *kong.Context) error {
	if c.Concurrency < 1 {
		return fmt.Errorf("bad --concurrency %d: want at least 1", c.Concurrency)
	}
	given := givenFlags(k)
	for _, mode := range []struct {
		flag string
		also string
		run  func() error
	}{
		{"list", "", func() error { return c.list(s.Out) }},
		{"report", "concurrency", func() error { return c.report(s.Out) }},
		{"resume", "concurrency", func() error { return c.resume(ctx, s) }},
	} {
		if !given[mode.flag] {
			continue
		}
		for name := range given {
			if name != mode.flag && name != mode.also {
				return fmt.Errorf("--%s cannot be given with --%s", name, mode.flag)
			}
		}
		return mode.run()
	}
	if len(c.Param) == 0 {
		return errors.New("a parameter is needed, for example: yomi tune --param C_puct; yomi tune --list names them")
	}
	return c.begin(ctx, s)
}

// list prints what can be tuned: the search's tunables, then the other number options.
func (c *tuneCmd) list(out io.Writer) error {
	var others []tune.Tunable
	fmt.Fprintf(out, "%-20s %8s  %-16s %6s  meaning\n", "option", "start", "range", "step")
	for _, t := range tune.Tunables(engine.New().Options()) {
		if t.Step == 0 {
			others = append(others, t)
			continue
		}
		fmt.Fprintf(out, "%-20s %8d  %-16s %6d  %s\n", t.Name, t.Start, fmt.Sprintf("%d..%d", t.Min, t.Max), t.Step, t.Meaning)
	}
	fmt.Fprint(out, "\nWith a step that you give, as in --param SlowMover=:::10\n")
	for _, t := range others {
		fmt.Fprintf(out, "%-20s %8d  %d..%d\n", t.Name, t.Start, t.Min, t.Max)
	}
	return nil
}

// config reads the flags.
func (c *tuneCmd) config() (tune.Config, error) {
	config := tune.Config{Iterations: c.Iterations, Pairs: c.Pairs, R: c.R, Rules: match.DefaultRules()}
	r := &config.Rules
	r.MaxPlies, r.Declaration, r.Margin, r.Hang = c.MaxPlies, c.Declaration, c.Margin, c.Hang
	var err error
	if c.Seed == "random" {
		config.Seed = rand.Uint64() >> 16 // short enough to copy
	} else if config.Seed, err = strconv.ParseUint(c.Seed, 10, 64); err != nil {
		return config, fmt.Errorf("bad --seed %q: want a number or random", c.Seed)
	}
	if config.Time, err = match.ParseTimeControl(c.Time); err != nil {
		return config, err
	}
	if c.Resign != "off" {
		if r.Resign, err = match.ParseResign(c.Resign); err != nil {
			return config, err
		}
		r.Resign.OneSided = c.ResignOneSide
	}
	if c.Draw != "off" {
		if r.Draw, err = match.ParseDraw(c.Draw); err != nil {
			return config, err
		}
	}
	if c.Openings != "" {
		if config.Openings, err = filepath.Abs(c.Openings); err != nil {
			return config, err
		}
	}
	for _, text := range c.Option {
		o, err := match.ParseSetting(text)
		if err != nil {
			return config, err
		}
		config.Options = append(config.Options, o)
	}
	for _, text := range c.Param {
		p, err := tune.ParseParam(text)
		if err != nil {
			return config, err
		}
		config.Requests = append(config.Requests, p)
	}
	return config, nil
}

// begin starts a new run.
func (c *tuneCmd) begin(ctx context.Context, s streams) error {
	config, err := c.config()
	if err != nil {
		return err
	}
	dir := c.Out
	if dir == "" {
		dir = filepath.Join("tunes", time.Now().Format("20060102-150405"))
	}
	r, err := tune.Create(ctx, dir, config)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s holds a run already; go on with: yomi tune --resume %s", dir, quoted(dir))
	}
	if err != nil {
		return err
	}
	defer r.Close()
	return c.play(ctx, s, dir, r)
}

// resume goes on with a run. All that decides it comes from its journal.
func (c *tuneCmd) resume(ctx context.Context, s streams) error {
	r, err := tune.Resume(ctx, c.Resume)
	if err != nil {
		return err
	}
	defer r.Close()
	return c.play(ctx, s, c.Resume, r)
}

// report prints where a run stands.
func (c *tuneCmd) report(out io.Writer) error {
	h, err := tune.ReadJournal(filepath.Join(c.Report, tune.JournalName))
	if err != nil {
		return err
	}
	return tuneReport(out, c.Report, &h.Header, h.Iterations, c.Concurrency)
}

// play plays the iterations that are missing and writes the report.
func (c *tuneCmd) play(ctx context.Context, s streams, dir string, r *tune.Run) error {
	again := commandFor(os.Args[0]) + " tune --resume " + quoted(dir)
	if c.Concurrency > 1 {
		again += fmt.Sprintf(" --concurrency %d", c.Concurrency)
	}
	announceTune(s.Err, dir, r, c.Concurrency, again)
	table := newTuneTable(s.Err, &r.Header, r.Iterations)
	page := &tunePage{dir: dir, concurrency: c.Concurrency}
	err := r.Play(ctx, tune.Options{Concurrency: c.Concurrency, Progress: func(*tune.Iteration) {
		table.set(&r.Header, r.Iterations)
		page.renew(&r.Header, r.Iterations)
	}})
	table.end()
	if err != nil && ctx.Err() == nil {
		return err
	}
	if err := tuneReport(s.Out, dir, &r.Header, r.Iterations, c.Concurrency); err != nil {
		return err
	}
	if page.err != nil {
		fmt.Fprintln(s.Err, "warning: the report could not be renewed while the run went on:", page.err)
	}
	if err != nil {
		fmt.Fprintf(s.Err, "Interrupted after %d of %d iterations. To go on:\n  %s\n", len(r.Iterations), r.Header.Iterations, again)
		return errInterrupted
	}
	return nil
}

// announceTune prints what is going to be done, in a form from which it can be repeated.
func announceTune(out io.Writer, dir string, r *tune.Run, concurrency int, again string) {
	h := &r.Header
	for i := range h.Params {
		fmt.Fprintf(out, "--param %s\n", &h.Params[i])
	}
	fmt.Fprintf(out, "both players: %s (sha256 %.16s), time %s", h.Identity.Engine, h.Identity.SHA256, h.Time)
	for _, o := range h.Identity.Options {
		fmt.Fprintf(out, " %s=%s", o.Name, o.Value)
	}
	fmt.Fprintln(out)
	for _, remark := range h.Identity.Remarks {
		fmt.Fprintln(out, "   the engine says:", remark)
	}
	if n := len(h.Params); n > tune.AdvisedParams {
		fmt.Fprintf(out, "warning: %d parameters; more than %d at a time need very many games\n", n, tune.AdvisedParams)
	}
	if cores := runtime.NumCPU(); concurrency > cores {
		fmt.Fprintf(out, "warning: %d games at a time on %d cores; times will not be fair\n", concurrency, cores)
	}
	fmt.Fprintf(out, "%d iterations (%d finished) of %d pairs, %d games at a time; r %v, seed %d; %d openings (sha256 %.16s)\n",
		h.Iterations, len(r.Iterations), h.Pairs, concurrency, h.R, h.Seed, h.OpeningsCount, h.OpeningsSHA256)
	fmt.Fprintf(out, "folder %s; to go on after an interruption: %s\n", dir, again)
}
