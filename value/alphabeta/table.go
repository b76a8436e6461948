package alphabeta

import (
	"fmt"
	"math/bits"

	"github.com/yomi-shogi/yomi/internal/search"
)

// Entry is what a transposition table remembers of a position.
type Entry[M comparable] struct {
	// Move is the best move found, the zero M for none. It is worth trying first even where the value is of no use.
	Move M
	// Value is a score for the side to move, mates counted from this position; Bound says whether it is exact.
	Value int
	Bound search.Bound
	// Depth is how deep the position was searched, in plies.
	Depth int
}

// Table is a transposition table. A search uses it from one goroutine.
type Table[M comparable] interface {
	// Probe returns the entry stored under the key.
	Probe(key uint64) (Entry[M], bool)
	// Store keeps an entry, and may drop others for it. An entry without a move keeps the move that was there.
	Store(key uint64, e Entry[M])
	// NewSearch tells that another search begins, so what is stored now will soon be old.
	NewSearch()
	// Full returns the permille of the room in use.
	Full() int
	// Clear forgets everything.
	Clear()
}

// BoundTable is the built-in table: buckets of four entries, found by the low bits of the key.
//
//	bucket  ┌────────┬────────┬────────┬────────┐
//	        │ entry  │ entry  │ entry  │ entry  │   for shogi 16 bytes an entry, 64 a bucket: one cache line
//	        └────────┴────────┴────────┴────────┘
//	entry   key 64 │ value 16 │ move │ depth 8 │ generation 6 · bound 2
//
// A new entry takes the place of the same key, else of an empty entry, else of the one with the least depth, where each
// search passed since it was stored counts as agePlies plies less.
type BoundTable[M comparable] struct {
	buckets    []bucket[M]
	generation uint8
}

const (
	bucketEntries = 4
	agePlies      = 4
	boundBits     = 2
	maxGeneration = 1<<(8-boundBits) - 1
	maxDepth      = 127
)

type bucket[M comparable] [bucketEntries]slot[M]

type slot[M comparable] struct {
	key   uint64
	value int16
	move  M
	depth int8
	// age is generation·4 + bound + 1, so that it is never 0 in use.
	age uint8
}

func (s *slot[M]) used() bool { return s.age != 0 }

func (s *slot[M]) generation() uint8 { return s.age >> boundBits }

func (s *slot[M]) bound() search.Bound { return search.Bound(s.age&(1<<boundBits-1)) - 1 }

// NewBoundTable returns a table with room for at least so many entries; the number is rounded up to a power of two.
func NewBoundTable[M comparable](entries int) (*BoundTable[M], error) {
	if entries < 1 || entries > maxTable {
		return nil, fmt.Errorf("table of %d entries: want 1 to %d", entries, maxTable)
	}
	n := max(1, (entries+bucketEntries-1)/bucketEntries)
	return &BoundTable[M]{buckets: make([]bucket[M], 1<<bits.Len(uint(n-1)))}, nil
}

// ShogiTableBytes returns the memory that NewBoundTable takes for so many entries in shogi.
func ShogiTableBytes(entries int) int64 {
	n := max(1, (entries+bucketEntries-1)/bucketEntries)
	return bucketEntries * entryBytes << bits.Len(uint(n-1))
}

// Entries returns the number of entries that fit.
func (t *BoundTable[M]) Entries() int { return len(t.buckets) * bucketEntries }

func (t *BoundTable[M]) bucket(key uint64) *bucket[M] {
	return &t.buckets[key&uint64(len(t.buckets)-1)]
}

// Probe returns the entry stored under the key.
func (t *BoundTable[M]) Probe(key uint64) (Entry[M], bool) {
	b := t.bucket(key)
	for i := range b {
		if s := &b[i]; s.key == key && s.used() {
			s.age = t.generation<<boundBits | s.age&(1<<boundBits-1)
			return Entry[M]{Move: s.move, Value: int(s.value), Bound: s.bound(), Depth: int(s.depth)}, true
		}
	}
	return Entry[M]{}, false
}

// Store keeps the entry. A bound that meets the opposite bound of the same depth becomes exact.
func (t *BoundTable[M]) Store(key uint64, e Entry[M]) {
	s, known := t.place(key)
	depth := int8(min(max(e.Depth, -maxDepth), maxDepth))
	var none M
	if known {
		if e.Move == none {
			e.Move = s.move
		}
		if s.depth == depth && int(s.value) == e.Value && s.bound() != e.Bound {
			e.Bound = search.Exact
		}
	}
	*s = slot[M]{key: key, value: int16(e.Value), move: e.Move, depth: depth, age: t.generation<<boundBits | uint8(e.Bound+1)}
}

// place returns the slot for the key, and whether it holds the key already.
func (t *BoundTable[M]) place(key uint64) (*slot[M], bool) {
	b := t.bucket(key)
	worst, least := &b[0], 1<<30
	for i := range b {
		s := &b[i]
		if s.used() && s.key == key {
			return s, true
		}
		worth := -1 << 20
		if s.used() {
			worth = int(s.depth) - agePlies*int((t.generation-s.generation())&maxGeneration)
		}
		if worth < least {
			worst, least = s, worth
		}
	}
	return worst, false
}

// NewSearch ages all entries.
func (t *BoundTable[M]) NewSearch() { t.generation = (t.generation + 1) & maxGeneration }

// fullSample is the number of buckets that Full looks at.
const fullSample = 250

// Full returns the permille of entries of this search, estimated from the first thousand.
func (t *BoundTable[M]) Full() int {
	n := min(fullSample, len(t.buckets))
	used := 0
	for i := range t.buckets[:n] {
		for j := range t.buckets[i] {
			if s := &t.buckets[i][j]; s.used() && s.generation() == t.generation {
				used++
			}
		}
	}
	return used * 1000 / (n * bucketEntries)
}

// Clear forgets everything.
func (t *BoundTable[M]) Clear() {
	clear(t.buckets)
	t.generation = 0
}
