package uct

import (
	"context"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// recorder keeps copies of events.
type recorder struct {
	mu     sync.Mutex
	events []search.Event
	count  [search.NumEventKinds]int
}

func (r *recorder) Event(e *search.Event) {
	if e.Kind == search.EventSelect && e.Playout%50 == 1 {
		time.Sleep(100 * time.Microsecond) // so that workers meet
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c := *e
	c.Candidates = append([]search.Candidate(nil), e.Candidates...)
	r.events = append(r.events, c)
	r.count[e.Kind]++
}

// inspected are positions of the tests: an opening, one with mates near, and one with repetitions.
var inspected = map[string]string{
	"start": "startpos",
	"mates": "sfen lnsgk4/9/9/9/9/9/9/9/LNSGKGSNL b RB4Prb14p 1",
	"bare":  "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
}

// Row 3: select with Q, P and U, expand, merge, virtual loss and backup; the sums are the playouts.
func TestEventsAddUp(t *testing.T) {
	for _, position := range inspected {
		for _, threads := range []int{1, 3} {
			c := randomConfig(7)
			c.Threads = threads
			c.Params = DefaultParams()
			s := newSearcher(t, c)
			var r recorder
			s.SetSink(&r)
			g := game(t, position)
			for range 2 { // the second search begins with a tree
				before, evals := s.Root().Visits, s.Stats().Evaluations
				r = recorder{}
				result := nodes(s, g, 600)
				if r.count[search.EventStart] == 0 {
					require.Equal(t, search.ReasonProved, result.Reason)
					break
				}
				checkEvents(t, &r, s, before, evals)
			}
		}
	}
}

func checkEvents(t *testing.T, r *recorder, s *Searcher, before, evals int64) {
	t.Helper()
	rootBackups, values, lastN := 0, int64(0), int64(0)
	for _, e := range r.events {
		switch e.Kind {
		case search.EventBackup:
			if e.Ply == 0 {
				rootBackups++
				lastN = max(lastN, e.Visits)
			}
		case search.EventEvaluate:
			if e.Type == search.NodeLeaf {
				values++
			}
		case search.EventStart:
			require.Equal(t, max(before, 1), e.Visits)
			lastN = e.Visits
			if before == 0 {
				values++ // the root's own is not an event
			}
		}
	}
	require.Equal(t, 1, r.count[search.EventStart])
	require.Equal(t, 1, r.count[search.EventEnd])
	require.Equal(t, s.Root().Visits-max(before, 1), int64(rootBackups), "playouts = root visits gained")
	require.Equal(t, r.count[search.EventSelect], r.count[search.EventBackup], "selects = backups")
	require.Equal(t, s.Stats().Evaluations-evals, values)
	require.Equal(t, s.Root().Visits, lastN)
	if rootBackups == 600 {
		require.NotZero(t, r.count[search.EventExpand])
	}
}

// The formula that is written out chooses the move that was chosen.
func TestSelectionFormula(t *testing.T) {
	for _, formula := range []Formula{PUCT, UCB1} {
		c := randomConfig(3)
		c.Formula = formula
		c.Threads = 2
		s := newSearcher(t, c)
		var r recorder
		s.SetSink(&r)
		nodes(s, game(t, "startpos"), 800)
		flying := 0
		for _, e := range r.events {
			if e.Kind != search.EventSelect {
				continue
			}
			best, chosen := math.Inf(-1), math.Inf(-1)
			for _, c := range e.Candidates {
				flying += c.Flying
				if c.Proof == 0 {
					best = max(best, c.WinRate+c.Explore)
				}
				if c.Move == e.Move {
					chosen = c.WinRate + c.Explore
				}
			}
			if formula == UCB1 && chosen == 1 {
				continue // the first move without visits
			}
			require.InDelta(t, best, chosen, 1e-9, "%s of %d", e.Move, len(e.Candidates))
		}
		require.Positive(t, flying, "two workers meet")
	}
}

// A sink changes nothing.
func TestSinkKeepsTheSearch(t *testing.T) {
	g := game(t, "startpos")
	plain, watched := newSearcher(t, randomConfig(5)), newSearcher(t, randomConfig(5))
	watched.SetSink(&recorder{})
	want, got := nodes(plain, g, 3000), nodes(watched, g, 3000)
	require.Equal(t, want.Best, got.Best)
	require.Equal(t, plain.RootMoves(), watched.RootMoves())
	require.Equal(t, plain.Stats().Steps, watched.Stats().Steps)
	require.Equal(t, plain.Stats().UsedCells, watched.Stats().UsedCells)
}

type discard struct{ n int }

func (d *discard) Event(*search.Event) { d.n++ }

func TestEventsAllocateNothing(t *testing.T) {
	for _, sink := range []search.Sink{nil, &discard{}} {
		s := newSearcher(t, randomConfig(1))
		s.SetSink(sink)
		g := game(t, "startpos")
		nodes(s, g, 2000)
		w := s.workers[0]
		w.attach(s.last)
		require.Zero(t, testing.AllocsPerRun(500, func() { w.playout() }), "sink %v", sink)
	}
}

// slowSink holds the search up once.
type slowSink struct {
	recorder
	pause  time.Duration
	paused time.Duration
	since  time.Time // of a pause that has not ended
}

func (s *slowSink) Paused() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.since.IsZero() {
		return s.paused + time.Since(s.since)
	}
	return s.paused
}

func (s *slowSink) Event(e *search.Event) {
	s.recorder.Event(e)
	if e.Kind == search.EventBackup && s.pause > 0 {
		s.mu.Lock()
		s.since = time.Now()
		s.mu.Unlock()
		time.Sleep(s.pause)
		s.mu.Lock()
		s.paused, s.pause, s.since = s.paused+time.Since(s.since), 0, time.Time{}
		s.mu.Unlock()
	}
}

// The time for which a sink holds the search up is not the search's.
func TestPausesAreNotCharged(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	sink := &slowSink{pause: 2 * time.Second}
	s.SetSink(sink)
	start := time.Now()
	s.Search(context.Background(), game(t, "startpos"), search.Limits{MoveTime: time.Second}, nil)
	require.Greater(t, time.Since(start), 2500*time.Millisecond)
	last := sink.events[len(sink.events)-1]
	require.Equal(t, search.EventEnd, last.Kind)
	require.Less(t, last.Took, 2*time.Second)
	clocks := 0
	for _, e := range sink.events {
		if e.Kind == search.EventClock {
			clocks++
			require.NotZero(t, e.Hard)
		}
	}
	require.Equal(t, 2, clocks, "the plan and the decision")
}

func TestRecycleEvents(t *testing.T) {
	c := randomConfig(2)
	c.HashMB, c.Slots = 1, 1024
	s := newSearcher(t, c)
	var r recorder
	s.SetSink(&r)
	nodes(s, game(t, "startpos"), 5000)
	told := int64(0)
	for _, e := range r.events {
		if e.Kind == search.EventRecycle {
			told += e.Count
		}
	}
	require.Positive(t, told)
	require.Equal(t, s.Stats().Recycled, told)
}

func TestSnapshot(t *testing.T) {
	s := newSearcher(t, randomConfig(4))
	require.Empty(t, s.Snapshot(SnapshotLimits{}).Nodes)
	g := game(t, "startpos moves 7g7f")
	nodes(s, g, 3000)
	whole := s.Snapshot(SnapshotLimits{Nodes: 1 << 20})
	require.Equal(t, g.USI(), whole.Game.USI())
	require.Len(t, whole.Nodes, s.Stats().UsedSlots, "every node is reached")
	merged := checkSnapshot(t, &whole)
	require.NotZero(t, merged, "some nodes have several parents")
	root := whole.Nodes[0]
	require.Equal(t, s.Root().Visits, root.Visits)
	for i, m := range s.RootMoves()[:len(root.Edges)] {
		require.Equal(t, m.Move, root.Edges[i].Move)
		require.Equal(t, m.Visits, root.Edges[i].Visits)
	}
	part := s.Snapshot(SnapshotLimits{Nodes: 50, Depth: 3, Width: 4, Visits: 2})
	require.LessOrEqual(t, len(part.Nodes), 50)
	checkSnapshot(t, &part)
	for _, n := range part.Nodes {
		require.LessOrEqual(t, n.Ply, 3)
		require.LessOrEqual(t, len(n.Edges), 4)
		for _, e := range n.Edges {
			require.GreaterOrEqual(t, e.Visits, int64(2))
		}
	}
	s.Clear()
	require.Empty(t, s.Snapshot(SnapshotLimits{}).Nodes)
}

// checkSnapshot verifies the sums of a tree at rest and returns the number of edges to nodes that have several parents.
func checkSnapshot(t *testing.T, s *Snapshot) (merged int) {
	t.Helper()
	parents := make([]int, len(s.Nodes))
	for i, n := range s.Nodes {
		visits := int64(1)
		for _, e := range n.Edges {
			visits += e.Visits
			if e.Child < 0 {
				continue
			}
			parents[e.Child]++
			next := n.Position
			next.Do(e.Move)
			require.Equal(t, next, s.Nodes[e.Child].Position)
			require.Equal(t, n.Ply+1, s.Nodes[e.Child].Ply)
		}
		if !n.Terminal {
			require.Equal(t, n.Visits, visits+n.MoreVisits, "node %d", i)
		}
	}
	for i, n := range parents {
		require.True(t, n > 0 || i == 0, "node %d has no parent", i)
		merged += max(0, n-1)
	}
	return merged
}

// A snapshot may be taken from a search that runs, makes room and begins anew.
func TestSnapshotWhileSearching(t *testing.T) {
	c := randomConfig(6)
	c.Threads, c.HashMB, c.Slots = 3, 1, 1024
	s := newSearcher(t, c)
	done := make(chan struct{})
	go func() {
		defer close(done)
		g := game(t, "startpos")
		for _, m := range []string{"7g7f", "3c3d", "2g2f"} {
			nodes(s, g, 1500)
			_ = g.Do(move(t, m))
		}
	}()
	taken := 0
	for running := true; running; taken++ {
		select {
		case <-done:
			running = false
		default:
		}
		time.Sleep(time.Millisecond)
		snap := s.Snapshot(SnapshotLimits{Nodes: 200})
		for _, n := range snap.Nodes {
			for _, e := range n.Edges {
				require.True(t, n.Position.IsLegal(e.Move))
			}
		}
	}
	require.Greater(t, taken, 1)
	require.Positive(t, s.Stats().Recycled)
}

// BenchmarkSink shows what telling costs. What looking for a sink costs shows .ci/sink-cost.
func BenchmarkSink(b *testing.B) {
	for name, sink := range map[string]search.Sink{"none": nil, "discard": &discard{}} {
		b.Run(name, func(b *testing.B) {
			s := newSearcher(b, randomConfig(1))
			s.SetSink(sink)
			g := shogi.NewGame(shogi.StartPosition())
			for b.Loop() {
				s.Clear()
				nodes(s, g, 2000)
			}
		})
	}
}
