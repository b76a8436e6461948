package uct

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/yomi-shogi/yomi/nodehash"
)

// cellBytes is the size of an arena cell: the statistics of one edge, or six edges.
const cellBytes = 24

const edgesPerCell = cellBytes / 4

// roomClasses is the number of sizes that statistics blocks have: 1, 2, 4 … 1024 cells.
const roomClasses = 11

// arena is the memory of edges and statistics. Which cells are free is a bit each, so that neighbours that were given back at
// different times are one run again. A cursor goes round the arena; workers take runs of free cells from where it stands and cut their
// blocks from those, each without a lock. Cell 0 is never handed out.
type arena struct {
	cells []edgeStat

	mu     sync.Mutex
	vacant []uint64 // a bit a cell
	cursor int
	run    int // the longest run that a worker takes at once

	spare   atomic.Int64 // bits set in vacant
	refused atomic.Int64 // cells of the smallest block that was asked for in vain since cells were last freed by the search; noneRefused for none
}

// noneRefused is more than any block has.
const noneRefused = 1 << 30

func newArena(cells int) *arena {
	a := &arena{
		cells:  nodehash.Memory[edgeStat](cells),
		vacant: make([]uint64, (cells+63)/64),
		run:    max(16, min(512, cells/64)),
	}
	a.clear()
	return a
}

func (a *arena) clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.vacant)
	a.spare.Store(0)
	a.refused.Store(noneRefused)
	a.cursor = 1
	a.mark(1, len(a.cells)-1)
}

// used returns the number of cells in use, those included that a worker holds ready.
func (a *arena) used() int { return len(a.cells) - 1 - int(a.spare.Load()) }

// giveBack makes a block free.
func (a *arena) giveBack(first, cells int) {
	if cells == 0 {
		return
	}
	a.mu.Lock()
	a.mark(first, cells)
	a.mu.Unlock()
}

// mark makes the bits of a block free; the caller holds the lock.
func (a *arena) mark(first, cells int) {
	a.spare.Add(int64(cells))
	for cells > 0 {
		offset := first & 63
		n := min(cells, 64-offset)
		a.vacant[first>>6] |= ^uint64(0) >> (64 - n) << offset
		first, cells = first+n, cells-n
	}
}

// unmark is the opposite of mark.
func (a *arena) unmark(first, cells int) {
	a.spare.Add(int64(-cells))
	for cells > 0 {
		offset := first & 63
		n := min(cells, 64-offset)
		a.vacant[first>>6] &^= ^uint64(0) >> (64 - n) << offset
		first, cells = first+n, cells-n
	}
}

// takeRun hands out the next run of free cells that is as long as asked for, or longer. It goes round the arena at most once, and then
// remembers in refused what it did not find, so that it need not look again.
func (a *arena) takeRun(cells int) (first, length int, ok bool) {
	if int64(cells) >= a.refused.Load() {
		return 0, 0, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if int(a.spare.Load()) >= cells {
		most := max(cells, a.run)
		if first, length, ok = a.search(a.cursor, len(a.cells), cells, most); !ok {
			first, length, ok = a.search(1, min(len(a.cells), a.cursor+cells), cells, most)
		}
	}
	if !ok {
		a.refused.Store(min(a.refused.Load(), int64(cells)))
		return 0, 0, false
	}
	a.unmark(first, length)
	a.cursor = first + length
	return first, length, true
}

// search returns the first run of at least cells free ones from a place on, cut to most.
func (a *arena) search(from, to, cells, most int) (first, length int, ok bool) {
	for from < to {
		word := a.vacant[from>>6] >> (from & 63)
		if word == 0 {
			from = from&^63 + 64
			continue
		}
		from += bits.TrailingZeros64(word)
		if from >= to {
			break
		}
		if length = a.runFrom(from, min(to-from, most)); length >= cells {
			return from, length, true
		}
		from += length + 1
	}
	return 0, 0, false
}

// runFrom counts the free cells from one on, up to most.
func (a *arena) runFrom(first, most int) int {
	length := 0
	for length < most {
		at := first + length
		ones := bits.TrailingZeros64(^(a.vacant[at>>6] >> (at & 63)))
		length += ones
		if ones < 64-at&63 {
			break
		}
	}
	return min(length, most)
}

// edges returns the node's edge list: its legal moves, or the first ones of them.
func (a *arena) edges(n *node) []edge {
	return a.edgesAt(n.edges, n.listed())
}

// edgesAt returns the list of a number of edges that begins in a cell.
func (a *arena) edgesAt(first uint32, edges int) []edge {
	if edges == 0 {
		return nil
	}
	return unsafe.Slice((*edge)(unsafe.Pointer(&a.cells[first])), edges)
}

// stats returns the statistics of the node's visited edges.
func (a *arena) stats(n *node) []edgeStat {
	return a.cells[n.stats : int(n.stats)+int(n.visited)]
}

// drop gives the node's blocks back.
func (a *arena) drop(n *node) {
	a.giveBack(int(n.edges), edgeCells(n.listed()))
	a.giveBack(int(n.stats), int(n.room))
}

// edgeCells returns the cells of a list of n edges.
func edgeCells(n int) int { return (n + edgesPerCell - 1) / edgesPerCell }

// roomClass returns the class of the smallest statistics block for n edges, and its cells.
func roomClass(n int) (class, cells int) {
	class = bits.Len(uint(n - 1))
	return class, 1 << class
}

// allocator is one worker's access to the arena: a run of cells from which it cuts blocks, and the statistics blocks that nodes
// have outgrown, chained by their first cell's child field.
type allocator struct {
	arena     *arena
	next, end int
	outgrown  [roomClasses]uint32
}

// take returns the first cell of a block; ok is false when the arena has no run that long.
func (a *allocator) take(cells int) (first uint32, ok bool) {
	if a.end-a.next < cells {
		start, length, ok := a.arena.takeRun(cells)
		if !ok {
			return 0, false
		}
		a.arena.giveBack(a.next, a.end-a.next)
		a.next, a.end = start, start+length
	}
	first = uint32(a.next)
	a.next += cells
	return first, true
}

// takeEdges returns a block for n edges.
func (a *allocator) takeEdges(n int) (first uint32, ok bool) { return a.take(edgeCells(n)) }

// takeStats returns a cleared statistics block for n edges, 1 or more.
func (a *allocator) takeStats(n int) (first uint32, cells int, ok bool) {
	class, cells := roomClass(n)
	if first = a.outgrown[class]; first != 0 {
		a.outgrown[class] = a.arena.cells[first].child
	} else if first, ok = a.take(cells); !ok {
		return 0, 0, false
	}
	clear(a.arena.cells[first : int(first)+cells])
	return first, cells, true
}

// keep puts an outgrown block aside for the next node that needs one of its size.
func (a *allocator) keep(first uint32, cells int) {
	class, _ := roomClass(cells)
	a.arena.cells[first].child = a.outgrown[class]
	a.outgrown[class] = first
}

// grow makes room for the statistics of want edges. The caller holds the node's lock. It reports whether there is room.
func (a *allocator) grow(n *node, want int) bool {
	if want <= int(n.room) {
		return true
	}
	first, cells, ok := a.takeStats(want)
	if !ok {
		return false
	}
	copy(a.arena.cells[first:], a.arena.stats(n))
	if n.room > 0 {
		a.keep(n.stats, int(n.room))
	}
	n.stats, n.room = first, uint16(cells)
	return true
}

// release gives everything back to the arena.
func (a *allocator) release() {
	a.arena.giveBack(a.next, a.end-a.next)
	for class, first := range a.outgrown {
		for first != 0 {
			next := a.arena.cells[first].child
			a.arena.giveBack(int(first), 1<<class)
			first = next
		}
	}
	a.forget()
}

// forget is for an arena that was cleared.
func (a *allocator) forget() { *a = allocator{arena: a.arena} }
