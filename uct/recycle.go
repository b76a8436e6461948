package uct

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/yomi-shogi/yomi/nodehash"
)

// recycler makes room in a full tree. A clock hand goes round the table in blocks of slots that lie apart, so that the room it makes is
// spread over the table. In each block it forgets the nodes whose visits are few, halving them twice for each search since the last
// one came by. How few adapts itself: more where too little became free. What parents know of a forgotten node stays in their edges.
type recycler struct {
	hand   uint32         // blocks passed
	few    uint32         // nodes with so many visits are forgotten
	pinned []nodehash.Key // that stay
	leaves bool           // nodes without moves are forgotten too: slots are short

	// What was seen since few was set: used slots, those of them that were freed, and cells that were.
	used, freed int
	cells       int64

	forgotten, pauses, longest atomic.Int64
	exhausted                  atomic.Bool // the last pause did not find enough: until the next search there is none
}

const (
	// recycleBlock is the number of slots that the hand looks at before it jumps. With larger blocks probing gets longer, because slots that
	// were cleared long ago lie together.
	recycleBlock = 16
	// recycleBlocks ends a pause once there is some room, so that a search is not held up: half a MiB of slots, less than a millisecond.
	recycleBlocks = 512
	// recycleSample is the number of used slots after which few is set anew.
	recycleSample = 256
	// recyclePart is the part of the memory that a pause makes free, unless that is more than recycleNodes nodes.
	recyclePart  = 64
	recycleNodes = 1024
	// cellsPerNode is about how many cells a node needs, those without moves included, and cellsPerPlayout what one playout may need.
	cellsPerNode    = 5
	cellsPerPlayout = 256
	// sparePart is the part of the cells, in one over this, that is kept free: only in a loose arena are there long runs.
	sparePart = 10
	// longBlock is the size from which on a block that is not to be had is done without: a node then tries no further moves.
	longBlock = 32
	// maxRevolutions is enough for the number of few visits to grow beyond all that nodes have.
	maxRevolutions = 64
)

// reset makes the recycler ready for an empty tree. What it did before must not change the next search.
func (c *recycler) reset() {
	c.hand, c.few, c.leaves = 0, 1, false
	c.used, c.freed, c.cells = 0, 0, 0
	c.exhausted.Store(false)
}

// short reports whether it is time to recycle.
func (s *Searcher) short() bool {
	return (s.table.Used() >= s.limit || s.arena.spare.Load() < s.reserve.Load() || s.arena.refused.Load() < longBlock) && !s.recycler.exhausted.Load()
}

// recycle frees a part of what is short. The pinned nodes stay, but all may move to other slots. No worker is in the tree.
func (s *Searcher) recycle(pinned ...nodehash.Key) {
	began, c := time.Now(), &s.recycler
	c.pinned = pinned
	part := max(1, min(s.limit/recyclePart, recycleNodes))
	slots, cells := s.limit-part, s.reserve.Load()+int64(part*cellsPerNode)
	blocks := max(1, s.table.Cap()/recycleBlock)
	c.leaves = s.table.Used() > slots
	if s.arena.refused.Load() < longBlock {
		cells = max(cells, s.arena.spare.Load()+int64(part*cellsPerNode))
	}
	for looked := 0; looked < maxRevolutions*blocks && (s.table.Used() > slots || s.arena.spare.Load() < cells); looked++ {
		if looked >= recycleBlocks && s.table.Used() < s.limit && s.arena.spare.Load() > s.reserve.Load() {
			break
		}
		s.recycleNext(blocks)
	}
	s.arena.refused.Store(noneRefused)
	c.exhausted.Store(s.short())
	c.pinned = nil
	c.pauses.Add(1)
	c.longest.Store(max(c.longest.Load(), int64(time.Since(began))))
}

// recycleNext frees what may go in the next block.
func (s *Searcher) recycleNext(blocks int) {
	c, size, spare := &s.recycler, min(recycleBlock, s.table.Cap()), s.arena.spare.Load()
	// Multiplying by an odd number modulo a power of two comes to each block once a revolution.
	first := int(c.hand*2654435761) & (blocks - 1) * size
	c.hand++
	for slot := first; slot < first+size; {
		entry := s.table.Entry(slot)
		if entry.Used {
			c.used++
			if s.forget(slot, entryKey(entry)) {
				c.freed++
				c.forgotten.Add(1)
				continue // another node may have moved here
			}
		}
		slot++
	}
	c.cells += s.arena.spare.Load() - spare
	if c.used >= min(recycleSample, s.table.Cap()/2) {
		s.adapt()
	}
}

// adapt sets how few visits a node may have to be forgotten: a quarter to a half of what is short should go.
func (s *Searcher) adapt() {
	c := &s.recycler
	part := float64(c.freed) / float64(c.used)
	if !c.leaves {
		part = float64(c.cells) / float64(s.arena.used()) * float64(s.table.Used()) / float64(c.used)
	}
	switch {
	case part < 0.25:
		c.few = min(1<<30, c.few+1+c.few/4)
	case part > 0.5 && c.few > 1:
		c.few -= (c.few + 7) / 8
	}
	c.used, c.freed, c.cells = 0, 0, 0
}

// forget frees a slot whose node has few visits and reports whether it did.
func (s *Searcher) forget(slot int, key nodehash.Key) bool {
	n := s.table.Node(slot)
	age := min(15, s.generation-s.table.Generation(slot))
	if n.visits.Load()>>(2*age) > s.recycler.few || n.edgeLen == 0 && !s.recycler.leaves || slices.Contains(s.recycler.pinned, key) {
		return false
	}
	s.arena.drop(n)
	return s.table.Remove(slot)
}

// recycle makes room while the search runs: its root and its principal variation stay.
func (r *run) recycle() {
	pinned := append(make([]nodehash.Key, 0, maxLine), keyOf(&r.position))
	p := r.position
	for n := r.root; len(pinned) < maxLine; {
		m := r.s.bestMove(n)
		if !m.IsMove() || !p.IsLegal(m) {
			break
		}
		p.Do(m)
		if n = r.s.find(&p); n == nil {
			break
		}
		pinned = append(pinned, keyOf(&p))
	}
	before := r.s.recycler.forgotten.Load()
	r.s.recycle(pinned...)
	r.root = r.s.find(&r.position)
	r.recycled.Add(r.s.recycler.forgotten.Load() - before)
}
