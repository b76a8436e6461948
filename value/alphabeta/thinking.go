package alphabeta

import (
	"context"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// thinking is one search of an Engine.
type thinking struct {
	ctx    context.Context
	engine *Engine
	limits search.Limits
	report func([]search.Info)
	start  time.Time
	legal  []shogi.Move

	position shogi.Position
	clock    *search.Clock
	// clockStart is when the clock began to run: at the start, or at the ponder hit.
	clockStart time.Time
	pondering  bool
	// last is the last completed iteration; shaky says that it changed the best move or lowered its score much.
	last     Outcome[shogi.Move]
	shaky    bool
	reported time.Time
	reason   search.Reason
}

func newThinking(ctx context.Context, e *Engine, game *shogi.Game, limits search.Limits, report func([]search.Info)) *thinking {
	t := &thinking{ctx: ctx, engine: e, limits: limits, report: report, start: limits.Start, position: *game.Position()}
	if t.start.IsZero() {
		t.start = time.Now()
	}
	t.start = t.start.Add(-t.paused())
	t.legal = t.position.AppendLegal(nil)
	e.game.SetRules(e.rules(t.position.Side()))
	e.game.Reset(game)
	t.pondering = limits.PonderHit != nil
	t.startClock(t.start, limits.Clock)
	return t
}

// startClock plans the time from a moment on.
func (t *thinking) startClock(at time.Time, times *search.ClockTimes) {
	t.limits.Clock = times
	t.clock = search.NewClock(&t.limits, t.position.Side(), t.position.Ply(), t.engine.options.Clock)
	t.clockStart = at
}

// overAtRoot answers positions that need no search: no legal move, or a declaration that wins.
func (t *thinking) overAtRoot() (search.Result, bool) {
	if len(t.legal) == 0 {
		return search.Result{Best: shogi.MoveResign, Reason: search.ReasonNoMove}, true
	}
	m, ok := t.position.CanDeclare(t.engine.options.Declaration)
	if !ok || len(t.limits.SearchMoves) > 0 {
		return search.Result{}, false
	}
	line := search.Info{MultiPV: 1, Depth: 1, SelDepth: 1, Time: time.Since(t.start), PV: []shogi.Move{m}}
	line.Score = search.Score{CP: declarationScore, WinRate: 1}
	if m == shogi.MoveWin {
		line.PV = nil
	}
	return search.Result{Best: m, Reason: search.ReasonDeclare, Lines: []search.Info{line}}, true
}

// think searches and answers.
func (t *thinking) think() search.Result {
	goal := Goal[shogi.Move]{
		Depth: MaxPly / 2, Nodes: t.limits.Nodes, Stop: t.mustStop, Report: t.completed,
		Moves: allowed(&t.position, t.limits.SearchMoves),
	}
	if t.limits.Depth > 0 {
		goal.Depth = min(goal.Depth, t.limits.Depth)
	}
	out := t.engine.search.Run(goal)
	t.last.Stats, t.last.Stopped = out.Stats, out.Stopped
	if t.reason == "" {
		t.reason = t.endReason(&out, goal.Depth)
	}
	if len(t.last.Lines) == 0 {
		t.fallback(goal.Moves)
	}
	return t.answer()
}

// fallback answers a search that was stopped before its first depth was done: the first move in the game's order, with the static value.
func (t *thinking) fallback(allowed []shogi.Move) {
	moves := t.legal
	if allowed != nil {
		moves = allowed
	}
	g := t.engine.game
	g.Prepare()
	best := moves[0]
	for _, m := range moves {
		if g.Rank(m) > g.Rank(best) {
			best = m
		}
	}
	t.last.Lines = []Line[shogi.Move]{{Score: g.Value(), Moves: []shogi.Move{best}}}
}

// endReason says why a search ended that no one stopped.
func (t *thinking) endReason(out *Outcome[shogi.Move], depth int) search.Reason {
	switch {
	case out.Stopped:
		return search.ReasonNodes
	case out.Depth >= depth && t.limits.Depth > 0:
		return search.ReasonDepth
	}
	return search.ReasonProved
}

// mustStop is asked by the search every few hundred nodes.
func (t *thinking) mustStop() bool {
	if t.ctx.Err() != nil {
		t.reason = search.ReasonCancelled
		return true
	}
	if t.ponders() {
		return false
	}
	t.reason = t.clock.Verdict(t.now().Sub(t.clockStart), t.progress())
	return t.reason != ""
}

// ponders reports whether the clock still stands still, and starts it when the ponder hit has come.
func (t *thinking) ponders() bool {
	if !t.pondering {
		return false
	}
	select {
	case <-t.limits.PonderHit:
	default:
		return true
	}
	t.pondering = false
	times := t.limits.Clock
	if t.limits.HitTimes != nil {
		if hit := t.limits.HitTimes(); hit != nil {
			times = hit
		}
	}
	t.startClock(t.now(), times)
	t.tellClock("")
	return false
}

// progress tells the clock whether the last iteration settled the move. There are no visits to compare.
func (t *thinking) progress() *search.Progress {
	if t.shaky {
		return &search.Progress{SecondRate: 1}
	}
	return &search.Progress{}
}

const (
	// shakyDrop is a fall of the score between iterations that asks for more time.
	shakyDrop = 60
	// nextShare is the part of the planned time after which no other iteration is begun: it would not be completed.
	nextShare = 0.6
	// onlyMoveDepth is how deep a single legal move is searched on a clock: enough to expect a reply.
	onlyMoveDepth = 3
)

// completed gets each iteration, and returns whether to go on.
func (t *thinking) completed(out *Outcome[shogi.Move]) bool {
	t.shaky = t.last.Depth > 0 && (out.Move() != t.last.Move() || out.Score() < t.last.Score()-shakyDrop)
	t.last = *out
	if interval := t.engine.options.PVInterval; interval > 0 && (t.reported.IsZero() || time.Since(t.reported) >= interval) {
		t.reported = time.Now()
		t.report(t.lines())
	}
	if t.ponders() || !t.clock.OnClock() {
		return true
	}
	if len(t.legal) == 1 && out.Depth >= onlyMoveDepth {
		t.reason = search.ReasonOnlyMove
		return false
	}
	if saves := t.limits.Clock.Byoyomi == 0; saves && !t.shaky && t.now().Sub(t.clockStart) > time.Duration(nextShare*float64(t.clock.Optimum())) {
		t.reason = search.ReasonClock
		return false
	}
	return true
}

// lines returns the last completed iteration's lines.
func (t *thinking) lines() []search.Info {
	elapsed := t.now().Sub(t.start)
	s := &t.last.Stats
	full := 0
	if table := t.engine.search.Table(); table != nil {
		full = table.Full()
	}
	infos := make([]search.Info, len(t.last.Lines))
	for i, l := range t.last.Lines {
		infos[i] = search.Info{
			MultiPV: i + 1, Depth: t.last.Depth, SelDepth: max(s.SelDepth, len(l.Moves)), Score: t.score(l.Score),
			Nodes: s.Nodes, NPS: int64(float64(s.Nodes) / max(elapsed, time.Microsecond).Seconds()),
			HashFull: full, Time: elapsed, PV: l.Moves,
		}
	}
	return infos
}

// score turns a score into what a GUI shows.
func (t *thinking) score(score int) search.Score {
	if plies, ok := IsMate(score); ok {
		won := 0.0
		if plies > 0 {
			won = 1
		}
		return search.Score{Mate: true, Plies: plies, WinRate: won}
	}
	return search.Score{CP: score, WinRate: winRateOf(score, t.engine.options.EvalCoef)}
}

// answer makes the result from the last completed iteration.
func (t *thinking) answer() search.Result {
	lines := t.lines()
	best := &lines[0]
	result := search.Result{Best: best.PV[0], Lines: lines, Reason: t.reason, Extended: t.clock.Extended()}
	if len(best.PV) > 1 {
		result.Ponder = best.PV[1]
	}
	if !t.limits.Infinite && best.Score.WinRate < t.engine.options.ResignThreshold {
		result.Best, result.Ponder, result.Reason = shogi.MoveResign, shogi.MoveNone, search.ReasonResign
	}
	return result
}

// hold keeps an answer back that must not be given yet.
func (t *thinking) hold(lines []search.Info) {
	if len(lines) > 0 && t.ctx.Err() == nil && (t.limits.Infinite || t.ponders()) {
		t.report(lines) // so that what was found is seen while the answer must wait
	}
	if t.limits.PonderHit != nil {
		select {
		case <-t.ctx.Done():
		case <-t.limits.PonderHit:
		}
	}
	if t.limits.Infinite {
		<-t.ctx.Done()
	}
}
