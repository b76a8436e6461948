package uct

import (
	"math/bits"
	"sync"
	"unsafe"
)

// cellBytes is the size of an arena cell: the statistics of one edge, or six edges.
const cellBytes = 24

const edgesPerCell = cellBytes / 4

// roomClasses is the number of sizes that statistics blocks have: 1, 2, 4 … 1024 cells.
const roomClasses = 11

// arena hands out blocks of cells. Cell 0 is never handed out. Statistics blocks that were outgrown are chained by their first
// cell's child field and used again.
type arena struct {
	cells []edgeStat

	mu   sync.Mutex
	next int
	free [roomClasses]uint32
}

func newArena(cells int) *arena {
	return &arena{cells: make([]edgeStat, cells), next: 1}
}

func (a *arena) clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next = 1
	a.free = [roomClasses]uint32{}
}

// used returns the number of cells in use.
func (a *arena) used() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.next - 1
}

// take returns the first cell of a block; ok is false when the arena is full.
func (a *arena) take(cells int) (first uint32, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.next+cells > len(a.cells) {
		return 0, false
	}
	first = uint32(a.next)
	a.next += cells
	return first, true
}

// roomClass returns the class of the smallest statistics block for n edges, and its cells.
func roomClass(n int) (class, cells int) {
	class = bits.Len(uint(n - 1))
	return class, 1 << class
}

// takeStats returns a cleared statistics block for n edges, 1 or more.
func (a *arena) takeStats(n int) (first uint32, cells int, ok bool) {
	class, cells := roomClass(n)
	a.mu.Lock()
	first = a.free[class]
	if first != 0 {
		a.free[class] = a.cells[first].child
	}
	a.mu.Unlock()
	if first == 0 {
		if first, ok = a.take(cells); !ok {
			return 0, 0, false
		}
	}
	clear(a.cells[first : int(first)+cells])
	return first, cells, true
}

// freeStats gives back a block of takeStats.
func (a *arena) freeStats(first uint32, cells int) {
	class, _ := roomClass(cells)
	a.mu.Lock()
	a.cells[first].child = a.free[class]
	a.free[class] = first
	a.mu.Unlock()
}

// takeEdges returns a block for n edges.
func (a *arena) takeEdges(n int) (first uint32, ok bool) {
	return a.take((n + edgesPerCell - 1) / edgesPerCell)
}

// edges returns the node's edge list.
func (a *arena) edges(n *node) []edge {
	if n.edgeLen == 0 {
		return nil
	}
	return unsafe.Slice((*edge)(unsafe.Pointer(&a.cells[n.edges])), int(n.edgeLen))
}

// stats returns the statistics of the node's visited edges.
func (a *arena) stats(n *node) []edgeStat {
	return a.cells[n.stats : int(n.stats)+int(n.visited)]
}

// grow makes room for the statistics of want edges. The caller holds the node's lock. It reports whether there is room.
func (a *arena) grow(n *node, want int) bool {
	if want <= int(n.room) {
		return true
	}
	first, cells, ok := a.takeStats(want)
	if !ok {
		return false
	}
	copy(a.cells[first:], a.stats(n))
	if n.room > 0 {
		a.freeStats(n.stats, int(n.room))
	}
	n.stats, n.room = first, uint16(cells)
	return true
}
