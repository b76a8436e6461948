package classic

import "fmt"

// NotExpanded marks an edge without a child in the lists that Book.SetChildren takes (the book's NOT_EXPANDED).
const NotExpanded = -1

// BookEntry is a slot of Book (the book's NodeHashEntry). Clearing the flag leaves the other fields as they are.
type BookEntry struct {
	Hash  uint64 // Zobrist hash
	Color uint8  // side to move: 0 Black, 1 White
	Moves uint16 // move number, 1 at the start position
	Flag  bool   // in use
}

// BookKey is what Book looks for.
type BookKey struct {
	Hash  uint64
	Color uint8
	Moves uint16
}

// Book is the book's NodeHash together with the child lists of its UctNode array, which the sweep walks. Every quirk of
// the original is kept: inserts never compare keys, a search stops at the first cleared flag even if the key was stored
// behind it, and the sweep punches such holes. It is for one goroutine.
type Book struct {
	entries  []BookEntry
	children [][]int
	used     int
	enough   bool
}

// NewBook returns a table with size slots (UCT_HASH_SIZE, 4096 in the book), a power of two.
func NewBook(size int) (*Book, error) {
	if size < 1 || size&(size-1) != 0 {
		return nil, fmt.Errorf("classic: size %d is not a power of two", size)
	}
	b := &Book{entries: make([]BookEntry, size), children: make([][]int, size)}
	b.Initialize()
	return b, nil
}

// Initialize sets all entries to zero (initialize).
func (b *Book) Initialize() {
	clear(b.entries)
	clear(b.children)
	b.used = 0
	b.enough = true
}

// Size returns the number of slots, which is also the answer «none» (UCT_HASH_SIZE).
func (b *Book) Size() int { return len(b.entries) }

// Used returns the number of slots that the table believes to be in use (used).
func (b *Book) Used() int { return b.used }

// EnoughSize is false once an insert has brought the table above nine tenths; the book then ends its search. A sweep
// sets it to true whatever has survived (enough_size).
func (b *Book) EnoughSize() bool { return b.enough }

// UsageRate returns the share of slots in use (get_usage_rate).
func (b *Book) UsageRate() float64 { return float64(b.used) / float64(len(b.entries)) }

// Entry returns a slot.
func (b *Book) Entry(index int) BookEntry { return b.entries[index] }

// HashToIndex returns the slot at which a search for a hash begins: its two halves xored, cut to the size
// (hash_to_index).
func (b *Book) HashToIndex(hash uint64) int {
	return int((uint32(hash) ^ uint32(hash>>32)) & uint32(len(b.entries)-1))
}

// SearchEmptyIndex takes the first slot from the key's home on whose flag is not set (search_empty_index). It returns
// Size() and changes nothing if there is none. It never looks for an equal key.
func (b *Book) SearchEmptyIndex(key BookKey) int {
	i := b.HashToIndex(key.Hash)
	for range b.entries {
		if !b.entries[i].Flag {
			b.entries[i] = BookEntry{Hash: key.Hash, Color: key.Color, Moves: key.Moves, Flag: true}
			b.children[i] = nil
			b.used++
			if float64(b.used) > float64(len(b.entries))*9/10 {
				b.enough = false
			}
			return i
		}
		i = (i + 1) & (len(b.entries) - 1)
	}
	return len(b.entries)
}

// FindSameHashIndex returns the slot that holds the key, or Size() (find_same_hash_index). It gives up at the first slot
// whose flag is not set.
func (b *Book) FindSameHashIndex(key BookKey) int {
	i := b.HashToIndex(key.Hash)
	for range b.entries {
		e := &b.entries[i]
		if !e.Flag {
			break
		}
		if e.Hash == key.Hash && e.Color == key.Color && e.Moves == key.Moves {
			return i
		}
		i = (i + 1) & (len(b.entries) - 1)
	}
	return len(b.entries)
}

// SetChildren gives the slots of a node's children, NotExpanded where there is none (child_index of UctNode).
func (b *Book) SetChildren(index int, children []int) { b.children[index] = children }

// ClearFlag clears one flag by hand and leaves Used alone, as the tests of the original do.
func (b *Book) ClearFlag(index int) { b.entries[index].Flag = false }

// DeleteOldHash keeps the nodes that are reached from the new root and clears the flags of all others
// (delete_old_hash): mark and sweep. A node that is kept is not always found afterwards, see Lost.
func (b *Book) DeleteOldHash(root BookKey) {
	r := b.FindSameHashIndex(root)
	b.used = 0
	for i := range b.entries {
		b.entries[i].Flag = false
	}
	if r != len(b.entries) {
		b.saveUsedHash(r)
	}
	b.enough = true
}

// saveUsedHash sets the flags of a node and of all below it (save_used_hash).
func (b *Book) saveUsedHash(index int) {
	b.entries[index].Flag = true
	b.used++
	for _, child := range b.children[index] {
		if child != NotExpanded && !b.entries[child].Flag {
			b.saveUsedHash(child)
		}
	}
}

// Lost counts the slots in use that a search for their key does not return: nodes that are alive and cannot be found.
func (b *Book) Lost() int {
	lost := 0
	for i, e := range b.entries {
		if e.Flag && b.FindSameHashIndex(BookKey{e.Hash, e.Color, e.Moves}) != i {
			lost++
		}
	}
	return lost
}
