package nodehash

// Stats describes how a table is filled. Counted while workers run it is approximate.
type Stats struct {
	Cap     int     // slots
	Used    int     // slots that hold a node
	Deleted int     // slots that are free, but still passed over by a search
	Load    float64 // Used / Cap, the book's usage rate (get_usage_rate)

	// ProbeLengths[n] is the number of nodes that are found by looking at n slots; ProbeLengths[0] is 0.
	ProbeLengths []int
	// MeanProbe is the mean of them, 0 for an empty table. Linear probing gives (1 + 1/(1-Load))/2 when nothing was
	// freed (Knuth, The Art of Computer Programming 3, 6.4).
	MeanProbe float64
	// LongestRun is the largest number of neighbouring slots that are not empty: an upper limit of any search.
	LongestRun int
	// PlyFill[n] is the number of nodes with move number n.
	PlyFill []int

	ClaimsLost int // slots that another worker took first, since the last Clear
	Collisions int // wrong positions found under an equal key, since the last Clear; counted in check mode only
}

// Stats walks over all keys and describes them. It takes about a millisecond for 100,000 slots.
func (t *Table[N]) Stats() Stats {
	st := Stats{Cap: t.Cap(), ClaimsLost: int(t.claimsLost.Load()), Collisions: int(t.collisions.Load())}
	probes := 0
	run, firstRun := 0, -1
	for i := range t.keys {
		s := &t.keys[i]
		m := s.meta.Load()
		switch m & stateMask {
		case stateUsed:
			n := (i-t.HashToIndex(s.hash))&int(t.mask) + 1
			st.ProbeLengths = countAt(st.ProbeLengths, n)
			st.PlyFill = countAt(st.PlyFill, int(uint16(m>>movesShift)))
			st.Used++
			probes += n
		case stateDeleted:
			st.Deleted++
		case stateEmpty:
			if firstRun < 0 {
				firstRun = run
			}
			run = -1
		}
		run++
		st.LongestRun = max(st.LongestRun, run)
	}
	if firstRun >= 0 { // the last run goes on at slot 0
		st.LongestRun = max(st.LongestRun, run+firstRun)
	}
	st.Load = float64(st.Used) / float64(st.Cap)
	if st.Used > 0 {
		st.MeanProbe = float64(probes) / float64(st.Used)
	}
	return st
}

// countAt adds one at an index and makes the slice as long as needed.
func countAt(counts []int, index int) []int {
	for len(counts) <= index {
		counts = append(counts, 0)
	}
	counts[index]++
	return counts
}
