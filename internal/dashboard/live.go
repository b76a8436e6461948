package dashboard

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
	"github.com/yomi-shogi/yomi/value"
)

// Subject is the engine that thinks.
type Subject struct {
	// Engine is search.EngineUCT or search.EngineAlphaBeta, Searcher the tree search, nil for alpha-beta.
	Engine   string
	Searcher *uct.Searcher
	// EvalCoef is the scale of centipawns.
	EvalCoef float64
	// UCB1 says that the textbook's formula selects.
	UCB1    bool
	Options []Option
	// Value and Policy are the nets that breakdowns explain, nil for the binary's own.
	Value  *value.Net
	Policy *policy.Net
}

// Live shows an engine. It is the Sink and Pauser of its searches. Begin comes before each search and End after it, from the goroutine that
// runs them. Where there is no page it costs a search some counters.
type Live struct {
	tap     tap
	gate    gate
	joining sync.Mutex // held while pages are counted

	// mu guards what is not the tap's. It is not held while the hub or the gate is called.
	mu      sync.Mutex
	hub     *hub
	config  *Config
	subject Subject
	course  course
	history history
	recent  []LogLine // of the course of searches
	curves  curves
	speeds  speeds
	seq     int64
	sent    sentState
	said    lastSearch
	wanted  time.Time                       // when alpha-beta's tree was asked for last
	lines   atomic.Pointer[inspect.Builder] // alpha-beta's tree, nil while nobody wants it

	trees   treeCache
	turns   turns
	judges  judges
	hashing sync.Mutex // held while the node table is walked
}

// sentState is what the pages have been told.
type sentState struct {
	number, history int
	done            bool
	hash            time.Time     // when the node table was looked at last
	hashTook        time.Duration // how long that took
}

// lastSearch is the state of the search that the pages were told last.
type lastSearch struct {
	at       time.Time
	text     []byte
	number   int
	thinking bool
}

// NewLive returns a source that shows an engine which has not thought yet.
func NewLive(s Subject) *Live {
	l := &Live{subject: s, history: history{start: "startpos"}, turns: make(turns, 1)}
	l.tap.ring.prepare()
	l.gate.tell = l.tellStop
	return l
}

// Event takes a search's event.
func (l *Live) Event(e *search.Event) {
	if e.Kind == search.EventStart {
		l.gate.begin(e) // first, so that who sees the search can stop it
		l.started(e)
	} else {
		l.tap.event(e)
	}
	switch e.Kind {
	case search.EventEnd, search.EventClock, search.EventIteration:
		l.noted(e)
	}
	if b := l.lines.Load(); b != nil {
		b.Event(e)
	}
	l.gate.event(e)
}

// Level returns how much the dashboard wants to know now: everything while something is to be stopped at or shown in a log, or
// alpha-beta's tree is being built, and now and then for a moment, to copy a selection.
func (l *Live) Level() search.Level {
	if l.gate.armed.Load() || l.tap.selection.state.Load() == selectionWanted || l.tap.ring.debug.Load() || l.lines.Load() != nil {
		return search.LevelDebug
	}
	return search.LevelInfo
}

// Paused returns for how long searches have been held up.
func (l *Live) Paused() time.Duration { return l.gate.paused() }

// Begin says who will think next. When the context ends, the search is held up no more. The function that it returns says that the
// search has ended.
func (l *Live) Begin(ctx context.Context, s Subject) (end func()) {
	l.mu.Lock()
	changed := s.Engine != l.subject.Engine || !slices.Equal(s.Options, l.subject.Options)
	l.subject = s
	h := l.hub
	l.mu.Unlock()
	if changed && h != nil {
		h.each(func(c *client) { c.put(encode(l.hello(c))) })
	}
	l.judges.use(s.Value, s.Policy)
	stop := context.AfterFunc(ctx, l.gate.release)
	return func() {
		stop()
		l.gate.end()
		l.gather()
	}
}

// Listen passes reports on and notes their lines. listen may be nil.
func (l *Live) Listen(listen func([]search.Info)) func([]search.Info) {
	return func(infos []search.Info) {
		if len(infos) > 0 && infos[0].Text == "" {
			l.mu.Lock()
			l.course.lines = infos
			l.mu.Unlock()
		}
		if listen != nil {
			listen(infos)
		}
	}
}

// Forget lets go of the searcher, whose memory is to be given back or filled anew; do is called meanwhile. The next Begin brings another.
func (l *Live) Forget(do func()) {
	l.hashing.Lock()
	defer l.hashing.Unlock()
	l.mu.Lock()
	l.subject.Searcher = nil
	l.trees.forget()
	l.mu.Unlock()
	do()
}

// NewGame forgets what the searches of the last game ended with.
func (l *Live) NewGame() {
	l.mu.Lock()
	l.history.forget()
	l.mu.Unlock()
}

// course is what is known of the search that runs, or the last one.
type course struct {
	start     search.Event // its game is the dashboard's own
	from      time.Time
	paused    time.Duration // before it began
	thinking  bool
	clock     *Clock
	lines     []search.Info // reported last
	end       search.Event
	decisions []Decision
	selection search.Event // the root's last one that was copied
}

// elapsed returns the time that the search has taken so far.
func (c *course) elapsed(paused time.Duration) time.Duration {
	if !c.thinking {
		return c.end.Took
	}
	return max(0, time.Since(c.from)-(paused-c.paused))
}

// started notes that a search begins. Its number and its state change together: who looks meanwhile must not see the end of a search that
// has only begun.
func (l *Live) started(e *search.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tap.event(e)
	start := *e
	start.Game = e.Game.Clone()
	l.course = course{start: start, from: time.Now(), paused: l.gate.paused(), thinking: true}
	l.history.follow(start.Game)
	l.curves = curves{}
	l.speeds.reset()
	l.said = lastSearch{}
	l.trees.forget()
}

// noted notes the plan, a decision of the clock, the answer, or that a depth begins.
func (l *Live) noted(e *search.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &l.course
	switch e.Kind {
	case search.EventClock:
		at := c.elapsed(l.gate.paused())
		c.clock = &Clock{Optimum: milliseconds(e.Optimum), Hard: milliseconds(e.Hard), Zero: milliseconds(at - e.Took)}
		if e.Reason == "" {
			c.decisions = append(c.decisions, Decision{At: milliseconds(at), What: "plan"})
		} else {
			c.decisions = append(c.decisions, Decision{At: milliseconds(at), What: "stop", Reason: string(e.Reason)})
		}
		c.clock.Decisions = slices.Clone(c.decisions)
	case search.EventEnd:
		c.thinking, c.end = false, *e
		c.end.Line = slices.Clone(e.Line)
		l.history.add(l.pointOf(e))
	case search.EventIteration:
		l.startTree()
	}
}

// pointOf returns what the search ended with.
func (l *Live) pointOf(e *search.Event) HistoryPoint {
	root := l.course.start.Game.Position()
	point := HistoryPoint{Ply: root.Ply(), Move: e.Move.String(), Reason: string(e.Reason), Playouts: e.Playout, Took: milliseconds(e.Took)}
	rate := e.WinRate
	if l.course.start.Engine == search.EngineAlphaBeta {
		rate, point.Score = scoreRate(e.Score, l.subject.EvalCoef), e.Score
	}
	if root.Side() == shogi.White {
		rate, point.Score = 1-rate, -point.Score
	}
	point.WinRate = float32(rate)
	return point
}

// attach gives the source its hub.
func (l *Live) attach(h *hub) {
	l.mu.Lock()
	l.hub, l.config = h, h.config
	l.mu.Unlock()
}

// changed counts the pages anew and takes up their filters.
func (l *Live) changed() {
	l.joining.Lock()
	defer l.joining.Unlock()
	l.gate.setWatchers(l.hub.watchers())
	var filters []inspect.Filter
	for words, f := range l.hub.filters() {
		if words != "" {
			filters = append(filters, f)
		}
	}
	l.tap.ring.show(filters)
}

// hello returns the first message.
func (l *Live) hello(c *client) *Hello {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &Hello{Type: TypeHello, Schema: SchemaVersion, Version: l.config.Version, Mode: ModeLive, Engine: l.subject.Engine,
		CanControl: c.trusted.Load(), HasToken: l.config.Token != "", Options: l.subject.Options, Game: l.history.message()}
}

// greet tells a page that has just come what there is.
func (l *Live) greet(c *client) {
	c.say(l.hello(c))
	c.say(&Breakpoints{Type: TypeBreakpoints, List: l.gate.list(), Help: inspect.BreakpointHelp})
	now := time.Now()
	l.mu.Lock()
	curves := l.curves.message(l.number())
	lines := slices.Clone(l.recent)
	l.mu.Unlock()
	c.say(curves)
	c.put(l.searchText(now))
	if len(lines) > 0 {
		c.say(&Log{Type: TypeLog, Lines: lines})
	}
	if stop, id := l.gate.stopped(); stop != nil {
		c.say(l.stopMessage(stop, id))
	}
}

// number returns the number of the search.
func (l *Live) number() int { return int(l.tap.number.Load()) }

// do executes a command.
func (l *Live) do(c *client, command any) error {
	switch command := command.(type) {
	case *TreeRequest:
		return l.sendTree(c, command)
	case *BreakdownRequest:
		return l.sendBreakdown(c, command)
	case *BreakCommand:
		return l.changeBreakpoints(l.gate.add(command.Text))
	case *UnbreakCommand:
		return l.changeBreakpoints(l.gate.remove(command.ID))
	case *StepCommand:
		return l.gate.step(command)
	case *ContinueCommand:
		return l.gate.resume()
	case *PauseCommand:
		return l.gate.requestPause()
	}
	return errors.New("this page shows no trace")
}

// changeBreakpoints tells the new list, if there was no error.
func (l *Live) changeBreakpoints(err error) error {
	if err == nil {
		l.hub.say(&Breakpoints{Type: TypeBreakpoints, List: l.gate.list()})
	}
	return err
}

// tellStop tells that the search has stopped, or with nil that it goes on.
func (l *Live) tellStop(stop *inspect.Stop, breakpoint int) {
	if stop == nil {
		l.hub.say(&Stopped{Type: TypeStopped})
		return
	}
	l.hub.say(l.search(time.Now()))
	l.hub.say(l.stopMessage(stop, breakpoint))
}

// stopMessage returns what to know where the search is held up.
func (l *Live) stopMessage(stop *inspect.Stop, breakpoint int) *Stopped {
	e := &stop.Event
	line := l.tap.laneOf(e.Worker).line(e.Ply)
	if e.Worker < 0 {
		line = nil
	}
	m := stoppedAt(e, stop.Root, line)
	m.Breakpoint, m.Search = breakpoint, l.number()
	return m
}

// stoppedAt returns what to know of an event at the end of a line.
func stoppedAt(e *search.Event, root shogi.Position, line []shogi.Move) *Stopped {
	m := &Stopped{Type: TypeStopped, Stopped: true, Kind: e.Kind.String(), Text: inspect.EventText(e), Worker: e.Worker, Playout: e.Playout, Ply: e.Ply,
		Root: root.SFEN(), Visits: e.Visits, WinRate: float32(e.WinRate), Value: float32(e.Value), Scale: float32(e.Scale), Loss: float32(e.Loss)}
	position := root
	for _, move := range line {
		if !position.IsLegal(move) {
			break
		}
		position.Do(move)
		m.Path = append(m.Path, move.String())
	}
	m.Position, m.Key = position.SFEN(), keyText(position.Key())
	if e.Move != shogi.MoveNone {
		m.Move = e.Move.String()
	}
	switch e.Kind {
	case search.EventEnter, search.EventNode, search.EventTable, search.EventWindow, search.EventPrune, search.EventIteration, search.EventFail:
		m.Window = &Window{Alpha: e.Alpha, Beta: e.Beta, Depth: e.Depth, Score: e.Score}
	}
	for i := range e.Candidates {
		c := &e.Candidates[i]
		m.Candidates = append(m.Candidates, StoppedCandidate{Move: c.Move.String(), N: c.Visits, Flying: c.Flying, P: float32(c.Prior), Q: float32(c.WinRate),
			U: float32(c.Explore), Proof: c.Proof, Fresh: c.Fresh, Chosen: c.Move == e.Move})
	}
	return m
}
