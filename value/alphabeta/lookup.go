package alphabeta

import "github.com/yomi-shogi/yomi/internal/search"

// key returns the position's key for the table.
func (s *Search[M]) key() uint64 { return s.game.Key() & s.keyMask }

// probe looks the position up. hint is the move to try first; ok says that score answers the window.
func (s *Search[M]) probe(depth, ply, alpha, beta int) (hint M, score int, ok bool) {
	if s.table == nil {
		return hint, 0, false
	}
	s.stats.Probes++
	key := s.key()
	e, found := s.table.Probe(key)
	if !found || s.collides(key) {
		return hint, 0, false
	}
	s.stats.Hits++
	score, ok = s.answers(&e, depth, ply, alpha, beta)
	if s.inspected() {
		s.tellTable(&e, ply, alpha, beta, fromTable(e.Value, ply), ok)
	}
	return e.Move, score, ok
}

// answers reports whether the entry's bound ends the node, and returns the score then.
func (s *Search[M]) answers(e *Entry[M], depth, ply, alpha, beta int) (score int, ok bool) {
	if e.Depth < depth || s.config.EqualDepth && e.Depth != depth {
		return 0, false
	}
	score = fromTable(e.Value, ply)
	switch {
	case e.Bound != search.UpperBound && score >= beta, e.Bound != search.LowerBound && score <= alpha,
		e.Bound == search.Exact && s.config.TableAnswers:
		s.stats.Answers++
		return score, true
	}
	return 0, false
}

// collides reports, in check mode, that the entry under the key belongs to another position.
func (s *Search[M]) collides(key uint64) bool {
	if s.identities == nil {
		return false
	}
	stored, known := s.identities[key]
	if !known || stored == s.game.(Identified).Identity() {
		return false
	}
	s.stats.Collisions++
	return true
}

// store remembers a node's score.
func (s *Search[M]) store(depth, ply, score, alpha, beta int, move M) {
	if s.table == nil || s.stopped {
		return
	}
	key := s.key()
	bound := search.Exact
	switch {
	case score <= alpha:
		bound = search.UpperBound
		var none M
		move = none
	case score >= beta:
		bound = search.LowerBound
	}
	if s.identities != nil {
		s.claim(key, move)
	}
	s.stats.Stores++
	s.table.Store(key, Entry[M]{Move: move, Value: toTable(score, ply), Bound: bound, Depth: depth})
}

// claim notes, in check mode, whose key it is. What was stored for another position is overwritten first, so that nothing of it is merged.
func (s *Search[M]) claim(key uint64, move M) {
	now := s.game.(Identified).Identity()
	if then, known := s.identities[key]; known && then != now {
		s.table.Store(key, Entry[M]{Move: move, Bound: search.Exact})
	}
	s.identities[key] = now
}
