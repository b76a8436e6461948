package uct

import (
	"math"
	"slices"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/mate"
)

// step is one move of a playout's path.
type step struct {
	parent *node
	child  *node // nil when the move's position has no node
	slot   uint32
	edge   uint16
	move   shogi.Move
	known  bool   // the edge had a child before; slot is then the hint
	own    uint32 // visits through this edge that went to the child, those under way included
}

// worker walks the tree. Its scratch is reused, so that a playout allocates nothing.
type worker struct {
	run    *run
	memory allocator
	mates  *mate.Solver // nil until needed
	policy Policy
	value  Value

	position shogi.Position
	history  shogi.History
	last     shogi.Move
	path     []step
	moves    []shogi.Move
	priors   []float32
	order    []uint32

	number  int // of the worker, for events
	telling telling
}

func newWorker(policy Policy, value Value, memory *arena) *worker {
	return &worker{
		memory: allocator{arena: memory},
		policy: policy,
		value:  value,
		path:   make([]step, 0, 512),
		moves:  make([]shogi.Move, 0, shogi.MaxMoves),
		priors: make([]float32, shogi.MaxMoves),
		order:  make([]uint32, shogi.MaxMoves),
	}
}

// attach makes the worker ready for a search.
func (w *worker) attach(r *run) {
	w.run = r
	w.history.CopyFrom(r.history)
	w.begin()
}

// begin puts the worker to the root.
func (w *worker) begin() {
	w.position = w.run.position
	w.history.Truncate(w.run.history.Len())
	w.last = w.run.last
	w.path = w.path[:0]
}

// evaluate returns the value of the worker's position for its side to move, the stage of its node, and what is proved. The game is over
// when there is no legal move, after a declaration and at the last ply.
func (w *worker) evaluate() (value float32, stage uint32, proved proof) {
	p := &w.position
	if !p.HasLegalMove() {
		return 0, stateTerminal, lost(0)
	}
	facts := &w.run.s.facts
	if _, ok := p.CanDeclare(facts.declaration); ok {
		return 1, stateTerminal, won(1)
	}
	if facts.maxMoves > 0 && p.Ply() > facts.maxMoves {
		return facts.draw(p.Side()), stateTerminal, unproved
	}
	w.run.s.evals.Add(1)
	return max(0, min(1, w.value.WinRate(p))), stateLeaf, unproved
}

// repetition returns the value, for the side to move, of a position that the path or the game has had before.
func (w *worker) repetition() (value float64, decided bool) {
	switch w.history.Recurrence() {
	case shogi.RepetitionDraw:
		return float64(w.run.s.facts.draw(w.position.Side())), true
	case shogi.RepetitionWin, shogi.RepetitionSuperior:
		return 1, true
	case shogi.RepetitionLoss, shogi.RepetitionInferior:
		return 0, true
	}
	return 0, false
}

// expand writes the node's edge list for the worker's position: all legal moves, best prior first, ties in the generator's order.
// The caller holds the lock. It reports false when the arena is full.
func (w *worker) expand(n *node) bool {
	arena := w.run.s.arena
	w.moves = w.position.AppendLegal(w.moves[:0])
	first, ok := w.memory.takeEdges(len(w.moves))
	if !ok {
		return false
	}
	priors := w.priors[:len(w.moves)]
	w.policy.Priors(&w.position, w.last, w.moves, priors)
	temper(priors, w.run.s.facts.temperature)
	order := w.order[:len(w.moves)]
	squares := 0.0
	for i, p := range priors {
		// Sorting upwards, the largest prior must be the smallest number.
		order[i] = ^uint32(newEdge(0, p))&0xffff0000 | uint32(i)
		squares += float64(p) * float64(p)
	}
	slices.Sort(order)
	n.edges, n.edgeLen = first, uint16(len(order))
	for k, edges := 0, arena.edges(n); k < len(order); k++ {
		edges[k] = edge(uint32(w.moves[order[k]&0xffff]) | ^order[k]&0xffff0000)
	}
	n.spread = float32(lnImpurity(squares))
	n.setStage(stateExpanded)
	return true
}

// temper raises priors to the power of 1/t and normalises them.
func temper(priors []float32, t float64) {
	if t == 1 {
		return
	}
	sum := 0.0
	for i, p := range priors {
		q := math.Pow(float64(p), 1/t)
		priors[i] = float32(q)
		sum += q
	}
	if sum > 0 {
		for i := range priors {
			priors[i] /= float32(sum)
		}
	}
}
