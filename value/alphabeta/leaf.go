package alphabeta

import "github.com/yomi-shogi/yomi/shogi"

// CaptureSearch is a leaf evaluator for the tree search: before a value net judges a position, it looks at the captures that win
// something, for both sides, as far as its nodes allow. The side to move takes what is best for it: the position as it stands or
// a capture. It keeps scratch memory: use it in one goroutine. It allocates nothing after NewCaptureSearch.
type CaptureSearch struct {
	value     Value
	options   CaptureOptions
	nodes     int
	capturing capturing
	stack     [maxCaptureDepth + 1]shogi.Position
	lists     [maxCaptureDepth + 1][]shogi.Move
}

// CaptureOptions bounds a CaptureSearch.
type CaptureOptions struct {
	// Nodes is the largest number of positions that are judged, the first one included.
	Nodes int
	// Depth is the longest line of captures.
	Depth int
	// Least is what a capture must win by static exchange, a pawn being 90.
	Least int
}

const maxCaptureDepth = 16

// DefaultCaptureOptions looks at few captures, since every position judged takes time from the tree.
func DefaultCaptureOptions() CaptureOptions { return CaptureOptions{Nodes: 4, Depth: 4, Least: 200} }

// NewCaptureSearch returns an evaluator over another one. Options out of range are brought into it.
func NewCaptureSearch(v Value, o CaptureOptions) *CaptureSearch {
	o.Nodes, o.Depth, o.Least = max(o.Nodes, 1), min(max(o.Depth, 0), maxCaptureDepth), max(o.Least, 0)
	c := &CaptureSearch{value: v, options: o}
	c.capturing.scores = make([]int, 0, shogi.MaxMoves)
	for i := range c.lists {
		c.lists[i] = make([]shogi.Move, 0, shogi.MaxMoves)
	}
	return c
}

// WinRate returns the expected result for the side to move, 0..1.
func (c *CaptureSearch) WinRate(p *shogi.Position) float32 {
	c.nodes = 0
	c.stack[0] = *p
	return c.quiesce(0, 1, 0)
}

// quiesce is fail-soft alpha-beta over captures, with win rates.
func (c *CaptureSearch) quiesce(alpha, beta float32, ply int) float32 {
	p := &c.stack[ply]
	c.nodes++
	best := c.value.WinRate(p)
	if best >= beta || ply >= c.options.Depth || c.nodes >= c.options.Nodes || p.InCheck() {
		return best
	}
	c.lists[ply] = c.capturing.appendTo(c.lists[ply][:0], p, c.options.Least)
	for _, m := range c.lists[ply] {
		if c.nodes >= c.options.Nodes {
			break
		}
		c.stack[ply+1] = *p
		c.stack[ply+1].Do(m)
		score := 1 - c.quiesce(1-beta, 1-max(alpha, best), ply+1)
		if best = max(best, score); best >= beta {
			break
		}
	}
	return best
}
