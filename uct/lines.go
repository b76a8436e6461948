package uct

import (
	"cmp"
	"slices"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// RootMove is what the tree says of a move at the root.
type RootMove struct {
	Move   shogi.Move
	Visits int64
	// Prior is the policy's share.
	Prior float64
	// WinRate is for the side to move at the root; the root's own where there are no visits.
	WinRate float64
}

// RootMoves returns the moves of the latest search's root, best first: most visits, then larger prior. It is nil before the
// first search and after Clear.
func (s *Searcher) RootMoves() []RootMove {
	if s.last == nil {
		return nil
	}
	return s.last.rootMoves()
}

// rootMoves returns the allowed root moves, a mating one first, then by visits.
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
		moves = append(moves, m)
	}
	n.unlock()
	slices.SortStableFunc(moves, func(a, b RootMove) int {
		switch {
		case a.Move == b.Move:
			return 0
		case a.Move == r.mate:
			return -1
		case b.Move == r.mate:
			return 1
		}
		return cmp.Compare(b.Visits, a.Visits)
	})
	return moves
}

// lines returns the best lines now, as many as the options ask for.
func (r *run) lines() []search.Info {
	moves := r.rootMoves()
	moves = moves[:min(len(moves), r.opts.MultiPV)]
	elapsed, playouts := r.elapsed(), r.playouts.Load()
	full := r.s.Stats().HashFull
	lines := make([]search.Info, len(moves))
	for i, m := range moves {
		pv := r.principal(m.Move)
		lines[i] = search.Info{
			MultiPV:  i + 1,
			Depth:    len(pv),
			SelDepth: max(len(pv), int(r.selDepth.Load())),
			Score:    r.score(&m),
			Nodes:    playouts,
			NPS:      perSecond(playouts, elapsed),
			HashFull: full,
			Time:     elapsed,
			PV:       pv,
		}
	}
	return lines
}

func perSecond(n int64, t time.Duration) int64 {
	return int64(float64(n) / max(t, time.Microsecond).Seconds())
}

// score returns a root move's score.
func (r *run) score(m *RootMove) search.Score {
	if m.Move == r.mate {
		return search.Score{Mate: true, Plies: 1, WinRate: 1}
	}
	return search.Score{CP: Centipawns(m.WinRate, r.opts.EvalCoef), WinRate: m.WinRate}
}

// maxLine is the longest line reported.
const maxLine = 64

// principal returns the line that begins with the root move and follows the most visited edges. It ends where the game does, or a
// repetition.
func (r *run) principal(first shogi.Move) []shogi.Move {
	pv := append(make([]shogi.Move, 0, 16), first)
	p := r.position
	p.Do(first)
	var history shogi.History
	history.CopyFrom(r.history)
	history.Push(&p)
	for len(pv) < maxLine && history.Recurrence() == shogi.NoRepetition {
		slot, ok := r.s.table.FindSameHashIndex(keyOf(&p))
		if !ok {
			break
		}
		m := r.s.mostVisited(r.s.table.Node(slot))
		if m == shogi.MoveNone || !p.IsLegal(m) {
			break
		}
		pv = append(pv, m)
		p.Do(m)
		history.Push(&p)
	}
	return pv
}

// mostVisited returns the node's most visited move, MoveNone when none has visits.
func (s *Searcher) mostVisited(n *node) shogi.Move {
	if n.await() != stateExpanded {
		return shogi.MoveNone
	}
	n.lock()
	defer n.unlock()
	best, visits := shogi.MoveNone, uint32(0)
	for i, st := range s.arena.stats(n) {
		if st.n > visits {
			best, visits = s.arena.edges(n)[i].move(), st.n
		}
	}
	return best
}

// answer makes the result from the tree.
func (r *run) answer() search.Result {
	lines := r.lines()
	best := &lines[0]
	result := search.Result{Best: best.PV[0], Lines: lines, Reason: r.reason}
	if len(best.PV) > 1 {
		result.Ponder = best.PV[1]
	}
	if !r.limits.Infinite && !best.Score.Mate && best.Score.WinRate < r.opts.ResignThreshold {
		result.Best, result.Ponder, result.Reason = shogi.MoveResign, shogi.MoveNone, search.ReasonResign
	}
	return result
}
