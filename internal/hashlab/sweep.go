package hashlab

import (
	"context"
	"math"

	"github.com/yomi-shogi/yomi/nodehash"
	"github.com/yomi-shogi/yomi/nodehash/classic"
	"github.com/yomi-shogi/yomi/shogi"
)

// SweepConfig is a game that a search plays with a table that forgets before each move what the new root does not reach.
type SweepConfig struct {
	Size     int // slots, a power of two
	Playouts int // new ones a move; a search also ends at nine tenths
	Moves    int // moves of the searching side
	Seed     uint64
}

// DefaultSweeps are the book's own setting, a larger number of playouts, and a small table.
func DefaultSweeps() []SweepConfig {
	return []SweepConfig{{4096, 300, 12, 1}, {4096, 3000, 12, 1}, {1024, 1000, 12, 1}}
}

// Forget is what one sweep did.
type Forget struct {
	Load       float64 // before it
	Kept       int     // nodes that are still in the table
	Lost       int     // of these, nodes that a search for their key no longer returns
	RootLost   bool    // the root of the new search is among them
	Duplicates int     // nodes in the table, before the sweep, whose key an earlier slot has too
}

// Sweeps plays the game with the book's table and with yomi's. The search is the book's (PUCT, nodes merged by key, one
// node a playout) with policy and values drawn from the position's key, since tables do not care what is good.
func Sweeps(ctx context.Context, c SweepConfig) (book, ours []Forget, err error) {
	b, err := classic.NewBook(c.Size)
	if err != nil {
		return nil, nil, err
	}
	t, err := nodehash.New[struct{}](c.Size)
	if err != nil {
		return nil, nil, err
	}
	if book, err = newReplica(c, bookTable{b}).play(ctx); err != nil {
		return nil, nil, err
	}
	ours, err = newReplica(c, nodeTable{t}).play(ctx)
	return book, ours, err
}

// table is what the search needs from a table. An index of -1 is none.
type table interface {
	find(key classic.BookKey) int
	insert(key classic.BookKey) int
	entry(i int) (key classic.BookKey, used bool)
	keepBelow(root classic.BookKey, nodes []replicaNode)
	used() int
	enough() bool
}

type bookTable struct{ *classic.Book }

func (t bookTable) orNone(i int) int {
	if i == t.Size() {
		return -1
	}
	return i
}

func (t bookTable) find(key classic.BookKey) int   { return t.orNone(t.FindSameHashIndex(key)) }
func (t bookTable) insert(key classic.BookKey) int { return t.orNone(t.SearchEmptyIndex(key)) }
func (t bookTable) used() int                      { return t.Used() }
func (t bookTable) enough() bool                   { return t.EnoughSize() }

func (t bookTable) entry(i int) (classic.BookKey, bool) {
	e := t.Entry(i)
	return classic.BookKey{Hash: e.Hash, Color: e.Color, Moves: e.Moves}, e.Flag
}

func (t bookTable) keepBelow(root classic.BookKey, nodes []replicaNode) {
	for i := range nodes {
		t.SetChildren(i, nodes[i].child)
	}
	t.DeleteOldHash(root)
}

type nodeTable struct{ *nodehash.Table[struct{}] }

func nodeKey(k classic.BookKey) nodehash.Key {
	return nodehash.Key{Hash: k.Hash, Turn: k.Color, Moves: k.Moves}
}

func (t nodeTable) orNone(i int, ok bool) int {
	if !ok {
		return -1
	}
	return i
}

func (t nodeTable) find(key classic.BookKey) int   { return t.orNone(t.FindSameHashIndex(nodeKey(key))) }
func (t nodeTable) insert(key classic.BookKey) int { return t.orNone(t.SearchEmptyIndex(nodeKey(key))) }
func (t nodeTable) used() int                      { return t.Used() }
func (t nodeTable) enough() bool                   { return 10*t.Used() <= 9*t.Cap() }

func (t nodeTable) entry(i int) (classic.BookKey, bool) {
	e := t.Entry(i)
	return classic.BookKey{Hash: e.Hash, Color: e.Turn, Moves: e.Moves}, e.Used
}

func (t nodeTable) keepBelow(root classic.BookKey, nodes []replicaNode) {
	kept := make([]bool, t.Cap())
	var mark func(i int)
	mark = func(i int) {
		if i < 0 || kept[i] {
			return
		}
		kept[i] = true
		for _, child := range nodes[i].child {
			mark(child)
		}
	}
	mark(t.find(root))
	for i, keep := range kept {
		if !keep {
			t.Free(i)
		}
	}
	t.Sweep(0, t.Cap())
}

// replicaNode is the book's UctNode without what tables do not touch.
type replicaNode struct {
	moves  []shogi.Move
	prior  []float64
	child  []int
	visits []float64
	sums   []float64
	total  float64
	value  float64
}

// replica is the book's search over a table.
type replica struct {
	config SweepConfig
	table  table
	nodes  []replicaNode
}

func newReplica(c SweepConfig, t table) *replica {
	return &replica{config: c, table: t, nodes: make([]replicaNode, c.Size)}
}

func keyOf(p *shogi.Position) classic.BookKey {
	return classic.BookKey{Hash: p.Key(), Color: uint8(p.Side()), Moves: uint16(p.Ply())}
}

// play plays the moves and describes each sweep but the first, of an empty table.
func (r *replica) play(ctx context.Context) ([]Forget, error) {
	var out []Forget
	p := shogi.StartPosition()
	for range r.config.Moves {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := Forget{Load: float64(r.table.used()) / float64(r.config.Size), Duplicates: r.duplicates()}
		r.table.keepBelow(keyOf(&p), r.nodes)
		if f.Load > 0 {
			f.Kept, f.Lost, f.RootLost = r.kept(keyOf(&p))
			out = append(out, f)
		}
		root := r.expand(&p)
		if root < 0 || len(r.nodes[root].moves) == 0 {
			break
		}
		for range r.config.Playouts {
			if q := p; r.playout(&q, root) < 0 || !r.table.enough() {
				break
			}
		}
		best := r.mostVisited(root)
		p.Do(r.nodes[root].moves[best])
		reply := p.AppendLegal(nil)
		if len(reply) == 0 {
			break
		}
		move := reply[0]
		if child := r.nodes[root].child[best]; child >= 0 && len(r.nodes[child].moves) > 0 {
			move = r.nodes[child].moves[r.mostVisited(child)]
		}
		p.Do(move)
	}
	return out, nil
}

// duplicates counts the nodes whose key an earlier slot of the table has too.
func (r *replica) duplicates() int {
	seen := make(map[classic.BookKey]bool)
	count := 0
	for i := range r.config.Size {
		if key, used := r.table.entry(i); used {
			if seen[key] {
				count++
			}
			seen[key] = true
		}
	}
	return count
}

// kept counts the nodes in the table and those that cannot be found.
func (r *replica) kept(root classic.BookKey) (kept, lost int, rootLost bool) {
	for i := range r.config.Size {
		key, used := r.table.entry(i)
		if !used {
			continue
		}
		kept++
		if r.table.find(key) != i {
			lost++
			rootLost = rootLost || key == root && r.table.find(key) < 0
		}
	}
	return kept, lost, rootLost
}

// expand returns the position's node, made if it is not found; -1 if the table is full.
func (r *replica) expand(p *shogi.Position) int {
	key := keyOf(p)
	if i := r.table.find(key); i >= 0 {
		return i
	}
	i := r.table.insert(key)
	if i < 0 {
		return i
	}
	moves := p.AppendLegal(nil)
	n := replicaNode{moves: moves, prior: make([]float64, len(moves)), child: make([]int, len(moves)), visits: make([]float64, len(moves)), sums: make([]float64, len(moves))}
	sum := 0.0
	for k, m := range moves {
		n.child[k] = classic.NotExpanded
		const sharpness = 8 // a few moves get most of the prior, as from a policy net
		n.prior[k] = math.Exp(sharpness * unit(key.Hash^uint64(m)*0x9e3779b97f4a7c15^r.config.Seed))
		sum += n.prior[k]
	}
	for k := range n.prior {
		n.prior[k] /= sum
	}
	n.value = 0.3 + 0.4*unit(key.Hash^r.config.Seed<<32)
	r.nodes[i] = n
	return i
}

// unit turns a number into one from 0 to 1 that looks random (the end of MurmurHash3).
func unit(x uint64) float64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return float64(x>>11) / (1 << 53)
}

// playout goes down from a node and returns the result for its side to move, or -1 if the table is full.
func (r *replica) playout(p *shogi.Position, i int) float64 {
	if len(r.nodes[i].moves) == 0 {
		return 0
	}
	k := r.selectChild(i)
	p.Do(r.nodes[i].moves[k])
	child := r.nodes[i].child[k]
	result := 0.0
	if child == classic.NotExpanded {
		if child = r.expand(p); child < 0 {
			return -1
		}
		r.nodes[i].child[k] = child
		result = 1 - r.nodes[child].value
	} else if result = r.playout(p, child); result < 0 {
		return result
	} else {
		result = 1 - result
	}
	n := &r.nodes[i]
	n.total++
	n.visits[k]++
	n.sums[k] += result
	return result
}

// selectChild is the book's PUCT: 0.5 for unvisited moves, factor 1.
func (r *replica) selectChild(i int) int {
	n := &r.nodes[i]
	best, top := 0, math.Inf(-1)
	root := math.Sqrt(n.total)
	for k := range n.moves {
		q := 0.5
		if n.visits[k] > 0 {
			q = n.sums[k] / n.visits[k]
		}
		if score := q + n.prior[k]*root/(1+n.visits[k]); score > top {
			best, top = k, score
		}
	}
	return best
}

func (r *replica) mostVisited(i int) int {
	best := 0
	for k, visits := range r.nodes[i].visits {
		if visits > r.nodes[i].visits[best] {
			best = k
		}
	}
	return best
}
