package alphabeta

import "slices"

// The bands of a move's rank in OrderMemory, above and between the game's own ranks.
const (
	hintBand       = 1 << 40
	refutationBand = 1 << 39
	loudBand       = 1 << 32
	killerBand     = 1 << 30
	counterBand    = 1 << 29
)

// orderRoot returns the root's moves in the order of the first iteration.
func (s *Search[M]) orderRoot(f *frame[M]) []M {
	if s.orderer == nil || s.config.Ordering == OrderNone {
		return f.moves
	}
	ordered := slices.Clone(f.moves)
	s.orderer.Prepare()
	slices.SortStableFunc(ordered, func(a, b M) int { return s.orderer.Rank(b) - s.orderer.Rank(a) })
	return ordered
}

// rankByGame ranks the frame's moves by the game alone.
func (s *Search[M]) rankByGame(f *frame[M]) {
	f.ranks = f.ranks[:0]
	if s.orderer == nil || s.config.Ordering == OrderNone {
		return
	}
	s.orderer.Prepare()
	for _, m := range f.moves {
		f.ranks = append(f.ranks, s.orderer.Rank(m))
	}
}

// rank ranks the frame's moves; without ranks they are tried as they stand.
func (s *Search[M]) rank(f *frame[M], hint M, ply int) {
	s.rankByGame(f)
	if s.config.Ordering != OrderMemory {
		return
	}
	if len(f.ranks) == 0 {
		f.ranks = append(f.ranks, make([]int, len(f.moves))...)
	}
	c := &s.config
	var none M
	counter := none
	if c.CounterMoves && s.counters != nil && ply > 0 {
		counter = s.counters[s.frames[ply-1].slot]
	}
	refutation := s.expected(ply)
	for i, m := range f.moves {
		r := f.ranks[i]
		switch {
		case c.TableMove && m == hint:
			r = hintBand
		case m == refutation:
			r = refutationBand
		case r >= LoudRank:
			r += loudBand
		case c.Killers && m == f.killers[0]:
			r = killerBand + 1
		case c.Killers && m == f.killers[1]:
			r = killerBand
		case m == counter && m != none:
			r = counterBand
		case c.History && s.history != nil:
			r += int(s.history[s.orderer.Slot(m)])
		}
		f.ranks[i] = r
	}
}

// pick brings the best of the moves from the i-th on to place i, and returns it. Equal moves keep their order.
func (s *Search[M]) pick(f *frame[M], i int) M {
	if len(f.ranks) == 0 {
		return f.moves[i]
	}
	best := i
	for j := i + 1; j < len(f.ranks); j++ {
		if f.ranks[j] > f.ranks[best] {
			best = j
		}
	}
	m, r := f.moves[best], f.ranks[best]
	copy(f.moves[i+1:best+1], f.moves[i:best])
	copy(f.ranks[i+1:best+1], f.ranks[i:best])
	f.moves[i], f.ranks[i] = m, r
	return m
}

// enterMove notes the class of the move that is about to be made.
func (s *Search[M]) enterMove(f *frame[M], m M) {
	if s.orderer != nil && s.config.Ordering == OrderMemory {
		f.slot = s.orderer.Slot(m)
	}
}

// expected returns the move of the refutation line at the ply, if the path has followed the line so far.
func (s *Search[M]) expected(ply int) (m M) {
	if s.config.Refutations && ply == s.following && ply < len(s.refutation) {
		m = s.refutation[ply]
	}
	return m
}

// follow notes whether the move goes on along the refutation line. It returns the old state, to be put back.
func (s *Search[M]) follow(m M, ply int) (before int) {
	before = s.following
	if ply == s.following && ply < len(s.refutation) && s.refutation[ply] == m {
		s.following = ply + 1
	}
	return before
}

// refuted learns from the frame's i-th move, which has cut off the node.
func (s *Search[M]) refuted(f *frame[M], i int, hint M, ply, depth int) {
	s.stats.Cutoffs++
	if i == 0 {
		s.stats.FirstCutoffs++
	}
	if s.config.Ordering != OrderMemory {
		return
	}
	m := f.moves[i]
	rank := f.ranks[i]
	switch {
	case rank == hintBand:
		s.stats.TableCuts++
	case rank == refutationBand:
		s.stats.RefutationCuts++
	case rank == killerBand || rank == killerBand+1:
		s.stats.KillerCuts++
	case rank == counterBand:
		s.stats.CounterCuts++
	}
	if s.loud(f, i) {
		return
	}
	if f.killers[0] != m {
		f.killers[0], f.killers[1] = m, f.killers[0]
	}
	if s.orderer == nil {
		return
	}
	if ply > 0 {
		s.counters[s.frames[ply-1].slot] = m
	}
	s.credit(f, i, depth)
}

// loud reports whether the frame's i-th move would be tried early anyway.
func (s *Search[M]) loud(f *frame[M], i int) bool {
	if s.orderer == nil {
		return false
	}
	if rank := f.ranks[i]; rank < hintBand && rank != refutationBand {
		return rank >= loudBand-MaxRank
	}
	s.orderer.Prepare()
	return s.orderer.Rank(f.moves[i]) >= LoudRank
}

// credit raises the history of the move that cut, and lowers that of the quiet moves tried before it.
func (s *Search[M]) credit(f *frame[M], i, depth int) {
	bonus := int32(min(depth*depth, 400))
	s.gain(s.orderer.Slot(f.moves[i]), bonus*64)
	for j := range i {
		if f.ranks[j] < loudBand-MaxRank {
			s.gain(s.orderer.Slot(f.moves[j]), -bonus*64)
		}
	}
}

// gain moves a class's history towards ±historyMax, the more slowly the nearer it is.
func (s *Search[M]) gain(slot int, by int32) {
	h := &s.history[slot]
	*h += by - int32(int64(*h)*int64(max(by, -by))/historyMax)
}

// historyMax is the bound of history; it is below counterBand.
const historyMax = 1 << 20
