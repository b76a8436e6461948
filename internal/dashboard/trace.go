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
	games    []traceGame // of the searches
	times    []int64     // when each record is played, microseconds; see paceOf
	last     int64       // time of the last record of the index
	replayed replayed
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

// traceGame is what is known of the game of a search: its history up to the last search of the same game, and who is to move at the root.
type traceGame struct {
	history *history
	black   bool
}

// index notes where searches begin and what they ended with.
func (t *Trace) index(r *inspect.Record) error {
	switch r.Kind {
	case search.EventStart:
		t.close()
		t.begin(r)
	case search.EventEnd:
		if n := len(t.searches); n > 0 {
			s, g := &t.searches[n-1], &t.games[n-1]
			s.Best = r.Move.String()
			g.history.add(tracePoint(s, g.black, r))
		}
	}
	t.times = append(t.times, t.paceOf(r))
	return nil
}

// begin notes a search and its game: that of the search before, when it goes on from there.
func (t *Trace) begin(r *inspect.Record) {
	game := r.Game
	if game == nil {
		game = shogi.NewGame(shogi.StartPosition())
	}
	h := &history{}
	if n := len(t.games); n > 0 {
		last := t.games[n-1].history
		ahead := *last
		ahead.points = slices.Clone(last.points)
		ahead.follow(game)
		ahead.takeBack(last.game, game)
		if len(ahead.points) == len(last.points) {
			h = last
		} else {
			h = &ahead // the points of the game before stay with its searches
		}
	}
	h.follow(game)
	p := game.Position()
	t.searches = append(t.searches, TraceSearch{Number: r.Search, From: len(t.times), Engine: r.Engine, Ply: p.Ply()})
	t.games = append(t.games, traceGame{h, p.Side() == shogi.Black})
}

// maxRest is the longest time for which playing rests between two events: other players think between searches, and runs lie days apart.
const maxRest = int64(time.Second / time.Microsecond)

// paceOf returns when the next record is played: after the one before by the time between them, but at most maxRest.
func (t *Trace) paceOf(r *inspect.Record) int64 {
	before, now := t.last, r.Time.UnixMicro()
	t.last = now
	if len(t.times) == 0 {
		return 0
	}
	return t.times[len(t.times)-1] + max(0, min(now-before, maxRest))
}

// tracePoint returns what a search of the trace ended with; black says who was to move at its root.
func tracePoint(s *TraceSearch, black bool, r *inspect.Record) HistoryPoint {
	p := HistoryPoint{Ply: s.Ply, Move: s.Best, Reason: string(r.Reason), Playouts: r.Playout, Took: milliseconds(r.Took), Search: s.Number}
	rate := r.WinRate
	if s.Engine == search.EngineAlphaBeta {
		rate, p.Score = scoreRate(r.Score, value.EvalCoef), r.Score
	}
	if !black {
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
	c.say(t.curves())
	for _, m := range t.state(true) {
		c.say(m)
	}
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
	game, engine := t.position(), t.now().Engine
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
	messages := append([]any{t.curves()}, t.state(false)...)
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
