package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

func TestTreeBreakdown(t *testing.T) {
	status, out, errs := yomi("tree", "breakdown", "startpos moves 7g7f 3c3d", "--most", "2")
	require.Zero(t, status, errs)
	for _, want := range []string{"Black to move, win rate ", "  B -", "side_bonus", "sum  ", "The policy, 2 of 39 moves", "8h2b+", "capture", "alone"} {
		require.Contains(t, out, want)
	}
	require.Equal(t, 2, strings.Count(out, "%, logit"))

	status, out, errs = yomi("tree", "breakdown", treePosition)
	require.Zero(t, status, errs)
	require.Contains(t, out, "White to move")
	require.Contains(t, out, "in hand, one of 1: G ")

	status, out, errs = yomi("tree", "breakdown", "startpos", "--compare", "7g7f 3c3d,2g2f")
	require.Zero(t, status, errs)
	require.Contains(t, out, "A: 7g7f 3c3d\nB: 2g2f\n")
	require.Equal(t, 3, strings.Count(out, "  whole "))

	status, out, errs = yomi("tree", "breakdown", "startpos", "--compare", "7g7f,2g2f", "--json")
	require.Zero(t, status, errs)
	var b struct {
		inspect.Breakdown
		Conflict *inspect.Conflict
	}
	require.NoError(t, json.Unmarshal([]byte(out), &b))
	require.Len(t, b.Moves, 30)
	require.Len(t, b.Occlusion.Pieces, 38)
	require.Equal(t, "2g2f", b.Conflict.B)
}

// Other weights and nets are used, or refused.
func TestTreeBreakdownFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.txt")
	require.NoError(t, os.WriteFile(path, []byte(alphabeta.WeightsText()), 0o644))
	status, _, errs := yomi("tree", "breakdown", "--weights", path)
	require.Zero(t, status, errs)
	require.NoError(t, os.WriteFile(path, []byte("piece P 1"), 0o644))
	for want, args := range map[string][]string{
		path + ": ":                        {"--weights", path},
		path + ":":                         {"--value-file", path},
		path:                               {"--policy-file", path},
		"must not be negative":             {"--most=-1"},
		"position: ":                       {"nowhere"},
		"want two, such as 7g7f,2g2f":      {"--compare", "7g7f"},
		`--compare: `:                      {"--compare", "7g7x,2g2f"},
		"--compare: line B: illegal move ": {"--compare", "2g2f,2g2e"},
		"--compare: line A: it has no":     {"--compare", ",2g2e"},
	} {
		status, _, errs := yomi(append([]string{"tree", "breakdown"}, args...)...)
		require.NotZero(t, status, want)
		require.Contains(t, errs, want)
	}
}
