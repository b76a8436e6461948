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

// expand writes the node's edge list for the worker's position: its legal moves, or the first ones of them, best prior first, ties in the
// generator's order. The caller holds the lock. It reports false when the arena is full.
func (w *worker) expand(n *node) bool {
	w.moves = w.position.AppendLegal(w.moves[:0])
	first, ok := w.memory.takeEdges(min(len(w.moves), firstEdges))
	if !ok {
		return false
	}
	n.spread = float32(lnImpurity(w.rank(w.last)))
	n.edges, n.edgeLen, n.last = first, uint16(len(w.moves)), w.last
	for k, edges := 0, w.run.s.arena.edges(n); k < len(edges); k++ {
		edges[k] = w.ranked(k)
	}
	n.setStage(stateExpanded)
	return true
}

// complete makes the edge list of the worker's position whole. What is in it stays: the priors of the rest come out as they would have
// when it was written. The caller holds the lock of the expanded node. It reports false when the arena is full, or when the node is
// another position's, with which this one shares its key.
func (w *worker) complete(n *node) bool {
	if n.listed() == int(n.edgeLen) {
		return true
	}
	arena, all := w.run.s.arena, int(n.edgeLen)
	first, ok := w.memory.takeEdges(all)
	if !ok {
		return false
	}
	w.moves = w.position.AppendLegal(w.moves[:0])
	w.rank(n.last)
	old, whole := arena.edges(n), arena.edgesAt(first, all)
	k := copy(whole, old)
	for i := range w.moves {
		e := w.ranked(i)
		if slices.ContainsFunc(old, func(o edge) bool { return o.move() == e.move() }) {
			continue
		}
		if k < all {
			whole[k] = e.atMost(whole[k-1])
		}
		k++
	}
	if k != all {
		arena.giveBack(int(first), edgeCells(all))
		return false
	}
	arena.giveBack(int(n.edges), edgeCells(len(old)))
	n.edges = first
	n.state.Or(stateWhole)
	return true
}

// rank asks the policy about the worker's moves, puts their order into the scratch that ranked reads, and returns the sum of the
// squared priors.
func (w *worker) rank(last shogi.Move) (squares float64) {
	priors := w.priors[:len(w.moves)]
	w.policy.Priors(&w.position, last, w.moves, priors)
	temper(priors, w.run.s.facts.temperature)
	order := w.order[:len(w.moves)]
	for i, p := range priors {
		// Sorting upwards, the largest prior must be the smallest number.
		order[i] = ^uint32(newEdge(0, p))&0xffff0000 | uint32(i)
		squares += float64(p) * float64(p)
	}
	slices.Sort(order)
	return squares
}

// ranked returns the edge of the move with the k-th largest prior, after rank.
func (w *worker) ranked(k int) edge {
	return edge(uint32(w.moves[w.order[k]&0xffff]) | ^w.order[k]&0xffff0000)
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
