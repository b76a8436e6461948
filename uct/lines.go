package uct

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/mate"
)

// RootMove is what the tree says of a move at the root.
type RootMove struct {
	Move   shogi.Move
	Visits int64
	// Prior is the policy's share.
	Prior float64
	// WinRate is for the side to move at the root; the root's own where there are no visits.
	WinRate float64
	// Proof is 0, or when the result is proved its length in plies, the move included: above 0 for a win, below 0 for a loss.
	Proof int
}

// RootMoves returns the moves of the latest search's root, best first: wins, the shortest first; then by visits, then larger
// prior; then losses, the longest first. It is nil before the first search and after Clear.
func (s *Searcher) RootMoves() []RootMove {
	if s.last == nil {
		return nil
	}
	return s.last.rootMoves()
}

// Root is what the tree says of the latest search's root.
type Root struct {
	// Visits is the number of its visits, those of earlier searches included.
	Visits int64
	// WinRate is the mean over them for the side to move, Value what the value evaluator said; exactly 0 or 1 when the result is proved.
	WinRate, Value float64
	// Proof is as in RootMove, by the best move.
	Proof int
}

// Root returns the latest search's root, zeros before the first search and after Clear.
func (s *Searcher) Root() Root {
	if s.last == nil {
		return Root{}
	}
	n := s.last.root
	root := Root{Visits: int64(n.visits.Load()), WinRate: n.winRate(), Value: float64(n.value)}
	if p := n.proof(); p > 0 {
		root.Proof = p.plies()
	} else if p < 0 {
		root.Proof = -p.plies()
	}
	return root
}

// rootMoves returns the allowed root moves in the order of RootMoves.
func (r *run) rootMoves() []RootMove {
	n := r.root
	n.lock()
	moves := make([]RootMove, 0, n.edgeLen)
	stats := r.s.arena.stats(n)
	for i, e := range r.s.arena.edges(n) {
		if !r.allows(i) {
			continue
		}
		m := RootMove{Move: e.move(), Prior: e.prior(), Visits: int64(stats[i].n), WinRate: n.winRate()}
		if m.Visits > 0 {
			m.WinRate = float64(stats[i].w) / float64(m.Visits)
		}
		if p := stats[i].proof; p > 0 {
			m.Proof, m.WinRate = p.plies(), 1
		} else if p < 0 {
			m.Proof, m.WinRate = -p.plies(), 0
		}
		moves = append(moves, m)
	}
	n.unlock()
	slices.SortStableFunc(moves, func(a, b RootMove) int {
		if a.Proof == b.Proof {
			return cmp.Compare(b.Visits, a.Visits)
		}
		return cmp.Compare(a.rank(), b.rank())
	})
	return moves
}

// rank puts proved wins before open moves and losses behind them.
func (m *RootMove) rank() int {
	switch {
	case m.Proof > 0:
		return m.Proof - 2*maxProof
	case m.Proof < 0:
		return m.Proof + 2*maxProof
	}
	return 0
}

// lines returns the best lines now, as many as the options ask for.
func (r *run) lines() []search.Info { return r.bestLines(r.opts.MultiPV) }

// Lines returns the latest search's best lines, at most n; nil before the first search and after Clear.
func (s *Searcher) Lines(n int) []search.Info {
	if s.last == nil {
		return nil
	}
	return s.last.bestLines(n)
}

func (r *run) bestLines(n int) []search.Info {
	r.parking.mu.Lock() // no node goes away meanwhile
	defer r.parking.mu.Unlock()
	moves := r.rootMoves()
	moves = moves[:min(len(moves), n)]
	elapsed, playouts := r.elapsed(), r.playouts.Load()
	full := r.s.Stats().HashFull
	lines := make([]search.Info, len(moves))
	budget := int64(lineNodes)
	for i, m := range moves {
		pv := r.principal(&m, &budget)
		lines[i] = search.Info{
			Depth:    len(pv),
			SelDepth: max(len(pv), int(r.selDepth.Load())),
			Score:    r.score(&m, pv),
			Nodes:    playouts,
			NPS:      perSecond(playouts, elapsed),
			HashFull: full,
			Time:     elapsed,
			PV:       pv,
		}
	}
	slices.SortStableFunc(lines, func(a, b search.Info) int { return cmp.Compare(mateRank(a.Score), mateRank(b.Score)) })
	for i := range lines {
		lines[i].MultiPV = i + 1
	}
	return lines
}

func perSecond(n int64, t time.Duration) int64 {
	return int64(float64(n) / max(t, time.Microsecond).Seconds())
}

// mateRank puts mates before other scores, the shortest first, and being mated behind them, the longest first.
func mateRank(s search.Score) int {
	m := RootMove{}
	if s.Mate {
		m.Proof = s.Plies
	}
	return m.rank()
}

// score returns the score of a root move with its line. A proof's length is an upper bound; where the line goes on to the mate, its
// length is what it says.
func (r *run) score(m *RootMove, pv []shogi.Move) search.Score {
	if m.Proof != 0 {
		plies, p := m.Proof, r.position
		for _, m := range pv {
			p.Do(m)
		}
		switch won := plies > 0; {
		case p.HasLegalMove(), won != (len(pv)%2 == 1):
		case won:
			plies = len(pv)
		default:
			plies = -len(pv)
		}
		return search.Score{Mate: true, Plies: plies, WinRate: m.WinRate}
	}
	return search.Score{CP: Centipawns(m.WinRate, r.opts.EvalCoef), WinRate: m.WinRate}
}

// maxLine is the longest line reported.
const maxLine = 64

// principal returns the line that begins with the root move and follows proofs and the most visited edges. It ends where the game
// does, or a repetition. Moves of a mate that the tree does not hold are searched within the budget of positions, which becomes smaller.
func (r *run) principal(first *RootMove, budget *int64) []shogi.Move {
	if known := r.mate.Load(); known != nil && (*known)[0] == first.Move {
		return slices.Clone(*known)
	}
	pv := append(make([]shogi.Move, 0, 16), first.Move)
	p := r.position
	p.Do(first.Move)
	var history shogi.History
	history.CopyFrom(r.history)
	history.Push(&p)
	result := -first.Proof // of p: above 0 when its side to move is known to win, below when to lose
	for len(pv) < maxLine && history.Recurrence() == shogi.NoRepetition {
		n, m := r.s.find(&p), shogi.MoveNone
		if n != nil {
			m = r.s.bestMove(n)
			if n.stage() == stateTerminal {
				break
			}
			result = cmp.Or(int(n.proof()), result)
		}
		switch {
		case result > 0 && (n == nil || !r.s.wins(n, m)):
			return append(pv, r.s.mateLine(&p, *budget, budget)...)
		case result < 0 && (n == nil || n.proof() == unproved):
			return append(pv, r.s.defence(&p, budget)...)
		case m == shogi.MoveNone || !p.IsLegal(m):
			return pv
		}
		pv = append(pv, m)
		p.Do(m)
		history.Push(&p)
		result = -result
	}
	return pv
}

// wins reports whether the node's move is a proved win.
func (s *Searcher) wins(n *node, m shogi.Move) bool {
	n.lock()
	defer n.unlock()
	for i, st := range s.arena.stats(n) {
		if s.arena.edges(n)[i].move() == m {
			return st.proof > 0
		}
	}
	return false
}

// mateLine searches the moves of a mate that is known to be there, looking at a number of positions, which it takes off the budget. It is nil
// when that is not enough, or when the mate needs moves that do not check.
func (s *Searcher) mateLine(p *shogi.Position, positions int64, budget *int64) []shogi.Move {
	if positions < 1 {
		return nil
	}
	if s.reporter == nil {
		s.reporter = mate.NewSolver(mateTableBytes)
	}
	result := s.reporter.Solve(p, mate.Limits{Nodes: positions})
	*budget -= result.Nodes
	return slices.Clone(result.Line)
}

// defence returns the longest way to be mated of a side that is known to be, as far as the budget lets it see.
func (s *Searcher) defence(p *shogi.Position, budget *int64) []shogi.Move {
	var longest []shogi.Move
	replies := p.AppendLegal(nil)
	for i, m := range replies {
		next := *p
		next.Do(m)
		if line := s.mateLine(&next, *budget/int64(len(replies)-i), budget); len(line) >= max(1, len(longest)) {
			longest = append([]shogi.Move{m}, line...)
		}
	}
	return longest
}

// bestMove returns the node's move that wins soonest, else its most visited one, else that which loses latest. It is MoveNone when none
// has visits.
func (s *Searcher) bestMove(n *node) shogi.Move {
	if n.await() != stateExpanded {
		return shogi.MoveNone
	}
	n.lock()
	defer n.unlock()
	best, rank := shogi.MoveNone, int64(math.MaxInt64)
	for i, st := range s.arena.stats(n) {
		here := -int64(st.n)
		switch p := st.proof; {
		case p > 0:
			here = int64(p.plies()) - 1<<40
		case p < 0:
			here = 1<<40 - int64(p.plies())
		case st.n == 0:
			continue
		}
		if here < rank {
			best, rank = s.arena.edges(n)[i].move(), here
		}
	}
	return best
}

// answer makes the result from the tree.
func (r *run) answer() search.Result {
	lines := r.lines()
	best := &lines[0]
	result := search.Result{Best: best.PV[0], Lines: lines, Reason: r.reason, Extended: r.extended}
	if len(best.PV) > 1 {
		result.Ponder = best.PV[1]
	}
	if !r.limits.Infinite && best.Score.WinRate < r.opts.ResignThreshold {
		result.Best, result.Ponder, result.Reason = shogi.MoveResign, shogi.MoveNone, search.ReasonResign
	}
	return result
}
