package inspect

import (
	"slices"
	"sync"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// Stepper is a Sink that holds a search up, at breakpoints and step by step. The search goes on as if nothing had been: the time is
// not charged to its clock, and with one worker and a node limit it gives the same answer. While one worker is held, the others
// go on to their own next event.
//
// It begins stopped at the first event. Whoever controls it takes Stops and lets the search go on by Step, StepPlayout, Continue or
// Detach; the other methods may be called at any time.
type Stepper struct {
	turn    sync.Mutex // held by the worker whose event it is
	builder *Builder
	rates   map[int]float64 // by worker: the win rate of the last node it selected at
	stops   chan Stop
	resume  chan struct{}

	mu       sync.Mutex
	breaks   map[int]Breakpoint
	lastID   int
	steps    int   // events to go, below 0 for any number
	playout  int64 // stop when another playout begins; below 0 for none
	detached bool
	paused   time.Duration
	since    time.Time // when the pause under way began; zero for none
}

// Stop is a search that is held up.
type Stop struct {
	Event search.Event
	// Breakpoint is the number of the breakpoint that was hit, 0 for a step.
	Breakpoint int
	// Line leads from Root to the event's node.
	Root shogi.Position
	Line []shogi.Move
}

// NewStepper returns a stepper without breakpoints.
func NewStepper() *Stepper {
	return &Stepper{builder: NewBuilder(0), rates: make(map[int]float64), stops: make(chan Stop), resume: make(chan struct{}),
		breaks: make(map[int]Breakpoint), steps: 1, playout: -1}
}

// Event looks whether to stop.
func (s *Stepper) Event(e *search.Event) {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.builder.Event(e)
	number, stop := s.check(e)
	if e.Kind == search.EventSelect {
		s.rates[e.Worker] = e.WinRate
	}
	if !stop {
		return
	}
	root, _ := s.builder.Root()
	stopped := Stop{Event: *e, Breakpoint: number, Root: root, Line: s.builder.Line(e)}
	stopped.Event.Candidates = slices.Clone(e.Candidates)
	s.stops <- stopped
	<-s.resume
	s.mu.Lock()
	s.paused += time.Since(s.since)
	s.since = time.Time{}
	s.mu.Unlock()
}

// check reports whether to stop at the event, and begins the pause.
func (s *Stepper) check(e *search.Event) (number int, stop bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.detached {
		return 0, false
	}
	if s.steps > 0 {
		s.steps--
		stop = s.steps == 0
	}
	if s.playout >= 0 && e.Playout != s.playout && (e.Kind == search.EventSelect || e.Kind == search.EventEnter || e.Kind == search.EventNode) {
		stop = true
	}
	for id := range s.lastID {
		if b, ok := s.breaks[id+1]; ok && b.hit(e, s.rates[e.Worker]) {
			number, stop = id+1, true
			break
		}
	}
	if stop {
		s.since, s.steps, s.playout = time.Now(), -1, -1
	}
	return number, stop
}

// Stops gives the stops. After each the search waits for Step, StepPlayout, Continue or Detach.
func (s *Stepper) Stops() <-chan Stop { return s.stops }

// Step lets the search go on for a number of events, 1 or more.
func (s *Stepper) Step(events int) { s.goOn(max(1, events), -1) }

// StepPlayout lets the search go on until another playout begins, for alpha-beta another node. The number is the stopped event's playout.
func (s *Stepper) StepPlayout(now int64) { s.goOn(-1, now) }

// Continue lets the search go on to the next breakpoint.
func (s *Stepper) Continue() { s.goOn(-1, -1) }

func (s *Stepper) goOn(steps int, playout int64) {
	s.mu.Lock()
	s.steps, s.playout = steps, playout
	s.mu.Unlock()
	s.resume <- struct{}{}
}

// Detach lets the search go on to its end without stopping again. stopped says that it is held up now.
func (s *Stepper) Detach(stopped bool) {
	s.mu.Lock()
	s.detached = true
	s.mu.Unlock()
	if stopped {
		s.resume <- struct{}{}
	}
}

// Add adds a breakpoint and returns its number, from 1.
func (s *Stepper) Add(b Breakpoint) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID++
	s.breaks[s.lastID] = b
	return s.lastID
}

// Remove takes a breakpoint away and reports whether there was one of the number.
func (s *Stepper) Remove(number int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.breaks[number]
	delete(s.breaks, number)
	return ok
}

// Breakpoints returns the breakpoints by number.
func (s *Stepper) Breakpoints() map[int]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := make(map[int]string, len(s.breaks))
	for id, b := range s.breaks {
		texts[id] = b.Text
	}
	return texts
}

// Tree returns the tree so far.
func (s *Stepper) Tree() Tree { return s.builder.Tree() }

// Paused returns for how long searches have been held up.
func (s *Stepper) Paused() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.since.IsZero() {
		return s.paused
	}
	return s.paused + time.Since(s.since)
}
