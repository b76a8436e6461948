package nodehash

// SetGeneration sets the generation that new nodes get from now on; a search counts it up by one each time it starts.
// Only while all workers are parked.
func (t *Table[N]) SetGeneration(generation uint32) { t.newGen.Store(generation) }

// Generation returns the generation in which a slot's node was made or last touched, 0 if the slot is not used.
func (t *Table[N]) Generation(index int) uint32 {
	m := t.keys[index].meta.Load()
	if m&stateMask != stateUsed {
		return 0
	}
	return uint32(m >> generationShift)
}

// Touch notes that a used slot was visited in a generation. It writes only if that is news, so a visited node costs one
// read most of the time. Any number of workers may call it at once.
func (t *Table[N]) Touch(index int, generation uint32) {
	if uint32(t.keys[index].meta.Load()>>generationShift) != generation {
		t.touch(index, generation)
	}
}

func (t *Table[N]) touch(index int, generation uint32) {
	s := &t.keys[index]
	for {
		m := s.meta.Load()
		if m&stateMask != stateUsed || s.meta.CompareAndSwap(m, m&keyMask|uint64(generation)<<generationShift) {
			return
		}
	}
}

// Remove gives a used slot back and closes the gap: nodes behind it that stand farther from their home than need be move up (D. Knuth, The Art of
// Computer Programming 3, 6.4, algorithm R). So nothing is left deleted, and probing stays as short as in a table into which only the
// other keys were put, which matters in a nearly full table: with Free and Sweep alone the deleted slots that displaced nodes
// still need would pile up there. Indices and pointers of other nodes are not good any more after it. It reports whether the slot
// was used. Only while all workers are parked.
func (t *Table[N]) Remove(index int) bool {
	if t.keys[index].meta.Load()&stateMask != stateUsed {
		return false
	}
	mask := int(t.mask)
	gap := index
	for i := (index + 1) & mask; i != index; i = (i + 1) & mask {
		m := t.keys[i].meta.Load()
		if m&stateMask == stateEmpty {
			break
		}
		if m&stateMask != stateUsed || (i-t.HashToIndex(t.keys[i].hash))&mask < (i-gap)&mask {
			continue // the gap is before its home
		}
		t.move(i, gap)
		gap = i
	}
	t.keys[gap].meta.Store(stateEmpty)
	t.used.Add(-1)
	return true
}

// move copies a slot to another one.
func (t *Table[N]) move(from, to int) {
	t.keys[to].hash = t.keys[from].hash
	t.keys[to].meta.Store(t.keys[from].meta.Load())
	t.nodes[to] = t.nodes[from]
	if t.checks != nil {
		t.checks[to] = t.checks[from]
	}
}

// Free gives a used slot back and reports whether it was used. The slot becomes deleted; if the next slot is empty, it
// and the deleted ones right before it become empty at once, since no key can lie behind them. Only while all workers
// are parked. After many calls Sweep finds the other deleted slots that can be empty.
func (t *Table[N]) Free(index int) bool {
	s := &t.keys[index]
	if s.meta.Load()&stateMask != stateUsed {
		return false
	}
	s.meta.Store(stateDeleted)
	t.used.Add(-1)
	t.deleted.Add(1)
	mask := int(t.mask)
	if t.keys[(index+1)&mask].meta.Load() != stateEmpty {
		return true
	}
	for i := index; t.keys[i].meta.Load() == stateDeleted; i = (i - 1) & mask {
		t.keys[i].meta.Store(stateEmpty)
		t.deleted.Add(-1)
	}
	return true
}

// Sweep makes every deleted slot among the count slots from first on empty that no used slot needs, and returns how many
// these were. A used slot needs all slots from its home to itself not to be empty. One backward pass over the part does
// it, after a look ahead to the next empty slot; no slot moves. count may be up to Cap(). Only while all workers are
// parked.
func (t *Table[N]) Sweep(first, count int) int {
	// Positions are counted from first on without wrapping, so that home positions before first are negative.
	mask := int(t.mask)
	needed := count // the lowest position that a used slot behind the current position needs
	for pos := count; pos < count+t.limit; pos++ {
		m := t.keys[(first+pos)&mask].meta.Load()
		if m&stateMask == stateEmpty {
			break
		}
		needed = min(needed, t.homePosition(first, pos, m))
	}
	freed := 0
	for pos := count - 1; pos >= 0; pos-- {
		s := &t.keys[(first+pos)&mask]
		m := s.meta.Load()
		if m&stateMask == stateDeleted && needed > pos {
			s.meta.Store(stateEmpty)
			freed++
		}
		needed = min(needed, t.homePosition(first, pos, m))
	}
	t.deleted.Add(-int64(freed))
	return freed
}

// homePosition returns where the probe sequence of the slot at a position begins; meta is the slot's. For a slot that is
// not used it is the position itself.
func (t *Table[N]) homePosition(first, pos int, meta uint64) int {
	if meta&stateMask != stateUsed {
		return pos
	}
	i := (first + pos) & int(t.mask)
	return pos - (i-t.HashToIndex(t.keys[i].hash))&int(t.mask)
}
