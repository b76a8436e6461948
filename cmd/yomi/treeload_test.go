package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// A tree that the engine saved is shown, drawn, and searched on.
func TestTreeLoad(t *testing.T) {
	dir := t.TempDir()
	saved := filepath.Join(dir, "a.tree")
	e := engine.New()
	for _, s := range [][2]string{{"USI_Hash", "8"}, {"PolicyEvaluator", "heuristic"}, {"ValueEvaluator", "material"}, {"TreeFile", saved}} {
		require.NoError(t, e.Set(usi.Setting{Name: s[0], Value: s[1], HasValue: true}))
	}
	game, err := shogi.ParsePosition("startpos moves 7g7f")
	require.NoError(t, err)
	e.Search(context.Background(), game, search.Limits{Nodes: 700}, func([]search.Info) {})
	require.NoError(t, e.Set(usi.Setting{Name: "SaveTree"}))

	load := append([]string{"--load", saved, "--position", "startpos moves 7g7f"}, cheap...)
	status, out, errs := yomiTree(t, "", load...)
	require.Zero(t, status, errs)
	require.Contains(t, out, "nodes loaded from "+saved)
	require.Contains(t, out, "root N 702", "those of the saved tree, and the one that looks it up")
	require.Empty(t, errs)

	picture := filepath.Join(dir, "a.svg")
	status, out, errs = yomiTree(t, "", append(load, "--nodes", "50", "-o", picture)...)
	require.Zero(t, status, errs)
	require.Contains(t, out, "drawn to "+picture)
	text, err := os.ReadFile(picture)
	require.NoError(t, err)
	require.Contains(t, string(text), "751 visits", "the search went on")

	status, _, errs = yomiTree(t, "", append([]string{"--load", saved, "--position", "startpos moves 2g2f 1c1d 9g9f"}, cheap...)...)
	require.Zero(t, status)
	require.Contains(t, errs, "nothing about this position")

	status, _, errs = yomiTree(t, "", "--load", saved)
	require.NotZero(t, status)
	require.Contains(t, errs, "made with other evaluators (policy=heuristic value=material)")
	status, _, errs = yomiTree(t, "", "--load", picture)
	require.NotZero(t, status)
	require.Contains(t, errs, "no tree file")
	for want, args := range map[string][]string{
		"--load goes neither": {"--compare", "ordering=none,heuristic", "-o", picture},
		"--engine uct only":   {"--engine", "alphabeta"},
	} {
		status, _, errs = yomiTree(t, "", append([]string{"--load", saved}, args...)...)
		require.NotZero(t, status)
		require.Contains(t, errs, want)
	}
}
