package uct_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
	"github.com/yomi-shogi/yomi/value"
)

// BenchmarkSearchWithEvaluators is a search of 100,000 nodes with the simple evaluators and with the nets. evaluations/s counts the
// playouts that evaluated a position, playouts/s all.
func BenchmarkSearchWithEvaluators(b *testing.B) {
	const middle = "sfen ln1g3nl/1r1s1kg2/p1pppps1p/1p4pp1/9/2P1P1P1P/PPSP1PSP1/2GK1G1R1/LN5NL b Bb 35"
	for _, row := range []struct {
		name, position string
		nets           bool
		threads        int
	}{
		{"simple/start", "startpos", false, 1},
		{"simple/middle", middle, false, 1},
		{"simple/start/2 workers", "startpos", false, 2},
		{"nets/start", "startpos", true, 1},
		{"nets/middle", middle, true, 1},
		{"nets/start/2 workers", "startpos", true, 2},
		{"nets/middle/2 workers", middle, true, 2},
	} {
		b.Run(row.name, func(b *testing.B) { benchmarkSearch(b, row.position, row.nets, row.threads) })
	}
}

func benchmarkSearch(b *testing.B, position string, nets bool, threads int) {
	const playouts = 100_000
	c := uct.Config{
		NewPolicy: func() uct.Policy { return policy.NewHeuristic() },
		NewValue:  func() uct.Value { return value.NewMaterial() },
		Options:   uct.DefaultOptions(),
	}
	if nets {
		c.NewPolicy = func() uct.Policy { return policy.NewNetEvaluator(policy.Default()) }
		c.NewValue = func() uct.Value { return value.NewNetEvaluator(value.Default()) }
	}
	c.Threads = threads
	s, err := uct.New(c)
	require.NoError(b, err)
	game, err := shogi.ParsePosition(position)
	require.NoError(b, err)
	for b.Loop() {
		s.Clear()
		s.Search(context.Background(), game, search.Limits{Nodes: playouts}, nil)
	}
	b.ReportMetric(float64(s.Stats().Evaluations)/b.Elapsed().Seconds(), "evaluations/s")
	b.ReportMetric(float64(playouts*b.N)/b.Elapsed().Seconds(), "playouts/s")
}
