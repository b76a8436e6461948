package nodehash

import "runtime"

// FindOrClaim returns the slot that holds the key, or a new one with a cleared node; isNew tells which. Any number of
// workers may call it at once, and a key is never stored twice (the package comment says why). If there is no free slot
// for the key, ok is false and the index is Cap().
func (t *Table[N]) FindOrClaim(key Key) (index int, isNew, ok bool) {
	return t.findOrClaim(key, 0)
}

// FindOrClaimChecked is FindOrClaim in check mode. check is the position's second key; if the slot found has another
// one, two different positions have the same 64-bit key, and the count of collisions in Stats goes up.
// It panics if the table was made without WithCheckKeys.
func (t *Table[N]) FindOrClaimChecked(key Key, check uint64) (index int, isNew, ok bool) {
	if t.checks == nil {
		panic("nodehash: FindOrClaimChecked on a table without check keys")
	}
	index, isNew, ok = t.findOrClaim(key, check)
	if ok && !isNew && t.checks[index] != check {
		t.collisions.Add(1)
	}
	return index, isNew, ok
}

func (t *Table[N]) findOrClaim(key Key, check uint64) (index int, isNew, ok bool) {
	want := key.usedMeta()
	i := t.HashToIndex(key.Hash)
	passedDeleted := false
	for left, spins := t.limit, 0; left > 0; {
		s := &t.keys[i]
		m := s.meta.Load()
		if m&keyMask == want && s.hash == key.Hash {
			return i, false, true
		}
		switch m & stateMask {
		case stateEmpty:
			if s.meta.CompareAndSwap(m, stateBusy) {
				if passedDeleted {
					return t.settleAtGate(i, key, check)
				}
				t.publish(i, key, check)
				return i, true, true
			}
			t.claimsLost.Add(1)
			continue
		case stateBusy:
			pause(&spins)
			continue
		case stateDeleted:
			passedDeleted = true
		}
		i = (i + 1) & int(t.mask)
		left--
	}
	if !passedDeleted {
		return len(t.keys), false, false
	}
	return t.settleCrowded(key, check)
}

// settleCrowded finishes an insert where no slot for the key is empty, but some were deleted. The lock is the gate.
func (t *Table[N]) settleCrowded(key Key, check uint64) (index int, isNew, ok bool) {
	t.crowded.Lock()
	defer t.crowded.Unlock()
	return t.settle(key, check, t.limit)
}

// settleAtGate finishes an insert by the worker that has made the slot gate busy: the key goes into a deleted slot
// before the gate if there still is one, else into the gate.
func (t *Table[N]) settleAtGate(gate int, key Key, check uint64) (index int, isNew, ok bool) {
	before := (gate - t.HashToIndex(key.Hash)) & int(t.mask)
	index, isNew, ok = t.settle(key, check, before)
	if ok {
		t.keys[gate].meta.Store(stateEmpty)
		return index, isNew, ok
	}
	t.publish(gate, key, check)
	return gate, true, true
}

// settle looks for the key in the first n slots of its sequence and otherwise puts it into the first deleted one of
// them. The caller holds the key's gate. ok is false if there was neither.
func (t *Table[N]) settle(key Key, check uint64, n int) (index int, isNew, ok bool) {
	home := t.HashToIndex(key.Hash)
	for d := range n {
		if i := (home + d) & int(t.mask); t.Holds(i, key) {
			return i, false, true
		}
	}
	for d := range n {
		i := (home + d) & int(t.mask)
		m := t.keys[i].meta.Load()
		if m&stateMask != stateDeleted {
			continue
		}
		if t.keys[i].meta.CompareAndSwap(m, stateBusy) {
			t.deleted.Add(-1)
			t.publish(i, key, check)
			return i, true, true
		}
		t.claimsLost.Add(1)
	}
	return len(t.keys), false, false
}

// publish writes a key into a slot that nobody else may write, clears its node and makes it used.
func (t *Table[N]) publish(index int, key Key, check uint64) {
	s := &t.keys[index]
	s.hash = key.Hash
	clear(t.nodes[index : index+1])
	if t.checks != nil {
		t.checks[index] = check
	}
	t.used.Add(1)
	s.meta.Store(key.usedMeta() | uint64(t.newGen.Load())<<generationShift)
}

// pause lets a moment pass for a worker that waits at a busy slot: first it spins, then it gives its thread away, as the
// worker it waits for may have none.
func pause(spins *int) {
	*spins++
	if *spins > 64 {
		runtime.Gosched()
	}
}
