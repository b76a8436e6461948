package uct

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// rootEdge returns the statistics of a move at the root, and the node behind it, nil when there is none.
func rootEdge(t *testing.T, s *Searcher, g *shogi.Game, text string) (edgeStat, *node) {
	t.Helper()
	m := move(t, text)
	next := *g.Position()
	next.Do(m)
	slot, ok := s.table.FindSameHashIndex(keyOf(&next))
	for i, e := range s.arena.edges(s.last.root) {
		if e.move() == m {
			if st := s.arena.stats(s.last.root)[i]; ok {
				return st, s.table.Node(slot)
			} else {
				return st, nil
			}
		}
	}
	require.Fail(t, "no such root move", text)
	return edgeStat{}, nil
}

// only searches just one root move.
func only(t *testing.T, s *Searcher, g *shogi.Game, text string, n int64) {
	t.Helper()
	s.Search(context.Background(), g, search.Limits{Nodes: n, SearchMoves: []shogi.Move{move(t, text)}}, nil)
}

func TestRepetitionIsDecidedByThePath(t *testing.T) {
	cases := []struct {
		name, position, move string
		want                 float64 // for the side that makes the move
	}{
		{"draw", "sfen 8k/9/9/9/9/9/9/9/K8 b - 1 moves 9i9h 1a1b 9h9i", "1b1a", 0.3},
		{"perpetual check, the checked side completes it", "sfen k2K5/2R6/9/9/9/9/9/9/9 b - 1 moves 7b7a 9a9b 7a7b", "9b9a", 1},
		{"perpetual check, the checking side completes it", "sfen k2K5/2R6/9/9/9/9/9/9/9 b - 1 moves 7b7a 9a9b 7a7b 9b9a", "7b7a", 0},
		{"the opponent is left with fewer pieces", "sfen 4k4/9/9/9/9/9/9/4G4/4K4 w p 1 moves P*5f 5i6i 5f5g 5h5g 5a4a 5g5h 4a5a", "6i5i", 1},
		{"the opponent is left with more pieces", "sfen 4k4/4g4/9/9/9/9/9/9/4K4 w Pp 1 moves 5a4a P*5d 4a3a 5d5c 5b5c 5i6i 5c5b 6i5i 3a4a 5i6i 4a5a", "6i5i", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			config := randomConfig(1)
			config.DrawValue = [2]float32{0.6, 0.7} // White is to move at the root: 0.7 for Black
			s := newSearcher(t, config)
			g := game(t, c.position)
			only(t, s, g, c.move, 5)
			edge, child := rootEdge(t, s, g, c.move)
			require.Nil(t, child, "a path's result must not make a node")
			require.EqualValues(t, 5, edge.n)
			require.EqualValues(t, 5, edge.r)
			require.InDelta(t, 5*c.want, edge.w, 1e-5)
			require.InDelta(t, 5*c.want, edge.rho, 1e-5)
			checkTree(t, s)
		})
	}
}

// The same position at the same ply, once with a history that makes a move a repetition and once without: neither may
// leave its result to the other.
func TestRepetitionAndOtherPathShareANode(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	repeats := game(t, "sfen 8k/9/9/9/9/9/9/9/K8 b - 1 moves 9i9h 1a1b 9h9i")
	fresh := game(t, "sfen 9/8k/9/9/9/9/9/9/K8 w - 4")
	require.Equal(t, keyOf(repeats.Position()), keyOf(fresh.Position()))

	only(t, s, repeats, "1b1a", 4)
	only(t, s, fresh, "1b1a", 1)
	edge, child := rootEdge(t, s, fresh, "1b1a")
	require.NotNil(t, child, "without the repetition the position has a node")
	require.NotEqual(t, float32(0.5), child.value, "and a value of its own, not the draw's")
	require.EqualValues(t, 5, edge.n)
	require.EqualValues(t, 4, edge.r)
	require.InDelta(t, 4*0.5+1-child.winRate(), edge.w, 1e-5)

	onward := game(t, "sfen 9/8k/9/9/9/9/9/9/K8 w - 4 moves 1b1a")
	nodes(s, onward, 2)
	require.EqualValues(t, 3, child.visits.Load())
	only(t, s, fresh, "1b1a", 1)
	require.EqualValues(t, 3, child.visits.Load(), "visits that the path decided are none of the child's: one against three")

	only(t, s, fresh, "1b1a", 20)
	before := child.visits.Load()
	only(t, s, repeats, "1b1a", 3)
	edge, _ = rootEdge(t, s, repeats, "1b1a")
	require.Equal(t, before, child.visits.Load(), "a repetition must not visit the node")
	require.EqualValues(t, 7, edge.r, "the repetition is seen although the move has a node")
	require.InDelta(t, 7*0.5, edge.rho, 1e-5)
	checkTree(t, s)
}

// Another parent's visits to a shared node count for every parent, but only as a mean.
func TestMergedNode(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	a := game(t, "startpos moves 7g7f 3c3d")
	b := game(t, "startpos moves 2g2f 3c3d")
	only(t, s, a, "2g2f", 400)
	_, shared := rootEdge(t, s, a, "2g2f")
	visits, q := shared.visits.Load(), shared.winRate()

	only(t, s, b, "7g7f", 1)
	edge, child := rootEdge(t, s, b, "7g7f")
	require.Same(t, shared, child)
	require.Equal(t, visits, child.visits.Load(), "the walk stops at a node that is known better")
	require.InDelta(t, 1-q, edge.w, 1e-6, "and brings its mean, not its first value")
	only(t, s, b, "7g7f", int64(visits)-1)
	require.Equal(t, visits, child.visits.Load())
	only(t, s, b, "7g7f", 1)
	require.Equal(t, visits+1, child.visits.Load(), "as many visits as the node has: now the walk goes on")
	checkTree(t, s)
}

// A node that is visited again after it was found to be mate keeps its exact value.
func TestMateReachedByTwoPaths(t *testing.T) {
	var mated, mating, drawn node
	mated.publish(0, stateTerminal, lost(0))
	mating.publish(1, stateLeaf, won(3))
	drawn.publish(0.25, stateTerminal, unproved)
	for range 50 {
		require.Zero(t, mated.revisit())
		require.EqualValues(t, 1, mating.revisit())
		require.Equal(t, 0.25, drawn.revisit())
	}
	for n, want := range map[*node]float64{&mated: 0, &mating: 1, &drawn: 0.25} {
		require.EqualValues(t, 51, n.visits.Load())
		require.Equal(t, want, n.winRate())
	}
}

// counted counts how often each position is evaluated and expanded, and is slow, so that workers meet at new nodes.
type counted struct {
	mu     sync.Mutex
	values map[[2]uint64]int
	priors map[[2]uint64]int
}

func (c *counted) note(m map[[2]uint64]int, p *shogi.Position) {
	c.mu.Lock()
	m[[2]uint64{p.Key(), uint64(p.Ply())}]++
	c.mu.Unlock()
	time.Sleep(50 * time.Microsecond)
}

func (c *counted) WinRate(p *shogi.Position) float32 {
	c.note(c.values, p)
	return randomValue{1}.WinRate(p)
}

func (c *counted) Priors(p *shogi.Position, last shogi.Move, moves []shogi.Move, out []float32) {
	c.note(c.priors, p)
	randomPolicy{1}.Priors(p, last, moves, out)
}

func TestNothingIsEvaluatedTwice(t *testing.T) {
	c := &counted{values: map[[2]uint64]int{}, priors: map[[2]uint64]int{}}
	config := randomConfig(1)
	config.NewPolicy, config.NewValue = func() Policy { return c }, func() Value { return c }
	config.Threads = 8
	s := newSearcher(t, config)
	only(t, s, game(t, smallPositions[3]), "4i4h", 50) // all workers begin with the same new node
	nodes(s, game(t, smallPositions[3]), 3000)
	require.Greater(t, len(c.values), 500)
	for key, n := range c.values {
		require.Equal(t, 1, n, "%016x", key)
	}
	// Priors are asked for once more when a node with many moves needs those that it does not list.
	for slot := range s.table.Cap() {
		if entry := s.table.Entry(slot); entry.Used {
			want := 0
			if n := s.table.Node(slot); n.stage() == stateExpanded && int(n.edgeLen) > firstEdges && n.listed() > firstEdges {
				want = 2
			} else if n.stage() == stateExpanded {
				want = 1
			}
			require.Equal(t, want, c.priors[[2]uint64{entry.Hash, uint64(entry.Moves)}], "%016x", entry.Hash)
		}
	}
	checkTree(t, s)
}

func TestPlayoutsUnderWayCountForTheStopRule(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	only(t, s, game(t, middle), "2h2f", 20)
	w := s.workers[0]
	w.begin()
	require.True(t, w.selectEdge(s.last.root))
	require.True(t, w.selectEdge(s.last.root))
	require.EqualValues(t, 20, w.path[0].own)
	require.EqualValues(t, 21, w.path[1].own)
}
