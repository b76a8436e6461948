package uct

import (
	"context"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// watch looks after a running search from outside: clock, ponder hit, reports.
type watch struct {
	r        *run
	report   func([]search.Info)
	clock    *search.Clock // nil while pondering and in an infinite search
	zero     time.Duration // when the clock began, since the start of the search
	next     time.Duration // when to report next
	pauses   int64         // before this search
	saidFull bool
	due      time.Duration // when the clock said stop, since it began; 0 before that

	best shogi.Move // the best move at the last look
}

func newWatch(r *run, report func([]search.Info)) *watch {
	w := &watch{r: r, report: report, next: firstReport, pauses: r.s.recycler.pauses.Load()}
	if r.opts.PVInterval <= 0 {
		w.next = time.Duration(never)
	}
	return w
}

// until watches until all workers are done.
func (w *watch) until(ctx context.Context, done <-chan struct{}) {
	hit := w.r.limits.PonderHit
	if hit == nil {
		w.startClock()
	}
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	cancelled := ctx.Done()
	for {
		select {
		case <-done:
			w.sayFull()
			w.end()
			return
		case <-cancelled:
			w.r.finish(search.ReasonCancelled)
			cancelled = nil
		case <-hit:
			hit = nil
			w.zero = w.r.elapsed()
			if times := w.r.limits.HitTimes; times != nil {
				if t := times(); t != nil {
					w.r.limits.Clock = t
				}
			}
			w.startClock()
		case <-ticker.C:
			w.look()
		}
	}
}

// startClock plans the time and tells the workers the hard limit. An infinite search has none.
func (w *watch) startClock() {
	r := w.r
	if r.limits.Infinite {
		return
	}
	w.clock = search.NewClock(&r.limits, r.position.Side(), r.position.Ply(), r.s.lag.Add(r.opts.Clock))
	if w.clock.Limited() {
		r.hardIs = w.clock.HardReason()
		r.hard.Store(int64(w.zero + w.clock.Hard()))
	}
	w.tellClock("")
}

// end notes for the next search how late this one ended.
func (w *watch) end() {
	r := w.r
	w.noteLag()
	r.extended = w.clock.Extended()
	w.tellClock(r.reason)
}

// noteLag notes how late a search ended that the clock stopped. What ended for another reason says nothing of that.
func (w *watch) noteLag() {
	if w.clock == nil || !w.clock.Limited() {
		return
	}
	due, took := w.clock.Hard(), w.r.elapsed()-w.zero
	if w.due > 0 {
		due = min(due, w.due)
	}
	if took >= due {
		w.r.s.lag.Note(took - due)
	}
}

// look is done at every tick.
func (w *watch) look() {
	r, now := w.r, w.r.elapsed()
	if w.clock != nil && w.clock.Limited() {
		progress, best, total := r.progress()
		if best != w.best {
			w.best = best
			w.tellBest(&progress, total)
		}
		if reason := w.clock.Verdict(now-w.zero, &progress); reason != "" {
			if w.due == 0 {
				w.due = now - w.zero
			}
			r.finish(reason)
		} else if w.clock.OnClock() && len(r.legal) == 1 && progress.Playouts >= onlyMovePlayouts {
			r.finish(search.ReasonOnlyMove)
		}
	}
	w.sayFull()
	if now >= w.next && !r.stop.Load() {
		w.next = now + r.opts.PVInterval
		w.report(r.lines())
	}
}

// sayFull reports once that memory ran out.
func (w *watch) sayFull() {
	if !w.saidFull && w.r.s.recycler.pauses.Load() > w.pauses {
		w.saidFull = true
		w.report([]search.Info{{Text: "hash is full: forgetting the nodes with the fewest visits"}})
	}
}

// progress returns what the clock wants to know, the best move, and the visits of all moves that may be played together.
func (r *run) progress() (p search.Progress, best shogi.Move, total int64) {
	p.Playouts = r.playouts.Load()
	r.parking.mu.Lock() // the root may move
	defer r.parking.mu.Unlock()
	r.root.lock()
	defer r.root.unlock()
	for i, s := range r.s.arena.stats(r.root) {
		if !r.allows(i) || s.n == 0 || s.proof < 0 {
			continue
		}
		total += int64(s.n)
		switch n, rate := int64(s.n), float64(s.w)/float64(s.n); {
		case n > p.First:
			p.Second, p.SecondRate = p.First, p.FirstRate
			p.First, p.FirstRate = n, rate
			best = r.s.arena.edges(r.root)[i].move()
		case n > p.Second:
			p.Second, p.SecondRate = n, rate
		}
	}
	return p, best, total
}
