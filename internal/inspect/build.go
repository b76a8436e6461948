package inspect

import (
	"slices"
	"sync"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// Builder is a Sink that puts a tree together from the events of either search. It holds at most a number of nodes; of what is beyond
// them it holds the counts only.
type Builder struct {
	mu    sync.Mutex
	most  int
	walks *walkBuilder
	lines *lineBuilder
	game  *shogi.Game
	now   string // the engine that is searching
}

// defaultBuilderNodes is about 100 MB.
const defaultBuilderNodes = 200_000

// NewBuilder returns a builder for at most so many nodes, 0 for 200,000.
func NewBuilder(most int) *Builder {
	if most <= 0 {
		most = defaultBuilderNodes
	}
	return &Builder{most: most}
}

// Event puts an event into the tree.
func (b *Builder) Event(e *search.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e.Kind == search.EventStart {
		b.start(e)
	}
	switch {
	case b.game == nil:
	case b.now == search.EngineUCT:
		b.walks.event(e)
	default:
		b.lines.event(e)
	}
}

// start begins another search's tree. The tree search's goes on when it has kept its visits.
func (b *Builder) start(e *search.Event) {
	if e.Game == nil {
		return
	}
	b.game, b.now = e.Game.Clone(), e.Engine
	if b.now != search.EngineUCT {
		b.lines = newLineBuilder(*b.game.Position(), b.most)
		return
	}
	if b.walks == nil || e.Visits <= 1 {
		b.walks = newWalkBuilder(b.most)
	}
	b.walks.begin(*b.game.Position(), e)
}

// Tree returns the tree so far. For alpha-beta it is that of the last iteration, or of the one before as long as that has no score.
func (b *Builder) Tree() Tree {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.game == nil {
		return Tree{}
	}
	var t Tree
	if b.now == search.EngineUCT {
		t = b.walks.tree()
	} else {
		t = b.lines.tree()
	}
	t.Engine, t.Game = b.now, b.game
	return t
}

// Line returns the moves from the root to the node of the event that was put in last from the same worker.
func (b *Builder) Line(e *search.Event) []shogi.Move {
	b.mu.Lock()
	defer b.mu.Unlock()
	var line []shogi.Move
	switch {
	case b.game == nil || e.Worker < 0:
	case b.now == search.EngineUCT:
		path := b.walks.paths[e.Worker]
		for _, s := range path[:min(e.Ply, len(path))] {
			line = append(line, s.move)
		}
	default:
		line = slices.Clone(b.lines.moves[:min(e.Ply, len(b.lines.moves))])
	}
	return line
}

// Root returns the root of the last search; ok is false before the first.
func (b *Builder) Root() (root shogi.Position, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.game == nil {
		return root, false
	}
	return *b.game.Position(), true
}

// lineBuilder puts alpha-beta's trees together, one for each iteration.
type lineBuilder struct {
	most  int
	root  shogi.Position
	nodes []Node
	done  []Node // of the last iteration that has a score
	// path holds the nodes from the root to where the search is, -1 for those that are not kept, and entered the moves made when they
	// began.
	path    []int
	entered []int64
	moves   []shogi.Move // the whole path
	made    int64
	depth   [2]int // of nodes and done
}

func newLineBuilder(root shogi.Position, most int) *lineBuilder {
	return &lineBuilder{most: most, root: root}
}

func (b *lineBuilder) event(e *search.Event) {
	b.made = max(b.made, e.Playout)
	switch e.Kind {
	case search.EventIteration:
		if len(b.nodes) > 0 && b.nodes[0].Scored {
			b.done, b.depth[1] = b.nodes, b.depth[0]
		}
		b.nodes, b.depth[0] = nil, e.Depth
		b.path, b.entered, b.moves = b.path[:0], b.entered[:0], b.moves[:0]
	case search.EventEnter:
		b.enter(e)
	case search.EventNode:
		b.node(e)
	case search.EventPrune, search.EventWindow:
		b.best(e)
	}
}

// at returns the node of the event, making it when need be; nil when it is not kept. The path then ends with it.
func (b *lineBuilder) at(e *search.Event) *Node {
	if e.Ply > len(b.path) {
		return nil
	}
	b.path, b.entered = b.path[:e.Ply], b.entered[:e.Ply]
	if e.Ply > 0 {
		b.moves = append(b.moves[:e.Ply-1], e.Move)
	}
	i := -1
	switch {
	case e.Ply == 0 && len(b.nodes) > 0:
		i = 0
	case e.Ply == 0:
		i = 0
		b.nodes = append(b.nodes, Node{Position: b.root})
	case b.path[e.Ply-1] >= 0:
		i = b.child(b.path[e.Ply-1], e)
	}
	b.path, b.entered = append(b.path, i), append(b.entered, e.Playout)
	if i < 0 {
		return nil
	}
	return &b.nodes[i]
}

// child returns the index of the parent's child for the event's move.
func (b *lineBuilder) child(parent int, e *search.Event) int {
	p := &b.nodes[parent]
	if i := slices.IndexFunc(p.Edges, func(x Edge) bool { return x.Move == e.Move }); i >= 0 {
		return p.Edges[i].Child
	}
	position := p.Position
	if !position.IsLegal(e.Move) {
		return -1
	}
	position.Do(e.Move)
	if len(b.nodes) >= b.most {
		p.More++
		return -1
	}
	p.Edges = append(p.Edges, Edge{Move: e.Move, Child: len(b.nodes)})
	b.nodes = append(b.nodes, Node{Position: position, Ply: e.Ply})
	return len(b.nodes) - 1
}

func (b *lineBuilder) enter(e *search.Event) {
	if n := b.at(e); n != nil {
		n.Type, n.Alpha, n.Beta, n.Depth = e.Type, e.Alpha, e.Beta, e.Depth
	}
}

func (b *lineBuilder) node(e *search.Event) {
	inner := e.Type == search.NodeMax || e.Type == search.NodeMin
	if inner && !e.Cut {
		if e.Ply >= len(b.path) || b.path[e.Ply] < 0 {
			return
		}
		n := &b.nodes[b.path[e.Ply]]
		n.Score, n.Scored, n.FromTable = e.Score, true, false
		n.Visits += e.Playout - b.entered[e.Ply]
		if e.Ply > 0 {
			n.Visits++ // the move to the node
		}
		return
	}
	n := b.at(e)
	if n == nil {
		return
	}
	n.Type, n.Alpha, n.Beta, n.Score, n.Scored, n.FromTable = e.Type, e.Alpha, e.Beta, e.Score, true, e.Cut
	n.Visits += 1 + e.Count
}

// best notes which move is the node's best so far, and what was pruned.
func (b *lineBuilder) best(e *search.Event) {
	if e.Ply >= len(b.path) || b.path[e.Ply] < 0 {
		return
	}
	n := &b.nodes[b.path[e.Ply]]
	if e.Kind == search.EventPrune {
		n.Skipped += e.Count
	}
	if i := slices.IndexFunc(n.Edges, func(x Edge) bool { return x.Move == e.Move }); i > 0 {
		best := n.Edges[i]
		copy(n.Edges[1:i+1], n.Edges[:i])
		n.Edges[0] = best
	}
}

func (b *lineBuilder) tree() Tree {
	nodes, depth := b.nodes, b.depth[0]
	if (len(nodes) == 0 || !nodes[0].Scored) && len(b.done) > 0 {
		nodes, depth = b.done, b.depth[1]
	}
	t := Tree{Searched: b.made, Depth: depth, Nodes: slices.Clone(nodes)}
	for i := range t.Nodes {
		t.Nodes[i].Edges = slices.Clone(t.Nodes[i].Edges)
		for k := range t.Nodes[i].Edges {
			e := &t.Nodes[i].Edges[k]
			e.Visits = t.Nodes[e.Child].Visits
		}
	}
	return t
}
