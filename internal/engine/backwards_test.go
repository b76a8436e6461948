package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// longGame returns the moves of a game of 150 moves that the engine plays against itself.
func longGame(t *testing.T) []shogi.Move {
	t.Helper()
	e := treeEngine(t, "", "8")
	set(t, e, "Resign_Threshold", "0")
	game := shogi.NewGame(shogi.StartPosition())
	for len(game.Moves()) < 150 {
		best := e.Search(context.Background(), game, search.Limits{Nodes: 30}, func([]search.Info) {}).Best
		require.NoError(t, game.Do(best), "the game is over after %d moves", len(game.Moves()))
	}
	return game.Moves()
}

// after returns the game's first n moves, as a GUI sends a position: anew each time.
func after(t *testing.T, moves []shogi.Move, n int) *shogi.Game {
	t.Helper()
	text := "startpos moves"
	for _, m := range moves[:n] {
		text += " " + m.String()
	}
	game, err := shogi.ParsePosition(text)
	require.NoError(t, err)
	return game
}

// A game of 150 moves is analysed from its end to its beginning, then looked at again: at least nine tenths of each position's visits are
// still there.
func TestBackwardsAnalysisKeepsVisits(t *testing.T) {
	moves := longGame(t)
	const nodes = 400
	for _, engine := range []struct{ name, hash, threads string }{{"room to spare", "64", "1"}, {"more than half full", "12", "1"}, {"two workers", "64", "2"}} {
		t.Run(engine.name, func(t *testing.T) {
			e := treeEngine(t, "", engine.hash)
			set(t, e, "Threads", engine.threads)
			visits := func(n int, limit int64) int64 {
				e.Search(context.Background(), after(t, moves, n), search.Limits{Nodes: limit}, func([]search.Info) {})
				return e.searcher.Root().Visits
			}
			var seen [151]int64
			for n := len(moves); n >= 0; n-- {
				seen[n] = visits(n, nodes)
			}
			for n := range seen {
				require.GreaterOrEqual(t, 10*visits(n, 1), 9*seen[n], "after %d moves", n)
			}
			require.Zero(t, e.searcher.Stats().Recycled, "there was room for all")
		})
	}
}
