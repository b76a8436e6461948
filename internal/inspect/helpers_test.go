package inspect

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
	"github.com/yomi-shogi/yomi/value"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

func gameAt(t testing.TB, text string) *shogi.Game {
	t.Helper()
	g, err := shogi.ParsePosition(text)
	require.NoError(t, err)
	return g
}

// newTreeSearch returns a tree search with cheap evaluators.
func newTreeSearch(t testing.TB, threads int) *uct.Searcher {
	t.Helper()
	o := uct.DefaultOptions()
	o.Threads = threads
	s, err := uct.New(uct.Config{
		NewPolicy: func() uct.Policy { return policy.NewHeuristic() },
		NewValue:  func() uct.Value { return value.NewMaterial() },
		HashMB:    16, Options: o,
	})
	require.NoError(t, err)
	return s
}

// newAlphaBeta returns an alpha-beta engine with changes to the configuration.
func newAlphaBeta(t testing.TB, changes string) *alphabeta.Engine {
	t.Helper()
	c, err := alphabeta.ParseConfig(alphabeta.Default(), changes)
	require.NoError(t, err)
	o := alphabeta.DefaultOptions()
	o.Config, o.HashMB = c, 4
	e, err := alphabeta.NewEngine(o)
	require.NoError(t, err)
	return e
}

const middleGame = "sfen ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62"

// thinker is either search.
type thinker interface {
	Search(ctx context.Context, game *shogi.Game, limits search.Limits, report func([]search.Info)) search.Result
	SetSink(search.Sink)
}

// counter counts events.
type counter struct {
	count   [search.NumEventKinds]int
	skipped int64 // since the last iteration began
	last    search.Event
}

func (c *counter) Event(e *search.Event) {
	c.count[e.Kind]++
	switch e.Kind {
	case search.EventIteration:
		c.skipped = 0
	case search.EventPrune:
		c.skipped += e.Count
	}
	c.last = *e
}
