package dashboard

import (
	"cmp"
	"slices"
	"time"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
)

// place returns the index of the search at this place: the first that does not end before it.
func (t *Trace) place() int {
	i := slices.IndexFunc(t.searches, func(s TraceSearch) bool { return t.replay.At() <= s.To })
	if i < 0 {
		return len(t.searches) - 1
	}
	return i
}

// now returns the search at this place.
func (t *Trace) now() *TraceSearch { return &t.searches[t.place()] }

// position returns the game up to the position that is searched at this place.
func (t *Trace) position() *shogi.Game {
	if course := t.replay.Course(); course != nil && course[0].Game != nil {
		return course[0].Game
	}
	return shogi.NewGame(shogi.StartPosition())
}

// game returns the game at this place, with the points of all its searches in the trace.
func (t *Trace) game() *Game {
	h := history{points: t.games[t.place()].history.points}
	points := h.points
	h.follow(t.position())
	m := h.message()
	m.History = slices.Clone(points)
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

// replayed is what the records of a search say up to a place, by the counters that watch a live engine.
type replayed struct {
	from, at  int // of the records that were taken
	start     time.Time
	tap       *tap
	rates     []Candidate // of the tree search's root moves, from backups
	curves    curves
	step      time.Duration // between two points of the curves
	pointed   time.Duration // when the last point was
	decisions []Decision
	clock     *Clock
	recycled  int64
	pauses    int64
}

// catchUp takes the records up to this place, from the search's start when the place is another search's or lies before.
func (t *Trace) catchUp() *replayed {
	course, p := t.replay.Course(), &t.replayed
	from := t.replay.At() - len(course)
	if p.tap == nil || p.from != from || p.at > t.replay.At() {
		*p = replayed{from: from, at: from, tap: new(tap)}
		if len(course) > 0 {
			p.start = course[0].Time
			s := t.now()
			p.step = time.Duration(t.times[s.To-1]-t.times[s.From]) * time.Microsecond / maxPoints
		}
	}
	for i := p.at - from; i < len(course); i++ {
		p.take(&course[i])
	}
	p.at = t.replay.At()
	return p
}

// take takes a record.
func (p *replayed) take(r *inspect.Record) {
	e := &r.Event
	p.tap.event(e)
	at := r.Time.Sub(p.start)
	switch e.Kind {
	case search.EventClock:
		d := Decision{At: milliseconds(at), What: "plan", Reason: string(e.Reason)}
		if e.Reason != "" {
			d.What = "stop"
		}
		p.decisions = append(p.decisions, d)
		p.clock = &Clock{Optimum: milliseconds(e.Optimum), Hard: milliseconds(e.Hard), Zero: max(0, milliseconds(at-e.Took)), Decisions: p.decisions}
	case search.EventRecycle:
		p.recycled += e.Count
		p.pauses++
	case search.EventBackup:
		if e.Ply == 0 {
			p.rate(Candidate{Move: e.Move.String(), Visits: e.EdgeVisits, Q: float32(e.EdgeRate)})
			p.point(at, &Search{Candidates: p.rates})
		}
	case search.EventNode:
		if e.Ply == 1 {
			m := &Search{}
			p.tap.scores(m, "", value.EvalCoef)
			p.point(at, m)
		}
	}
}

// rate notes what a root move of the tree search is worth now.
func (p *replayed) rate(c Candidate) {
	if i := slices.IndexFunc(p.rates, func(o Candidate) bool { return o.Move == c.Move }); i >= 0 {
		p.rates[i] = c
	} else {
		p.rates = append(p.rates, c)
	}
}

// point adds a point to the curves when it is time for one.
func (p *replayed) point(at time.Duration, m *Search) {
	if p.pointed > 0 && at < p.pointed+p.step {
		return
	}
	p.pointed = max(at, 1)
	total := int64(0)
	for i := range m.Candidates {
		total += m.Candidates[i].Visits
	}
	m.Elapsed, m.Candidates = milliseconds(at), slices.Clone(m.Candidates)
	for i := range m.Candidates {
		m.Candidates[i].Share = float32(float64(m.Candidates[i].Visits) / float64(max(total, 1)))
	}
	slices.SortStableFunc(m.Candidates, func(a, b Candidate) int { return cmp.Compare(b.Visits, a.Visits) })
	p.curves.add(m)
}

// curves returns the curves of the search at this place up to here.
func (t *Trace) curves() *Curves {
	p := t.catchUp()
	return p.curves.message(t.now().Number)
}

// search returns the state of the search at this place.
func (t *Trace) search() *Search {
	t.seq++
	s := t.now()
	m := &Search{Type: TypeSearch, Seq: t.seq, Number: s.Number, Engine: s.Engine, State: StateIdle}
	course := t.replay.Course()
	if course == nil {
		return m
	}
	p, last := t.catchUp(), &course[len(course)-1]
	m.State, m.Elapsed, m.Clock = StateStopped, milliseconds(last.Time.Sub(p.start)), p.clock
	p.tap.count(m, s.Engine)
	end := t.replay.Latest(func(e *search.Event) bool { return e.Kind == search.EventEnd })
	if end != nil {
		m.State, m.Elapsed, m.Best, m.Reason, m.Playouts = StateDone, milliseconds(end.Took), end.Move.String(), string(end.Reason), end.Playout
	}
	if m.Elapsed > 0 {
		m.Speed = float32(float64(m.Playouts) / float64(m.Elapsed) * 1000)
	}
	for i := range m.Workers {
		if len(m.Workers) == 1 {
			m.Workers[i].Playouts = m.Playouts
		}
		m.Workers[i].Speed = m.Speed * float32(m.Workers[i].Playouts) / float32(max(m.Playouts, 1))
	}
	if p.pauses > 0 {
		m.Memory = &Memory{Full: -1, Recycled: p.recycled, Pauses: p.pauses}
	}
	tree := t.replay.Tree()
	if s.Engine == search.EngineAlphaBeta {
		t.fillScores(m, p, &tree, end)
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

// fillScores fills in where alpha-beta is; end is the record of its answer, nil before that.
func (t *Trace) fillScores(m *Search, p *replayed, tree *inspect.Tree, end *inspect.Record) {
	a := p.tap.alphaBeta()
	m.AlphaBeta = a
	if _, line, ok := t.replay.Position(); ok {
		a.Line = moveWords(line)
	}
	r := t.replay.Record()
	if inspect.HasWindow(r.Kind) {
		a.LineAlpha, a.LineBeta, a.LineDepth = r.Alpha, r.Beta, r.Depth
	}
	switch {
	case end != nil:
		a.Principal, a.Depth, a.Score = moveWords(end.Line), end.Depth, end.Score
	case len(tree.Nodes) > 0:
		for _, i := range tree.Principal()[1:] {
			a.Principal = append(a.Principal, moveTo(tree, i))
		}
		a.Score = tree.Nodes[0].Score
	}
	best := ""
	if len(a.Principal) > 0 {
		best = a.Principal[0]
	}
	p.tap.scores(m, best, value.EvalCoef)
	for i := range m.Candidates {
		if m.Candidates[i].Move == best {
			m.Candidates[i].PV = a.Principal
		}
	}
	m.WinRate = float32(scoreRate(a.Score, value.EvalCoef))
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
