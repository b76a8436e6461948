package alphabeta

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// eventCounts adds up what events tell, and checks each of them.
type eventCounts struct {
	t       *testing.T
	count   [search.NumEventKinds]int64
	ends    int64
	quiet   int64
	answers int64
	entered [MaxPly + 2]int64
	last    search.Event
}

func (c *eventCounts) Event(e *search.Event) {
	c.count[e.Kind]++
	c.last = *e
	switch e.Kind {
	case search.EventPrune:
		require.GreaterOrEqual(c.t, e.Score, e.Beta)
		require.GreaterOrEqual(c.t, e.Alpha, e.Beta, "a prune has alpha at or above beta")
		require.True(c.t, e.Move.IsMove())
		require.GreaterOrEqual(c.t, e.Count, int64(0))
	case search.EventWindow:
		require.Greater(c.t, e.Alpha, e.Before)
		require.Less(c.t, e.Alpha, e.Beta)
	case search.EventEnter:
		c.entered[e.Ply]++
		require.Equal(c.t, search.InnerType(e.Ply), e.Type)
		require.Equal(c.t, e.Ply > 0, e.Move.IsMove())
	case search.EventNode:
		c.quiet += e.Count
		switch {
		case e.Cut:
			c.answers++
		case e.Type == search.NodeLeaf || e.Type == search.NodeTerminal:
			c.ends++
		default:
			c.entered[e.Ply]--
		}
	}
}

// Rows 1 and 2: records of nodes, windows and prunes, which add up to the search's own counters.
func TestEventsAddUp(t *testing.T) {
	for _, driver := range Drivers() {
		c := Default()
		c.Driver, c.TableSize, c.Quiescence = driver, 1<<12, 2
		depth := 3
		if driver == Minimax || driver == SSSOpen || driver == DualOpen {
			depth = 2
		}
		g := NewShogi(DefaultWeights(), ShogiRules{})
		g.Reset(gameAt(t, "sfen ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62"))
		s, err := New[shogi.Move](g, c, nil)
		require.NoError(t, err)
		plain := s.Run(Goal[shogi.Move]{Depth: depth})
		s.Clear()
		counts := &eventCounts{t: t}
		s.SetSink(counts)
		out := s.Run(Goal[shogi.Move]{Depth: depth})
		require.Equal(t, plain, out, "%s: a sink changes nothing", driver)
		require.Equal(t, out.Stats.Leaves, counts.ends, "%s: leaves", driver)
		require.Equal(t, out.Stats.QuietNodes, counts.quiet, "%s: quiescence", driver)
		require.Equal(t, out.Stats.Cutoffs, counts.count[search.EventPrune], "%s: prunes", driver)
		require.Equal(t, out.Stats.Answers, counts.answers, "%s: nodes that the table answers", driver)
		require.Equal(t, out.Stats.Hits, counts.count[search.EventTable], "%s: table", driver)
		require.Equal(t, out.Stats.FailHigh+out.Stats.FailLow, counts.count[search.EventFail], driver)
		require.Equal(t, int64(depth), counts.count[search.EventIteration])
		if driver != SSSOpen && driver != DualOpen {
			require.Zero(t, counts.entered, "%s: each node that begins ends", driver)
		}
	}
}

func TestEngineEvents(t *testing.T) {
	e := newEngine(t, nil)
	counts := &eventCounts{t: t}
	e.SetSink(counts)
	g := gameAt(t, shogi.StartSFEN)
	result := e.Search(t.Context(), g, search.Limits{MoveTime: 100 * time.Millisecond}, nil)
	require.Equal(t, int64(1), counts.count[search.EventStart])
	require.Equal(t, int64(1), counts.count[search.EventEnd])
	require.Equal(t, int64(2), counts.count[search.EventClock], "the plan and the decision")
	require.Equal(t, result.Best, counts.last.Move)
	require.Equal(t, result.Reason, counts.last.Reason)
	require.Equal(t, result.Lines[0].Score.CP, counts.last.Score)
}

type discard struct{}

func (discard) Event(*search.Event) {}

func TestEventsAllocateNothing(t *testing.T) {
	for _, sink := range []search.Sink{nil, discard{}} {
		g := NewShogi(DefaultWeights(), ShogiRules{})
		s, err := New[shogi.Move](g, Default(), nil)
		require.NoError(t, err)
		s.SetSink(sink)
		s.Run(Goal[shogi.Move]{Depth: 3})
		s.begin(&Goal[shogi.Move]{Depth: 3})
		s.rootDepth = 3
		require.Zero(t, testing.AllocsPerRun(5, func() { s.node(-infinity, infinity, 2, 0) }), "sink %v", sink)
	}
}
