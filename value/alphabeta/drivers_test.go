package alphabeta

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// endScore plays the line from the game's position and returns what its end says, as the root's side sees it. A leaf at full depth is judged as
// it stands, so that there is no move left counts only where the line's score is a mate.
func endScore[M comparable](t testing.TB, g Game[M], l Line[M]) int {
	t.Helper()
	for i, m := range l.Moves {
		require.Contains(t, g.Moves(nil), m, "move %d of the line %v is illegal", i+1, l.Moves)
		g.Do(m)
	}
	_, mate := IsMate(l.Score)
	score, over := g.Over()
	switch {
	case over && len(l.Moves) > 0:
		score = atDistance(score, len(l.Moves))
	case mate && len(g.Moves(nil)) == 0:
		score = -Mate + len(l.Moves)
	default:
		score = g.Value()
	}
	for range l.Moves {
		g.Undo()
	}
	if len(l.Moves)%2 == 1 {
		score = -score
	}
	return score
}

// run searches with a fresh Search and checks what holds for every outcome.
func run[M comparable](t testing.TB, g Game[M], c Config, depth int) Outcome[M] {
	t.Helper()
	s, err := New(g, c, nil)
	require.NoError(t, err)
	key := g.Key()
	out := s.Run(Goal[M]{Depth: depth})
	require.Equal(t, key, g.Key(), "the game was not left as it was")
	require.False(t, out.Stopped)
	if !c.WinLoss && !c.TableAnswers {
		for _, l := range out.Lines {
			require.Equal(t, l.Score, endScore(t, g, l), "%s: the end of the line %v", c, l.Moves)
		}
	}
	return out
}

// testMode is a search whose score is minimax's: entries of equal depth only, no order learnt.
func testMode(d Driver, table int) Config {
	return Config{Driver: d, TableSize: table, EqualDepth: true}
}

// shapes are trees with many and few equal values, independent and additive.
func shapes(seeds int) []TreeShape {
	if testing.Short() {
		seeds /= 4
	}
	var list []TreeShape
	for seed := range seeds {
		for _, spread := range []int{1, 5, 1000} {
			list = append(list, TreeShape{Seed: uint64(seed), Width: 2 + seed%5, Depth: 3 + seed%3, Spread: spread, Additive: seed%2 == 1})
		}
	}
	return list
}

// Rows 9 and 16: every driver gives minimax's value, with the table and without.
func TestDriversGiveMinimax(t *testing.T) {
	for _, shape := range shapes(40) {
		for depth := 1; depth <= shape.Depth; depth++ {
			want := run(t, NewRandomTree(shape), testMode(Minimax, 0), depth)
			for _, d := range Drivers() {
				for _, table := range []int{0, 1 << 11} {
					got := run(t, NewRandomTree(shape), testMode(d, table), depth)
					require.Equal(t, want.Score(), got.Score(), "%s, table %d, depth %d, %+v", d, table, depth, shape)
					require.Equal(t, want.Move(), got.Move(), "%s, table %d, depth %d, %+v", d, table, depth, shape)
				}
			}
		}
	}
}

// TestTechniquesKeepTheScore switches each technique on alone and all together.
func TestTechniquesKeepTheScore(t *testing.T) {
	all := Default()
	all.EqualDepth, all.Quiescence, all.CheckExtension, all.TableSize = true, 0, false, 1<<11
	configs := []Config{all}
	for _, text := range []string{
		"ordering=heuristic", "ordering=memory", "ordering=memory,killers=on", "ordering=memory,history=on", "ordering=memory,counter-moves=on",
		"ordering=memory,table-move=on,table=1024", "deepening=on", "deepening=on,ordering=memory,refutations=on",
		"deepening=on,aspiration=1", "deepening=on,aspiration=30,driver=alphabeta", "multipv=3",
	} {
		c, err := ParseConfig(Config{EqualDepth: true}, text)
		require.NoError(t, err)
		configs = append(configs, c)
	}
	for _, shape := range shapes(20) {
		want := run(t, NewRandomTree(shape), testMode(Minimax, 0), shape.Depth)
		for _, c := range configs {
			for _, d := range Drivers() {
				if c.Driver = d; c.Check() != nil {
					continue // no multipv with an OPEN list
				}
				got := run(t, NewRandomTree(shape), c, shape.Depth)
				require.Equal(t, want.Score(), got.Score(), "%s %+v", c, shape)
			}
		}
	}
}

// A depth beyond the deepest that a search has room for is that depth, with one search at once as with deepening.
func TestDepthBeyondTheDeepest(t *testing.T) {
	for _, deepening := range []bool{false, true} {
		c := Config{Driver: AlphaBeta, Deepening: deepening, TableSize: 256}
		out := run(t, NewNim([]int{1, 2}, 0, false), c, MaxPly+100)
		require.NotZero(t, out.Stats.Nodes)
		require.Len(t, out.Lines, 1)
	}
}

func TestMultiPVFindsTheNextBest(t *testing.T) {
	for _, shape := range shapes(12) {
		for _, d := range []Driver{Minimax, AlphaBeta, Scout, PVS, MTDF, SSS, Dual} {
			c := testMode(d, 1<<12)
			c.MultiPV = 3
			got := run(t, NewRandomTree(shape), c, shape.Depth)
			g := NewRandomTree(shape)
			scores := make(map[TreeMove]int)
			for _, m := range g.Moves(nil) {
				s, err := New[TreeMove](g, testMode(Minimax, 0), nil)
				require.NoError(t, err)
				alone := s.Run(Goal[TreeMove]{Depth: shape.Depth, Moves: []TreeMove{m}})
				scores[m] = alone.Score()
			}
			require.Len(t, got.Lines, min(3, shape.Width))
			for i, l := range got.Lines {
				require.Equal(t, scores[l.Moves[0]], l.Score, "%s %+v", c, shape)
				delete(scores, l.Moves[0])
				for _, rest := range scores {
					require.LessOrEqual(t, rest, l.Score, "line %d, %s %+v", i+1, c, shape)
				}
			}
		}
	}
}

// ordered shows the children of a game's nodes from the best to the worst, or the other way round.
type ordered struct {
	*RandomTree
	worst bool
	// leaves, when not nil, collects the leaves that a search looks at.
	leaves map[uint64]bool
	// known remembers exact scores by key.
	known map[uint64]int
}

func newOrdered(shape TreeShape, worst bool, leaves map[uint64]bool) ordered {
	return ordered{NewRandomTree(shape), worst, leaves, make(map[uint64]int)}
}

func (g ordered) Over() (int, bool) {
	v, over := g.RandomTree.Over()
	if over && g.leaves != nil {
		g.leaves[g.Key()] = true
	}
	return v, over
}

func (g ordered) Moves(list []TreeMove) []TreeMove {
	from := len(list)
	list = g.RandomTree.Moves(list)
	moves := list[from:]
	scores := make(map[TreeMove]int, len(moves))
	for _, m := range moves {
		g.RandomTree.Do(m)
		scores[m] = -g.exact()
		g.RandomTree.Undo()
	}
	for i := 1; i < len(moves); i++ {
		for j := i; j > 0 && (scores[moves[j]] > scores[moves[j-1]]) != g.worst && scores[moves[j]] != scores[moves[j-1]]; j-- {
			moves[j], moves[j-1] = moves[j-1], moves[j]
		}
	}
	return list
}

// exact is minimax written down once more, for the tree's whole depth.
func (g ordered) exact() int {
	tree := g.RandomTree
	if v, over := tree.Over(); over {
		return v
	}
	if v, ok := g.known[tree.Key()]; ok {
		return v
	}
	best := -infinity
	for _, m := range tree.Moves(nil) {
		tree.Do(m)
		best = max(best, -g.exact())
		tree.Undo()
	}
	g.known[tree.Key()] = best
	return best
}

func TestNodeCounts(t *testing.T) {
	var pvs, mtdf int64
	for _, shape := range shapes(40) {
		leaves := func(g Game[TreeMove], d Driver, table int) Stats {
			return run(t, g, testMode(d, table), shape.Depth).Stats
		}
		minimax := leaves(NewRandomTree(shape), Minimax, 0)
		alphabeta := leaves(NewRandomTree(shape), AlphaBeta, 0)
		require.LessOrEqual(t, alphabeta.Nodes, minimax.Nodes, "%+v", shape)
		require.LessOrEqual(t, alphabeta.Leaves, minimax.Leaves, "%+v", shape)
		for _, d := range []Driver{SSSOpen, SSS} {
			require.LessOrEqual(t, leavesOnce(t, shape, d), alphabeta.Leaves, "%s %+v", d, shape)
		}
		best := newOrdered(shape, false, nil)
		require.LessOrEqual(t, leaves(best, PVS, 0).Nodes, leaves(best, AlphaBeta, 0).Nodes, "ordered %+v", shape)
		pvs += leaves(NewRandomTree(shape), PVS, 1<<14).Nodes
		mtdf += leaves(NewRandomTree(shape), MTDF, 1<<14).Nodes
	}
	require.LessOrEqual(t, float64(mtdf), 1.2*float64(pvs), "MTD(f) against PVS in all")
}

// visited counts the different leaves that a search looks at.
type visited struct {
	*RandomTree
	leaves map[uint64]bool
}

func (g visited) Over() (int, bool) {
	v, over := g.RandomTree.Over()
	if over {
		g.leaves[g.Key()] = true
	}
	return v, over
}

// leavesOnce returns the number of different leaves that a driver looks at. The null-window form visits leaves again in later passes; the
// form with the OPEN list does not, and there the counter must say the same.
func leavesOnce(t *testing.T, shape TreeShape, d Driver) int64 {
	g := visited{NewRandomTree(shape), make(map[uint64]bool)}
	s, err := New[TreeMove](g, testMode(d, 1<<14), nil)
	require.NoError(t, err)
	out := s.Run(Goal[TreeMove]{Depth: shape.Depth})
	if d == SSSOpen {
		require.EqualValues(t, len(g.leaves), out.Stats.Leaves)
	}
	return int64(len(g.leaves))
}

func TestSSSFormsVisitTheSameLeaves(t *testing.T) {
	for _, shape := range shapes(40) {
		for _, pair := range [][2]Driver{{SSSOpen, SSS}, {DualOpen, Dual}} {
			require.Equal(t, leavesOnce(t, shape, pair[0]), leavesOnce(t, shape, pair[1]), "%v %+v", pair, shape)
		}
	}
}

func TestOpenListIsCapped(t *testing.T) {
	shape := TreeShape{Seed: 1, Width: 8, Depth: 6, Spread: 1000}
	for _, d := range []Driver{SSSOpen, DualOpen} {
		c := testMode(d, 0)
		c.Deepening, c.OpenLimit = true, 500
		s, err := New[TreeMove](NewRandomTree(shape), c, nil)
		require.NoError(t, err)
		out := s.Run(Goal[TreeMove]{Depth: shape.Depth})
		require.True(t, out.OpenFull)
		require.Positive(t, out.Depth, "the last depth that fitted counts")
		require.Less(t, out.Depth, shape.Depth)
		require.LessOrEqual(t, out.Stats.OpenNodes, int64(c.OpenLimit+shape.Width))
		require.Positive(t, out.Stats.OpenPeak)
		want := run(t, NewRandomTree(shape), testMode(Minimax, 0), out.Depth)
		require.Equal(t, want.Score(), out.Score())
	}
}

func TestTableAnswersAtTheRoot(t *testing.T) {
	c := Config{TableSize: 1 << 16, TableAnswers: true}
	s, err := New[NimMove](NewNim([]int{2, 3, 4}, 0, false), c, nil)
	require.NoError(t, err)
	first := s.Run(Goal[NimMove]{Depth: 9})
	again := s.Run(Goal[NimMove]{Depth: 9})
	require.Positive(t, first.Stats.Nodes)
	require.Zero(t, again.Stats.Nodes)
	require.Equal(t, first.Score(), again.Score())
	require.Equal(t, first.Move(), again.Move())
}

func TestAbove(t *testing.T) {
	for _, shape := range shapes(12) {
		exhaustive := run(t, NewRandomTree(shape), testMode(Minimax, 0), shape.Depth)
		score := exhaustive.Score()
		s, err := New[TreeMove](NewRandomTree(shape), testMode(AlphaBeta, 0), nil)
		require.NoError(t, err)
		for _, bound := range []int{score - 1, score, score + 1} {
			above, ok := s.Above(bound, Goal[TreeMove]{Depth: shape.Depth})
			require.True(t, ok)
			require.Equal(t, score > bound, above)
		}
	}
}

// Row 15: ends a search after every possible number of nodes: the result is always that of its last completed depth.
func TestStopAtAnyMoment(t *testing.T) {
	shape := TreeShape{Seed: 7, Width: 4, Depth: 5, Spread: 50, Additive: true}
	for _, d := range Drivers() {
		c := Default()
		c.Driver, c.TableSize = d, 1<<10
		byDepth := make(map[int]Outcome[TreeMove])
		whole, err := New[TreeMove](NewRandomTree(shape), c, nil)
		require.NoError(t, err)
		total := whole.Run(Goal[TreeMove]{Depth: shape.Depth, Report: func(o *Outcome[TreeMove]) bool { byDepth[o.Depth] = *o; return true }}).Stats.Nodes
		for nodes := int64(1); nodes < total; nodes += 1 + total/400 {
			g := NewRandomTree(shape)
			s, err := New[TreeMove](g, c, nil)
			require.NoError(t, err)
			out := s.Run(Goal[TreeMove]{Depth: shape.Depth, Nodes: nodes})
			require.Len(t, g.path, 1, "the game was not left as it was")
			require.LessOrEqual(t, out.Stats.Nodes, nodes+int64(shape.Depth), "%s", d)
			require.Equal(t, byDepth[out.Depth].Lines, out.Lines, "%s after %d nodes", d, nodes)
			if out.Depth > 0 {
				require.Equal(t, out.Score(), endScore[TreeMove](t, g, out.Lines[0]))
			}
		}
	}
}

func TestStopFunction(t *testing.T) {
	s, err := New[TreeMove](NewRandomTree(TreeShape{Seed: 3, Width: 20, Depth: 30, Spread: 100}), Config{Deepening: true}, nil)
	require.NoError(t, err)
	asked := 0
	out := s.Run(Goal[TreeMove]{Depth: 30, Stop: func() bool { asked++; return asked > 20 }})
	require.True(t, out.Stopped)
	require.Positive(t, out.Depth)
	require.NotEmpty(t, out.Lines)
}

func ExampleSearch() {
	s, _ := New[NimMove](NewNim([]int{3, 5}, 0, false), Config{Driver: MTDF, TableSize: 1024}, nil)
	out := s.Run(Goal[NimMove]{Depth: 8})
	plies, _ := IsMate(out.Score())
	fmt.Println(out.Move(), "wins in", plies)
	// Output: {1 2} wins in 7
}
