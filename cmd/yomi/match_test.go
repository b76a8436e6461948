package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// yomi runs the program and returns its exit status and output.
func yomi(args ...string) (status int, out, errs string) {
	return yomiIn(context.Background(), args...)
}

func yomiIn(ctx context.Context, args ...string) (int, string, string) {
	var out, errs bytes.Buffer
	status := run(ctx, args, streams{&out, &errs})
	return status, out.String(), errs.String()
}

// smallMatch is a match of yomi against itself that takes little time and memory.
func smallMatch(dir string, more ...string) []string {
	return append([]string{"match", "yomi", "yomi", "--time", "nodes=10", "--games", "4", "--max-plies", "40", "--seed", "1",
		"--a-option", "USI_Hash=1", "--b-option", "USI_Hash=1", "--b-option", "PolicyEvaluator=uniform", "-o", dir}, more...)
}

func TestHelp(t *testing.T) {
	for _, command := range []string{"match", "openings"} {
		status, out, errs := yomi(command, "--help")
		require.Zero(t, status)
		require.Empty(t, errs)
		require.Contains(t, out, "Examples:")
		require.Contains(t, out, "    yomi "+command)
	}
	status, out, _ := yomi("--help")
	require.Zero(t, status)
	require.Contains(t, out, "openings")
}

func TestRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		`did you mean "match"?`:           {"mtach"},
		`did you mean "--concurrency"?`:   {"match", "yomi", "yomi", "--concurency", "2"},
		"two players are needed":          {"match", "yomi"},
		`did you mean "USI_Hash"?`:        smallMatch(t.TempDir(), "--a-option", "USI_Hsah=3"),
		`bad option "USI_Hash"`:           smallMatch(t.TempDir(), "--a-option", "USI_Hash"),
		`bad time control "fast"`:         smallMatch(t.TempDir(), "--b-time", "fast"),
		`did you mean "gpsusi"?`:          {"match", "yomi", "gpsusii"},
		`did you mean "CSARule24"?`:       smallMatch(t.TempDir(), "--declaration", "CSARule2"),
		"bad number of games 3":           smallMatch(t.TempDir(), "--games", "3"),
		"stand alone":                     {"match", "yomi", "--report", t.TempDir()},
		"the first must be the smaller":   smallMatch(t.TempDir(), "--sprt", "5,0"),
		"bad resign rule":                 smallMatch(t.TempDir(), "--resign", "3000"),
		"give either record files":        {"openings"},
		`bad --plies "16"`:                {"openings", "--play", "--plies", "16"},
		"the check needs a program":       {"match", "--check", "yomi"},
		"journal.jsonl: no such file":     {"match", "--report", t.TempDir()},
		"--time cannot be given with":     {"match", "--resume", t.TempDir(), "--time", "0,1"},
		"bad --seed \"x\"":                smallMatch(t.TempDir(), "--seed", "x"),
		"--sprt-model must be one of":     smallMatch(t.TempDir(), "--sprt-model", "x"),
		"bad --concurrency 0":             smallMatch(t.TempDir(), "--concurrency", "0"),
		"--resign-one-side needs":         smallMatch(t.TempDir(), "--resign-one-side"),
		"PolicyFile":                      smallMatch(t.TempDir(), "--a-option", "PolicyFil=x"),
		"built-in policy net":             smallMatch(t.TempDir(), "--a-option", "PolicyFile=/no/such"),
		"nodes 5: both must be positive":  {"openings", "--play", "--temperature", "NaN", "--nodes", "5"},
		"does not answer usi":             {"match", "--check", "true"},
		"unknown flag --foo":              {"match", "yomi", "yomi", "--foo"},
		"bad rules: the maximum of plies": smallMatch(t.TempDir(), "--max-plies=-1"),
	} {
		status, out, errs := yomi(args...)
		require.NotZero(t, status, args)
		require.Contains(t, errs+out, want, args)
	}
}

func TestMatch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a match")
	status, out, errs := yomi(smallMatch(dir, "--concurrency", "2")...)
	require.Zero(t, status, errs)
	require.Contains(t, out, "games       4, A ")
	require.Contains(t, out, "A − B")
	require.Contains(t, errs, "seed 1;")
	require.Contains(t, errs, "time nodes=10 ", "the time control is echoed")
	require.Contains(t, errs, "match --resume '"+dir+"' --concurrency 2")
	require.NotContains(t, errs, "\x1b", "no progress bar where there is no terminal")
	for _, name := range []string{"journal.jsonl", "games.jsonl", "games.pgn", "games.csa", "report.html"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NotEmpty(t, data)
	}
	status, _, errs = yomi(smallMatch(dir)...)
	require.NotZero(t, status)
	require.Contains(t, errs, "holds a match already")

	status, again, _ := yomi("match", "--report", dir)
	require.Zero(t, status)
	require.Equal(t, out, again)
	status, again, _ = yomi("match", "--resume", dir)
	require.Zero(t, status)
	require.Equal(t, out, again, "nothing is left to play")
	status, again, _ = yomi("match", "--resume", dir, "--games", "6")
	require.Zero(t, status)
	require.Contains(t, again, "games       6, A ")
}

func TestQuick(t *testing.T) {
	c := matchCmd{A: "yomi", B: "gpsusi", Games: 4, Seed: "1"}
	c.quick(map[string]bool{"games": true})
	require.Equal(t, "0,1", c.Time)
	require.Equal(t, 4, c.Games, "what was given stays")
	config, err := c.config()
	require.NoError(t, err)
	require.Equal(t, 3*time.Second, config.B.Margin)
	c = matchCmd{A: "yomi", B: "yomi"}
	c.quick(nil)
	require.Equal(t, "0,0.5", c.Time)
	require.Equal(t, 20, c.Games)
}

// Ctrl-C leaves a match that goes on, and says how.
func TestInterrupt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(700*time.Millisecond, cancel)
	args := smallMatch(dir, "--time", "nodes=200", "--games", "2000")
	status, out, errs := yomiIn(ctx, args...)
	require.Equal(t, exitInterrupted, status, errs)
	require.Contains(t, errs, "To go on:\n  "+os.Args[0]+" match --resume "+dir+"\n")
	require.Contains(t, out, "report.html")

	// Ctrl-C between the check of the players and the first game.
	dir = filepath.Join(t.TempDir(), "m")
	status, _, errs = yomiIn(ctx, smallMatch(dir)...)
	require.Equal(t, exitInterrupted, status, errs)
	require.Contains(t, errs, "Interrupted after 0 of 4 games. To go on:\n  "+os.Args[0]+" match --resume "+dir+"\n")
}

// The real program, the real signal.
func TestSignal(t *testing.T) {
	program := filepath.Join(t.TempDir(), "yomi")
	build := exec.Command("go", "build", "-o", program, ".")
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
	dir := filepath.Join(t.TempDir(), "m")
	command := exec.Command(program, smallMatch(dir, "--time", "movetime=50ms", "--games", "2000")...)
	var errs bytes.Buffer
	command.Stderr = &errs
	require.NoError(t, command.Start())
	journal := filepath.Join(dir, "journal.jsonl")
	require.Eventually(t, func() bool { _, err := os.Stat(journal); return err == nil }, 20*time.Second, 20*time.Millisecond)
	time.Sleep(300 * time.Millisecond)
	require.NoError(t, command.Process.Signal(syscall.SIGINT))
	require.Error(t, command.Wait())
	require.Equal(t, exitInterrupted, command.ProcessState.ExitCode(), errs.String())
	require.Contains(t, errs.String(), "To go on:\n  "+program+" match --resume "+dir)
}

func TestOpenings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "list.sfen")
	status, _, errs := yomi("openings", "--count", "5", "--plies", "20-60", "-o", file, "../../testdata/sample.psv.zst")
	require.Zero(t, status, errs)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	require.Len(t, lines, 7)
	require.Equal(t, "# yomi openings --count 5 --plies 20-60 --max-score 60 --seed 1 sample.psv.zst", lines[1])
	status, _, errs = yomi(smallMatch(filepath.Join(t.TempDir(), "m"), "--openings", file, "--max-plies", "70")...)
	require.Zero(t, status, errs)

	require.NoError(t, os.WriteFile(file, append(data, "startpos moves 7g7e\n"...), 0o644))
	status, _, errs = yomi(smallMatch(filepath.Join(t.TempDir(), "m"), "--openings", file)...)
	require.NotZero(t, status)
	require.Contains(t, errs, "line 8: ")

	status, out, errs := yomi("openings", "--play", "--count", "2", "--plies", "4-6", "--nodes", "20", "--max-score", "500", "--option", "USI_Hash=1")
	require.Zero(t, status, errs)
	require.Contains(t, out, "--play")
	require.Equal(t, 2, strings.Count(out, "\nsfen "))
}

// A program that says nothing does not keep Ctrl-C waiting, and no half-made match stays behind.
func TestInterruptAtStart(t *testing.T) {
	for _, args := range [][]string{{"match", "sleep 60", "yomi", "-o"}, {"match", "--check", "sleep 60"}} {
		dir := filepath.Join(t.TempDir(), "m")
		if args[len(args)-1] == "-o" {
			args = append(args, dir)
		}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(200*time.Millisecond, cancel)
		start := time.Now()
		status, _, errs := yomiIn(ctx, args...)
		require.Equal(t, exitInterrupted, status, errs)
		require.Less(t, time.Since(start), 8*time.Second)
		require.NoDirExists(t, dir)
	}
}

// An opening list that did not become complete is written and is no success.
func TestOpeningsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(time.Second, cancel)
	file := filepath.Join(t.TempDir(), "list.sfen")
	status, _, errs := yomiIn(ctx, "openings", "--play", "--count", "1000000", "--plies", "2-20", "--nodes", "2", "--max-score", "5000", "--option", "USI_Hash=1", "-o", file)
	require.Equal(t, exitInterrupted, status, errs)
	require.Contains(t, errs, "of 1000000 openings were written")
	require.FileExists(t, file)
}

func TestCommandFor(t *testing.T) {
	require.Equal(t, "go run ./cmd/yomi", commandFor("/tmp/go-build2801245/b001/exe/yomi"))
	require.Equal(t, "./yomi", commandFor("./yomi"))
	require.Equal(t, "'/my tools/yomi'", commandFor("/my tools/yomi"))
}
