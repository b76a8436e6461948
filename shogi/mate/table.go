package mate

import (
	"math/bits"
	"unsafe"

	"github.com/yomi-shogi/yomi/shogi"
)

const (
	// unlimited as a limit of plies is no limit.
	unlimited = 1<<16 - 1
	// infinite is the proof or disproof number of a position that is settled the other way.
	infinite = 1 << 30
	// window is the number of slots in which an entry may lie.
	window = 16
)

// entry is what the table knows of a position. Exactly one of these holds:
//
//	proof == 0       mate within plies, for every hand of the attacker that covers hand
//	disproof == 0    no mate within limit plies, for every hand of the attacker that hand covers
//	otherwise        not settled: the numbers belong to exactly this hand and this limit
type entry struct {
	key             uint64 // board and side to move, without the hands
	hand            shogi.Hand
	proof, disproof uint32
	work            uint32 // positions looked at below it
	age             uint16 // the search that wrote it
	limit           uint16
	plies           uint16
	move            shogi.Move // the attacker's mating move
}

// EntryBytes is the size of a table entry.
const EntryBytes = 32

var _ [EntryBytes]byte = [unsafe.Sizeof(entry{})]byte{}

// table is an open-addressed hash table of fixed size. All entries of a board, whatever the hands, lie in one window of slots,
// so that one scan finds those that cover the hand asked for.
//
//	slots  │ … │ board A, hand P │ board A, hand PG │ board B, hand – │ free │ …
//	             ▲ home(A)                             ▲ home(B)
//
// A slot of an older age is free, so a new age empties the table at once.
type table struct {
	slots []entry
	mask  uint64
	age   uint16
	used  int
}

func newTable(bytes int) table {
	n := uint64(4 * window)
	if bytes > 0 && uint64(bytes)/EntryBytes > n {
		n = 1 << (bits.Len64(uint64(bytes)/EntryBytes) - 1)
	}
	return table{slots: make([]entry, n), mask: n - 1}
}

// clear forgets everything. Only when all ages are used up, once in 65535 times, does it touch the slots.
func (t *table) clear() {
	t.used = 0
	t.age++
	if t.age == 0 {
		clear(t.slots)
		t.age = 1
	}
}

func (t *table) home(key uint64) uint64 { return (key ^ key>>32) & t.mask }

// knowledge is the answer of a look-up, and of a search for its caller.
type knowledge struct {
	proof, disproof uint32
	// need is what a proof needs in the attacker's hand.
	need shogi.Hand
	// plies is the length of a proof, or up to which limit a disproof holds.
	plies uint16
	// loop is the smallest depth of a position on the path whose return the disproof rests on, noLoop when it rests on none.
	loop uint16
	move shogi.Move
}

// noLoop says that a disproof rests on no repetition.
const noLoop = 1<<16 - 1

// find returns what is known of the board with the hand in the attacker's hand under the limit. Of several proofs it takes the
// shortest.
func (t *table) find(key uint64, hand shogi.Hand, limit uint16) (knowledge, bool) {
	best := knowledge{loop: noLoop}
	found := false
	for i, n := t.home(key), 0; n < window; i, n = (i+1)&t.mask, n+1 {
		e := &t.slots[i]
		if e.age != t.age {
			break
		}
		if e.key != key {
			continue
		}
		switch {
		case e.proof == 0:
			if e.plies <= limit && hand.Covers(e.hand) && (!found || best.proof != 0 || e.plies < best.plies) {
				best, found = knowledge{0, infinite, e.hand, e.plies, noLoop, e.move}, true
			}
		case e.disproof == 0:
			if e.limit >= limit && e.hand.Covers(hand) && (!found || best.proof != 0) {
				best, found = knowledge{infinite, 0, 0, e.limit, noLoop, 0}, true
			}
		case e.hand == hand && e.limit == limit && !found:
			best, found = knowledge{proof: e.proof, disproof: e.disproof, loop: noLoop}, true
		}
	}
	return best, found
}

// store remembers what a search of the position came to.
func (t *table) store(key uint64, hand shogi.Hand, limit uint16, k *knowledge, work uint32) {
	fresh := entry{key: key, hand: hand, proof: k.proof, disproof: k.disproof, work: work, age: t.age, limit: limit}
	switch {
	case k.proof == 0:
		fresh.hand, fresh.plies, fresh.move = k.need, k.plies, k.move
	case k.disproof == 0:
		fresh.limit = k.plies
	}
	victim, least := &t.slots[t.home(key)], ^uint32(0)
	for i, n := t.home(key), 0; n < window; i, n = (i+1)&t.mask, n+1 {
		e := &t.slots[i]
		if e.age != t.age {
			t.used++
			victim = e
			break
		}
		if e.key == key && e.superseded(&fresh, hand, limit) {
			victim = e
			break
		}
		if w := e.worth(); w < least {
			victim, least = e, w
		}
	}
	*victim = fresh
}

// superseded reports whether the fresh entry, made for the hand and the limit, says all that e says.
func (e *entry) superseded(fresh *entry, hand shogi.Hand, limit uint16) bool {
	switch {
	case e.proof == 0:
		return fresh.proof == 0 && fresh.plies <= e.plies && e.hand.Covers(fresh.hand)
	case e.disproof == 0:
		return fresh.disproof == 0 && fresh.limit >= e.limit && fresh.hand.Covers(e.hand)
	}
	return e.hand == hand && e.limit == limit
}

// worth orders the entries that may have to go: those that took little work first, settled ones are worth more.
func (e *entry) worth() uint32 {
	if e.proof == 0 || e.disproof == 0 {
		return min(e.work, 1<<28) * 8
	}
	return e.work
}

// loops remembers disproofs that rest on a repetition. They hold only for the path they were found on, which is part of the key.
type loops struct {
	slots []loop
	mask  uint64
}

type loop struct {
	key         uint64
	age         uint16
	depth, upTo uint16 // as loop and plies of knowledge
}

func newLoops(entries int) loops {
	return loops{slots: make([]loop, entries), mask: uint64(entries) - 1}
}

func (l *loops) find(key uint64, age uint16) (knowledge, bool) {
	e := &l.slots[key&l.mask]
	if e.age != age || e.key != key {
		return knowledge{}, false
	}
	return knowledge{proof: infinite, plies: e.upTo, loop: e.depth}, true
}

func (l *loops) store(key uint64, age uint16, k *knowledge) {
	l.slots[key&l.mask] = loop{key, age, k.loop, k.plies}
}
