package alphabeta

import (
	"container/heap"

	"github.com/yomi-shogi/yomi/internal/search"
)

// This file is G. Stockman's SSS* ("A minimax algorithm better than alpha-beta?", 1979) with its OPEN list, in the form of
// M. Campbell and T. Marsland. It searches solution trees (one reply to each move of the side that maximises, every
// move of the other side's replies) best-first, by an upper bound of what each can still bring, its merit. Equal merits go leftmost
// first. It needs memory for all solution trees at once, so it is the measure for sss and dual, not for play.
//
//	state of the best merit            what takes its place on OPEN
//	live leaf                          the same, solved, merit min(merit, value)
//	live, maximising                   all children, live
//	live, minimising                   the first child, live
//	solved child of a minimising node  the next sibling, live, or the parent, solved, after the last one
//	solved child of a maximising node  the parent, solved; all that is left below the parent goes
//	solved root                        the end: its merit is the score

// openNode is a position of the tree.
type openNode[M comparable] struct {
	move   M
	parent int32
	// via is the child that decided the merit, -1 for none.
	via int32
	// child is the number of the node among its siblings, ply its distance from the root.
	child, ply int32
	// left is the depth left below it.
	left int32
	// merit is the merit with which the node went onto OPEN last.
	merit int
	// solved says that the best below the node is known; with a maximising node all below it is then out of date.
	solved bool
	// moves are all moves of a minimising node; at a leaf, the captures that its score rests on.
	moves []M
}

// openList is the nodes and the queue of them.
type openList[M comparable] struct {
	nodes []openNode[M]
	queue []int32
	// full says that the limit of nodes was reached.
	full bool
	// at is the node at which the game stands.
	at int32
}

func (o *openList[M]) Len() int      { return len(o.queue) }
func (o *openList[M]) Swap(i, j int) { o.queue[i], o.queue[j] = o.queue[j], o.queue[i] }
func (o *openList[M]) Push(x any)    { o.queue = append(o.queue, x.(int32)) }
func (o *openList[M]) Pop() any {
	last := len(o.queue) - 1
	n := o.queue[last]
	o.queue = o.queue[:last]
	return n
}

// Less puts the larger merit first, then the node further left.
func (o *openList[M]) Less(i, j int) bool {
	a, b := o.queue[i], o.queue[j]
	if o.nodes[a].merit != o.nodes[b].merit {
		return o.nodes[a].merit > o.nodes[b].merit
	}
	return o.leftOf(a, b)
}

// leftOf reports whether node a is left of node b; a node is left of those below it.
func (o *openList[M]) leftOf(a, b int32) bool {
	deeper := o.nodes[b].ply > o.nodes[a].ply
	for o.nodes[a].ply > o.nodes[b].ply {
		a = o.nodes[a].parent
	}
	for o.nodes[b].ply > o.nodes[a].ply {
		b = o.nodes[b].parent
	}
	if a == b {
		return deeper
	}
	for o.nodes[a].parent != o.nodes[b].parent {
		a, b = o.nodes[a].parent, o.nodes[b].parent
	}
	return o.nodes[a].child < o.nodes[b].child
}

// maximises reports whether the side to move at the node is the one that maximises: for SSS* the root's, for DUAL* the other.
func (s *Search[M]) maximises(n int32) bool {
	return (s.open.nodes[n].ply%2 == 0) == (s.config.Driver == SSSOpen)
}

// sign turns the score of the side to move at the node into that of the side that maximises.
func (s *Search[M]) sign(n int32) int {
	if s.maximises(n) {
		return 1
	}
	return -1
}

// bestFirst searches the root with the OPEN list.
func (s *Search[M]) bestFirst(depth int) int {
	o := &s.open
	*o = openList[M]{nodes: append(o.nodes[:0], openNode[M]{parent: -1, via: -1, left: int32(depth), merit: infinity}), queue: append(o.queue[:0], 0)}
	for !o.nodes[0].solved {
		s.stats.OpenPeak = max(s.stats.OpenPeak, int64(len(o.queue)))
		n := heap.Pop(o).(int32)
		if o.outdated(n) {
			continue
		}
		if o.nodes[n].solved {
			s.close(n)
		} else {
			s.expand(n)
		}
		if o.full = len(o.nodes) > s.openLimit(); o.full || s.stopped {
			s.stopped = true
			break
		}
	}
	s.stats.OpenNodes = max(s.stats.OpenNodes, int64(len(o.nodes)))
	s.travel(0)
	if s.stopped {
		return 0
	}
	return s.solution()
}

func (s *Search[M]) openLimit() int {
	if s.config.OpenLimit > 0 {
		return s.config.OpenLimit
	}
	return defaultOpenLimit
}

// outdated reports whether an ancestor of the node is solved already.
func (o *openList[M]) outdated(n int32) bool {
	for p := o.nodes[n].parent; p >= 0; p = o.nodes[p].parent {
		if o.nodes[p].solved {
			return true
		}
	}
	return false
}

// travel brings the game to the node's position.
func (s *Search[M]) travel(to int32) {
	o := &s.open
	common := to
	for o.nodes[common].ply > o.nodes[o.at].ply {
		common = o.nodes[common].parent
	}
	for o.at != common {
		if o.nodes[o.at].ply == o.nodes[common].ply {
			common = o.nodes[common].parent
		}
		s.game.Undo()
		o.at = o.nodes[o.at].parent
	}
	s.descend(to)
}

// descend makes the moves from where the game stands to the node below it.
func (s *Search[M]) descend(to int32) {
	if to == s.open.at {
		return
	}
	s.descend(s.open.nodes[to].parent)
	if s.inspected() {
		s.frames[s.open.nodes[to].ply-1].playing = s.open.nodes[to].move
	}
	s.do(s.open.nodes[to].move)
	s.open.at = to
}

// put sets a node's merit and queues it.
func (o *openList[M]) put(n int32, merit int) {
	o.nodes[n].merit = merit
	heap.Push(o, n)
}

// add makes the child of a node for its i-th move, live.
func (o *openList[M]) add(parent int32, i int, m M, merit int) {
	o.nodes = append(o.nodes, openNode[M]{move: m, parent: parent, via: -1, child: int32(i),
		ply: o.nodes[parent].ply + 1, left: o.nodes[parent].left - 1})
	o.put(int32(len(o.nodes)-1), merit)
}

// expand works on a live node.
func (s *Search[M]) expand(n int32) {
	o := &s.open
	s.travel(n)
	ply := int(o.nodes[n].ply)
	merit := o.nodes[n].merit
	moves, score, end := s.openMoves(n, ply)
	if s.stopped {
		return
	}
	if end {
		o.nodes[n].solved, o.nodes[n].moves = true, append([]M(nil), s.frames[ply].line...)
		o.put(n, min(merit, s.sign(n)*score))
		return
	}
	s.stats.Interior++
	if s.inspected() {
		s.tellNode(search.EventEnter, -infinity, infinity, int(o.nodes[n].left), ply, 0)
	}
	if s.maximises(n) {
		for i, m := range moves {
			o.add(n, i, m, merit)
		}
		return
	}
	o.nodes[n].moves = append([]M(nil), moves...)
	o.add(n, 0, moves[0], merit)
}

// openMoves returns a live node's moves, or its score when it is a leaf.
func (s *Search[M]) openMoves(n int32, ply int) (moves []M, score int, end bool) {
	f := &s.frames[ply]
	f.moves = f.moves[:0]
	if n == 0 {
		for _, r := range s.root {
			f.moves = append(f.moves, r.move)
		}
		return f.moves, 0, false
	}
	if score, end = s.enter(ply); end {
		return nil, score, true
	}
	left := s.extended(int(s.open.nodes[n].left), ply)
	s.open.nodes[n].left = int32(left)
	if left <= 0 || ply >= MaxPly {
		return nil, s.leaf(-infinity, infinity, ply), true
	}
	f.moves = s.game.Moves(f.moves)
	if len(f.moves) == 0 {
		return nil, s.mated(ply), true
	}
	var none M
	s.rank(f, none, ply)
	for i := range f.moves {
		s.pick(f, i)
	}
	return f.moves, 0, false
}

// close hands the merit of a solved node on.
func (s *Search[M]) close(n int32) {
	o := &s.open
	parent, merit := o.nodes[n].parent, o.nodes[n].merit
	if parent < 0 {
		return
	}
	p := &o.nodes[parent]
	if s.maximises(parent) {
		p.via, p.solved = n, true
		o.put(parent, merit)
		return
	}
	if merit < p.merit {
		p.via, p.merit = n, merit
	}
	if next := int(o.nodes[n].child) + 1; next < len(p.moves) {
		o.add(parent, next, p.moves[next], merit)
		return
	}
	p.solved = true
	o.put(parent, merit)
}

// solution reads score and line from the solved root.
func (s *Search[M]) solution() int {
	o := &s.open
	score := s.sign(0) * o.nodes[0].merit
	var line []M
	for n := o.nodes[0].via; n >= 0; n = o.nodes[n].via {
		line = append(line, o.nodes[n].move)
		if o.nodes[n].via < 0 {
			line = append(line, o.nodes[n].moves...)
		}
	}
	for i := range s.root {
		if len(line) > 0 && s.root[i].move == line[0] {
			s.best = i
			s.root[i].line = line
		}
	}
	return score
}
