package alphabeta

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
)

// An analysis that has found its answer shows it before it is told to stop.
func TestHeldAnswersAreShown(t *testing.T) {
	for _, limits := range []search.Limits{{Infinite: true}, {PonderHit: make(chan struct{})}} {
		ctx, cancel := context.WithCancel(t.Context())
		e := newEngine(t, func(o *Options) { o.PVInterval = 0 })
		seen, answer := make(chan []search.Info, 99), make(chan search.Result, 1)
		go func() {
			answer <- e.Search(ctx, gameAt(t, "sfen "+mateInOne), limits, func(lines []search.Info) { seen <- lines })
		}()
		select {
		case lines := <-seen:
			require.Equal(t, 1, lines[0].Score.Plies)
		case <-time.After(20 * time.Second):
			require.Fail(t, "nothing is shown")
		}
		require.Empty(t, answer, "answered before it was told to")
		cancel()
		require.NotEmpty(t, (<-answer).Lines)
	}
}

// A draw may be worth nothing to both sides' engines.
func TestDrawsWorthNothing(t *testing.T) {
	e := newEngine(t, func(o *Options) { o.MaxMovesToDraw, o.DrawValue = 1, [2]float32{} })
	result := e.Search(t.Context(), gameAt(t, "sfen 4k4/9/9/9/9/9/9/9/4K3R b G 1"), search.Limits{Depth: 4}, nil)
	require.InDelta(t, 0, result.Lines[0].Score.WinRate, 0.001)
}
