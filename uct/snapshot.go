package uct

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/yomi-shogi/yomi/nodehash"
	"github.com/yomi-shogi/yomi/shogi"
)

// SnapshotLimits says how much of the tree to look at. The most visited nodes come first.
type SnapshotLimits struct {
	// Nodes is the most nodes, 0 for 100.
	Nodes int
	// Depth is the largest distance from the root, and Width the most moves of a node; 0 for any number.
	Depth, Width int
	// Visits is the fewest visits of a move that is looked at.
	Visits int64
}

// Snapshot is a part of a tree at one moment. While a search runs, figures of different nodes may be some playouts apart.
type Snapshot struct {
	// Game is what led to the root; nil when nothing was searched yet. Nodes[0] is the root.
	Game  *shogi.Game
	Nodes []SnapshotNode
}

// SnapshotNode is a position of the tree. Win rates are 0..1 for its side to move.
type SnapshotNode struct {
	Position shogi.Position
	// Ply is the distance from the root.
	Ply int
	// Visits is N, WinRate is Q, Value is what the evaluator said at the first visit.
	Visits         int64
	WinRate, Value float64
	// Proof is above 0 for a win in so many plies, below 0 for a loss in -Proof-1. Terminal says that the game is over here.
	Proof    int
	Terminal bool
	// Edges are the moves with visits or a proof that are within the limits, best first in the sense of RootMoves.
	Edges []SnapshotEdge
	// More is the number of other legal moves that have visits, and MoreVisits is those visits; Unvisited is the rest of the legal moves.
	More, Unvisited int
	MoreVisits      int64
}

// SnapshotEdge is a move. WinRate is for the side that makes it.
type SnapshotEdge struct {
	Move           shogi.Move
	Prior, WinRate float64
	// Visits are finished, Flying under way; Decided are those of Visits that ended by a repetition.
	Visits, Decided int64
	Flying          int
	// Proof is as in SnapshotNode, of the move: above 0 when it wins.
	Proof int
	// Child is the index of the node that the move leads to, -1 when it is not in the snapshot. Several edges may lead to one node.
	Child int
}

const defaultSnapshotNodes = 100

// Snapshot looks at the tree of the running search, or of the latest. It may be called at any time from any goroutine; it keeps workers
// waiting only where they want to make room or a node that is just being read.
func (s *Searcher) Snapshot(l SnapshotLimits) Snapshot {
	s.viewing.Lock()
	defer s.viewing.Unlock()
	if s.last == nil {
		return Snapshot{}
	}
	r := s.last
	r.parking.mu.Lock() // no node goes away meanwhile
	defer r.parking.mu.Unlock()
	if l.Nodes <= 0 {
		l.Nodes = defaultSnapshotNodes
	}
	v := &viewer{s: s, limits: l, indices: make(map[nodehash.Key]int)}
	v.add(r.position, r.root, 0)
	for v.queue.Len() > 0 && len(v.nodes) < l.Nodes {
		v.follow(heap.Pop(&v.queue).(link))
	}
	for len(v.queue) > 0 { // moves to nodes that are in the snapshot already
		v.join(v.queue[len(v.queue)-1])
		v.queue = v.queue[:len(v.queue)-1]
	}
	return Snapshot{Game: r.game, Nodes: v.nodes}
}

// viewer makes a snapshot.
type viewer struct {
	s       *Searcher
	limits  SnapshotLimits
	nodes   []SnapshotNode
	indices map[nodehash.Key]int
	queue   linkQueue
}

// link is an edge whose node is still to be looked at.
type link struct {
	from, edge int
	visits     int64
}

// linkQueue gives the link with the most visits first, of equal ones the one found first.
type linkQueue []link

func (q linkQueue) Len() int      { return len(q) }
func (q linkQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *linkQueue) Push(x any)   { *q = append(*q, x.(link)) }
func (q linkQueue) Less(i, j int) bool {
	if q[i].visits != q[j].visits {
		return q[i].visits > q[j].visits
	}
	if q[i].from != q[j].from {
		return q[i].from < q[j].from
	}
	return q[i].edge < q[j].edge
}

func (q *linkQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// add reads a node.
func (v *viewer) add(p shogi.Position, n *node, ply int) {
	v.indices[keyOf(&p)] = len(v.nodes)
	out := SnapshotNode{Position: p, Ply: ply}
	n.lock()
	out.Visits, out.WinRate, out.Value = int64(n.visits.Load()), n.winRate(), float64(n.value)
	out.Proof, out.Terminal = int(n.proof()), n.stage() == stateTerminal
	if n.stage() == stateExpanded {
		v.readEdges(&out, n)
	}
	n.unlock()
	v.choose(&out)
	v.nodes = append(v.nodes, out)
	if v.limits.Depth > 0 && ply >= v.limits.Depth {
		return
	}
	for i, e := range out.Edges {
		heap.Push(&v.queue, link{len(v.nodes) - 1, i, e.Visits})
	}
}

// readEdges copies the moves with visits or a proof. The caller holds the lock.
func (v *viewer) readEdges(out *SnapshotNode, n *node) {
	stats, edges := v.s.arena.stats(n), v.s.arena.edges(n)
	for i := range stats {
		st := &stats[i]
		if st.n == 0 && st.flying == 0 && st.proof == unproved {
			continue
		}
		e := SnapshotEdge{Move: edges[i].move(), Prior: edges[i].prior(), WinRate: n.winRate(), Visits: int64(st.n), Decided: int64(st.r),
			Flying: int(st.flying), Proof: int(st.proof), Child: -1}
		if st.n > 0 {
			e.WinRate = float64(st.w) / float64(st.n)
		}
		if st.proof != unproved {
			e.WinRate = st.proof.value()
		}
		out.Edges = append(out.Edges, e)
	}
	out.Unvisited = int(n.edgeLen) - len(out.Edges)
}

// choose sorts a node's edges and leaves out what is beyond the limits.
func (v *viewer) choose(n *SnapshotNode) {
	slices.SortStableFunc(n.Edges, func(a, b SnapshotEdge) int {
		if a.rank() == b.rank() {
			return cmp.Compare(b.Visits, a.Visits)
		}
		return cmp.Compare(a.rank(), b.rank())
	})
	keep := len(n.Edges)
	if w := v.limits.Width; w > 0 {
		keep = min(keep, w)
	}
	for keep > 0 && n.Edges[keep-1].Visits < v.limits.Visits {
		keep--
	}
	for _, e := range n.Edges[keep:] {
		n.More++
		n.MoreVisits += e.Visits
	}
	n.Edges = n.Edges[:keep]
}

// rank puts proved wins before open moves and losses behind them.
func (e *SnapshotEdge) rank() int {
	switch {
	case e.Proof > 0:
		return e.Proof - 2*maxProof
	case e.Proof < 0:
		return 2*maxProof + e.Proof
	}
	return 0
}

// target returns the position and the node that the link leads to; nil when there is none yet, or it has been forgotten.
func (v *viewer) target(l link) (shogi.Position, *node) {
	p, m := v.nodes[l.from].Position, v.nodes[l.from].Edges[l.edge].Move
	if !p.IsLegal(m) { // two positions share a key
		return p, nil
	}
	p.Do(m)
	n := v.s.find(&p)
	if n != nil && n.stage() == stateEmpty {
		n = nil
	}
	return p, n
}

// follow reads the node that the link leads to, unless that is done.
func (v *viewer) follow(l link) {
	if v.join(l) {
		return
	}
	if p, n := v.target(l); n != nil {
		v.nodes[l.from].Edges[l.edge].Child = len(v.nodes)
		v.add(p, n, v.nodes[l.from].Ply+1)
	}
}

// join connects the link's edge with its node if that is in the snapshot.
func (v *viewer) join(l link) bool {
	p, n := v.target(l)
	if n == nil {
		return false
	}
	i, ok := v.indices[keyOf(&p)]
	if ok {
		v.nodes[l.from].Edges[l.edge].Child = i
	}
	return ok
}
