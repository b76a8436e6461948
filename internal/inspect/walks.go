package inspect

import (
	"slices"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// nodeID names a node of the tree search: a position at a move number.
type nodeID struct {
	key uint64
	ply int
}

// walkNode is a node with its edges to ids, which need not be known yet.
type walkNode struct {
	Node
	children []nodeID // of Edges; the zero id is not known
}

// walkStep is a move of the playout that a worker is on.
type walkStep struct {
	node nodeID
	move shogi.Move
}

// walkBuilder puts the tree search's graph together from its playouts.
type walkBuilder struct {
	most  int
	nodes map[nodeID]*walkNode
	root  nodeID
	start int // the root's move number
	made  int64
	paths map[int][]walkStep // by worker
}

func newWalkBuilder(most int) *walkBuilder {
	return &walkBuilder{most: most, nodes: make(map[nodeID]*walkNode)}
}

// begin begins a search at a position.
func (b *walkBuilder) begin(root shogi.Position, e *search.Event) {
	b.start, b.made, b.paths = root.Ply(), 0, make(map[int][]walkStep)
	b.root = nodeID{root.Key(), root.Ply()}
	n := b.nodes[b.root]
	if n == nil {
		n = &walkNode{Node: Node{Position: root}}
		b.nodes[b.root] = n
	}
	n.Visits, n.WinRate, n.Value, n.HasValue, n.Proof, n.Unvisited = e.Visits, e.WinRate, e.Value, true, e.Proof, int(e.Count)
}

// id returns the id of the event's node.
func (b *walkBuilder) id(e *search.Event) nodeID { return nodeID{e.Key, b.start + e.Ply} }

func (b *walkBuilder) event(e *search.Event) {
	switch e.Kind {
	case search.EventSelect:
		b.selected(e)
	case search.EventExpand:
		if n := b.reach(e); n != nil {
			n.Unvisited = int(e.Count)
		}
	case search.EventEvaluate, search.EventMerge, search.EventRevisit:
		b.arrived(e)
	case search.EventBackup:
		b.backedUp(e)
	case search.EventProve:
		if n := b.nodes[b.id(e)]; n != nil {
			if n.Proof, n.WinRate = e.Proof, 0; e.Proof > 0 {
				n.WinRate = 1
			}
		}
	}
	if e.Kind == search.EventBackup && e.Ply == 0 {
		b.made++
	}
}

// reach returns the event's node, whose worker has just come to it, and makes it when need be; nil when it is not kept.
func (b *walkBuilder) reach(e *search.Event) *walkNode {
	id := b.id(e)
	path := b.paths[e.Worker]
	n := b.nodes[id]
	if e.Ply == 0 {
		return n
	}
	if e.Ply > len(path) {
		return nil
	}
	step := path[e.Ply-1]
	parent := b.nodes[step.node]
	if parent == nil {
		return n
	}
	if n == nil {
		position := parent.Position
		if len(b.nodes) >= b.most || !position.IsLegal(step.move) {
			return nil
		}
		position.Do(step.move)
		n = &walkNode{Node: Node{Position: position}}
		b.nodes[id] = n
	}
	if i := edgeOf(parent, step.move); i >= 0 {
		parent.children[i] = id
	}
	return n
}

// edgeOf returns the index of the node's edge for a move, -1 for none.
func edgeOf(n *walkNode, m shogi.Move) int {
	return slices.IndexFunc(n.Edges, func(e Edge) bool { return e.Move == m })
}

// edge returns the node's edge for a move, making it when need be.
func (n *walkNode) edge(m shogi.Move) *Edge {
	i := edgeOf(n, m)
	if i < 0 {
		i = len(n.Edges)
		n.Edges, n.children = append(n.Edges, Edge{Move: m, Child: -1}), append(n.children, nodeID{})
	}
	return &n.Edges[i]
}

func (b *walkBuilder) selected(e *search.Event) {
	n := b.reach(e)
	path := b.paths[e.Worker]
	b.paths[e.Worker] = append(path[:min(e.Ply, len(path))], walkStep{b.id(e), e.Move})
	if n == nil {
		return
	}
	n.Visits, n.WinRate = e.Visits, e.WinRate
	for i := range e.Candidates {
		c := &e.Candidates[i]
		if c.Visits == 0 && c.Move != e.Move && c.Proof == 0 {
			continue
		}
		edge := n.edge(c.Move)
		edge.Prior, edge.Visits, edge.Proof = c.Prior, int64(c.Visits), c.Proof
		if c.Flying == 0 {
			edge.WinRate = c.WinRate
		}
	}
}

func (b *walkBuilder) arrived(e *search.Event) {
	n := b.reach(e)
	if n == nil {
		return
	}
	if n.Proof = e.Proof; e.Type == search.NodeTerminal {
		n.Type = search.NodeTerminal
	}
	if e.Kind == search.EventEvaluate {
		n.Visits, n.WinRate, n.Value, n.HasValue = 1, e.Value, e.Value, true
		return
	}
	n.Visits, n.WinRate = e.Visits, e.WinRate
	if e.Kind == search.EventRevisit {
		n.Visits++
	}
}

func (b *walkBuilder) backedUp(e *search.Event) {
	n := b.nodes[b.id(e)]
	if n == nil {
		return
	}
	n.Visits, n.WinRate, n.Proof = e.Visits, e.WinRate, e.Proof
	edge := n.edge(e.Move)
	edge.Visits, edge.WinRate = e.EdgeVisits, e.EdgeRate
}

// tree returns the nodes that the root leads to.
func (b *walkBuilder) tree() Tree {
	t := Tree{Searched: b.made}
	index := map[nodeID]int{b.root: 0}
	for queue := []nodeID{b.root}; len(queue) > 0; queue = queue[1:] {
		n := b.nodes[queue[0]]
		out := n.Node
		out.Ply = queue[0].ply - b.start
		if out.Type == search.NoNodeType {
			out.Type = search.InnerType(out.Ply)
		}
		out.Edges = slices.Clone(n.Edges)
		for i := range out.Edges {
			id := n.children[i]
			child := b.nodes[id]
			if child == nil {
				continue
			}
			at, known := index[id]
			if !known {
				at = len(index)
				index[id] = at
				queue = append(queue, id)
			}
			out.Edges[i].Child = at
			if child.Proof != 0 {
				out.Edges[i].Proof = before(child.Proof)
			}
		}
		sortEdges(out.Edges)
		out.Unvisited = max(0, out.Unvisited-len(out.Edges))
		t.Nodes = append(t.Nodes, out)
	}
	return t
}

// before returns what a proof of the position after a move proves of the move.
func before(proof int) int {
	if proof > 0 {
		return -2 - proof
	}
	return -proof
}
