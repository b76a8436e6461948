package alphabeta

import "github.com/yomi-shogi/yomi/internal/search"

// pass searches the root's moves once within a window, with the configured driver. It sets best and the moves' lines.
func (s *Search[M]) pass(alpha, beta, depth int) int {
	best, low := -infinity, alpha
	s.best = -1
	var move M
	f := &s.frames[0]
	if s.inspected() {
		s.tellNode(search.EventEnter, alpha, beta, depth, 0, 0)
	}
	for i := s.first; i < len(s.root); i++ {
		r := &s.root[i]
		before := s.stats.Nodes
		s.refutation, s.following = r.line, 1
		s.enterMove(f, r.move)
		score := s.child(r.move, i == s.first, low, beta, depth, 0)
		if s.stopped {
			return 0
		}
		r.nodes = s.stats.Nodes - before
		if score > best {
			best, s.best = score, i
		}
		s.remember(r)
		if s.inspected() {
			s.tellMove(r.move, score, low, beta, depth, 0, len(s.root)-1-i)
		}
		if score > low {
			low, move = score, r.move
		}
		if score >= beta {
			s.stats.Cutoffs++
			break
		}
	}
	if s.first == 0 && s.whole && s.config.Driver != Minimax {
		s.store(depth, 0, best, alpha, beta, move)
	}
	if s.inspected() {
		s.tellNode(search.EventNode, alpha, beta, depth, 0, best)
	}
	return best
}

// remember keeps the line behind a root move.
func (s *Search[M]) remember(r *rootMove[M]) {
	r.line = append(append(r.line[:0], r.move), s.frames[1].line...)
}

// drive searches one depth with the configured driver. guess is the score to expect.
func (s *Search[M]) drive(depth, guess int) int {
	low, high := s.window()
	switch s.config.Driver {
	case AlphaBeta, PVS:
		return s.aspire(depth, guess, low, high)
	case MTDF:
		return s.narrow(depth, low, high, func(int, int, int) int { return guess })
	case SSS:
		return s.narrow(depth, low, high, func(_, upper, _ int) int { return upper })
	case Dual:
		return s.narrow(depth, low, high, func(lower, _, _ int) int { return lower + 1 })
	case SSSOpen, DualOpen:
		return s.bestFirst(depth)
	}
	return s.pass(low, high, depth)
}

// aspire searches within a window around the guess, and opens the side on which the search fails, wider each time.
func (s *Search[M]) aspire(depth, guess, low, high int) int {
	alpha, beta := low, high
	width := s.config.Aspiration
	if width > 0 && depth > 1 && !s.config.WinLoss {
		alpha, beta = max(low, guess-width), min(high, guess+width)
	}
	for {
		score := s.pass(alpha, beta, depth)
		width *= 4
		switch {
		case s.stopped:
			return 0
		case score <= alpha && alpha > low:
			s.stats.FailLow++
			s.tellPass(search.EventFail, search.UpperBound, alpha, beta, depth, score)
			alpha = max(low, score-width)
			if score-width < -MateBound {
				alpha = low
			}
		case score >= beta && beta < high:
			s.stats.FailHigh++
			s.tellPass(search.EventFail, search.LowerBound, alpha, beta, depth, score)
			beta = min(high, score+width)
			if score+width > MateBound {
				beta = high
			}
		default:
			return score
		}
	}
}

// narrow closes in on the score with null windows (MTD, A. Plaat et al., "Best-first fixed-depth minimax algorithms", 1996). next
// chooses the smallest score that the next pass asks for, from the bounds known and the last pass's score. Scores are
// integers and every pass moves a bound, so it ends. A last pass with a window around the score finds the whole line, which null windows do
// not have; it meets the table at nearly every node.
func (s *Search[M]) narrow(depth, low, high int, next func(lower, upper, last int) int) int {
	lower, upper := -infinity, infinity
	score := 0
	for first := true; lower < upper && lower < high && upper > low; first = false {
		want := score
		if first || s.config.Driver != MTDF {
			want = next(lower, upper, score)
		}
		want = max(min(want, upper), lower+1)
		score = s.pass(want-1, want, depth)
		if s.stopped {
			return 0
		}
		s.stats.Passes++
		if score < want {
			upper = score
		} else {
			lower = score
		}
	}
	if s.config.WinLoss {
		return score
	}
	return s.pass(score-1, score+1, depth)
}

// Above reports whether the position's score at the depth is above the bound: a search with a null window, which answers only that. ok
// is false when it was stopped. The goal's Report is not used.
func (s *Search[M]) Above(bound int, goal Goal[M]) (above, ok bool) {
	s.begin(&goal)
	s.rootDepth, s.first = goal.Depth, 0
	if len(s.root) == 0 {
		return -Mate > bound, true
	}
	score := s.pass(bound, bound+1, goal.Depth)
	return score > bound, !s.stopped
}
