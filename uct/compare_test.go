package uct

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

var smallPositions = []string{
	"sfen 8k/9/9/9/9/9/9/9/K8 b - 1",
	"sfen k2K5/2R6/9/9/9/9/9/9/9 b - 1",
	"sfen 4k4/4g4/9/9/9/9/9/9/4K4 w Pp 1",
	"sfen 4r3k/9/9/9/9/9/9/9/K4R3 b P 1",
	"sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1",
	"startpos moves 7g7f 3c3d 8h2b+",
	"startpos",
}

// randomGame continues a position by random legal moves.
func randomGame(tb testing.TB, text string, plies int, random *rand.Rand) *shogi.Game {
	g := game(tb, text)
	for range plies {
		moves := g.Position().AppendLegal(nil)
		if len(moves) == 0 {
			break
		}
		require.NoError(tb, g.Do(moves[random.IntN(len(moves))]))
	}
	return g
}

// outcome is what a comparison with the twins met.
type outcome struct {
	merges         int
	completed      int  // nodes whose list became whole
	shared         int  // paths of the tree to positions that another path reaches too
	tree, repeated bool // no position was reached by two paths; some visit was decided by the path
}

// compareWithTwins searches the same position by all three searches and verifies that the trees are equal; the plain tree only
// counts where no position was reached by two paths.
func compareWithTwins(t *testing.T, text string, seed uint64, playouts int) (o outcome) {
	random := rand.New(rand.NewPCG(seed, 1))
	g := randomGame(t, text, random.IntN(6), random)
	if len(g.Position().AppendLegal(nil)) == 0 {
		return outcome{}
	}
	c := randomConfig(seed)
	c.HashMB = 2
	c.DrawValue = [2]float32{0.5, 0.3}
	if seed%2 == 1 {
		c.MaxMovesToDraw = g.Position().Ply() + 5
	}
	if seed%4 == 3 {
		c.Formula = UCB1
	}
	s := newSearcher(t, c)
	r := s.newRun(g, search.Limits{})
	s.makeWorkers(r)
	r.prepare()
	for range playouts {
		s.workers[0].playout()
	}
	checkTree(t, s)
	merged := newTwin(c, true)
	merged.search(g, playouts)
	merged.equal(t, s, *g.Position(), "", map[*twinNode]bool{})
	o.merges, o.completed = merged.merges, merged.completed

	tree := newTwin(c, false)
	tree.search(g, playouts)
	o.shared = tree.sameFacts(t, s, g.Position())
	for _, n := range tree.keys {
		if n > 1 {
			return o
		}
	}
	tree.equal(t, s, *g.Position(), "", map[*twinNode]bool{})
	o.tree = true
	for _, n := range tree.nodes {
		for _, d := range n.decided {
			o.repeated = o.repeated || d > 0
		}
	}
	return o
}

func TestSearchEqualsTwin(t *testing.T) {
	rounds := uint64(8)
	if testing.Short() {
		rounds = 3
	}
	trees, repeated, merges, shared := 0, 0, 0, 0
	for i, text := range smallPositions {
		for seed := range rounds {
			t.Run(fmt.Sprintf("%d/%d", i, seed), func(t *testing.T) {
				o := compareWithTwins(t, text, seed+100*uint64(i), 40<<(seed%6))
				merges += o.merges
				shared += o.shared
				if o.tree {
					trees++
				}
				if o.tree && o.repeated {
					repeated++
				}
			})
		}
	}
	require.Greater(t, trees, 2, "too few searches without transpositions to compare with a tree")
	require.Positive(t, repeated, "no repetition was met")
	require.Greater(t, merges, 10, "too few paths merged")
	require.Greater(t, shared, 30, "too few positions were reached by two paths")
}

// UCB1 tries every move, so most lists become whole here.
func TestWholeListsEqualTwin(t *testing.T) {
	const ucb1Seed = 3
	require.Greater(t, compareWithTwins(t, "startpos", ucb1Seed, 2000).completed, 10)
}

// A search by two workers of positions with many moves leaves each node with its moves in order, each of them once.
func TestListsOfMoves(t *testing.T) {
	c := randomConfig(1)
	c.Threads, c.MultiPV, c.Formula, c.HashMB = 2, 600, UCB1, 8 // a line a move: a mate does not end the search
	s := newSearcher(t, c)
	g := game(t, mostMoves)
	nodes(s, g, 20_000)
	checkTree(t, s)
	whole := 0
	for _, m := range s.RootMoves() {
		next := *g.Position()
		next.Do(m.Move)
		n := s.find(&next)
		if n == nil || n.stage() != stateExpanded {
			continue
		}
		legal := next.AppendLegal(nil)
		require.EqualValues(t, len(legal), n.edgeLen)
		edges, seen := s.arena.edges(n), map[shogi.Move]bool{}
		for i, e := range edges {
			require.Contains(t, legal, e.move())
			require.False(t, seen[e.move()])
			require.True(t, i == 0 || e.prior() <= edges[i-1].prior())
			seen[e.move()] = true
		}
		if len(edges) == len(legal) && len(legal) > firstEdges {
			whole++
		}
	}
	require.Greater(t, whole, 100)
	require.Len(t, s.RootMoves(), 593)
}

func FuzzSearchEqualsTwin(f *testing.F) {
	for i := range smallPositions {
		f.Add(uint8(i), uint64(i), uint16(50))
	}
	f.Fuzz(func(t *testing.T, position uint8, seed uint64, playouts uint16) {
		compareWithTwins(t, smallPositions[int(position)%len(smallPositions)], seed, 1+int(playouts)%500)
	})
}
