package engine

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

func lineOf(t *testing.T, text string, rate float64) search.Info {
	t.Helper()
	m, err := shogi.ParseMove(text)
	require.NoError(t, err)
	return search.Info{PV: []shogi.Move{m}, Score: search.Score{WinRate: rate}}
}

func TestPickVaried(t *testing.T) {
	lines := func() search.Result {
		r := search.Result{Lines: []search.Info{lineOf(t, "7g7f", 0.52), lineOf(t, "2g2f", 0.51), lineOf(t, "9g9f", 0.40), lineOf(t, "1g1f", 0.52)}}
		r.Best = r.Lines[0].PV[0]
		return r
	}
	dice := rand.New(rand.NewPCG(1, 2))
	draw := func(temperature float64) map[string]int {
		count := map[string]int{}
		for range 2000 {
			r := pickVaried(lines(), []int64{600, 200, 150, 0}, temperature, 0.03, dice)
			require.Equal(t, r.Best, r.Lines[0].PV[0])
			require.Len(t, r.Lines, 4)
			count[r.Best.String()]++
		}
		return count
	}
	even := draw(1)
	require.InDelta(t, 1500, even["7g7f"], 100, "in proportion to the visits")
	require.InDelta(t, 500, even["2g2f"], 100)
	require.Zero(t, even["9g9f"], "too bad")
	require.Zero(t, even["1g1f"], "no visits")
	require.Less(t, draw(0.2)["2g2f"], 30, "a low temperature plays the best move")
	require.InDelta(t, 1000, draw(10)["2g2f"], 150)
	mate := lines()
	mate.Lines[0].Score.Mate = true
	require.Equal(t, mate.Best, pickVaried(mate, []int64{1, 1000, 1, 1}, 1, 1, dice).Best)
}

func TestRandomPly(t *testing.T) {
	e := treeEngine(t, "", "4")
	set(t, e, "Random_Ply", "3")
	set(t, e, "Random_Cutoff", "1000")
	set(t, e, "Random_Temperature", "10000")
	set(t, e, "Seed", "7")
	played := map[shogi.Move]bool{}
	for range 12 {
		var last []search.Info
		r := e.Search(context.Background(), shogi.NewGame(shogi.StartPosition()), search.Limits{Nodes: 100}, func(l []search.Info) { last = l })
		require.Equal(t, r.Best, r.Lines[0].PV[0])
		require.Equal(t, r.Lines, last)
		require.Len(t, r.Lines, 1)
		played[r.Best] = true
	}
	require.Greater(t, len(played), 2)
	later := mateGame(t, "startpos moves 7g7f 3c3d 2g2f")
	want := e.Search(context.Background(), later, search.Limits{Nodes: 100}, func([]search.Info) {}).Best
	require.Equal(t, e.searcher.RootMoves()[0].Move, want, "move 4 is not drawn")
}

// What pondering about all replies has learnt stays for the answer, whatever a draw is worth, and it keeps to the limit of playouts.
func TestStochasticPonderKeepsTheTree(t *testing.T) {
	e := treeEngine(t, "", "16")
	for name, value := range map[string]string{"Stochastic_Ponder": "true", "Draw_Value_Black": "300", "Draw_Value_White": "400"} {
		set(t, e, name, value)
	}
	e.Ready()
	for _, text := range []string{"startpos moves 7g7f 3c3d", "startpos moves 7g7f 3c3d 2g2f"} {
		e.NewGame()
		g := mateGame(t, text)
		hit, done := make(chan struct{}), make(chan search.Result, 1)
		go func() {
			done <- e.Search(context.Background(), g, search.Limits{PonderHit: hit, Nodes: 400}, func([]search.Info) {})
		}()
		require.Eventually(t, func() bool { return e.searcher.Stats().UsedSlots > 300 }, 20*time.Second, time.Millisecond)
		time.Sleep(50 * time.Millisecond)
		require.LessOrEqual(t, e.searcher.Stats().UsedSlots, 402)
		close(hit)
		r := <-done
		require.EqualValues(t, 400, r.Lines[0].Nodes)
		require.Greater(t, e.searcher.Stats().UsedSlots, 600, "the tree was not cleared")
	}
}

// With Stochastic_Ponder the search thinks about all replies, and answers for the one that came.
func TestStochasticPonder(t *testing.T) {
	e := treeEngine(t, "", "16")
	e.Ready()
	set(t, e, "Stochastic_Ponder", "true")
	g := mateGame(t, "startpos moves 7g7f 3c3d")
	before := mateGame(t, "startpos moves 7g7f")
	for _, hits := range []bool{true, false} {
		e.NewGame()
		hit, ctx, done := make(chan struct{}), context.Background(), make(chan search.Result, 1)
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		lines := 0
		go func() {
			done <- e.Search(ctx, g, search.Limits{PonderHit: hit, Nodes: 500}, func(l []search.Info) { lines++ })
		}()
		require.Eventually(t, func() bool { return e.searcher.Stats().UsedSlots > 300 }, 20*time.Second, time.Millisecond)
		select {
		case <-done:
			require.Fail(t, "answered while pondering")
		default:
		}
		if hits {
			close(hit)
		} else {
			stop()
		}
		r := <-done
		require.True(t, g.Position().IsLegal(r.Best))
		require.Positive(t, lines)
		// The tree has visits of other replies.
		other := e.Search(context.Background(), before, search.Limits{Nodes: 1}, func([]search.Info) {})
		require.True(t, before.Position().IsLegal(other.Best))
		require.Greater(t, e.searcher.Root().Visits, int64(100))
	}
}
