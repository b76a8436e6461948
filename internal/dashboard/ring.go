package dashboard

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// ring keeps events for the logs until they are read. Writers are many, the reader is one. A writer that meets an entry not yet read leaves
// its event out.
type ring struct {
	kinds   atomic.Uint32 // bit k: some filter may show events of kind k
	debug   atomic.Bool   // they have kinds of search.LevelDebug among them
	filters atomic.Pointer[[]inspect.Filter]
	budget  atomic.Int32 // events that may still come in before the next look, those of the search's course excepted
	dropped atomic.Int64
	write   atomic.Uint64
	read    uint64
	entries [ringSize]ringEntry
}

const ringSize = 512

// burst is the most lines between two looks, at ten looks a second.
const burst = 20

// ringEntry is free for the writer of place turn, or ready for the reader of place turn-1, after D. Vyukov's bounded queue.
type ringEntry struct {
	turn       atomic.Uint64
	record     inspect.Record
	candidates []search.Candidate
	line       []shogi.Move
}

// prepare makes the entries free.
func (r *ring) prepare() {
	for i := range r.entries {
		r.entries[i].turn.Store(uint64(i))
	}
	r.budget.Store(burst)
	r.show(nil)
}

// claim returns a free entry and its place; nil when all are taken.
func (r *ring) claim() (entry *ringEntry, place uint64) {
	for {
		place = r.write.Load()
		entry = &r.entries[place%ringSize]
		switch turn := entry.turn.Load(); {
		case turn == place:
			if r.write.CompareAndSwap(place, place+1) {
				return entry, place
			}
		case turn < place:
			return nil, 0
		}
	}
}

// isCourse reports whether events of the kind are few: the course of a search.
func isCourse(k search.EventKind) bool {
	switch k {
	case search.EventStart, search.EventEnd, search.EventClock, search.EventBest, search.EventRecycle, search.EventIteration, search.EventFail:
		return true
	}
	return false
}

// courseFilter shows the course of a search.
func courseFilter() inspect.Filter {
	var f inspect.Filter
	for k := range search.EventKind(search.NumEventKinds) {
		if isCourse(k) {
			f.Kinds = append(f.Kinds, k)
		}
	}
	return f
}

// offer copies the event if a filter shows it.
func (r *ring) offer(e *search.Event, number int) {
	if r.kinds.Load()&(1<<e.Kind) == 0 || !r.wanted(e, number) {
		return
	}
	if !isCourse(e.Kind) && r.budget.Add(-1) < 0 {
		r.dropped.Add(1)
		return
	}
	entry, place := r.claim()
	if entry == nil {
		r.dropped.Add(1)
		return
	}
	entry.candidates = append(entry.candidates[:0], e.Candidates...)
	entry.line = append(entry.line[:0], e.Line...)
	entry.record = inspect.Record{Time: time.Now(), Search: number, Event: *e}
	entry.record.Candidates, entry.record.Line = entry.candidates, entry.line
	if e.Game != nil {
		entry.record.Game = e.Game.Clone()
	}
	entry.turn.Store(place + 1)
}

// wanted reports whether one of the filters shows the event.
func (r *ring) wanted(e *search.Event, number int) bool {
	filters := r.filters.Load()
	for i := range *filters {
		if (*filters)[i].Match(e, number) {
			return true
		}
	}
	return false
}

// show sets the filters; the course of the search is always kept.
func (r *ring) show(filters []inspect.Filter) {
	filters = append([]inspect.Filter{courseFilter()}, filters...)
	var kinds uint32
	debug := false
	for k := range search.EventKind(search.NumEventKinds) {
		for i := range filters {
			f := &filters[i]
			if len(f.Kinds) == 0 && k.Level() <= f.Level || len(f.Kinds) > 0 && slices.Contains(f.Kinds, k) {
				kinds |= 1 << k
				debug = debug || k.Level() == search.LevelDebug
			}
		}
	}
	r.filters.Store(&filters)
	r.kinds.Store(kinds)
	r.debug.Store(debug)
}

// drain gives the look function the events since the last call, and makes room for more. It is for one goroutine at a time.
func (r *ring) drain(look func(record *inspect.Record)) {
	for range ringSize {
		entry := &r.entries[r.read%ringSize]
		if entry.turn.Load() != r.read+1 {
			break
		}
		look(&entry.record)
		entry.record.Game = nil
		entry.turn.Store(r.read + ringSize)
		r.read++
	}
	r.budget.Store(burst)
}
