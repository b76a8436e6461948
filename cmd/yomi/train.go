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

	"github.com/alecthomas/kong"

	"github.com/yomi-shogi/yomi/internal/train"
)

// trainCmd is yomi train.
type trainCmd struct {
	Files []string `arg:"" optional:"" type:"existingfile" help:"Records of games to learn from: .yomi (of yomi selfplay), .psv, .hcpe or .hcpe3, these also .zst. Policies learn from the visits where a file has them."`

	Policy string `type:"path" placeholder:"FILE" help:"Train a policy net and write it to this file."`
	Value  string `type:"path" placeholder:"FILE" help:"Train a value net and write it to this file."`

	ValidateLast  []string `type:"existingfile" sep:"none" placeholder:"FILE" help:"Files whose last games are kept for validation, taken together; default: all that are learnt from. Repeatable."`
	AlsoValidate  []string `type:"existingfile" sep:"none" placeholder:"FILE" help:"Files whose last games are kept and reported apart. Repeatable."`
	ValidateShare float64  `default:"0.1" help:"Share of the games that is kept for validation."`

	Seed    uint64 `default:"1" help:"Seed of everything random."`
	Workers int    `default:"0" help:"Goroutines; 0 = one a core. It is part of the result."`

	PolicyHidden int      `default:"256" help:"Hidden units of the policy net."`
	PolicyEpochs *int     `placeholder:"N" help:"How often the policy net sees each position (2; with --loop 1)."`
	PolicyBatch  int      `default:"256" help:"Positions between two steps of the optimiser."`
	PolicyRate   *float64 `placeholder:"RATE" help:"Highest learning rate (0.0015; with --loop 0.0003)."`
	PolicyDecay  float64  `default:"0" help:"Weight decay of the policy net (AdamW)."`
	Forget       float64  `default:"0.05" help:"Share of positions in which the policy net is not told the last move."`

	ValueHidden int      `default:"256" help:"Hidden units of the value net."`
	ValueEpochs *int     `placeholder:"N" help:"Epochs of the value net (2; with --loop 1)."`
	ValueBatch  int      `default:"512" help:"Positions between two steps of the optimiser."`
	ValueRate   *float64 `placeholder:"RATE" help:"Highest learning rate (0.001; with --loop 0.0002)."`
	ValueDecay  float64  `default:"0" help:"Weight decay of the value net (AdamW)."`
	ValueEvery  int      `default:"1" help:"Take one of so many consecutive positions in an epoch."`
	ScoreWeight float64  `default:"0.9" help:"Share of the score in what the value net learns; the rest is the result."`
	ScoreScale  float64  `default:"600" help:"Score that stands for a win rate of 73 %."`

	StartPolicy string `type:"existingfile" placeholder:"FILE" help:"Begin with the weights of this net or checkpoint instead of random ones; with --loop the net that plays first (the built-in one)."`
	StartValue  string `type:"existingfile" placeholder:"FILE" help:"The same for the value net."`

	Checkpoint int    `default:"500" help:"Write a checkpoint after so many batches."`
	Resume     bool   `help:"Continue an interrupted run; the other arguments must be the same. With --loop they come from its folder."`
	Origin     string `placeholder:"TEXT" help:"Words about where the records come from, for the net file."`

	loopFlags
}

// Help is what yomi train --help says beyond the flags.
func (*trainCmd) Help() string {
	return `Examples:
  yomi train --policy out/policy.nn --value out/value.nn games.yomi old.psv.zst
  yomi train --loop learning --generations 10 --games 500 --disk 2000 old.psv.zst
  yomi train --loop learning --resume

Beside X.nn it writes X.nn.log.jsonl (the loss curve as JSON lines), X.nn.svg (as a picture) and X.nn.checkpoint. Interrupted
with Ctrl-C or killed, it goes on with --resume and gives the same net.

With --loop the nets learn from games against themselves, generation after generation: self-play, training, a match of the new nets
against the best, and the winner plays on. The folder gets config.json, and generations.md, .svg and .jsonl with the figures. The same
command, or --resume, goes on with it.`
}

// Run trains the nets, one after the other, or runs a loop.
func (c *trainCmd) Run(ctx context.Context, s streams, k *kong.Context) error {
	given := givenFlags(k)
	if c.Loop != "" {
		return c.loop(ctx, s, given)
	}
	for _, f := range k.Selected().Flags {
		if given[f.Name] && (strings.HasPrefix(f.Name, playPrefix) || f.Group != nil && strings.HasPrefix(f.Group.Title, loopGroup)) {
			return fmt.Errorf("--%s needs --loop", f.Name)
		}
	}
	if len(c.Files) == 0 {
		return errors.New("nothing to learn from: give files of records, or --loop")
	}
	if c.Policy == "" && c.Value == "" {
		return errors.New("nothing to train: give --policy, --value or both")
	}
	begin := time.Now()
	data, err := train.LoadSources(train.Sources{Train: c.Files, Last: c.ValidateLast, Also: c.AlsoValidate, Share: c.ValidateShare})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "read in %.1f s: %s\n", time.Since(begin).Seconds(), data.About)
	for _, task := range []struct {
		kind        train.Kind
		path, start string
	}{{train.Policy, c.Policy, c.StartPolicy}, {train.Value, c.Value, c.StartValue}} {
		if task.path == "" {
			continue
		}
		job := &train.Job{Config: c.config(train.DefaultConfig(task.kind)), Train: data.Train, Validate: data.Validate, Start: task.start}
		err := c.train(ctx, s, job, task.path, data)
		if errors.Is(err, context.Canceled) {
			fmt.Fprintf(s.Err, "interrupted; to continue:\n%s\n", resumeCommand())
			return errInterrupted
		}
		if err != nil {
			return fmt.Errorf("%s net: %w", task.kind, err)
		}
	}
	return nil
}

// resumeCommand returns the command that continues this run.
func resumeCommand() string { return strings.Join(append(commandWords(), "--resume"), " ") }

// commandWords returns this command's words without --resume, quoted for a shell.
func commandWords() []string {
	words := []string{"yomi"}
	for _, arg := range os.Args[1:] {
		if arg != "--resume" {
			words = append(words, quoted(arg))
		}
	}
	return words
}

// config reads the flags for a net; what is not given stays as in the defaults.
func (c *trainCmd) config(config train.Config) train.Config {
	config.Seed = c.Seed
	if c.Workers > 0 {
		config.Workers = c.Workers
	}
	config.Forget, config.ScoreWeight, config.ScoreScale = c.Forget, c.ScoreWeight, c.ScoreScale
	epochs, rate := c.PolicyEpochs, c.PolicyRate
	if config.Kind == train.Policy {
		config.Hidden, config.Batch, config.Decay = c.PolicyHidden, c.PolicyBatch, c.PolicyDecay
	} else {
		config.Hidden, config.Batch, config.Decay, config.Every = c.ValueHidden, c.ValueBatch, c.ValueDecay, c.ValueEvery
		epochs, rate = c.ValueEpochs, c.ValueRate
	}
	if epochs != nil {
		config.Epochs = *epochs
	}
	if rate != nil {
		config.Rate = *rate
	}
	return config
}

// train trains one net and writes its files.
func (c *trainCmd) train(ctx context.Context, s streams, job *train.Job, path string, data *train.Loaded) error {
	checkpoint := path + ".checkpoint"
	done, err := train.Finished(checkpoint)
	switch {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	case err == nil && !done && !c.Resume:
		return fmt.Errorf("%s is of a run that is not complete: continue it with --resume, or remove it", checkpoint)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	log, err := os.Create(path + ".log.jsonl")
	if err != nil {
		return err
	}
	defer log.Close()
	bars := newTrainProgress(s, job.Config.Kind)
	job.Checkpoint, job.CheckpointBatches, job.Resume, job.Log, job.Report = checkpoint, c.Checkpoint, c.Resume, log, bars.report
	begin := time.Now()
	result, err := train.Run(ctx, job)
	bars.close()
	if err != nil {
		return err
	}
	report := trainReport(result, data.Validate)
	fmt.Fprintf(s.Out, "%s net in %.0f s\n%s\n%s\n", job.Config.Kind, time.Since(begin).Seconds(), report, result.Costs)
	for i, m := range result.Float {
		if table := m.Table(); table != "" {
			fmt.Fprintf(s.Out, "calibration on %s:\n%s", data.Validate[i].Name, table)
		}
	}
	if err := errors.Join(writeNet(result, path, c.provenance(data, report)), log.Close()); err != nil {
		return err
	}
	return train.WriteFile(path+".svg", func(w io.Writer) error { return train.WriteCurve(w, result.Points) })
}

// trainReport says how good the net is on each validation set, before and after it is quantised.
func trainReport(result *train.Result, sets []train.Set) string {
	var lines []string
	for i, set := range sets {
		lines = append(lines, fmt.Sprintf("last games of %s: float %s; quantised %s", set.Name, result.Float[i], result.Quantised[i]))
	}
	return strings.Join(lines, "\n")
}

// provenance says in words where the net comes from.
func (c *trainCmd) provenance(data *train.Loaded, report string) string {
	command := strings.Join(commandWords(), " ")
	if c.Origin != "" {
		command = strings.Replace(command, quoted(c.Origin), "…", 1)
	}
	return strings.TrimSpace(c.Origin + "\nTrained by: " + command + "\nData: " + data.About + "\n" + report)
}

func writeNet(result *train.Result, path, provenance string) error {
	file, err := result.Encode(provenance, nil)
	if err != nil {
		return err
	}
	return train.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(file)
		return err
	})
}

// trainProgress shows how far a run is: a bar on a terminal, and a line for each validation.
type trainProgress struct {
	streams
	kind  train.Kind
	bar   *progressBar
	state string
}

func newTrainProgress(s streams, kind train.Kind) *trainProgress {
	return &trainProgress{streams: s, kind: kind}
}

func (p *trainProgress) report(now train.Progress) {
	if p.bar == nil {
		p.bar = newProgressBar(p.Err, string(p.kind), int64(now.Batch), int64(now.Batches))
	}
	if point := now.Point; point != nil {
		p.state = fmt.Sprintf(" loss %.4f", point.Loss)
		if point.Validation != nil {
			fmt.Fprintf(p.Out, "%s epoch %.2f: training loss %.4f, validation %s\n", p.kind, point.Epoch, point.Loss, point.Validation)
		}
	}
	p.bar.set(int64(now.Batch), p.state)
}

func (p *trainProgress) close() {
	if p.bar != nil {
		p.bar.end()
	}
}
