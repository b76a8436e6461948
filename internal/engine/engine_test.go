package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// newEngine returns an engine with a small tree and the options given as name, value pairs.
func newEngine(t *testing.T, options ...string) *engine.Engine {
	t.Helper()
	e := engine.New()
	options = append([]string{"USI_Hash", "8", "Seed", "1"}, options...)
	for i := 0; i < len(options); i += 2 {
		require.NoError(t, e.Set(usi.Setting{Name: options[i], Value: options[i+1], HasValue: true}))
	}
	return e
}

func game(t *testing.T, position string) *shogi.Game {
	t.Helper()
	g, err := shogi.ParsePosition(position)
	require.NoError(t, err)
	return g
}

// think searches and returns the result and the reports.
func think(e *engine.Engine, g *shogi.Game, l search.Limits) (search.Result, [][]search.Info) {
	var reports [][]search.Info
	r := e.Search(context.Background(), g, l, func(infos []search.Info) { reports = append(reports, infos) })
	return r, reports
}

const middle = "sfen l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1"

func TestSearch(t *testing.T) {
	e := newEngine(t, "MultiPV", "3", "USI_Ponder", "true")
	g := game(t, middle)
	r, reports := think(e, g, search.Limits{Nodes: 500})
	require.True(t, g.Position().IsLegal(r.Best))
	require.Len(t, r.Lines, 3)
	require.Equal(t, r.Best, r.Lines[0].PV[0])
	require.Equal(t, r.Lines, reports[len(reports)-1])
	require.Equal(t, search.ReasonNodes, r.Reason)
	require.True(t, r.Ponder.IsMove())
	require.NoError(t, e.Set(usi.Setting{Name: "USI_Ponder", Value: "false", HasValue: true}))
	r, _ = think(e, g, search.Limits{Nodes: 500})
	require.Equal(t, shogi.MoveNone, r.Ponder)
}

func TestNodesLimit(t *testing.T) {
	e := newEngine(t, "Const_Playout", "300")
	r, _ := think(e, game(t, "startpos"), search.Limits{MoveTime: time.Minute})
	require.Equal(t, int64(300), r.Lines[0].Nodes)
	r, _ = think(e, game(t, "startpos"), search.Limits{Nodes: 100})
	require.Equal(t, int64(100), r.Lines[0].Nodes)
}

func TestDebugMessage(t *testing.T) {
	e := newEngine(t, "DebugMessage", "true")
	r, reports := think(e, game(t, middle), search.Limits{Nodes: 50})
	require.Equal(t, "decision: "+r.Best.String()+" because of nodes", reports[len(reports)-2][0].Text)
	require.Equal(t, r.Lines, reports[len(reports)-1], "the lines stand directly before the answer")
}

func TestEvaluators(t *testing.T) {
	g := game(t, middle)
	even := newEngine(t, "PolicyEvaluator", "uniform", "ValueEvaluator", "even").Evaluate(g.Position())
	require.InDelta(t, 0.5, even.WinRate, 1e-6)
	require.Zero(t, even.CP)
	require.Len(t, even.Moves, len(g.Position().AppendLegal(nil)))
	require.Equal(t, even.Moves[0].Prior, even.Moves[len(even.Moves)-1].Prior)
	full := newEngine(t).Evaluate(g.Position())
	require.NotEqual(t, even.WinRate, full.WinRate)
	sum := 0.0
	for i, m := range full.Moves {
		sum += m.Prior
		require.True(t, i == 0 || m.Prior <= full.Moves[i-1].Prior, "sorted")
	}
	require.InDelta(t, 1, sum, 1e-3)
	require.Greater(t, full.Moves[0].Prior, even.Moves[0].Prior)
}

// A changed option acts at the next search, also when it needs a new tree.
func TestOptionsActLater(t *testing.T) {
	e := newEngine(t)
	require.Contains(t, e.Memory(false)[0], "not allocated")
	require.Empty(t, e.Ready())
	think(e, game(t, "startpos"), search.Limits{Nodes: 200})
	require.Contains(t, e.Memory(false)[0], "8 MB")
	require.NotContains(t, e.Memory(false)[1], " 0 of")
	e.NewGame()
	require.Contains(t, e.Memory(false)[1], " 0 of")
	require.NoError(t, e.Set(usi.Setting{Name: "USI_Hash", Value: "4", HasValue: true}))
	require.NoError(t, e.Set(usi.Setting{Name: "UCT_Formula", Value: "ucb1", HasValue: true}))
	r, _ := think(e, game(t, "startpos"), search.Limits{Nodes: 100})
	require.True(t, r.Best.IsMove())
	require.Contains(t, e.Memory(false)[0], "4 MB")
}

// A combination of sizes that cannot be is corrected with a message, and the engine plays.
func TestBadSizes(t *testing.T) {
	e := newEngine(t, "USI_Hash", "1", "UCT_Hash_Size", "1048576")
	messages := e.Ready()
	require.Len(t, messages, 1)
	require.True(t, strings.HasPrefix(messages[0], "Error"), messages)
	r, _ := think(e, game(t, "startpos"), search.Limits{Nodes: 10})
	require.True(t, r.Best.IsMove())
}

func TestTooMuchHash(t *testing.T) {
	e := engine.New()
	e.SetMachineMB(4)
	messages := e.Ready()
	require.Len(t, messages, 1)
	require.Contains(t, messages[0], "using 4")
	require.Equal(t, int64(4), e.HashMB())
}

func TestBench(t *testing.T) {
	bench := func() []string {
		var lines []string
		require.NoError(t, newEngine(t).Bench(context.Background(), 200, func(line string) { lines = append(lines, line) }))
		return lines
	}
	first := bench()
	last := first[len(first)-1]
	require.Regexp(t, `^signature: [0-9a-f]{16}$`, last)
	require.Regexp(t, `^evaluating playouts/s: \d+$`, first[len(first)-2])
	require.Len(t, first, 12)
	require.Regexp(t, "^kernels: (avx2|plain)$", first[0])
	for _, line := range first[1:9] {
		require.Contains(t, line, "playouts      200", "every position is really searched")
	}
	again := bench()
	require.Equal(t, last, again[len(again)-1])

	var other []string
	require.NoError(t, newEngine(t, "UCT_Formula", "ucb1").Bench(context.Background(), 200, func(line string) { other = append(other, line) }))
	require.NotEqual(t, last, other[len(other)-1])

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, newEngine(t).Bench(ctx, 200, func(string) {}), context.Canceled)
}

// Below full strength the engine varies its moves, thinks less, and never plays what it knows to be far worse.
func TestStrength(t *testing.T) {
	g := game(t, "startpos moves 7g7f 3c3d 2g2f 4c4d")
	full, _ := think(newEngine(t), g, search.Limits{Nodes: 2000})
	weak := newEngine(t, "Strength", "20")
	played := map[shogi.Move]int{}
	for range 60 {
		r, _ := think(weak, g, search.Limits{Nodes: 100_000})
		require.True(t, g.Position().IsLegal(r.Best))
		require.Len(t, r.Lines, 1, "MultiPV of the user")
		require.Equal(t, r.Best, r.Lines[0].PV[0])
		require.Equal(t, 1, r.Lines[0].MultiPV)
		require.Less(t, r.Lines[0].Nodes, int64(1000))
		played[r.Best]++
		weak.NewGame()
	}
	require.Greater(t, len(played), 1, "always %v, at full strength %v", played, full.Best)

	again, _ := think(newEngine(t, "Strength", "20"), g, search.Limits{})
	same, _ := think(newEngine(t, "Strength", "20"), g, search.Limits{})
	require.Equal(t, again.Best, same.Best, "the same seed")

	mate := game(t, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1")
	r, _ := think(newEngine(t, "Strength", "0"), mate, search.Limits{Nodes: 1000})
	require.Equal(t, "G*5b", r.Best.String())
}

// At the lowest strength most candidates have no visits after 32 playouts. Their win rate is only that of the position, so
// they must not count as good: here the horse in the camp must be taken.
func TestStrengthKnowsWhatItPlays(t *testing.T) {
	g := game(t, "startpos moves 7g7f 3c3d 8h2b+")
	weak := newEngine(t, "Strength", "0")
	for range 40 {
		r, _ := think(weak, g, search.Limits{})
		require.Contains(t, []string{"8b2b", "3a2b"}, r.Best.String())
		weak.NewGame()
	}
}

// The memory may be asked about while a search makes its tree and fills it.
func TestMemoryWhileSearching(t *testing.T) {
	e := newEngine(t)
	require.Contains(t, e.Memory(true)[0], "no tree")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		think(e, game(t, "startpos"), search.Limits{Nodes: 3000})
	}()
	told := false
	for running := true; running; {
		select {
		case <-ended:
			running = false
		case <-time.After(time.Millisecond):
			lines := e.Memory(true)
			told = told || len(lines) > 1
			require.NotContains(t, strings.Join(lines, "\n"), "probes")
		}
	}
	require.True(t, told)
	require.Contains(t, strings.Join(e.Memory(false), "\n"), "probes: mean")
}
