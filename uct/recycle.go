package uct

import (
	"slices"
	"sync/atomic"
	"time"
)

// recycler makes room in a full tree. A clock hand goes round the table in blocks of slots that lie apart, so that the room it makes is
// spread over the table. In each block it forgets the nodes whose visits are few, halving them twice for each search since the last
// one came by. How few adapts itself: more where too little became free. What parents know of a forgotten node stays in their edges.
type recycler struct {
	hand   uint32  // blocks passed
	few    uint32  // nodes with so many visits are forgotten
	pinned []*node // that stay
	leaves bool    // nodes without moves are forgotten too: slots are short

	forgotten, pauses, longest atomic.Int64
	exhausted                  atomic.Bool // the last pause did not find enough: until the next search there is none
}

const (
	// recycleBlock is the number of slots that the hand looks at before it jumps: 16 KiB of nodes.
	recycleBlock = 256
	// recycleBlocks ends a pause once there is some room, so that a search is not held up: 4 MiB of nodes, one or two milliseconds.
	recycleBlocks = 256
	// recyclePart is the part of the memory that a pause makes free, unless that is more than recycleNodes nodes.
	recyclePart  = 64
	recycleNodes = 8192
	// cellsPerNode is about how many cells a node needs, those without moves included, and cellsPerPlayout what one playout may need.
	cellsPerNode    = 5
	cellsPerPlayout = 256
	// maxRevolutions is enough for the number of few visits to grow beyond all that nodes have.
	maxRevolutions = 64
)

// short reports whether it is time to recycle.
func (s *Searcher) short() bool {
	return (s.table.Used() >= s.limit || s.arena.spare.Load() < s.reserve || s.arena.missing.Load() > 0) && !s.recycler.exhausted.Load()
}

// recycle frees a part of what is short. The pinned nodes stay. No worker is in the tree.
func (s *Searcher) recycle(pinned ...*node) {
	began, c := time.Now(), &s.recycler
	c.pinned = pinned
	part := max(1, min(s.limit/recyclePart, recycleNodes))
	slots, cells := s.limit-part, s.reserve+int64(part*cellsPerNode)
	blocks := max(1, s.table.Cap()/recycleBlock)
	c.leaves = s.table.Used() > slots
	enough := func() bool {
		return s.table.Used() <= slots && s.arena.spare.Load() >= cells && s.arena.fits(int(s.arena.missing.Load()))
	}
	some := func() bool {
		return s.table.Used() < s.limit && s.arena.spare.Load() > s.reserve && s.arena.fits(int(s.arena.missing.Load()))
	}
	for looked := 0; looked < maxRevolutions*blocks && !enough(); looked++ {
		if looked >= recycleBlocks && some() {
			break
		}
		s.recycleNext(blocks)
	}
	s.arena.missing.Store(0)
	c.exhausted.Store(s.short())
	c.pinned = nil
	c.pauses.Add(1)
	c.longest.Store(max(c.longest.Load(), int64(time.Since(began))))
}

// recycleNext frees what may go in the next block.
func (s *Searcher) recycleNext(blocks int) {
	c, size := &s.recycler, min(recycleBlock, s.table.Cap())
	// Multiplying by an odd number modulo a power of two comes to each block once a revolution.
	first := int(c.hand*2654435761) & (blocks - 1) * size
	c.hand++
	used, freed, spare := 0, 0, s.arena.spare.Load()
	for slot := first; slot < first+size; slot++ {
		if !s.table.Entry(slot).Used {
			continue
		}
		used++
		if s.forget(slot) {
			freed++
		}
	}
	s.table.Sweep(first, size)
	c.forgotten.Add(int64(freed))
	few := freed*4 < used
	if !c.leaves { // cells are what is short
		few = (s.arena.spare.Load()-spare)*int64(blocks)*4 < int64(s.arena.used())
	}
	switch {
	case few:
		c.few = min(1<<30, c.few+1+c.few/4)
	case freed*2 > used && c.few > 1:
		c.few -= (c.few + 7) / 8
	}
}

// forget frees a slot whose node has few visits and reports whether it did.
func (s *Searcher) forget(slot int) bool {
	n := s.table.Node(slot)
	age := min(15, s.generation-s.table.Generation(slot))
	if n.visits.Load()>>(2*age) > s.recycler.few || n.edgeLen == 0 && !s.recycler.leaves || slices.Contains(s.recycler.pinned, n) {
		return false
	}
	s.arena.drop(n)
	s.table.Free(slot)
	return true
}

// recycle makes room while the search runs: its root and its principal variation stay.
func (r *run) recycle() {
	pinned := append(make([]*node, 0, maxLine), r.root)
	for p := r.position; len(pinned) < maxLine; {
		m := r.s.bestMove(pinned[len(pinned)-1])
		if !m.IsMove() || !p.IsLegal(m) {
			break
		}
		p.Do(m)
		n := r.s.find(&p)
		if n == nil {
			break
		}
		pinned = append(pinned, n)
	}
	before := r.s.recycler.forgotten.Load()
	r.s.recycle(pinned...)
	r.recycled.Add(r.s.recycler.forgotten.Load() - before)
}
