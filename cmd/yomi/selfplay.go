package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/selfplay"
	"github.com/yomi-shogi/yomi/shogi"
)

// selfplayCmd plays games to learn from.
type selfplayCmd struct {
	Out        string `short:"o" required:"" placeholder:"FILE.yomi" help:"File of games. When it is there already, the run in it goes on."`
	Games      int64  `default:"1000" help:"Number of games that the file is to have (${default})."`
	Workers    int    `help:"Games at the same time, each on one core; 0 for one a core."`
	Seed       string `default:"random" help:"A number or random; a run that goes on keeps its own. It is printed."`
	PolicyFile string `type:"existingfile" placeholder:"FILE" help:"Policy net to play with instead of the built-in one."`
	ValueFile  string `type:"existingfile" placeholder:"FILE" help:"Value net to play with."`
	Summary    string `placeholder:"FILE" help:"JSON file for the summary; default: the games' file with .summary.json behind it."`

	Openings string `group:"Games" placeholder:"FILE" help:"Opening file as for yomi match, or none. Without it the embedded balanced list."`

	selfplayFlags
}

// selfplayFlags decide what the games are like.
type selfplayFlags struct {
	DeepNodes          int64   `group:"Searches" default:"${deep_nodes}" help:"Playouts of a deep search, whose visits teach a policy (${default})."`
	FastNodes          int64   `group:"Searches" default:"${fast_nodes}" help:"Playouts of a fast search, which only finds a move (${default})."`
	DeepShare          float64 `group:"Searches" default:"${deep_share}" help:"Share of deep searches, drawn for each move (${default})."`
	Noise              float64 `group:"Searches" default:"${noise}" help:"Share of noise in the priors at the root of deep searches (${default})."`
	NoiseConcentration float64 `group:"Searches" default:"${noise_concentration}" help:"Sum of the Dirichlet parameters of the noise; smaller gives it to fewer moves (${default})."`
	Hash               int     `group:"Searches" default:"${hash}" help:"Memory of each worker's tree in MB (${default})."`

	Temperature      float64 `group:"Games" default:"${temperature}" help:"A move's chance grows with visits^(1/temperature); this is the temperature at move 1 (${default})."`
	FinalTemperature float64 `group:"Games" default:"${final_temperature}" help:"What the temperature falls to (${default})."`
	HalfLife         int     `group:"Games" default:"${half_life}" help:"Moves in which it falls half the way (${default})."`
	OpeningShare     float64 `group:"Games" default:"${opening_share}" help:"Share of games from the list; the others begin from the start position (${default})."`
	RandomPlies      int     `group:"Games" default:"${random_plies}" help:"After that, up to so many moves are drawn as the policy says (${default})."`
	MaxMoves         int     `group:"Games" default:"${max_moves}" help:"Draw after so many moves (${default})."`
	Declaration      string  `group:"Games" default:"${declaration}" help:"Entering-king rule, as the USI option EnteringKingRule (${default})."`

	Resign      float64 `group:"Resignation" default:"${resign}" help:"Win rate below which a side resigns; 0 for never (${default})."`
	ResignMoves int     `group:"Resignation" default:"${resign_moves}" help:"How many of its searches in a row must say so (${default})."`
	PlayOn      float64 `group:"Resignation" default:"${play_on}" help:"Share of games that are played on, to find out how often resigning is wrong (${default})."`
}

// config reads the flags.
func (f *selfplayFlags) config() (c selfplay.Config, err error) {
	c = selfplay.Config{
		DeepNodes: f.DeepNodes, FastNodes: f.FastNodes, DeepShare: f.DeepShare, NoiseShare: f.Noise, NoiseConcentration: f.NoiseConcentration,
		Temperature: f.Temperature, FinalTemperature: f.FinalTemperature, HalfLife: f.HalfLife, OpeningShare: f.OpeningShare,
		RandomPlies: f.RandomPlies, Resign: f.Resign, ResignMoves: f.ResignMoves, PlayOn: f.PlayOn, MaxMoves: f.MaxMoves, HashMB: f.Hash,
	}
	c.Declaration, err = shogi.ParseDeclarationRule(f.Declaration)
	return c, err
}

// selfplayDefaults are the defaults of the flags, from the package that plays.
func selfplayDefaults() kong.Vars {
	d := selfplay.DefaultConfig()
	vars := kong.Vars{}
	for name, value := range map[string]any{
		"deep_nodes": d.DeepNodes, "fast_nodes": d.FastNodes, "deep_share": d.DeepShare, "noise": d.NoiseShare,
		"noise_concentration": d.NoiseConcentration, "hash": d.HashMB, "temperature": d.Temperature,
		"final_temperature": d.FinalTemperature, "half_life": d.HalfLife, "opening_share": d.OpeningShare, "random_plies": d.RandomPlies,
		"max_moves": d.MaxMoves, "declaration": d.Declaration, "resign": d.Resign, "resign_moves": d.ResignMoves, "play_on": d.PlayOn,
	} {
		vars[name] = fmt.Sprint(value)
	}
	return vars
}

// Help shows examples.
func (*selfplayCmd) Help() string {
	return `Examples:
  yomi selfplay -o games.yomi --games 1000
  yomi selfplay -o games.yomi --games 5000                 goes on with the same file
  yomi selfplay -o new.yomi --policy-file out/policy.nn --value-file out/value.nn --deep-nodes 400
  yomi train --policy out/policy.nn --value out/value.nn games.yomi

Each game is written when it is over, so Ctrl-C, a crash or a power cut costs only the games in progress. The same command goes on.`
}

// Run plays the games that are missing.
func (c *selfplayCmd) Run(ctx context.Context, s streams, k *kong.Context) error {
	job, err := c.job()
	if err != nil {
		return err
	}
	run, err := selfplay.Open(job)
	if err != nil {
		return err
	}
	defer run.Close()
	again := againCommand(k, run.Seed())
	there := run.Summary().Games
	fmt.Fprintf(s.Err, "%d games (%d finished), %d at a time; seed %d; nets: %s\n", job.Games, there, job.Workers, run.Seed(), job.Nets.Hash())
	fmt.Fprintf(s.Err, "file %s; to go on after an interruption: %s\n", c.Out, again)
	bar := newProgressBar(s.Err, "games", there, job.Games)
	err = run.Play(ctx, func(now *selfplay.Summary) { bar.set(now.Games, "  "+now.Line()) })
	bar.end()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	summary := run.Summary()
	fmt.Fprint(s.Out, summary)
	if failed := writeFile(c.summaryFile(), func(w io.Writer) error { return writeJSON(w, summary) }); failed != nil {
		return failed
	}
	if err != nil {
		fmt.Fprintf(s.Err, "Interrupted after %d of %d games. To go on:\n  %s\n", summary.Games, job.Games, again)
		return errInterrupted
	}
	return run.Close()
}

func writeJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

func (c *selfplayCmd) summaryFile() string {
	if c.Summary != "" {
		return c.Summary
	}
	return c.Out + ".summary.json"
}

// job reads the flags.
func (c *selfplayCmd) job() (selfplay.Job, error) {
	job := selfplay.Job{Path: c.Out, Games: c.Games, Workers: c.Workers}
	var err error
	if job.Config, err = c.config(); err != nil {
		return job, err
	}
	if job.Workers == 0 {
		job.Workers = runtime.NumCPU()
	}
	if job.AnySeed = c.Seed == "random"; job.AnySeed {
		job.Seed = rand.Uint64() >> 16 // short enough to copy
	} else if job.Seed, err = strconv.ParseUint(c.Seed, 10, 64); err != nil {
		return job, fmt.Errorf("bad --seed %q: want a number or random", c.Seed)
	}
	if c.Openings != "none" {
		if job.Openings, err = match.LoadOpenings(c.Openings); err != nil {
			return job, err
		}
	}
	if job.Nets, err = selfplay.LoadNets(c.PolicyFile, c.ValueFile); err != nil {
		return job, err
	}
	job.Program, err = programHash()
	return job, err
}

// programHash identifies this program.
func programHash() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return "program " + hex.EncodeToString(sum.Sum(nil)), nil
}

// againCommand returns the command that goes on with the run: this one, with the seed that was drawn.
func againCommand(k *kong.Context, seed uint64) string {
	words := []string{commandFor(os.Args[0]), "selfplay"}
	for _, p := range k.Path {
		if f := p.Flag; f != nil && f.Name != "seed" {
			words = append(words, "--"+f.Name, quoted(fmt.Sprint(k.FlagValue(f))))
		}
	}
	return strings.Join(append(words, "--seed", strconv.FormatUint(seed, 10)), " ")
}
