package uct

import (
	"context"
	"slices"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/mate"
)

// Mate searches inside the tree: a quick one before a node gets its moves, and longer ones along the principal variation, where a node is asked
// again with a larger budget as long as the search stays with it. What they find are facts of positions.

const (
	// mateTableBytes is the memory of a worker's mate search, beside about 1 MB for its path.
	mateTableBytes = 256 << 10
	// mateInterval is the number of playouts between two mate searches on the principal variation.
	mateInterval = 256
	// mateGrowth is how much longer each further search of a node is.
	mateGrowth = 4
	// mateShare is the number of positions that mate searches on the principal variation may look at for each playout. With the nets that is
	// a twentieth of the time.
	mateShare = 2
	// lineNodes is what the searches for the moves of known mates may look at for one report: some 20 ms, because a stop may wait for it.
	lineNodes = 10_000
)

// The level in a node's state is the number of mate searches that were in vain there; at maxLevel there is no further one.
const (
	levelShift        = 3
	levelMask  uint32 = 7 << levelShift
	maxLevel          = 7
)

func (n *node) level() int { return int(n.state.Load() & levelMask >> levelShift) }

// setLevel sets the level of a locked node.
func (n *node) setLevel(level int) {
	n.state.Store(n.state.Load()&^levelMask | uint32(level)<<levelShift)
}

// solver returns the worker's mate search.
func (w *worker) solver() *mate.Solver {
	if w.mates == nil {
		w.mates = mate.NewSolver(mateTableBytes)
	}
	return w.mates
}

// counts reports whether a mate in a number of plies wins by the rules: it comes before the game is drawn, and under TryRule the other king
// is too far from the square that it wins by reaching. By the other rules a side in check cannot declare.
func (f *facts) counts(p *shogi.Position, plies int) bool {
	if f.maxMoves > 0 && p.Ply()+plies-1 > f.maxMoves {
		return false
	}
	if f.declaration != shogi.TryRule {
		return true
	}
	defender := p.Side().Opponent()
	king, goal := p.KingSquare(defender), shogi.TrySquare(defender)
	away := max(abs(king.File()-goal.File()), abs(king.Rank()-goal.Rank()))
	return away > plies/2 // one step with each reply
}

// counts reports whether a mate in a number of plies wins in this game.
func (r *run) counts(p *shogi.Position, plies int) bool {
	return r.s.facts.counts(p, plies) && !mayReturn(r.thrice, p, plies)
}

func abs(n int) int { return max(n, -n) }

// quickMate looks for a mate in the worker's position.
func (w *worker) quickMate() proof {
	budget := int(w.run.opts.Params[LeafMateNodes])
	if budget == 0 {
		return unproved
	}
	outcome, _, plies := w.solver().Quick(&w.position, budget)
	if outcome != mate.Mate || !w.run.counts(&w.position, plies) {
		return unproved
	}
	return won(plies)
}

// runContext ends mate searches when the search ends.
type runContext struct {
	context.Context
	r *run
}

// Err returns an error when the run is over.
func (c runContext) Err() error {
	if c.r.stop.Load() || int64(c.r.elapsed()) >= c.r.hard.Load() {
		return context.Canceled
	}
	return nil
}

// searchLine looks for a mate at the node of the principal variation that was asked least, unless mate searches would then have had more
// than their share of the work: so many positions for each of the playouts made.
func (w *worker) searchLine(playouts int64) {
	budget := int64(w.run.opts.Params[LineMateNodes])
	if budget == 0 {
		return
	}
	r := w.run
	p, n := r.position, r.root
	least, leastNode, at := maxLevel, (*node)(nil), p
	for range maxLine {
		if n.proof() == unproved && n.level() < least {
			least, leastNode, at = n.level(), n, p
		}
		m := r.s.bestMove(n)
		if !m.IsMove() || !p.IsLegal(m) {
			break
		}
		p.Do(m)
		if n = r.s.find(&p); n == nil || n.await() == stateTerminal {
			break
		}
	}
	if leastNode == nil {
		return
	}
	for range least {
		budget *= mateGrowth
	}
	if r.mateNodes.Load()+budget > int64(r.opts.Params[LineMateNodes])+mateShare*playouts {
		return
	}
	r.mateNodes.Add(budget)
	w.ask(leastNode, &at, budget)
}

// ask searches the node's position for a mate and tells a sink of a proof.
func (w *worker) ask(n *node, p *shogi.Position, budget int64) {
	if w.solve(n, p, budget) && w.run.s.inspected() {
		w.tellProof(p, n.proof())
	}
}

// solve searches the node's position for a mate and notes what came of it. It reports whether the node is proved now.
func (w *worker) solve(n *node, p *shogi.Position, budget int64) bool {
	result := w.solver().Solve(p, mate.Limits{Nodes: budget, Context: runContext{context.Background(), w.run}})
	n.lock()
	defer n.unlock()
	switch {
	case result.Outcome == mate.Mate && w.run.counts(p, result.Plies):
		w.run.s.proveMate(n, result.Line[0], result.Plies)
		if n == w.run.root {
			w.run.mate.Store(new(slices.Clone(result.Line)))
		}
		return true
	case result.Outcome == mate.Unknown:
		n.setLevel(n.level() + 1)
	default:
		n.setLevel(maxLevel)
	}
	return false
}

// proveMate makes a node a win by a move. The caller holds the lock.
func (s *Searcher) proveMate(n *node, m shogi.Move, plies int) {
	stats := s.arena.stats(n)
	for i := range stats {
		if s.arena.edges(n)[i].move() == m {
			stats[i].proof = won(plies)
		}
	}
	n.prove(won(plies))
}
