package uct

import (
	"math"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/nodehash"
	"github.com/yomi-shogi/yomi/shogi"
)

// twin is the search written plainly: nodes on the heap in a Go map, recursion, all moves scanned each time. It shares only the
// formulas and evaluators. Without merge every path has nodes of its own: a tree.
type twin struct {
	merge   bool
	opts    Options
	facts   facts
	policy  Policy
	value   Value
	nodes   map[twinKey]*twinNode
	keys    map[twinKey]int // in how many nodes a position with its ply lives
	root    *twinNode
	history shogi.History
	merges  int // playouts that stopped at a node with more visits than the edge

	completed int // nodes below the root that equal found with many moves, all of them listed
}

type twinKey struct {
	hash uint64
	ply  int
	path string // empty when nodes are merged
}

type twinNode struct {
	value, terminal   bool
	proof             proof
	n                 uint32
	v0, sum, squares  float64
	moves             []shogi.Move
	priors            []float64
	spread            float64
	visits, decided   []uint32
	sums, decidedSums []float32
	proofs            []proof
}

func newTwin(c Config, merge bool) *twin {
	return &twin{merge: merge, opts: c.Options, policy: c.NewPolicy(), value: c.NewValue(), nodes: map[twinKey]*twinNode{}, keys: map[twinKey]int{}}
}

func (t *twin) search(g *shogi.Game, playouts int) {
	t.facts = factsFor(&t.opts, g.Position())
	last := shogi.MoveNone
	if moves := g.Moves(); len(moves) > 0 {
		last = moves[len(moves)-1]
	}
	t.history.CopyFrom(g.History())
	t.root = t.node(*g.Position(), "")
	t.create(t.root, *g.Position())
	t.expand(t.root, *g.Position(), last)
	for i, m := range t.root.moves {
		next := *g.Position()
		if next.Do(m); !next.HasLegalMove() {
			t.root.proofs[i] = won(1)
			t.root.conclude()
			t.root.sum = t.root.squares
		}
	}
	for range playouts {
		t.visit(t.root, *g.Position(), last, "")
		t.history.Truncate(g.History().Len())
	}
}

func (t *twin) node(p shogi.Position, path string) *twinNode {
	key := twinKey{hash: p.Key(), ply: p.Ply()}
	plain := key
	if !t.merge {
		key.path = path
	}
	if t.nodes[key] == nil {
		t.nodes[key] = &twinNode{}
		t.keys[plain]++
	}
	return t.nodes[key]
}

func (t *twin) create(n *twinNode, p shogi.Position) float64 {
	n.value = true
	_, declares := p.CanDeclare(t.facts.declaration)
	switch {
	case len(p.AppendLegal(nil)) == 0:
		n.terminal, n.proof = true, lost(0)
	case declares:
		n.v0, n.terminal, n.proof = 1, true, won(1)
	case t.facts.maxMoves > 0 && p.Ply() > t.facts.maxMoves:
		n.v0, n.terminal = float64(t.facts.draw(p.Side())), true
	default:
		n.v0 = float64(t.value.WinRate(&p))
	}
	n.n, n.sum, n.squares = 1, n.v0, n.v0*n.v0
	return n.v0
}

func (t *twin) expand(n *twinNode, p shogi.Position, last shogi.Move) {
	moves := p.AppendLegal(nil)
	priors := make([]float32, len(moves))
	t.policy.Priors(&p, last, moves, priors)
	order, squares := make([]int, len(moves)), 0.0
	for i, p := range priors {
		order[i] = i
		squares += float64(p) * float64(p)
	}
	sort.SliceStable(order, func(a, b int) bool {
		return newEdge(0, priors[order[a]]).prior() > newEdge(0, priors[order[b]]).prior()
	})
	for _, i := range order {
		n.moves = append(n.moves, moves[i])
		n.priors = append(n.priors, newEdge(0, priors[i]).prior())
	}
	n.spread = float64(float32(lnImpurity(squares)))
	n.visits, n.decided = make([]uint32, len(moves)), make([]uint32, len(moves))
	n.sums, n.decidedSums = make([]float32, len(moves)), make([]float32, len(moves))
	n.proofs = make([]proof, len(moves))
}

// visit makes one visit to an evaluated node and returns the value for its side to move.
func (t *twin) visit(n *twinNode, p shogi.Position, last shogi.Move, path string) float64 {
	if n.terminal || n.proof != unproved && n != t.root {
		value := n.v0
		if n.proof != unproved {
			value = n.proof.value()
		}
		n.n, n.sum = n.n+1, value*float64(n.n+1)
		return value
	}
	if n.moves == nil {
		t.expand(n, p, last)
	}
	i := t.choose(n)
	if i < 0 {
		return n.sum / float64(n.n)
	}
	m := n.moves[i]
	p.Do(m)
	t.history.Push(&p)
	path += m.String()
	own := n.visits[i] - n.decided[i]
	value, decided := t.repetition(p.Side())
	var child *twinNode
	if !decided {
		child = t.node(p, path)
		switch {
		case !child.value:
			value = t.create(child, p)
		case !child.terminal && child.proof == unproved && child.n > own:
			t.merges++
			value = child.sum / float64(child.n)
		default:
			value = t.visit(child, p, m, path)
		}
	}
	value = 1 - value
	before := n.sums[i]
	n.visits[i]++
	if decided {
		n.decided[i]++
		n.decidedSums[i] += float32(value)
		n.sums[i] += float32(value)
	} else {
		n.sums[i] = float32(float64(n.decidedSums[i]) + float64(n.visits[i]-n.decided[i])*(1-child.sum/float64(child.n)))
	}
	n.n++
	n.sum += float64(n.sums[i]) - float64(before)
	n.squares += value * value
	if child != nil && child.proof != unproved {
		n.proofs[i] = child.proof.before()
		n.conclude()
	}
	if n.proof != unproved {
		value = n.proof.value()
		n.sum = value * float64(n.n)
	}
	return value
}

// conclude proves the node if a move wins or all lose.
func (n *twinNode) conclude() {
	longest, lostMoves := 0, 0
	for _, p := range n.proofs {
		if p > 0 && n.proof == unproved {
			n.proof = p
			n.squares = float64(n.n)
		}
		if p < 0 {
			lostMoves++
			longest = max(longest, p.plies())
		}
	}
	if n.proof == unproved && lostMoves == len(n.moves) {
		n.proof = lost(longest)
		n.squares = 0
	}
}

func (t *twin) repetition(side shogi.Color) (float64, bool) {
	switch t.history.Recurrence() {
	case shogi.NoRepetition:
		return 0, false
	case shogi.RepetitionDraw:
		return float64(t.facts.draw(side)), true
	case shogi.RepetitionWin, shogi.RepetitionSuperior:
		return 1, true
	}
	return 0, true
}

func (t *twin) choose(n *twinNode) int {
	visits, mass := float64(n.n), 0.0
	for i, v := range n.visits {
		if v > 0 {
			mass += n.priors[i]
		}
	}
	params, root := &t.opts.Params, n == t.root
	reduction := params[FPUReduction]
	if root {
		reduction = params[FPUReductionRoot]
	}
	scale := exploration(params, root, growth(params, visits), priorSpread(params, n.spread),
		valueSpread(params, visits, deviation(visits, n.sum, n.squares)))
	best, bestScore := -1, math.Inf(-1)
	for _, visited := range []bool{true, false} {
		for i, v := range n.visits {
			if (v > 0) != visited || n.proofs[i] != unproved {
				continue
			}
			q := firstPlay(reduction, max(0, min(1, n.sum/visits)), mass)
			score := q + scale*n.priors[i]
			if t.opts.Formula == UCB1 {
				score = math.Inf(1)
			}
			if visited && t.opts.Formula == UCB1 {
				score = ucb1(params[UCB1C], float64(n.sums[i])/float64(v), math.Log(visits), float64(v))
			} else if visited {
				score = float64(n.sums[i])/float64(v) + scale*n.priors[i]/(1+float64(v))
			}
			if score > bestScore {
				best, bestScore = i, score
			}
		}
	}
	return best
}

// equal verifies that the searcher's graph below the root and the twin's are the same, number for number.
func (t *twin) equal(tb testing.TB, s *Searcher, p shogi.Position, path string, seen map[*twinNode]bool) {
	want := t.node(p, path)
	if seen[want] {
		return
	}
	seen[want] = true
	slot, ok := s.table.FindSameHashIndex(keyOf(&p))
	require.True(tb, ok, "no node for %s", p.SFEN())
	got := s.table.Node(slot)
	require.Equal(tb, want.n, got.visits.Load(), "visits of %s", p.SFEN())
	require.Equal(tb, want.sum, got.total(), "sum of %s", p.SFEN())
	require.Equal(tb, want.terminal, got.stage() == stateTerminal, "end at %s", p.SFEN())
	require.Equal(tb, want.proof, got.proof(), "proof of %s", p.SFEN())
	stats := s.arena.stats(got)
	require.EqualValues(tb, len(want.moves), got.edgeLen)
	if want != t.root && len(want.moves) > firstEdges && got.listed() == len(want.moves) {
		t.completed++
	}
	for i, m := range want.moves {
		if i < got.listed() {
			require.Equal(tb, m, s.arena.edges(got)[i].move(), "edge %d of %s", i, p.SFEN())
			require.Equal(tb, want.priors[i], s.arena.edges(got)[i].prior(), "prior %d of %s", i, p.SFEN())
		}
		if want.visits[i] == 0 {
			require.True(tb, i >= len(stats) || stats[i].n == 0)
			continue
		}
		require.Equal(tb, want.visits[i], stats[i].n, "visits of %s in %s", m, p.SFEN())
		require.Equal(tb, want.decided[i], stats[i].r, "decided visits of %s in %s", m, p.SFEN())
		require.Equal(tb, want.sums[i], stats[i].w)
		require.Equal(tb, want.decidedSums[i], stats[i].rho)
		require.Equal(tb, want.proofs[i], stats[i].proof, "proof of %s in %s", m, p.SFEN())
		if want.visits[i] > want.decided[i] {
			next := p
			next.Do(m)
			t.equal(tb, s, next, path+m.String(), seen)
		}
	}
}

// sameFacts verifies that what the searcher's graph holds of positions is what a tree without merged nodes holds of each path to
// them: the first value, whether the game is over, the moves with their priors, and a result that is proved by both.
func (t *twin) sameFacts(tb testing.TB, s *Searcher, root *shogi.Position) (shared int) {
	for key, want := range t.nodes {
		turn := (int(root.Side()) + key.ply - root.Ply()) & 1
		slot, ok := s.table.FindSameHashIndex(nodehash.Key{Hash: key.hash, Turn: uint8(turn), Moves: uint16(key.ply)})
		if !ok || !want.value {
			continue
		}
		n := s.table.Node(slot)
		require.Equal(tb, float32(want.v0), n.value, "%+v", key)
		require.Equal(tb, want.terminal, n.stage() == stateTerminal, "%+v", key)
		if want.proof != unproved && n.proof() != unproved {
			require.Equal(tb, want.proof > 0, n.proof() > 0, "%+v", key)
		}
		if want.moves != nil && n.stage() == stateExpanded {
			require.Len(tb, want.moves, int(n.edgeLen), "%+v", key)
			for i, e := range s.arena.edges(n) {
				require.Equal(tb, want.moves[i], e.move(), "%+v", key)
				require.Equal(tb, want.priors[i], e.prior(), "%+v", key)
			}
		}
		if t.keys[twinKey{hash: key.hash, ply: key.ply}] > 1 {
			shared++
		}
	}
	return shared
}
