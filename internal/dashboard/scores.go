package dashboard

import (
	"cmp"
	"slices"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// alphaBeta returns where alpha-beta is.
func (t *tap) alphaBeta() *AlphaBeta {
	r, lane := &t.roots, t.laneOf(0)
	a := &AlphaBeta{Depth: int(r.depth.Load()), RootIndex: int(r.passed.Load()), RootMoves: int(r.legal.Load()), Alpha: int(r.alpha.Load()),
		Beta: int(r.beta.Load()), LineAlpha: int(lane.alpha.Load()), LineBeta: int(lane.beta.Load()), LineDepth: int(lane.depth.Load()),
		Line: moveWords(lane.line(int(lane.ply.Load()))), Cuts: lane.counts[search.EventPrune].Load(), Skipped: lane.skipped.Load(), Answers: lane.answers.Load()}
	if i := int(r.now.Load()); i >= 0 && i < int(r.count.Load()) {
		a.RootMove = shogi.Move(r.moves[i].move.Load()).String()
	}
	return a
}

// scores fills in alpha-beta's root moves: the best one, then those with the best scores, exact ones first.
func (t *tap) scores(m *Search, best string, coef float64) {
	r := &t.roots
	total := int64(0)
	for i := range int(r.count.Load()) {
		move := &r.moves[i]
		if !move.scored.Load() {
			continue
		}
		score := int(move.score.Load())
		c := Candidate{Move: shogi.Move(move.move.Load()).String(), Visits: move.visits.Load(), CP: score, Q: float32(scoreRate(score, coef)),
			Bound: [...]string{"", "lower", "upper"}[move.bound.Load()]}
		total += c.Visits
		m.Candidates = append(m.Candidates, c)
	}
	finishScores(m, best, total)
}

// fillScores fills in where alpha-beta is, with the line that was reported last.
func (l *Live) fillScores(m *Search) {
	a, c := l.tap.alphaBeta(), &l.course
	var line []shogi.Move
	if len(c.lines) > 0 {
		line = c.lines[0].PV
		m.Memory = &Memory{Full: c.lines[0].HashFull}
	}
	if !c.thinking {
		line, a.Depth = c.end.Line, c.end.Depth
	}
	a.Principal = moveWords(line)
	m.AlphaBeta = a
	best := ""
	if len(line) > 0 {
		best = line[0].String()
	}
	l.tap.scores(m, best, l.subject.EvalCoef)
	if len(m.Candidates) > 0 && m.Candidates[0].Move == best {
		m.Candidates[0].PV = a.Principal
	}
	if !c.thinking {
		a.Score = c.end.Score
	} else if len(m.Candidates) > 0 {
		a.Score = m.Candidates[0].CP
	}
	m.WinRate = float32(scoreRate(a.Score, l.subject.EvalCoef))
}

// finishScores puts alpha-beta's candidates in order and fills in their shares.
func finishScores(m *Search, best string, total int64) {
	slices.SortStableFunc(m.Candidates, func(a, b Candidate) int {
		return cmp.Or(compareBool(b.Move == best, a.Move == best), compareBool(b.Bound == "", a.Bound == ""), cmp.Compare(b.CP, a.CP))
	})
	m.MoreMoves = max(0, len(m.Candidates)-maxCandidates)
	m.Candidates = m.Candidates[:len(m.Candidates)-m.MoreMoves]
	for i := range m.Candidates {
		if total > 0 {
			m.Candidates[i].Share = float32(float64(m.Candidates[i].Visits) / float64(total))
		}
	}
}

// compareBool puts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
