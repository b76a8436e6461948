package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

func set(t *testing.T, e *Engine, name, value string) {
	t.Helper()
	require.NoError(t, e.Set(usi.Setting{Name: name, Value: value, HasValue: true}))
}

func TestAlphaBetaAsEngine(t *testing.T) {
	e := New()
	set(t, e, "SearchEngine", "alphabeta")
	set(t, e, "USI_Hash", "4")
	require.Contains(t, e.Memory(false)[0], "not allocated")
	g := mateGame(t, "sfen 5+R1nl/7k1/5+R1p1/9/9/9/9/9/9 b 2b4g4s3n3l17p 1")
	ignore := func([]search.Info) {}
	r := e.Search(context.Background(), g, search.Limits{Depth: 4}, ignore)
	require.Equal(t, search.Score{Mate: true, Plies: 3, WinRate: 1}, r.Lines[0].Score)
	require.Contains(t, e.Memory(false)[0], "transposition")

	// Fewer lines are reported than Strength chooses from.
	set(t, e, "Strength", "50")
	set(t, e, "MultiPV", "2")
	start := shogi.NewGame(shogi.StartPosition())
	r = e.Search(context.Background(), start, search.Limits{Depth: 2}, ignore)
	require.Len(t, r.Lines, 2)
	require.True(t, start.Position().IsLegal(r.Best))
	set(t, e, "Strength", "100")

	full := e.Search(context.Background(), start, search.Limits{Depth: 3}, ignore)
	set(t, e, "AlphaBeta_Settings", "driver=minimax,quiescence=0,table=0")
	plain := e.Search(context.Background(), start, search.Limits{Depth: 3}, ignore)
	require.Greater(t, plain.Lines[0].Nodes, 5*full.Lines[0].Nodes, "minimax visits all")
	set(t, e, "AlphaBeta_Settings", "")

	set(t, e, "AlphaBeta_Evaluator", "net")
	net := e.Search(context.Background(), start, search.Limits{Depth: 2}, ignore)
	require.True(t, start.Position().IsLegal(net.Best))

	err := e.Set(usi.Setting{Name: "AlphaBeta_Settings", Value: "killers=perhaps", HasValue: true})
	require.ErrorContains(t, err, "perhaps")
	for text, want := range map[string]string{"multipv=2": "set the option MultiPV", "table=4096": "table=4096 has no effect here: set the option USI_Hash"} {
		require.ErrorContains(t, e.Set(usi.Setting{Name: "AlphaBeta_Settings", Value: text, HasValue: true}), want)
	}
	e.NewGame()

	set(t, e, "SearchEngine", "uct")
	r = e.Search(context.Background(), start, search.Limits{Nodes: 50}, ignore)
	require.EqualValues(t, 50, r.Lines[0].Nodes)
}

func TestCaptureSearchAtLeaves(t *testing.T) {
	e := New()
	set(t, e, "USI_Hash", "4")
	set(t, e, "ValueEvaluator", "capture")
	// The bishop on 5e hangs, so the position is better than it looks for the side to move.
	p := mateGame(t, "sfen lnsgkgsnl/1r5b1/ppppppppp/9/4B4/4P4/PPPP1PPPP/7R1/LNSGKGSNL w - 2").Position()
	with := e.Evaluate(p).WinRate
	set(t, e, "ValueEvaluator", "net")
	require.NotEqual(t, e.Evaluate(p).WinRate, 0.0)
	require.GreaterOrEqual(t, with, e.Evaluate(p).WinRate)
}
