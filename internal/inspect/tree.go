package inspect

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
)

// Tree is a part of what a search has looked at. Nodes[0] is the root; a tree without nodes is empty. Figures are for the side to move at
// their node.
type Tree struct {
	// Engine is search.EngineUCT or search.EngineAlphaBeta.
	Engine string
	// Game is what led to the root.
	Game *shogi.Game
	// Searched is the number of playouts or moves made, Depth the depth of alpha-beta's iteration.
	Searched int64
	Depth    int
	Nodes    []Node
}

// Node is a position of a tree.
type Node struct {
	Position shogi.Position
	// Ply is the distance from the root.
	Ply  int
	Type search.NodeType
	// Visits is N, for alpha-beta the moves made at the node and below.
	Visits int64
	// WinRate is Q and Value what the evaluator said; HasValue is false when that is not known.
	WinRate, Value float64
	HasValue       bool
	Proof          int
	// Score, Alpha and Beta are alpha-beta's; Scored is false for a node that was broken off.
	Score, Alpha, Beta int
	Scored             bool
	// Depth is how deep alpha-beta looked from here; FromTable says that the table knew the score.
	Depth     int
	FromTable bool
	// Skipped is the number of moves that alpha-beta pruned here, over all visits.
	Skipped int64
	// Edges are moves, the principal variation's first.
	Edges []Edge
	// More is the number of moves that were searched but are left out, MoreVisits their visits and MoreSkipped what was pruned below them.
	More                    int
	MoreVisits, MoreSkipped int64
	// Unvisited is the number of legal moves that were never tried, where it is known.
	Unvisited int
}

// Edge is a move. WinRate is for the side that makes it.
type Edge struct {
	Move           shogi.Move
	Prior, WinRate float64
	Visits         int64
	Proof          int
	// Child is the index of the node, -1 when it is not in the tree.
	Child int
}

// Limits says how much of a tree to draw.
type Limits struct {
	// Nodes is the most nodes, 0 for any number.
	Nodes int
	// Depth is the largest distance from the root, Width the most moves of a node; 0 for any number.
	Depth, Width int
	// Visits is the fewest visits of a move that is drawn.
	Visits int64
}

// FromSnapshot returns the tree of a snapshot of the tree search.
func FromSnapshot(s *uct.Snapshot) Tree {
	t := Tree{Engine: search.EngineUCT, Game: s.Game}
	for _, n := range s.Nodes {
		node := Node{Position: n.Position, Ply: n.Ply, Type: search.InnerType(n.Ply), Visits: n.Visits, WinRate: n.WinRate, Value: n.Value,
			HasValue: true, Proof: n.Proof, More: n.More, MoreVisits: n.MoreVisits, Unvisited: n.Unvisited}
		if n.Terminal {
			node.Type = search.NodeTerminal
		}
		for _, e := range n.Edges {
			node.Edges = append(node.Edges, Edge{Move: e.Move, Prior: e.Prior, WinRate: e.WinRate, Visits: e.Visits, Proof: e.Proof, Child: e.Child})
		}
		t.Nodes = append(t.Nodes, node)
	}
	if len(t.Nodes) > 0 {
		t.Searched = t.Nodes[0].Visits
	}
	return t
}

// Principal returns the indices of the nodes of the principal variation, the root first.
func (t *Tree) Principal() []int {
	if len(t.Nodes) == 0 {
		return nil
	}
	line, seen := []int{0}, map[int]bool{0: true}
	for {
		n := &t.Nodes[line[len(line)-1]]
		if len(n.Edges) == 0 || n.Edges[0].Child < 0 || seen[n.Edges[0].Child] {
			return line
		}
		line = append(line, n.Edges[0].Child)
		seen[n.Edges[0].Child] = true
	}
}

// Skipped returns the number of moves pruned in the whole tree, in nodes that are left out too.
func (t *Tree) Skipped() (sum int64) {
	for i := range t.Nodes {
		sum += t.Nodes[i].Skipped + t.Nodes[i].MoreSkipped
	}
	return sum
}

// Cut returns the part of the tree within the limits: the principal variation, then the nodes with the most visits. What is left out is
// counted in More.
func (t *Tree) Cut(l Limits) Tree {
	out := Tree{Engine: t.Engine, Game: t.Game, Searched: t.Searched, Depth: t.Depth}
	if len(t.Nodes) == 0 {
		return out
	}
	keep := t.choose(l)
	index := make([]int, len(t.Nodes))
	for i := range index {
		index[i] = -1
	}
	for i, old := range keep {
		index[old] = i
	}
	counted := make(map[int]bool) // nodes left out whose prunes have been added somewhere
	for _, old := range keep {
		n := t.Nodes[old]
		edges := n.Edges
		n.Edges = nil
		for _, e := range edges {
			if e.Child >= 0 && index[e.Child] >= 0 {
				e.Child = index[e.Child]
				n.Edges = append(n.Edges, e)
				continue
			}
			n.More++
			n.MoreVisits += e.Visits
			if e.Child >= 0 {
				n.MoreSkipped += t.skippedBelow(e.Child, index, counted)
			}
		}
		out.Nodes = append(out.Nodes, n)
	}
	return out
}

// skippedBelow adds up the prunes in nodes that are left out.
func (t *Tree) skippedBelow(from int, index []int, counted map[int]bool) (sum int64) {
	if index[from] >= 0 || counted[from] {
		return 0
	}
	counted[from] = true
	n := &t.Nodes[from]
	sum = n.Skipped + n.MoreSkipped
	for _, e := range n.Edges {
		if e.Child >= 0 {
			sum += t.skippedBelow(e.Child, index, counted)
		}
	}
	return sum
}

// choose returns the indices of the nodes to keep, the root first.
func (t *Tree) choose(l Limits) []int {
	principal := make(map[int]bool)
	for _, i := range t.Principal() {
		principal[i] = true
	}
	kept := map[int]bool{0: true}
	keep := []int{0}
	q := &chooser{}
	push := func(i int) {
		n := &t.Nodes[i]
		if l.Depth > 0 && n.Ply >= l.Depth {
			return
		}
		edges := n.Edges
		if l.Width > 0 {
			edges = edges[:min(l.Width, len(edges))]
		}
		for k, e := range edges {
			if e.Child >= 0 && (e.Visits >= l.Visits || k == 0 && principal[i]) {
				heap.Push(q, choice{e.Child, k == 0 && principal[i], e.Visits, q.count})
				q.count++
			}
		}
	}
	push(0)
	for q.Len() > 0 && (l.Nodes <= 0 || len(keep) < l.Nodes) {
		c := heap.Pop(q).(choice)
		if kept[c.node] {
			continue
		}
		kept[c.node] = true
		keep = append(keep, c.node)
		push(c.node)
	}
	return keep
}

// choice is a node that may be kept; a chooser gives the principal variation first, then most visits.
type choice struct {
	node      int
	principal bool
	visits    int64
	order     int
}

type chooser struct {
	choices []choice
	count   int
}

func (q *chooser) Len() int      { return len(q.choices) }
func (q *chooser) Swap(i, j int) { q.choices[i], q.choices[j] = q.choices[j], q.choices[i] }
func (q *chooser) Push(x any)    { q.choices = append(q.choices, x.(choice)) }
func (q *chooser) Less(i, j int) bool {
	a, b := &q.choices[i], &q.choices[j]
	switch {
	case a.principal != b.principal:
		return a.principal
	case a.visits != b.visits:
		return a.visits > b.visits
	}
	return a.order < b.order
}

func (q *chooser) Pop() any {
	last := q.choices[len(q.choices)-1]
	q.choices = q.choices[:len(q.choices)-1]
	return last
}

// sortEdges puts proved wins first, the shortest before others; then most visits, then larger prior; then losses, the longest first.
func sortEdges(edges []Edge) {
	rank := func(e *Edge) int {
		switch {
		case e.Proof > 0:
			return e.Proof - 1<<20
		case e.Proof < 0:
			return 1<<20 + e.Proof
		}
		return 0
	}
	slices.SortStableFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(b.Visits, a.Visits), cmp.Compare(b.Prior, a.Prior))
	})
}
