package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/learn"
	"github.com/yomi-shogi/yomi/internal/selfplay"
	"github.com/yomi-shogi/yomi/internal/train"
)

// fewGames writes a file of self-play to learn from.
func fewGames(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "few.yomi")
	status, _, errs := yomi(smallSelfplay(path, "--games", "6", "--max-moves", "30", "--seed", "1")...)
	require.Zero(t, status, errs)
	return path
}

// smallTrain are flags for small nets.
func smallTrain(more ...string) []string {
	return append([]string{"train", "--policy-hidden", "64", "--value-hidden", "64", "--policy-batch", "16", "--value-batch", "16", "--workers", "1"}, more...)
}

// TestTrainStart trains small nets, from random weights and then from what came out, its rounded weights or its checkpoint.
func TestTrainStart(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector")
	}
	games, dir := fewGames(t), t.TempDir()
	out := func(name string) string { return filepath.Join(dir, name) }
	status, said, errs := yomi(smallTrain("--value", out("a.nn"), "--validate-share", "0.4", games)...)
	require.Zero(t, status, errs)
	require.Contains(t, said, "value net in ")
	for _, start := range []string{"a.nn", "a.nn.checkpoint"} {
		status, said, errs = yomi(smallTrain("--value", out(start+".b.nn"), "--start-value", out(start), "--value-rate", "0.0001", games)...)
		require.Zero(t, status, errs)
		require.Contains(t, said, "value net in ")
	}
	for want, args := range map[string][]string{
		"has 229376 weights \"w1\", want ":    smallTrain("--value", out("c.nn"), "--start-value", out("a.nn"), "--value-hidden", "128", games),
		"a value net, not a policy net":       smallTrain("--policy", out("c.nn"), "--start-policy", out("a.nn"), games),
		"is of a value net, not of a policy ": smallTrain("--policy", out("c.nn"), "--start-policy", out("a.nn.checkpoint"), games),
		"not a net file":                      smallTrain("--value", out("c.nn"), "--start-value", games, games),
		"nothing to learn from":               smallTrain("--value", out("c.nn")),
		"nothing to train":                    smallTrain(games),
		"--gate-nodes needs --loop":           smallTrain("--value", out("c.nn"), "--gate-nodes", "3", games),
		"--play-noise needs --loop":           smallTrain("--value", out("c.nn"), "--play-noise", "0", games),
	} {
		status, _, errs := yomi(args...)
		require.NotZero(t, status, want)
		require.Contains(t, errs, want)
	}
}

// smallLoop is a loop of one generation that takes a second or two. Its start nets are new ones.
func smallLoop(t *testing.T, dir string, more ...string) []string {
	start, games := t.TempDir(), fewGames(t)
	p, v := filepath.Join(start, "p.nn"), filepath.Join(start, "v.nn")
	status, _, errs := yomi(smallTrain("--policy", p, "--value", v, games)...)
	require.Zero(t, status, errs)
	return smallTrain(append([]string{"--loop", dir, "--generations", "1", "--games", "3", "--start-policy", p, "--start-value", v,
		"--play-deep-nodes", "8", "--play-fast-nodes", "4", "--play-max-moves", "30", "--play-hash", "1", "--play-deep-share", "0.5",
		"--gate-nodes", "4", "--gate-games", "4", "--gate-hash", "1", games}, more...)...)
}

func TestTrainLoop(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector")
	}
	dir := filepath.Join(t.TempDir(), "a loop")
	args := smallLoop(t, dir)
	stopped, stop := context.WithCancel(context.Background())
	stop()
	status, _, errs := yomiIn(stopped, args...)
	require.Equal(t, exitInterrupted, status, errs)
	require.Contains(t, errs, "Interrupted after 0 generations. To go on:\n")
	require.True(t, strings.HasSuffix(strings.TrimSpace(errs), "train --loop '"+dir+"' --resume --generations 1 --workers 1"), errs)

	status, out, errs := yomi("train", "--loop", dir, "--resume", "--generations", "1")
	require.Zero(t, status, errs)
	require.Contains(t, out, "generation 1, self-play in ")
	require.Contains(t, out, "1 generations; the best nets are those of generation ")
	require.Contains(t, errs, "settings: "+filepath.Join(dir, "config.json"))
	require.NotContains(t, errs, "\x1b", "no bar where there is no terminal")
	table, err := os.ReadFile(filepath.Join(dir, "generations.md"))
	require.NoError(t, err)
	require.Contains(t, string(table), "| 1 | 3 | ")
	_, err = selfplay.LoadNets(filepath.Join(dir, "gen-0000", "policy.nn"), filepath.Join(dir, "gen-0000", "value.nn"))
	require.NoError(t, err)

	status, _, errs = yomi(args...)
	require.Zero(t, status, "the same command finds it finished: %s", errs)
	for want, more := range map[string][]string{
		"cannot go on: config.gate.nodes was 4, now it is 5": {"--gate-nodes", "5"},
		"config.self_play.noise was 0.25, now it is 0.5":     {"--play-noise", "0.5"},
		"cannot be given with --loop and --resume":           {"--resume"},
		"--origin cannot be given with --loop":               {"--origin", "x"},
		`bad --gate-sprt "3"`:                                {"--gate-sprt", "3"},
		"bad --generations -1":                               {"--generations=-1"},
		"bad --disk 0":                                       {"--disk", "0"},
		"bad declaration rule":                               {"--play-declaration", "x"},
		"bad window 0":                                       {"--window", "0"},
	} {
		status, _, errs := yomi(append(args, more...)...)
		require.NotZero(t, status, want)
		require.Contains(t, errs, want)
	}
	status, _, errs = yomi("train", "--loop", dir, "--resume", args[len(args)-1])
	require.NotZero(t, status)
	require.Contains(t, errs, "few.yomi cannot be given with --loop and --resume")
	status, _, errs = yomi("train", "--loop", dir, "--resume", "--generations", "2", "--disk", "20")
	require.NotZero(t, status)
	require.Contains(t, errs, "the disk budget of 20.0 MB is too small")
	require.Contains(t, errs, "to go on:\n  ")
	status, out, _ = yomi("train", "--help")
	require.Zero(t, status)
	require.Contains(t, out, "    yomi train --loop learning")
}

// TestLoopDefaults: the flags' defaults are those of the package.
func TestLoopDefaults(t *testing.T) {
	c := trainCmd{}
	parser, err := kong.New(&c, kong.Exit(func(int) {}), selfplayDefaults())
	require.NoError(t, err)
	_, err = parser.Parse([]string{"--loop", "x"})
	require.NoError(t, err)
	config, err := c.loopConfig()
	require.NoError(t, err)
	require.Equal(t, learn.DefaultConfig(), config)
	require.NoError(t, config.Check())
	require.Equal(t, train.DefaultConfig(train.Policy), c.config(train.DefaultConfig(train.Policy)))
	require.Equal(t, train.DefaultConfig(train.Value), c.config(train.DefaultConfig(train.Value)))
	for _, text := range []string{"0.0015; with --loop 0.0003", "0.001; with --loop 0.0002", "(2; with --loop 1)"} { // defaults that the help tells
		_, out, _ := yomi("train", "--help")
		require.Contains(t, strings.Join(strings.Fields(out), " "), text)
	}
	require.InDelta(t, .0003, config.Policy.Rate, 1e-9)
	require.InDelta(t, .0002, config.Value.Rate, 1e-9)
}
