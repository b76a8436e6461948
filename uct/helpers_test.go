package uct

import (
	"context"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// The evaluators of the tests are cheap and know nothing: uniform priors, or numbers mixed from the position's key.

func mix(x uint64) uint64 {
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return x ^ x>>32
}

func unit(x uint64) float32 { return float32(mix(x)>>40) / (1 << 24) }

type randomPolicy struct{ seed uint64 }

func (r randomPolicy) Priors(p *shogi.Position, _ shogi.Move, moves []shogi.Move, out []float32) {
	sum := float32(0)
	for i, m := range moves {
		u := unit(p.Key() ^ mix(uint64(m)+r.seed))
		out[i] = u*u*u + 0.01
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
}

type uniformPolicy struct{}

func (uniformPolicy) Priors(_ *shogi.Position, _ shogi.Move, _ []shogi.Move, out []float32) {
	for i := range out {
		out[i] = 1 / float32(len(out))
	}
}

type randomValue struct{ seed uint64 }

func (r randomValue) WinRate(p *shogi.Position) float32 {
	return 0.2 + 0.6*unit(p.Key()+r.seed)
}

type evenValue struct{}

func (evenValue) WinRate(*shogi.Position) float32 { return 0.5 }

// randomConfig has no mate search, so that the tree alone decides.
func randomConfig(seed uint64) Config {
	o := DefaultOptions()
	o.Params[LeafMateNodes], o.Params[LineMateNodes] = 0, 0
	return Config{
		NewPolicy: func() Policy { return randomPolicy{seed} },
		NewValue:  func() Value { return randomValue{seed} },
		HashMB:    16,
		Options:   o,
	}
}

func newSearcher(t testing.TB, c Config) *Searcher {
	t.Helper()
	s, err := New(c)
	require.NoError(t, err)
	return s
}

func game(t testing.TB, text string) *shogi.Game {
	t.Helper()
	g, err := shogi.ParsePosition(text)
	require.NoError(t, err)
	return g
}

func move(t testing.TB, text string) shogi.Move {
	t.Helper()
	m, err := shogi.ParseMove(text)
	require.NoError(t, err)
	return m
}

func nodes(s *Searcher, g *shogi.Game, n int64) search.Result {
	return s.Search(context.Background(), g, search.Limits{Nodes: n}, nil)
}

// checkTree verifies what must hold of every node when no search runs.
func checkTree(t testing.TB, s *Searcher) {
	t.Helper()
	for slot := range s.table.Cap() {
		entry := s.table.Entry(slot)
		if !entry.Used {
			continue
		}
		n := s.table.Node(slot)
		require.NotEqual(t, stateEmpty, n.stage(), "slot %d has no value", slot)
		require.Zero(t, n.state.Load()&stateLock, "slot %d is locked", slot)
		require.LessOrEqual(t, int(n.visited), n.listed())
		require.LessOrEqual(t, n.visited, n.room)
		if n.stage() == stateTerminal {
			require.InDelta(t, float64(n.value)*float64(n.visits.Load()), n.total(), 1e-6)
			continue
		}
		if p := n.proof(); p != unproved {
			require.Equal(t, p.value()*float64(n.visits.Load()), n.total(), "W of a proved node in slot %d", slot)
			continue
		}
		visits, sum := uint32(1), float64(n.value)
		for i, st := range s.arena.stats(n) {
			require.Zero(t, st.flying, "slot %d edge %d is in flight", slot, i)
			require.LessOrEqual(t, st.r, st.n)
			require.True(t, st.w >= 0 && float64(st.w) <= float64(st.n)*(1+1e-6), "slot %d edge %d: w %v of n %d", slot, i, st.w, st.n)
			require.True(t, st.rho >= 0 && float64(st.rho) <= float64(st.r)*(1+1e-6))
			visits += st.n
			sum += float64(st.w)
		}
		require.Equal(t, visits, n.visits.Load(), "slot %d: N is not 1 + Σn", slot)
		require.InDelta(t, sum, n.total(), 1e-6*float64(visits)+1e-6, "slot %d: W is not v0 + Σw", slot)
		require.False(t, math.IsNaN(n.squares))
	}
	checkArena(t, s)
}

// checkArena verifies that no two blocks have a cell in common and that each cell is in a block or free.
func checkArena(t testing.TB, s *Searcher) {
	t.Helper()
	owner := make([]string, len(s.arena.cells))
	claim := func(first, cells int, name string) {
		for i := first; i < first+cells; i++ {
			require.Empty(t, owner[i], "cell %d of %s", i, name)
			owner[i] = name
		}
	}
	claim(0, 1, "nobody")
	for slot := range s.table.Cap() {
		if entry := s.table.Entry(slot); entry.Used {
			n := s.table.Node(slot)
			claim(int(n.edges), edgeCells(n.listed()), "edges")
			claim(int(n.stats), int(n.room), "stats")
		}
	}
	for _, w := range s.workers {
		claim(w.memory.next, w.memory.end-w.memory.next, "run")
		for class, first := range w.memory.outgrown {
			for ; first != 0; first = s.arena.cells[first].child {
				claim(int(first), 1<<class, "outgrown")
			}
		}
	}
	free := 0
	for i := range s.arena.cells {
		if s.arena.vacant[i/64]>>(i%64)&1 == 1 {
			free++
			claim(i, 1, "free")
		}
		require.NotEmpty(t, owner[i], "cell %d is lost", i)
	}
	require.EqualValues(t, free, s.arena.spare.Load())
}

func TestSizes(t *testing.T) {
	require.EqualValues(t, nodeBytes, unsafe.Sizeof(node{}))
	require.EqualValues(t, cellBytes, unsafe.Sizeof(edgeStat{}))
	require.EqualValues(t, 4, unsafe.Sizeof(edge(0)))
}

func TestPlayoutAllocatesNothing(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	nodes(s, shogi.NewGame(shogi.StartPosition()), 2000)
	w := s.workers[0]
	require.Zero(t, testing.AllocsPerRun(5000, w.playout))
}

// BenchmarkSearch reports playouts a second, and the memory that they take, with evaluators that cost nothing.
func BenchmarkSearch(b *testing.B) {
	const playouts = 100_000
	for name, text := range map[string]string{
		"start":  "startpos",
		"middle": "sfen ln1g3nl/1r1s1kg2/p1pppps1p/1p4pp1/9/2P1P1P1P/PPSP1PSP1/2GK1G1R1/LN5NL b Bb 35",
	} {
		b.Run(name, func(b *testing.B) {
			c := randomConfig(1)
			c.HashMB = 64
			s := newSearcher(b, c)
			g := game(b, text)
			b.ReportAllocs()
			for b.Loop() {
				s.Clear()
				nodes(s, g, playouts)
			}
			st := s.Stats()
			b.ReportMetric(float64(playouts*b.N)/b.Elapsed().Seconds(), "playouts/s")
			b.ReportMetric(float64(st.Evaluations)/b.Elapsed().Seconds(), "evaluations/s")
			b.ReportMetric(float64(st.UsedSlots*slotBytes)/playouts, "slot-B/playout")
			b.ReportMetric(float64(st.UsedCells*cellBytes)/playouts, "cell-B/playout")
		})
	}
}
