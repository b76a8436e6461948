package dashboard

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
)

// gate holds the search up at breakpoints, as long as a page is there that may let it go on. It gives events to a stepper only while there
// is something to stop at. A search has one stepper at most, so that its pauses add up.
type gate struct {
	armed   atomic.Bool
	stepper atomic.Pointer[inspect.Stepper]
	past    atomic.Int64 // pauses of earlier searches' steppers
	// tell says that the search has stopped, or with nil that it goes on.
	tell func(stop *inspect.Stop, breakpoint int)

	mu       sync.Mutex
	breaks   []gateBreak
	lastID   int
	watchers int           // pages that may let the search go on
	start    *search.Event // of the search that runs, nil for none
	done     chan struct{} // closed when it has ended
	released bool          // it is not to be held up any more
	stop     *inspect.Stop // where it is held up, nil when it is not
	stopID   int
	stepping bool
	pause    int // the stepper's number of the breakpoint that stands for a pause, 0 for none
}

// gateBreak is a breakpoint with its number in the stepper.
type gateBreak struct {
	Breakpoint
	parsed inspect.Breakpoint
	number int
}

// maxBreakpoints is the most breakpoints.
const maxBreakpoints = 32

var errNotStopped = errors.New("the search is not stopped")

// event stops where it is wanted.
func (g *gate) event(e *search.Event) {
	if !g.armed.Load() {
		return
	}
	if s := g.stepper.Load(); s != nil {
		s.Event(e)
	}
}

// paused returns for how long searches have been held up.
func (g *gate) paused() time.Duration {
	past := time.Duration(g.past.Load())
	if s := g.stepper.Load(); s != nil {
		return past + s.Paused()
	}
	return past
}

// begin prepares for the search whose start the event tells.
func (g *gate) begin(e *search.Event) {
	g.end()
	start := *e
	start.Game = e.Game.Clone()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.start, g.done, g.released = &start, make(chan struct{}), false
	g.refresh()
}

// end says that the search has ended.
func (g *gate) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.start == nil {
		return
	}
	close(g.done)
	g.armed.Store(false)
	if s := g.stepper.Load(); s != nil {
		g.stepper.Store(nil)
		g.past.Add(int64(s.Paused()))
	}
	g.start, g.stop, g.stepping, g.pause = nil, nil, false, 0
}

// refresh gives the stepper its events exactly while there is something to stop at. The caller holds mu.
func (g *gate) refresh() {
	want := g.start != nil && !g.released && g.watchers > 0 && (len(g.breaks) > 0 || g.pause != 0 || g.stop != nil || g.stepping)
	if want && g.stepper.Load() == nil {
		g.makeStepper()
	}
	g.armed.Store(want)
}

// makeStepper makes the search's stepper, which learns first what the search is about.
func (g *gate) makeStepper() {
	s := inspect.NewStepper()
	first := make(chan struct{})
	go func() {
		defer close(first)
		s.Event(g.start)
	}()
	<-s.Stops() // it begins stopped
	s.Continue()
	<-first
	for i := range g.breaks {
		g.breaks[i].number = s.Add(g.breaks[i].parsed)
	}
	g.stepper.Store(s)
	go g.watch(s, g.done)
}

// watch takes the stops until the search has ended.
func (g *gate) watch(s *inspect.Stepper, done <-chan struct{}) {
	for {
		select {
		case stop := <-s.Stops():
			if !g.hold(s, &stop) {
				s.Continue()
			}
		case <-done:
			return
		}
	}
}

// hold notes a stop, unless nobody is there who could let the search go on.
func (g *gate) hold(s *inspect.Stepper, stop *inspect.Stop) bool {
	g.mu.Lock()
	if g.released || g.watchers == 0 {
		g.mu.Unlock()
		return false
	}
	if g.pause != 0 {
		s.Remove(g.pause)
		g.pause = 0
	}
	g.stop, g.stopID, g.stepping = stop, 0, false
	for i := range g.breaks {
		if stop.Breakpoint != 0 && g.breaks[i].number == stop.Breakpoint {
			g.stopID = g.breaks[i].ID
		}
	}
	id := g.stopID
	g.mu.Unlock()
	g.tell(stop, id)
	return true
}

// stopped returns where the search is held up and at which breakpoint, nil when it is not.
func (g *gate) stopped() (*inspect.Stop, int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stop, g.stopID
}

// release lets the search go on to its end: it was told to stop.
func (g *gate) release() {
	g.mu.Lock()
	s, held := g.stepper.Load(), g.stop != nil
	g.released, g.stop = true, nil
	g.refresh()
	g.mu.Unlock()
	if s == nil {
		return
	}
	s.Detach(held)
	if held {
		g.tell(nil, 0)
	}
}

// setWatchers sets the number of pages that may let the search go on. When the last one goes, the search does.
func (g *gate) setWatchers(n int) {
	g.mu.Lock()
	g.watchers = n
	s, held := g.stepper.Load(), g.stop != nil && n == 0
	if n == 0 {
		g.stop, g.stepping = nil, false
	}
	g.refresh()
	g.mu.Unlock()
	if held {
		s.Continue()
		g.tell(nil, 0)
	}
}

// goOn lets a stopped search go on.
func (g *gate) goOn(stepping bool, move func(s *inspect.Stepper, stop *inspect.Stop)) error {
	g.mu.Lock()
	stop := g.stop
	if stop == nil {
		g.mu.Unlock()
		return errNotStopped
	}
	g.stop, g.stepping = nil, stepping
	s := g.stepper.Load()
	g.refresh()
	g.mu.Unlock()
	g.tell(nil, 0) // before it may stop again
	move(s, stop)
	return nil
}

// step lets a stopped search go on for a number of events, or to the next playout.
func (g *gate) step(c *StepCommand) error {
	return g.goOn(true, func(s *inspect.Stepper, stop *inspect.Stop) {
		if c.What == StepPlayout {
			s.StepPlayout(stop.Event.Playout)
		} else {
			s.Step(max(1, c.Count))
		}
	})
}

// resume lets a stopped search go on to the next breakpoint.
func (g *gate) resume() error {
	return g.goOn(false, func(s *inspect.Stepper, _ *inspect.Stop) { s.Continue() })
}

// requestPause stops the running search at its next move.
func (g *gate) requestPause() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.start == nil || g.released:
		return errors.New("no search is running")
	case g.stop != nil || g.pause != 0:
		return nil
	}
	next, err := inspect.ParseBreakpoint("playout 0")
	if err != nil {
		return err
	}
	if g.stepper.Load() == nil {
		g.makeStepper()
	}
	g.pause = g.stepper.Load().Add(next)
	g.refresh()
	return nil
}

// add adds a breakpoint.
func (g *gate) add(text string) error {
	parsed, err := inspect.ParseBreakpoint(text)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.breaks) >= maxBreakpoints {
		return fmt.Errorf("there are %d breakpoints: remove one first", maxBreakpoints)
	}
	g.lastID++
	b := gateBreak{Breakpoint: Breakpoint{ID: g.lastID, Text: parsed.Text}, parsed: parsed}
	if s := g.stepper.Load(); s != nil {
		b.number = s.Add(parsed)
	}
	g.breaks = append(g.breaks, b)
	g.refresh()
	return nil
}

// remove removes a breakpoint, or all for 0.
func (g *gate) remove(id int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	before := len(g.breaks)
	g.breaks = slices.DeleteFunc(g.breaks, func(b gateBreak) bool {
		if id != 0 && b.ID != id {
			return false
		}
		if s := g.stepper.Load(); s != nil {
			s.Remove(b.number)
		}
		return true
	})
	if id != 0 && len(g.breaks) == before {
		return fmt.Errorf("there is no breakpoint %d", id)
	}
	g.refresh()
	return nil
}

// list returns the breakpoints.
func (g *gate) list() []Breakpoint {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := []Breakpoint{}
	for i := range g.breaks {
		list = append(list, g.breaks[i].Breakpoint)
	}
	return list
}
