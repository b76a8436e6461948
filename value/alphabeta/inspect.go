package alphabeta

import (
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// What a search tells a sink. Moves of other games than shogi are left out of events. Scores and windows are for the side to move at the
// node. The positions that quiescence looks at are counted in the event of the leaf that they stand behind.

// SetSink sends the events of the searches from now on to the sink; nil sends them nowhere.
func (s *Search[M]) SetSink(sink search.Sink) { s.sink = sink }

// SetSink sends the events of the searches from now on to the sink; nil sends them nowhere.
func (e *Engine) SetSink(sink search.Sink) {
	e.sink = sink
	e.search.SetSink(sink)
}

// inspected reports whether someone wants the events.
func (s *Search[M]) inspected() bool { return search.Inspectable && s.sink != nil }

// shogiMove returns a move of shogi, none for those of other games.
func shogiMove[M comparable](m M) shogi.Move {
	if s, ok := any(m).(shogi.Move); ok {
		return s
	}
	return shogi.MoveNone
}

// tell begins an event about the node at which the game stands.
func (s *Search[M]) tell(kind search.EventKind, ply int) *search.Event {
	e := &s.event
	*e = search.Event{Kind: kind, Type: search.InnerType(ply), Playout: s.stats.Nodes, Ply: ply, Key: s.game.Key()}
	if ply > 0 {
		e.Move = shogiMove(s.frames[ply-1].playing)
	}
	return e
}

// send gives the sink the event.
func (s *Search[M]) send() { s.sink.Event(&s.event) }

// tellNode sends that a node begins, or that it has its score.
func (s *Search[M]) tellNode(kind search.EventKind, alpha, beta, depth, ply, score int) {
	e := s.tell(kind, ply)
	e.Alpha, e.Beta, e.Depth, e.Score = alpha, beta, depth, score
	s.send()
}

// tellEnd sends a node where no moves were tried.
func (s *Search[M]) tellEnd(t search.NodeType, alpha, beta, ply, score int, quiet int64) {
	e := s.tell(search.EventNode, ply)
	e.Type, e.Alpha, e.Beta, e.Score, e.Count = t, alpha, beta, score, quiet
	s.send()
}

// tellTable sends what the table knew. The move is the one to try first.
func (s *Search[M]) tellTable(entry *Entry[M], ply, alpha, beta, score int, cut bool) {
	e := s.tell(search.EventTable, ply)
	e.Move = shogiMove(entry.Move)
	e.Alpha, e.Beta, e.Score, e.Depth, e.Bound, e.Cut = alpha, beta, score, entry.Depth, entry.Bound, cut
	s.send()
}

// tellAnswer sends a node whose score the table knew.
func (s *Search[M]) tellAnswer(alpha, beta, depth, ply, score int) {
	if !s.inspected() {
		return
	}
	e := s.tell(search.EventNode, ply)
	e.Alpha, e.Beta, e.Depth, e.Score, e.Cut = alpha, beta, depth, score, true
	s.send()
}

// tellMove sends what the score of the node's i-th of count moves did to the window: it raised alpha, or cut the node off.
func (s *Search[M]) tellMove(m M, score, low, beta, depth, ply, skipped int) {
	switch {
	case score >= beta:
		e := s.tell(search.EventPrune, ply)
		e.Move, e.Score, e.Alpha, e.Before, e.Beta, e.Depth, e.Count = shogiMove(m), score, score, low, beta, depth, int64(skipped)
		s.send()
	case score > low:
		e := s.tell(search.EventWindow, ply)
		e.Move, e.Score, e.Alpha, e.Before, e.Beta, e.Depth = shogiMove(m), score, score, low, beta, depth
		s.send()
	}
}

// tellPass sends that a depth begins, or that the root's score lay outside the window.
func (s *Search[M]) tellPass(kind search.EventKind, bound search.Bound, alpha, beta, depth, score int) {
	if !s.inspected() {
		return
	}
	e := s.tell(kind, 0)
	e.Bound, e.Alpha, e.Beta, e.Depth, e.Score = bound, alpha, beta, depth, score
	s.send()
}

// observer is the number of who watches over the search in events.
const observer = -1

// inspected reports whether someone wants the events.
func (e *Engine) inspected() bool { return search.Inspectable && e.sink != nil }

// paused returns for how long the sink has held searches up.
func (t *thinking) paused() time.Duration {
	if !t.engine.inspected() {
		return 0
	}
	return search.PausedBy(t.engine.sink)
}

// now returns the time without that for which a sink has held searches up.
func (t *thinking) now() time.Time { return time.Now().Add(-t.paused()) }

// tellStart sends that the search begins, and its plan.
func (t *thinking) tellStart(game *shogi.Game) {
	if !t.engine.inspected() {
		return
	}
	t.engine.sink.Event(&search.Event{Kind: search.EventStart, Type: search.NodeMax, Worker: observer, Engine: search.EngineAlphaBeta, Game: game,
		Key: t.position.Key(), Count: int64(len(t.legal))})
	t.tellClock("")
}

// tellClock sends the plan, or with a reason the decision to stop.
func (t *thinking) tellClock(reason search.Reason) {
	if !t.engine.inspected() || !t.clock.Limited() {
		return
	}
	e := search.Event{Kind: search.EventClock, Worker: observer, Key: t.position.Key(), Playout: t.engine.search.stats.Nodes, Reason: reason,
		Took: t.now().Sub(t.clockStart), Hard: t.clock.Hard()}
	if t.clock.OnClock() {
		e.Optimum = t.clock.Optimum()
	}
	t.engine.sink.Event(&e)
}

// tellEnd sends the answer.
func (t *thinking) tellEnd(result *search.Result) {
	if !t.engine.inspected() {
		return
	}
	t.tellClock(result.Reason)
	e := search.Event{Kind: search.EventEnd, Type: search.NodeMax, Worker: observer, Key: t.position.Key(), Move: result.Best, Reason: result.Reason,
		Playout: t.last.Stats.Nodes, Depth: t.last.Depth, Took: t.now().Sub(t.start)}
	if len(t.last.Lines) > 0 {
		e.Score, e.Line = t.last.Lines[0].Score, t.last.Lines[0].Moves
	}
	t.engine.sink.Event(&e)
}
