package dashboard

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
)

// Trace shows a trace file. All its pages see the same place in it, and each may go elsewhere.
type Trace struct {
	mu       sync.Mutex
	hub      *hub
	config   *Config
	replay   *inspect.Replay
	searches []TraceSearch
	times    []int64 // of all records, microseconds since 1970
	points   []HistoryPoint
	judges   judges
	seq      int64

	playing bool
	speed   float64
	began   time.Time // when it was played on
	since   int64     // the record time then
}

// NewTrace reads a trace file. The place is the end of its first search.
func NewTrace(path string) (*Trace, error) {
	t := &Trace{}
	if err := read(path, func(f *os.File) error {
		_, err := inspect.Read(f, t.index)
		return err
	}); err != nil {
		return nil, err
	}
	if len(t.searches) == 0 {
		return nil, fmt.Errorf("%s: no search begins in this trace", path)
	}
	t.close()
	err := read(path, func(f *os.File) (err error) {
		t.replay, err = inspect.NewReplay(f)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.replay.Goto(t.searches[0].To)
	return t, nil
}

// read calls a function with the file.
func read(path string, do func(f *os.File) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := do(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// index notes where searches begin and what they ended with.
func (t *Trace) index(r *inspect.Record) error {
	switch r.Kind {
	case search.EventStart:
		t.close()
		s := TraceSearch{Number: r.Search, From: len(t.times), Engine: r.Engine}
		if r.Game != nil {
			s.Ply = r.Game.Position().Ply()
		}
		t.searches = append(t.searches, s)
	case search.EventEnd:
		if n := len(t.searches); n > 0 {
			s := &t.searches[n-1]
			s.Best = r.Move.String()
			t.points = append(t.points, tracePoint(s, r))
		}
	}
	t.times = append(t.times, r.Time.UnixMicro())
	return nil
}

// tracePoint returns what a search of the trace ended with.
func tracePoint(s *TraceSearch, r *inspect.Record) HistoryPoint {
	p := HistoryPoint{Ply: s.Ply, Move: s.Best, Reason: string(r.Reason), Playouts: r.Playout, Took: milliseconds(r.Took)}
	rate := r.WinRate
	if s.Engine == search.EngineAlphaBeta {
		rate, p.Score = scoreRate(r.Score, value.EvalCoef), r.Score
	}
	if s.Ply%2 == 0 {
		rate, p.Score = 1-rate, -p.Score
	}
	p.WinRate = float32(rate)
	return p
}

// close notes that the last search of the index has ended.
func (t *Trace) close() {
	if n := len(t.searches); n > 0 {
		t.searches[n-1].To = len(t.times)
	}
}

func (t *Trace) attach(h *hub) {
	t.mu.Lock()
	t.hub, t.config = h, h.config
	t.mu.Unlock()
}

func (t *Trace) changed() {}

// greet tells a page that has just come what there is.
func (t *Trace) greet(c *client) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c.say(&Hello{Type: TypeHello, Schema: SchemaVersion, Version: t.config.Version, Mode: ModeTrace, Engine: t.now().Engine, Game: *t.game()})
	for _, m := range t.state(true) {
		c.say(m)
	}
}

// now returns the search at this place, the first one before it.
func (t *Trace) now() *TraceSearch {
	for i := range t.searches {
		if s := &t.searches[i]; t.replay.At() <= s.To {
			return s
		}
	}
	return &t.searches[len(t.searches)-1]
}

// start returns the start of the search at this place, nil before it.
func (t *Trace) start() *inspect.Record {
	return t.replay.Latest(func(e *search.Event) bool { return e.Kind == search.EventStart })
}

// game returns the game at this place, with all points of the trace.
func (t *Trace) game() *Game {
	var h history
	game := shogi.NewGame(shogi.StartPosition())
	if r := t.start(); r != nil && r.Game != nil {
		game = r.Game
	}
	h.follow(game)
	m := h.message()
	m.History = slices.Clone(t.points)
	return &m
}

// state returns the messages that tell of this place.
func (t *Trace) state(first bool) []any {
	place := &Place{Type: TypeTrace, At: t.replay.At(), Records: t.replay.Len(), Search: t.now().Number, Playing: t.playing, Cut: t.replay.Cut}
	if first {
		place.Searches = t.searches
	}
	messages := []any{t.game(), t.search(), place}
	r := t.replay.Record()
	if r == nil {
		return append(messages, &Stopped{Type: TypeStopped})
	}
	place.Time, place.Text = r.Time.UnixMilli(), inspect.EventText(&r.Event)
	if root, line, ok := t.replay.Position(); ok {
		m := stoppedAt(&r.Event, root, line)
		m.Search = r.Search
		messages = append(messages, m)
	}
	return messages
}

// search returns the state of the search at this place.
func (t *Trace) search() *Search {
	t.seq++
	s := t.now()
	m := &Search{Type: TypeSearch, Seq: t.seq, Number: s.Number, Engine: s.Engine, State: StateIdle}
	start, record := t.start(), t.replay.Record()
	if start == nil || record == nil {
		return m
	}
	m.State, m.Elapsed = StateStopped, milliseconds(record.Time.Sub(start.Time))
	tree := t.replay.Tree()
	m.Playouts = tree.Searched
	t.fillClock(m, start)
	if end := t.latest(search.EventEnd); end != nil {
		m.State, m.Elapsed, m.Best, m.Reason = StateDone, milliseconds(end.Took), end.Move.String(), string(end.Reason)
	}
	if m.Elapsed > 0 {
		m.Speed = float32(float64(m.Playouts) / float64(m.Elapsed) * 1000)
	}
	if s.Engine == search.EngineAlphaBeta {
		t.fillScores(m, &tree)
		return m
	}
	selection := new(search.Event)
	if r := t.replay.Latest(func(e *search.Event) bool { return e.Kind == search.EventSelect && e.Ply == 0 }); r != nil {
		selection = &r.Event
		m.Scale, m.Loss = float32(r.Scale), float32(r.Loss)
	}
	fillTree(m, &tree, selection, Subject{EvalCoef: value.EvalCoef, UCB1: true}) // U where the trace has it
	return m
}

// latest returns the latest record of a kind in this search, nil for none.
func (t *Trace) latest(kind search.EventKind) *inspect.Record {
	return t.replay.Latest(func(e *search.Event) bool { return e.Kind == kind })
}

// fillClock fills in the latest plan or decision.
func (t *Trace) fillClock(m *Search, start *inspect.Record) {
	r := t.latest(search.EventClock)
	if r == nil {
		return
	}
	at := milliseconds(r.Time.Sub(start.Time))
	d := Decision{At: at, What: "plan", Reason: string(r.Reason)}
	if r.Reason != "" {
		d.What = "stop"
	}
	m.Clock = &Clock{Optimum: milliseconds(r.Optimum), Hard: milliseconds(r.Hard), Decisions: []Decision{d}}
}

// fillScores fills in what alpha-beta's tree says.
func (t *Trace) fillScores(m *Search, tree *inspect.Tree) {
	a := &AlphaBeta{Depth: tree.Depth}
	m.AlphaBeta = a
	if _, line, ok := t.replay.Position(); ok {
		a.Line = moveWords(line)
	}
	if r := t.replay.Record(); r != nil {
		a.LineAlpha, a.LineBeta, a.LineDepth = r.Alpha, r.Beta, r.Depth
	}
	if len(tree.Nodes) == 0 {
		return
	}
	root := &tree.Nodes[0]
	a.Alpha, a.Beta, a.Score, a.Skipped, a.RootMoves = root.Alpha, root.Beta, root.Score, tree.Skipped(), root.More+len(root.Edges)
	m.WinRate = float32(scoreRate(root.Score, value.EvalCoef))
	for _, i := range tree.Principal()[1:] {
		a.Principal = append(a.Principal, moveTo(tree, i))
	}
	total := int64(0)
	for i := range root.Edges {
		e := &root.Edges[i]
		if e.Child < 0 || !tree.Nodes[e.Child].Scored {
			continue
		}
		child := &tree.Nodes[e.Child]
		c := Candidate{Move: e.Move.String(), Visits: e.Visits, CP: -child.Score, Q: float32(scoreRate(-child.Score, value.EvalCoef))}
		switch {
		case child.Score >= child.Beta:
			c.Bound = "upper"
		case child.Score <= child.Alpha:
			c.Bound = "lower"
		}
		if len(a.Principal) > 0 && c.Move == a.Principal[0] {
			c.PV = a.Principal
		}
		total += c.Visits
		m.Candidates = append(m.Candidates, c)
	}
	var best string
	if len(a.Principal) > 0 {
		best = a.Principal[0]
	}
	finishScores(m, best, total)
}

// moveTo returns the move that leads to a node of the principal variation.
func moveTo(t *inspect.Tree, at int) string {
	for i := range t.Nodes {
		if n := &t.Nodes[i]; len(n.Edges) > 0 && n.Edges[0].Child == at {
			return n.Edges[0].Move.String()
		}
	}
	return ""
}

// do executes a command.
func (t *Trace) do(c *client, command any) error {
	switch command := command.(type) {
	case *TreeRequest:
		t.mu.Lock()
		tree, number := t.replay.Tree(), t.now().Number
		t.mu.Unlock()
		m, err := treeMessage(&tree, command)
		if err != nil {
			return err
		}
		m.Search = number
		c.say(m)
		return nil
	case *BreakdownRequest:
		return t.sendBreakdown(c, command)
	case *SeekCommand:
		return t.move(func() error { return t.seek(command) })
	case *NextCommand:
		return t.move(func() error { return t.find(command.Filter, false) })
	case *BackCommand:
		return t.move(func() error { return t.find(command.Filter, true) })
	case *PlayCommand:
		return t.move(func() error { t.play(command); return nil })
	}
	return errors.New("a trace cannot be stopped or held up")
}

func (t *Trace) sendBreakdown(c *client, r *BreakdownRequest) error {
	t.mu.Lock()
	game, engine := shogi.NewGame(shogi.StartPosition()), t.now().Engine
	if start := t.start(); start != nil && start.Game != nil {
		game = start.Game
	}
	t.mu.Unlock()
	m, err := t.judges.answer(r, game, engine)
	if err != nil {
		return err
	}
	c.say(m)
	return nil
}

// move goes elsewhere and tells all pages of the place there.
func (t *Trace) move(where func() error) error {
	t.mu.Lock()
	if err := where(); err != nil {
		t.mu.Unlock()
		return err
	}
	messages := t.state(false)
	t.mu.Unlock()
	for _, m := range messages {
		t.hub.say(m)
	}
	return nil
}

// seek goes to a place.
func (t *Trace) seek(c *SeekCommand) error {
	t.playing = false
	if c.Search != 0 {
		return t.replay.GotoSearch(c.Search)
	}
	if c.At < 0 || c.At > t.replay.Len() {
		return fmt.Errorf("bad place %d: want 0 to %d", c.At, t.replay.Len())
	}
	t.replay.Goto(c.At)
	return nil
}

// find goes to the next event that the filter shows, or back.
func (t *Trace) find(words string, back bool) error {
	t.playing = false
	if words == "" {
		if back {
			t.replay.Goto(t.replay.At() - 1)
		} else {
			t.replay.Goto(t.replay.At() + 1)
		}
		return nil
	}
	filter, err := inspect.ParseFilter(words)
	if err != nil {
		return err
	}
	if !t.replay.Find(&filter, back) {
		return errors.New("there is no such event")
	}
	return nil
}

// play begins or ends going on by itself.
func (t *Trace) play(c *PlayCommand) {
	t.playing, t.speed = c.On && t.replay.At() < t.replay.Len(), 1
	if c.Speed != 0 {
		t.speed = float64(c.Speed)
	}
	if t.playing {
		t.began, t.since = time.Now(), t.times[t.replay.At()]
	}
}

// look goes on, when it is playing.
func (t *Trace) look(now time.Time) {
	filters := t.hub.filters()
	t.mu.Lock()
	if !t.playing {
		t.mu.Unlock()
		return
	}
	logs := make(map[string]*Log)
	until := t.since + int64(float64(now.Sub(t.began).Microseconds())*t.speed)
	for t.replay.At() < t.replay.Len() && t.times[t.replay.At()] <= until {
		t.replay.Goto(t.replay.At() + 1)
		t.log(logs, filters)
	}
	t.playing = t.replay.At() < t.replay.Len()
	messages := t.state(false)
	t.mu.Unlock()
	texts := make(map[string][]byte, len(logs))
	for words, m := range logs {
		texts[words] = encode(m)
	}
	t.hub.sayByFilter(texts)
	for _, m := range messages {
		t.hub.say(m)
	}
}

// log adds the last event to the logs that show it, until they have as many lines as people can read.
func (t *Trace) log(logs map[string]*Log, filters map[string]inspect.Filter) {
	r := t.replay.Record()
	for words, f := range filters {
		if !f.Match(&r.Event, r.Search) {
			continue
		}
		if logs[words] == nil {
			logs[words] = &Log{Type: TypeLog}
		}
		if m := logs[words]; len(m.Lines) < 2*burst {
			m.Lines = append(m.Lines, lineOf(r))
		} else {
			m.Dropped++
		}
	}
}
