package dashboard

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
)

// treeCache keeps the part of the tree that was read last, so that many requests cost no more than some.
type treeCache struct {
	mu     sync.Mutex // held while the tree is read
	at     time.Time
	number int
	tree   inspect.Tree
}

const (
	// readNodes is how much of the tree is read for requests, and keepTree for how long it is good while the search runs.
	readNodes = 3000
	keepTree  = 250 * time.Millisecond
	// builderNodes is how much of alpha-beta's tree is kept for the pages, and wantTree for how long after the last request.
	builderNodes = 5000
	wantTree     = 10 * time.Second
	// defaultTreeNodes is the size of a tree when the request says none.
	defaultTreeNodes = 100
)

// forget makes the next request read the tree anew.
func (c *treeCache) forget() {
	c.mu.Lock()
	c.at, c.tree = time.Time{}, inspect.Tree{}
	c.mu.Unlock()
}

var errNoTree = errors.New("there is no tree yet; alpha-beta's comes with the next depth")

// sendTree answers a request.
func (l *Live) sendTree(c *client, r *TreeRequest) error {
	return l.turns.slowly(c, func() error {
		tree, number, err := l.tree()
		if err != nil {
			return err
		}
		m, err := treeMessage(&tree, r)
		if err != nil {
			return err
		}
		m.Search = number
		c.say(m)
		return nil
	})
}

// After each tree or breakdown comes a pause, of treePart times as long but at most longestPause, however many pages ask.
const (
	treePart     = 10
	longestPause = 250 * time.Millisecond
)

// patience is how long a request waits for its turn. A page that is gone is noticed no sooner.
const patience = time.Second

var errBusy = errors.New("other requests come first; ask again")

// turns lets through one request after the other, with pauses.
type turns chan struct{}

// slowly calls a function when it is the client's turn.
func (t turns) slowly(c *client, do func() error) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case t <- struct{}{}:
	case <-c.ctx.Done():
		return c.ctx.Err()
	case <-late.C:
		return errBusy
	}
	from := time.Now()
	err := do()
	time.AfterFunc(min(longestPause, treePart*time.Since(from)), func() { <-t })
	return err
}

// tree returns the tree for requests and the number of its search.
func (l *Live) tree() (inspect.Tree, int, error) {
	l.mu.Lock()
	s, number := l.subject, l.number()
	l.wanted = time.Now()
	l.mu.Unlock()
	if s.Engine == search.EngineAlphaBeta {
		b := l.lines.Load()
		if b == nil {
			return inspect.Tree{}, 0, errNoTree
		}
		tree := b.Tree()
		return tree, number, nil
	}
	if s.Searcher == nil {
		return inspect.Tree{}, 0, errNoTree
	}
	t := &l.trees
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.number != number || time.Since(t.at) > keepTree {
		snapshot := s.Searcher.Snapshot(uct.SnapshotLimits{Nodes: readNodes})
		t.tree, t.number, t.at = inspect.FromSnapshot(&snapshot), number, time.Now()
	}
	return t.tree, number, nil
}

// startTree lets alpha-beta's tree be built from the next depth on while pages want it. The caller holds mu.
func (l *Live) startTree() {
	switch b := l.lines.Load(); {
	case time.Since(l.wanted) > wantTree:
		l.lines.Store(nil)
	case b == nil:
		b = inspect.NewBuilder(builderNodes)
		b.Event(&l.course.start)
		l.lines.Store(b)
	}
}

// treeMessage returns the part of a tree that a request wants. Win rates and scores in it are for the side to move at the search's root.
func treeMessage(t *inspect.Tree, r *TreeRequest) (*Tree, error) {
	if len(t.Nodes) == 0 {
		return nil, errNoTree
	}
	at, err := follow(t, r.Path)
	if err != nil {
		return nil, err
	}
	part := below(t, at)
	limits := inspect.Limits{Nodes: r.Nodes, Depth: r.Depth, Width: r.Width, Visits: r.Visits}
	if limits.Nodes == 0 {
		limits.Nodes = defaultTreeNodes
	}
	if limits.Depth > 0 {
		limits.Depth += part.Nodes[0].Ply
	}
	part = part.Cut(limits)
	m := &Tree{Type: TypeTree, ID: r.ID, Engine: t.Engine, Path: r.Path, Root: part.Nodes[0].Position.SFEN(), Principal: part.Principal()}
	for i := range part.Nodes {
		m.Nodes = append(m.Nodes, treeNode(&part.Nodes[i]))
	}
	return m, nil
}

// follow returns the index of the node at the end of a path.
func follow(t *inspect.Tree, path []string) (at int, err error) {
	for _, word := range path {
		move, err := shogi.ParseMove(word)
		if err != nil {
			return 0, err
		}
		next := -1
		for _, e := range t.Nodes[at].Edges {
			if e.Move == move {
				next = e.Child
			}
		}
		if next < 0 {
			return 0, fmt.Errorf("the position after %s is not in the part of the tree that was read", word)
		}
		at = next
	}
	return at, nil
}

// below returns the nodes that the node of an index leads to, that node first.
func below(t *inspect.Tree, from int) inspect.Tree {
	out := inspect.Tree{Engine: t.Engine, Game: t.Game, Searched: t.Searched, Depth: t.Depth}
	index := map[int]int{from: 0}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		n := t.Nodes[queue[0]]
		edges := make([]inspect.Edge, len(n.Edges))
		for i, e := range n.Edges {
			if e.Child >= 0 {
				k, known := index[e.Child]
				if !known {
					k = len(index)
					index[e.Child] = k
					queue = append(queue, e.Child)
				}
				e.Child = k
			}
			edges[i] = e
		}
		n.Edges = edges
		out.Nodes = append(out.Nodes, n)
	}
	return out
}

// treeNode returns a node with its figures for the root's side to move.
func treeNode(n *inspect.Node) TreeNode {
	rate := func(p float64) float32 { return float32(p) }
	score, alpha, beta := n.Score, n.Alpha, n.Beta
	if n.Ply%2 == 1 {
		rate = func(p float64) float32 { return float32(1 - p) }
		score, alpha, beta = -score, -beta, -alpha
	}
	out := TreeNode{Ply: n.Ply, Node: n.Type.String(), N: n.Visits, Q: rate(n.WinRate), Proof: n.Proof, Score: score, Alpha: alpha, Beta: beta, Scored: n.Scored,
		Depth: n.Depth, Table: n.FromTable, Skipped: n.Skipped + n.MoreSkipped, More: n.More, MoreN: n.MoreVisits}
	if n.HasValue {
		v := rate(n.Value)
		out.V = &v
	}
	for i := range n.Edges {
		e := &n.Edges[i]
		out.Edges = append(out.Edges, TreeEdge{Move: e.Move.String(), To: e.Child, N: e.Visits, P: float32(e.Prior), Q: rate(e.WinRate)})
	}
	return out
}

// keyText returns a position's key as other tools write it.
func keyText(key uint64) string { return fmt.Sprintf("%016x", key) }
