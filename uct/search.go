package uct

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

const (
	// tick is the time between looks at clock, reports and ponder hit. Workers look at the hard limit themselves.
	tick = 4 * time.Millisecond
	// firstReport is when the first lines are reported, at the latest.
	firstReport = 200 * time.Millisecond
	// yieldEvery is how long a worker keeps a processor before it lets others run, so that a stop is read soon even
	// when there are as many workers as processors.
	yieldEvery = time.Millisecond
	// onlyMovePlayouts is how long a single legal move is thought about on a clock: enough to expect a reply.
	onlyMovePlayouts = 200
)

// Search thinks about the game's position until a limit is reached or the context ends, and answers. report, which may
// be nil, gets blocks of lines, best first, and messages; it is called from this goroutine, the last time directly before the
// answer. The tree stays for the next search: a position that was reached before, in either direction of the game, keeps its visits.
//
// An infinite or pondering search answers only when the context ends or the ponder hit comes, whatever it has found.
func (s *Searcher) Search(ctx context.Context, game *shogi.Game, limits search.Limits, report func([]search.Info)) search.Result {
	if report == nil {
		report = func([]search.Info) {}
	}
	r := s.newRun(game, limits)
	result, over := r.overAtRoot()
	if !over {
		s.viewing.Lock()
		s.makeWorkers(r)
		r.prepare()
		s.viewing.Unlock()
		r.tellStart(game)
		r.think(ctx, report)
	}
	if r.held(ctx) {
		if !over {
			result.Lines = r.lines()
		}
		if len(result.Lines) > 0 {
			report(result.Lines) // so that what was found is seen while the answer must wait
		}
		r.hold(ctx)
	}
	if !over {
		result = r.answer()
		r.tellEnd(&result)
	}
	if len(result.Lines) > 0 {
		report(result.Lines)
	}
	return result
}

// overAtRoot answers positions that need no search: no legal move, or a declaration that wins.
func (r *run) overAtRoot() (search.Result, bool) {
	if len(r.legal) == 0 {
		return search.Result{Best: shogi.MoveResign, Reason: search.ReasonNoMove}, true
	}
	if m, ok := r.position.CanDeclare(r.opts.Declaration); ok && len(r.limits.SearchMoves) == 0 {
		line := search.Info{MultiPV: 1, Depth: 1, SelDepth: 1, Time: r.elapsed(), PV: []shogi.Move{m}}
		line.Score = search.Score{CP: Centipawns(1, r.opts.EvalCoef), WinRate: 1}
		if m == shogi.MoveWin {
			line.PV = nil
		}
		return search.Result{Best: m, Reason: search.ReasonDeclare, Lines: []search.Info{line}}, true
	}
	return search.Result{}, false
}

// makeWorkers brings the number of workers to what the options ask for.
func (s *Searcher) makeWorkers(r *run) {
	for len(s.workers) < r.opts.Threads {
		s.workers = append(s.workers, newWorker(s.newPolicy(), s.newValue(), s.arena))
	}
	for _, w := range s.workers[r.opts.Threads:] {
		w.memory.release()
	}
	s.workers = s.workers[:r.opts.Threads]
	for i, w := range s.workers {
		w.number = i
		w.attach(r)
	}
}

// think runs the workers and watches over them.
func (r *run) think(ctx context.Context, report func([]search.Info)) {
	if r.opts.MultiPV == 1 && r.proved() {
		r.finish(search.ReasonProved)
	}
	r.parking.open(len(r.s.workers))
	var workers sync.WaitGroup
	for _, w := range r.s.workers {
		workers.Go(w.loop)
	}
	done := make(chan struct{})
	go func() {
		workers.Wait()
		close(done)
	}()
	newWatch(r, report).until(ctx, done)
}

// loop plays playouts until the search stops.
func (w *worker) loop() {
	r := w.run
	defer r.parking.leave(r.recycle)
	yielded := r.elapsed()
	for !r.stop.Load() {
		if r.parking.called.Load() || r.s.short() {
			r.parking.park(r.recycle)
			r.tellRecycled()
			continue
		}
		now := r.elapsed()
		if int64(now) >= r.hard.Load() {
			r.finish(r.hardIs)
			return
		}
		if now-yielded > yieldEvery {
			yielded = now
			runtime.Gosched()
		}
		ticket := r.tickets.Add(1)
		if w.telling.playout = ticket; ticket > r.nodes {
			r.finish(r.nodesReason())
			return
		} else if ticket%mateInterval == 1 {
			w.searchLine(ticket)
		}
		w.playout()
		r.playouts.Add(1)
		if r.root.proof() != unproved && r.opts.MultiPV == 1 && r.proved() {
			r.finish(search.ReasonProved)
		}
		if d := r.limits.Depth; d > 0 && len(w.path) >= d {
			r.finish(search.ReasonDepth)
		}
	}
}

// nodesReason says which limit the number of playouts came from.
func (r *run) nodesReason() search.Reason {
	if r.limits.Depth > 0 && r.nodes != r.limits.Nodes {
		return search.ReasonDepth
	}
	return search.ReasonNodes
}

// held reports whether the answer must wait.
func (r *run) held(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case <-r.limits.PonderHit: // never, when it is nil
		return r.limits.Infinite
	default:
		return r.limits.Infinite || r.limits.PonderHit != nil
	}
}

// hold keeps an answer back that must not be given yet. It is the only place that does.
func (r *run) hold(ctx context.Context) {
	if r.limits.PonderHit != nil {
		select {
		case <-ctx.Done():
		case <-r.limits.PonderHit:
		}
	}
	if r.limits.Infinite {
		<-ctx.Done()
	}
}
