package nodehash

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
)

const (
	// KeyBytes is what a slot needs beside its node.
	KeyBytes = 16

	// MaxCapacity is the largest number of slots that New accepts, 2^31: indices fit 32 bits with room to spare.
	MaxCapacity = 1 << 31

	// MaxProbe is the largest number of slots that are looked at for one key. In a table of up to MaxProbe slots that
	// is every slot. In a larger one it only matters at loads above 0.9; it bounds the time of a search in a full table.
	MaxProbe = 4096
)

// The bit fields of meta, as drawn in the package comment.
const (
	stateEmpty   = 0
	stateBusy    = 1
	stateUsed    = 2
	stateDeleted = 3
	stateMask    = 3

	turnShift       = 2
	movesShift      = 8
	generationShift = 32

	keyMask = 1<<generationShift - 1 // state, turn and moves
)

// Key says which position a node stands for.
type Key struct {
	Hash  uint64 // Zobrist key of board, hands and side
	Turn  uint8  // side to move: 0 Black, 1 White
	Moves uint16 // move number, 1 at the start position
}

// usedMeta returns the low half of meta of a used slot with this key.
func (k Key) usedMeta() uint64 {
	return stateUsed | uint64(k.Turn&1)<<turnShift | uint64(k.Moves)<<movesShift
}

// Entry is what a slot's key holds; the book's NodeHashEntry (hash, color, moves, flag). All fields of a slot that is
// not used are zero.
type Entry struct {
	Hash  uint64 // hash in the book
	Turn  uint8  // color in the book: 0 Black, 1 White
	Moves uint16 // moves in the book
	Used  bool   // flag in the book
}

// slot is one element of the array of keys.
type slot struct {
	hash uint64 // written while meta says busy, read after it said used
	meta atomic.Uint64
}

// pad keeps counters that workers write away from the cache lines that they read all the time.
type pad [128]byte

// Table is the book's NodeHash and its array of UctNode: a fixed number of slots with a key and a node each.
// Make one with New.
type Table[N any] struct {
	keys   []slot
	nodes  []N
	checks []uint64 // second keys, nil unless in check mode
	mask   uint32   // Cap()-1
	limit  int      // slots looked at for one key
	newGen atomic.Uint32

	_          pad
	used       atomic.Int64
	deleted    atomic.Int64
	claimsLost atomic.Int64
	collisions atomic.Int64
	crowded    sync.Mutex // the gate of all keys whose probe sequence has no empty slot
	_          pad
}

// Option changes what New makes.
type Option func(*options)

type options struct{ checkKeys bool }

// WithCheckKeys turns check mode on: each slot keeps a second, independent 64-bit key (8 more bytes), and
// FindOrClaimChecked counts the positions that agree in the first key and differ in the second.
func WithCheckKeys() Option { return func(o *options) { o.checkKeys = true } }

// New returns an empty table with capacity slots, a power of two from 1 to MaxCapacity (the book's UCT_HASH_SIZE and
// initialize). Its memory comes from the Go heap, in huge pages where the system offers them, and is touched at once,
// so a search never waits for the system. N should hold no pointers: then the garbage collector does not look at it.
func New[N any](capacity int, opts ...Option) (*Table[N], error) {
	if capacity < 1 || uint64(capacity) > MaxCapacity || bits.OnesCount(uint(capacity)) != 1 {
		return nil, fmt.Errorf("nodehash: capacity %d is not a power of two from 1 to %d", capacity, uint64(MaxCapacity))
	}
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	t := &Table[N]{
		keys:  Memory[slot](capacity),
		nodes: Memory[N](capacity),
		mask:  uint32(capacity - 1),
		limit: min(capacity, MaxProbe),
	}
	if o.checkKeys {
		t.checks = Memory[uint64](capacity)
	}
	return t, nil
}

// Cap returns the number of slots, the book's UCT_HASH_SIZE. It is also the index that stands for «none».
func (t *Table[N]) Cap() int { return len(t.keys) }

// Used returns the number of used slots, the book's used.
func (t *Table[N]) Used() int { return int(t.used.Load()) }

// Node returns the node of a slot. It is the caller's to synchronise; it is all zero when FindOrClaim or
// SearchEmptyIndex have just returned the slot.
func (t *Table[N]) Node(index int) *N { return &t.nodes[index] }

// Entry returns the key of a slot, or all zeros if it is not used.
func (t *Table[N]) Entry(index int) Entry {
	s := &t.keys[index]
	m := s.meta.Load()
	if m&stateMask != stateUsed {
		return Entry{}
	}
	return Entry{Hash: s.hash, Turn: uint8(m >> turnShift & 1), Moves: uint16(m >> movesShift), Used: true}
}

// HashToIndex returns the home of a hash: its two halves xored, cut to the table's size (the book's hash_to_index).
func (t *Table[N]) HashToIndex(hash uint64) int {
	return int((uint32(hash) ^ uint32(hash>>32)) & t.mask)
}

// Holds reports whether a slot is used by this key; it is how a remembered index is checked without a search.
func (t *Table[N]) Holds(index int, key Key) bool {
	s := &t.keys[index]
	return s.meta.Load()&keyMask == key.usedMeta() && s.hash == key.Hash
}

// FindSameHashIndex returns the slot that holds the key (the book's find_same_hash_index). If there is none, ok is
// false and the index is Cap().
func (t *Table[N]) FindSameHashIndex(key Key) (index int, ok bool) {
	want := key.usedMeta()
	i := t.HashToIndex(key.Hash)
	for left, spins := t.limit, 0; left > 0; {
		s := &t.keys[i]
		m := s.meta.Load()
		if m&keyMask == want && s.hash == key.Hash {
			return i, true
		}
		switch m & stateMask {
		case stateEmpty:
			return len(t.keys), false
		case stateBusy:
			pause(&spins)
			continue
		}
		i = (i + 1) & int(t.mask)
		left--
	}
	return len(t.keys), false
}

// SearchEmptyIndex takes the first free slot from the key's home on, writes the key into it and clears its node (the
// book's search_empty_index). It never compares keys: called twice with the same key it uses two slots. If there is no
// free slot, ok is false, the index is Cap() and nothing changes. It is for one worker alone; several use FindOrClaim.
func (t *Table[N]) SearchEmptyIndex(key Key) (index int, ok bool) {
	i := t.HashToIndex(key.Hash)
	for range t.limit {
		m := t.keys[i].meta.Load()
		switch m & stateMask {
		case stateDeleted:
			t.deleted.Add(-1)
			fallthrough
		case stateEmpty:
			t.publish(i, key, 0)
			return i, true
		}
		i = (i + 1) & int(t.mask)
	}
	return len(t.keys), false
}

// Clear empties all slots and sets the counters to zero (the book's initialize on an existing table). Nodes are cleared
// when their slot is used next. Only while all workers are parked.
func (t *Table[N]) Clear() {
	clear(t.keys)
	t.used.Store(0)
	t.deleted.Store(0)
	t.claimsLost.Store(0)
	t.collisions.Store(0)
}
