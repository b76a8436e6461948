package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/tune"
)

// smallTune is a run that takes little time and memory.
func smallTune(dir string, more ...string) []string {
	return append([]string{"tune", "--param", "C_puct", "--param", "C_puct_root=5000:::", "--time", "nodes=50", "--iterations", "2", "--pairs", "1",
		"--max-plies", "40", "--seed", "1", "--option", "USI_Hash=1", "--option", "PolicyEvaluator=heuristic", "--option", "ValueEvaluator=material", "-o", dir}, more...)
}

func TestTuneHelp(t *testing.T) {
	status, out, errs := yomi("tune", "--help")
	require.Zero(t, status)
	require.Empty(t, errs)
	require.Contains(t, out, "    yomi tune --param C_puct")
	status, out, _ = yomi("tune", "--list")
	require.Zero(t, status)
	require.Contains(t, out, "C_puct                   2690  500..20000          200  exploration inside the tree")
	require.Contains(t, out, "SlowMover                 100  10..1000\n", "an option without a step of its own")
}

func TestTuneRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"a parameter is needed":         {"tune"},
		`did you mean "C_puct"?`:        {"tune", "--param", "C_puc", "-o", t.TempDir()},
		`did you mean one of "--param"`: {"tune", "--parm", "C_puct"},
		`start "x" is no whole number`:  {"tune", "--param", "C_puct=x"},
		"C_puct: bad start 1":           {"tune", "--param", "C_puct=1", "-o", t.TempDir()},
		`did you mean "USI_Hash"?`:      smallTune(t.TempDir(), "--option", "USI_Hahs=1"),
		`bad option "USI_Hash"`:         smallTune(t.TempDir(), "--option", "USI_Hash"),
		`bad time control "fast"`:       smallTune(t.TempDir(), "--time", "fast"),
		"bad --seed \"x\"":              smallTune(t.TempDir(), "--seed", "x"),
		"bad --concurrency 0":           smallTune(t.TempDir(), "--concurrency", "0"),
		"bad number of iterations 0":    smallTune(t.TempDir(), "--iterations", "0"),
		"bad resign rule":               smallTune(t.TempDir(), "--resign", "3000"),
		"bad draw rule":                 smallTune(t.TempDir(), "--draw", "x"),
		"--time cannot be given with":   {"tune", "--resume", t.TempDir(), "--time", "nodes=1"},
		"--param cannot be given with":  {"tune", "--list", "--param", "C_puct"},
		"tune.jsonl: no such file":      {"tune", "--report", t.TempDir()},
		"resume cannot be given":        {"tune", "--resume", t.TempDir(), "--report", t.TempDir()},
	} {
		status, out, errs := yomi(args...)
		require.NotZero(t, status, args)
		require.Contains(t, errs+out, want, args)
	}
}

func TestTune(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a run")
	stopped, stop := context.WithCancel(context.Background())
	stop()
	status, out, errs := yomiIn(stopped, smallTune(dir)...)
	require.Equal(t, exitInterrupted, status)
	require.Contains(t, errs, "Interrupted after 0 of 2 iterations. To go on:\n")
	require.Contains(t, errs, "tune --resume '"+dir+"'\n")
	require.Contains(t, out, "iterations  0 of 2")
	require.NotContains(t, errs, "\x1b", "no table where there is no terminal")
	require.NotContains(t, errs, "warning")

	status, _, errs = yomi(smallTune(dir)...)
	require.NotZero(t, status)
	require.Contains(t, errs, "holds a run already")
	status, out, errs = yomi("tune", "--resume", dir, "--concurrency", "2")
	require.Zero(t, status, errs)
	require.Contains(t, out, "iterations  2 of 2, 4 games: plus won ")
	require.Contains(t, out, "  setoption name C_puct value ")
	require.Contains(t, errs, "--param C_puct_root=5000:500:20000:300\n")
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	require.NoError(t, err)
	require.NotContains(t, string(page), "refresh", "the run is over")

	status, again, _ := yomi("tune", "--report", dir, "--concurrency", "2")
	require.Zero(t, status)
	require.Equal(t, out, again)

	whole := filepath.Join(t.TempDir(), "whole")
	status, _, errs = yomi(smallTune(whole)...)
	require.Zero(t, status, errs)
	var runs [2]*tune.History
	for i, dir := range []string{dir, whole} {
		runs[i], err = tune.ReadJournal(filepath.Join(dir, tune.JournalName))
		require.NoError(t, err)
	}
	require.Equal(t, runs[1].Header.Tuned(runs[1].Iterations), runs[0].Header.Tuned(runs[0].Iterations))
}

// TestTuneManyParams warns of too many parameters.
func TestTuneManyParams(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	_, _, errs := yomiIn(stopped, smallTune(t.TempDir(), "--param", "C_puct_base", "--param", "C_puct_power", "--param", "FPU_reduction",
		"--param", "Prior_spread_max", "--param", "SlowMover=:::10")...)
	require.Contains(t, errs, "warning: 7 parameters; more than 6 at a time")
}

// TestVerifyCommand reads the command that verifies a run as yomi match reads it: it is the match that the run calls for.
func TestVerifyCommand(t *testing.T) {
	c := tuneCmd{}
	parser, err := kong.New(&c, kong.Exit(func(int) {}))
	require.NoError(t, err)
	_, err = parser.Parse(smallTune("x", "--draw", "off", "--resign-one-side")[1:])
	require.NoError(t, err)
	require.Equal(t, tune.DefaultR, c.R, "the flag's default")
	config, err := c.config()
	require.NoError(t, err)
	h := tune.Header{Plan: tune.Plan{Params: []tune.Param{{Name: "C_puct", Start: 3000, Min: 500, Max: 20000, Step: 200}}}, Time: config.Time, Options: config.Options, Rules: config.Rules}

	m := matchCmd{}
	parser, err = kong.New(&m, kong.Exit(func(int) {}))
	require.NoError(t, err)
	_, err = parser.Parse(h.VerifyCommand([]tune.Iteration{{Number: 1, Values: []float64{3100.4}}}, 2, "dir")[1:])
	require.NoError(t, err)
	verify, err := m.config()
	require.NoError(t, err)
	require.Equal(t, config.Rules, verify.Rules)
	require.Equal(t, config.Time, verify.A.Time)
	require.Equal(t, config.Time, verify.B.Time)
	require.Equal(t, append(config.Options, match.Setting{Name: "C_puct", Value: "3100"}), verify.A.Options)
	require.Equal(t, append(config.Options, match.Setting{Name: "C_puct", Value: "3000"}), verify.B.Options)
	require.True(t, verify.SPRT.On())
	require.Equal(t, 2, m.Concurrency)
	require.Equal(t, tune.VerifyGames, verify.Games)
	line := verifyCommand("a b", &h, nil, 1)
	require.True(t, strings.HasSuffix(line, " -o 'a b/match'"), line)
}
