package alphabeta

import "github.com/yomi-shogi/yomi/internal/search"

// child makes a root or inner move, searches what follows and takes it back. first tells that it is the node's first move. The window is
// the node's.
func (s *Search[M]) child(m M, first bool, alpha, beta, depth, ply int) int {
	if s.inspected() {
		s.frames[ply].playing = m
	}
	s.do(m)
	defer s.game.Undo()
	switch s.config.Driver {
	case Minimax:
		return -s.minimax(depth-1, ply+1)
	case Scout:
		if beta-alpha > 1 {
			return s.scoutChild(first, alpha, depth, ply)
		}
	case PVS:
		if !first && beta-alpha > 1 {
			score := -s.node(-alpha-1, -alpha, depth-1, ply+1)
			if score <= alpha || score >= beta || s.stopped {
				return score
			}
			s.stats.Researches++
		}
	}
	return -s.node(-beta, -alpha, depth-1, ply+1)
}

// enter begins a node: it empties the line and reports a score that needs no moves.
func (s *Search[M]) enter(ply int) (score int, over bool) {
	f := &s.frames[ply]
	f.line = f.line[:0]
	s.stats.SelDepth = max(s.stats.SelDepth, ply)
	if s.halted() {
		return 0, true
	}
	if score, over = s.game.Over(); over {
		s.stats.Leaves++
		score = atDistance(score, ply)
		if s.inspected() {
			s.tellEnd(search.NodeTerminal, -infinity, infinity, ply, score, 0)
		}
		return score, true
	}
	return 0, false
}

// extended returns the depth, one more in check where the configuration says so. Lines grow to twice the iteration's depth at most.
func (s *Search[M]) extended(depth, ply int) int {
	if s.config.CheckExtension && s.quieter != nil && ply < 2*s.rootDepth && s.quieter.Urgent() {
		return depth + 1
	}
	return depth
}

// node is fail-soft alpha-beta: the score if it lies in the window, else a bound on the side where it lies.
func (s *Search[M]) node(alpha, beta, depth, ply int) int {
	if score, over := s.enter(ply); over {
		return score
	}
	depth = s.extended(depth, ply)
	if depth <= 0 || ply >= MaxPly {
		return s.leaf(alpha, beta, ply)
	}
	hint, score, ok := s.probe(depth, ply, alpha, beta)
	if ok {
		s.tellAnswer(alpha, beta, depth, ply, score)
		return score
	}
	f := &s.frames[ply]
	f.moves = s.game.Moves(f.moves[:0])
	if len(f.moves) == 0 {
		return s.mated(ply)
	}
	s.stats.Interior++
	if s.inspected() {
		s.tellNode(search.EventEnter, alpha, beta, depth, ply, 0)
	}
	s.rank(f, hint, ply)
	best, low := -infinity, alpha
	var move M
	for i := range f.moves {
		m := s.pick(f, i)
		s.enterMove(f, m)
		following := s.follow(m, ply)
		score := s.child(m, i == 0, low, beta, depth, ply)
		s.following = following
		if s.stopped {
			return 0
		}
		if score <= best {
			continue
		}
		best = score
		s.extend(m, ply)
		if s.inspected() {
			s.tellMove(m, score, low, beta, depth, ply, len(f.moves)-1-i)
		}
		if score > low {
			low, move = score, m
		}
		if score >= beta {
			s.refuted(f, i, hint, ply, depth)
			break
		}
	}
	s.store(depth, ply, best, alpha, beta, move)
	if s.inspected() {
		s.tellNode(search.EventNode, alpha, beta, depth, ply, best)
	}
	return best
}

// extend makes the move and the line behind it the ply's line.
func (s *Search[M]) extend(m M, ply int) {
	f := &s.frames[ply]
	f.line = append(append(f.line[:0], m), s.frames[ply+1].line...)
}

// minimax tries every move. It uses no window, no table and no order.
func (s *Search[M]) minimax(depth, ply int) int {
	if score, over := s.enter(ply); over {
		return score
	}
	depth = s.extended(depth, ply)
	if depth <= 0 || ply >= MaxPly {
		return s.leaf(-infinity, infinity, ply)
	}
	f := &s.frames[ply]
	f.moves = s.game.Moves(f.moves[:0])
	if len(f.moves) == 0 {
		return s.mated(ply)
	}
	s.stats.Interior++
	if s.inspected() {
		s.tellNode(search.EventEnter, -infinity, infinity, depth, ply, 0)
	}
	best := -infinity
	for i := range f.moves {
		m := f.moves[i]
		score := s.child(m, i == 0, -infinity, infinity, depth, ply)
		if s.stopped {
			return 0
		}
		if score > best {
			best = score
			s.extend(m, ply)
		}
	}
	if s.inspected() {
		s.tellNode(search.EventNode, -infinity, infinity, depth, ply, best)
	}
	return best
}

// scout values a position as Pearl's SCOUT does: exactly, without a window.
func (s *Search[M]) scout(depth, ply int) int {
	if score, over := s.enter(ply); over {
		return score
	}
	depth = s.extended(depth, ply)
	if depth <= 0 || ply >= MaxPly {
		return s.leaf(-infinity, infinity, ply)
	}
	hint, score, ok := s.probe(depth, ply, -infinity, infinity)
	if ok {
		s.tellAnswer(-infinity, infinity, depth, ply, score)
		return score
	}
	f := &s.frames[ply]
	f.moves = s.game.Moves(f.moves[:0])
	if len(f.moves) == 0 {
		return s.mated(ply)
	}
	s.stats.Interior++
	if s.inspected() {
		s.tellNode(search.EventEnter, -infinity, infinity, depth, ply, 0)
	}
	s.rank(f, hint, ply)
	best := -infinity
	var move M
	for i := range f.moves {
		m := s.pick(f, i)
		s.enterMove(f, m)
		following := s.follow(m, ply)
		score := s.child(m, i == 0, best, infinity, depth, ply)
		s.following = following
		if s.stopped {
			return 0
		}
		if score > best {
			if s.inspected() {
				s.tellMove(m, score, best, infinity, depth, ply, 0)
			}
			best, move = score, m
			s.extend(m, ply)
		}
	}
	s.store(depth, ply, best, -infinity, infinity, move)
	if s.inspected() {
		s.tellNode(search.EventNode, -infinity, infinity, depth, ply, best)
	}
	return best
}

// scoutChild values the first child, and any other that a test finds better than best.
func (s *Search[M]) scoutChild(first bool, best, depth, ply int) int {
	if !first {
		score := -s.node(-best-1, -best, depth-1, ply+1)
		if score <= best || s.stopped {
			return score
		}
		s.stats.Researches++
	}
	return -s.scout(depth-1, ply+1)
}

// mated returns the score of a position without moves.
func (s *Search[M]) mated(ply int) int {
	s.stats.Leaves++
	if s.inspected() {
		s.tellEnd(search.NodeTerminal, -infinity, infinity, ply, -Mate+ply, 0)
	}
	return -Mate + ply
}

// leaf judges a position at the full depth.
func (s *Search[M]) leaf(alpha, beta, ply int) int {
	s.stats.Leaves++
	before := s.stats.QuietNodes
	score := s.judge(alpha, beta, ply)
	if s.inspected() && !s.stopped {
		s.tellEnd(search.NodeLeaf, alpha, beta, ply, score, s.stats.QuietNodes-before)
	}
	return score
}

// judge returns the score of a leaf.
func (s *Search[M]) judge(alpha, beta, ply int) int {
	if s.config.WinLoss {
		return 0
	}
	if s.config.Quiescence > 0 && s.quieter != nil {
		return s.quiesce(alpha, beta, s.config.Quiescence, ply)
	}
	return s.game.Value()
}

// quiesce looks at captures until the position is quiet, at most left of them in a line. Who is not in check may stand pat on the
// static value. The line is empty on entry.
func (s *Search[M]) quiesce(alpha, beta, left, ply int) int {
	f := &s.frames[ply]
	f.line = f.line[:0]
	s.stats.SelDepth = max(s.stats.SelDepth, ply)
	if s.halted() {
		return 0
	}
	best := -infinity
	if urgent := s.quieter.Urgent(); left == 0 || ply >= MaxPly {
		return s.game.Value()
	} else if urgent {
		f.moves = s.game.Moves(f.moves[:0])
		if len(f.moves) == 0 {
			return -Mate + ply
		}
		s.rankByGame(f)
	} else {
		best = s.game.Value()
		if best >= beta {
			return best
		}
		f.moves = s.quieter.Captures(f.moves[:0])
		f.ranks = f.ranks[:0]
	}
	for i := range f.moves {
		m := s.pick(f, i)
		s.do(m)
		s.stats.QuietNodes++
		score := -s.quiesce(-beta, -max(alpha, best), left-1, ply+1)
		s.game.Undo()
		if s.stopped {
			return 0
		}
		if score > best {
			best = score
			s.extend(m, ply)
		}
		if score >= beta {
			break
		}
	}
	return best
}
