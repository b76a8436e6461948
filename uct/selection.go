package uct

import "math"

// choose returns the index of the edge to follow: a visited one, or the first without visits, finished or under way. That one has the
// largest prior of those without, so no other can be chosen. When mayGrow is set it may be n.visited, the first without statistics.
// Moves whose result is proved are left out; when no other is left it returns -1. The caller holds the lock of the expanded node.
func (w *worker) choose(n *node, mayGrow bool) int {
	if w.run.opts.Formula == UCB1 {
		return w.chooseUCB1(n, mayGrow)
	}
	if n == w.run.root {
		if i := w.run.neglected(n); i >= 0 {
			return i
		}
		if w.run.noise != nil {
			return w.chooseNoisy(n)
		}
	}
	return w.choosePUCT(n, mayGrow)
}

// choosePUCT takes the largest q + exploration·prior/(1 + visits).
func (w *worker) choosePUCT(n *node, mayGrow bool) int {
	r := w.run
	params, root := &r.opts.Params, n == r.root
	stats := r.s.arena.stats(n)
	edges := r.s.arena.edges(n)
	scale, winRate := w.explorationAt(n, root), n.winRate()
	loss := params[VirtualLoss]
	fresh, best, bestScore, mass := -1, -1, math.Inf(-1), 0.0
	for i := range stats {
		if root && !r.allows(i) {
			continue
		}
		s := &stats[i]
		tries := float64(s.n + uint32(s.flying))
		if tries == 0 {
			if fresh < 0 && s.proof == unproved {
				fresh = i
			}
			continue
		}
		prior := edges[i].prior()
		mass += prior
		if s.proof != unproved {
			continue
		}
		score := inFlight(float64(s.w), float64(s.n), float64(s.flying), loss) + scale*prior/(1+tries)
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	if fresh = n.freshEdge(fresh, mayGrow); fresh < 0 {
		return best
	}
	reduction := params[FPUReduction]
	if root {
		reduction = params[FPUReductionRoot]
	}
	if firstPlay(reduction, winRate, mass)+scale*edges[fresh].prior() > bestScore {
		return fresh
	}
	return best
}

// linePart is the part of the root's visits, in one over this, that the lines asked for share equally at least.
const linePart = 4

// neglected returns the root's edge to follow when several lines are asked for and fewer moves have enough visits for one: the most
// visited of those that have not. Otherwise it returns -1.
func (r *run) neglected(n *node) int {
	if r.opts.MultiPV < 2 {
		return -1
	}
	least := uint32(float64(n.visits.Load()) / float64(linePart*r.opts.MultiPV))
	enough, best, bestTries := 0, -1, uint32(0)
	for i, s := range r.s.arena.stats(n) {
		switch tries := s.n + uint32(s.flying); {
		case !r.allows(i):
		case s.proof != unproved || tries >= least:
			enough++
		case best < 0 || tries > bestTries:
			best, bestTries = i, tries
		}
	}
	if enough >= r.opts.MultiPV {
		return -1
	}
	return best
}

// explorationAt returns the node's exploration factor.
func (w *worker) explorationAt(n *node, root bool) float64 {
	params, visits := &w.run.opts.Params, n.visits.Load()
	spread := valueSpread(params, float64(visits), deviation(float64(visits), n.total(), n.squares))
	return exploration(params, root, w.run.s.growth.at(visits), priorSpread(params, float64(n.spread)), spread)
}

// chooseUCB1 takes the first edge without visits, else the largest upper confidence bound.
func (w *worker) chooseUCB1(n *node, mayGrow bool) int {
	c, root := w.run.opts.Params[UCB1C], n == w.run.root
	stats := w.run.s.arena.stats(n)
	lnParent := math.Log(float64(n.visits.Load()))
	fresh, best, bestScore := -1, -1, math.Inf(-1)
	for i := range stats {
		s := &stats[i]
		tries := float64(s.n + uint32(s.flying))
		if root && !w.run.allows(i) || s.proof != unproved {
			continue
		}
		if tries == 0 {
			fresh = i
			break
		}
		if score := ucb1(c, float64(s.w)/tries, lnParent, tries); score > bestScore {
			best, bestScore = i, score
		}
	}
	if fresh = n.freshEdge(fresh, mayGrow); fresh >= 0 {
		return fresh
	}
	return best
}

// freshEdge returns the first edge without visits, given the one found among those with statistics, or -1; -1 when there is none
// in the list.
func (n *node) freshEdge(found int, mayGrow bool) int {
	if found < 0 && mayGrow && int(n.visited) < n.listed() {
		return int(n.visited)
	}
	return found
}
