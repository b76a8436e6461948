package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	problemIn3  = "7+P1/5R1s1/6ks1/9/5L1p1/9/9/9/9 b R2b4g2s4n3l16p 1"
	problemNone = "4k4/9/9/9/9/9/9/9/4K4 b G 1"
	problemHard = "1+P2l4/2P6/9/p5+R2/2k6/B3+P3B/9/9/9 b r4g4s4n3l14p 1"
)

// effort is what differs between machines and versions.
var effort = regexp.MustCompile(`[0-9.]+((ms|µs|s)\b| nodes)`)

func TestSolveFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "problems")
	require.NoError(t, os.WriteFile(file, []byte("# comment\n\n"+problemIn3+"\nsfen "+problemNone+" # none\nposition sfen "+problemIn3+" moves R*3d 3c3d\n"), 0o600))
	status, out, errs := yomi("solve", "--hash", "1", file)
	require.Zero(t, status, errs)
	require.Equal(t, "1. "+file+":3\n   mate in 3, SOME, SOME\n   R*3d 3c3d 4b4d+\n   ☗３四飛打 ☖３四玉(33) ☗４四飛成(42)\n"+
		"2. "+file+":4\n   no mate, SOME, SOME\n3. "+file+":5\n   mate in 1, SOME, SOME\n   4b4d+\n   ☗４四飛成(42)\n"+
		"3 of 3 problems: 2 mates, 1 without mate, 0 not decided; SOME in SOME, the slowest SOME\n", effort.ReplaceAllString(out, "SOME"))
}

func TestSolveTree(t *testing.T) {
	status, out, errs := yomi("solve", "--hash", "1", "--tree", "text", "--sfen", problemIn3)
	require.Zero(t, status, errs)
	require.Contains(t, out, "[1] R*3d ☗３四飛打, mate in 3\n  3c3d ☖３四玉(33): [2] 4b4d+ ☗４四飛成(42), mate in 1\n"+
		"  2c3d ☖３四銀(23): [3] 4b2b+ ☗２二飛成(42), mate in 1\n")

	status, out, errs = yomi("solve", "--hash", "1", "--tree", "dot", "--sfen", problemIn3)
	require.Zero(t, status, errs)
	require.Equal(t, "digraph mate {\n\tlabel=\""+problemIn3+"\";\n\tnode [shape=box];\n\tn0 [label=\"R*3d\\nmate in 3\"];\n"+
		"\tn0 -> n1 [label=\"3c3d\"];\n\tn0 -> n2 [label=\"2c3d\"];\n\tn1 [label=\"4b4d+\\nmate in 1\"];\n"+
		"\tn2 [label=\"4b2b+\\nmate in 1\"];\n}\n", out)
	require.Contains(t, errs, "1 mates")

	status, _, errs = yomi("solve", "--hash", "1", "--tree", "text", "--tree-max", "2", "--sfen", problemIn3)
	require.Equal(t, exitFailed, status)
	require.Contains(t, errs, "more than 2 positions")
}

func TestSolveLimits(t *testing.T) {
	status, out, errs := yomi("solve", "--hash", "1", "--nodes", "1000", "--sfen", problemHard)
	require.Equal(t, exitFailed, status)
	require.Contains(t, out, "not decided (nodes)")
	require.Contains(t, errs, "1 of 1 problems were not decided")
	status, out, _ = yomi("solve", "--hash", "1", "--time", "1ms", "--sfen", problemHard)
	require.Equal(t, exitFailed, status)
	require.Contains(t, out, "not decided (stopped)")
	status, out, _ = yomi("solve", "--hash", "1", "--plies", "1", "--sfen", problemIn3)
	require.Zero(t, status)
	require.Contains(t, out, "no mate")
}

func TestSolveErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad")
	require.NoError(t, os.WriteFile(file, []byte(problemIn3+"\n9/9/9/9/9/9/9/9/x8 b - 1\n"), 0o600))
	for want, args := range map[string][]string{
		file + ":2":           {file},
		"no problem is given": nil,
		"--sfen: ":            {"--sfen", "nonsense"},
		"bad --hash 0":        {"--hash", "0", "--sfen", problemIn3},
	} {
		status, _, errs := yomi(append([]string{"solve"}, args...)...)
		require.Equal(t, exitFailed, status, want)
		require.Contains(t, errs, want)
	}
	status, _, errs := yomi("solve", "--tree", "svg", "--sfen", problemIn3)
	require.Equal(t, exitUsage, status)
	require.Contains(t, errs, "--tree")
}

func TestSolveInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	status, out, _ := yomiIn(ctx, "solve", "--hash", "1", "--sfen", problemHard)
	require.Equal(t, exitInterrupted, status)
	require.Contains(t, out, "0 of 1 problems")
}
