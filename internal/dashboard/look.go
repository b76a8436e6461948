package dashboard

import (
	"math"
	"slices"
	"time"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
)

const (
	// maxCandidates is the most candidates in a message.
	maxCandidates = 40
	// lineNodes is how many nodes are read for the candidates' lines.
	lineNodes = 400
	// maxPV is the longest line of a candidate.
	maxPV = 20
	// maxRecent is how many lines of the log a page gets that comes later.
	maxRecent = 200
)

// look tells the pages what is new.
func (l *Live) look(now time.Time) {
	l.gather()
	l.mu.Lock()
	number, thinking := l.number(), l.course.thinking
	isNew, isDone := number != l.sent.number, !thinking
	hasGame := l.history.changes != l.sent.history
	silent := isDone && l.sent.done && !isNew
	l.sent.number, l.sent.done, l.sent.history = number, isDone, l.history.changes
	game := l.history.message()
	l.mu.Unlock()
	if hasGame {
		l.hub.say(&game)
	}
	if isNew {
		l.hub.say(&Curves{Type: TypeCurves, Number: number, Times: []float32{}, Moves: []Curve{}})
	}
	if !silent {
		m := l.search(now)
		text := l.say(m, now)
		l.mu.Lock()
		l.curves.add(m)
		l.mu.Unlock()
		l.hub.each(func(c *client) { c.put(text) })
	}
	l.lookAtHash(now)
}

// gather reads the log's events and sends each page those that its filter shows.
func (l *Live) gather() {
	l.joining.Lock()
	defer l.joining.Unlock()
	var filters map[string]inspect.Filter
	if l.hub != nil {
		filters = l.hub.filters()
	}
	logs := make(map[string]*Log)
	l.tap.ring.drain(func(r *inspect.Record) {
		line := lineOf(r)
		if isCourse(r.Kind) {
			l.mu.Lock()
			l.recent = append(l.recent, line)
			l.recent = l.recent[max(0, len(l.recent)-maxRecent):]
			l.mu.Unlock()
		}
		for words, f := range filters {
			if f.Match(&r.Event, r.Search) {
				if logs[words] == nil {
					logs[words] = &Log{Type: TypeLog}
				}
				logs[words].Lines = append(logs[words].Lines, line)
			}
		}
	})
	dropped := l.tap.ring.dropped.Swap(0)
	texts := make(map[string][]byte, len(logs))
	for words, m := range logs {
		if words != "" {
			m.Dropped = dropped
		}
		texts[words] = encode(m)
	}
	if len(texts) > 0 {
		l.hub.sayByFilter(texts)
	}
}

// lineOf returns a record as a line of the log.
func lineOf(r *inspect.Record) LogLine {
	line := LogLine{Time: r.Time.UnixMilli(), Search: r.Search, Level: "info", Kind: r.Kind.String(), Ply: r.Ply, Text: inspect.EventText(&r.Event)}
	if r.Kind.Level() == search.LevelDebug {
		line.Level = "debug"
	}
	if r.Move != shogi.MoveNone {
		line.Move = r.Move.String()
	}
	return line
}

// search returns the state of the search now.
func (l *Live) search(now time.Time) *Search {
	stop, _ := l.gate.stopped()
	l.mu.Lock()
	defer l.mu.Unlock()
	s, c := l.subject, &l.course
	l.seq++
	m := &Search{Type: TypeSearch, Seq: l.seq, Number: l.number(), Engine: s.Engine, State: StateIdle, Elapsed: milliseconds(c.elapsed(l.gate.paused())), Clock: c.clock}
	switch {
	case c.thinking && stop != nil:
		m.State = StateStopped
	case c.thinking:
		m.State = StateThinking
	case m.Number > 0:
		m.State, m.Best, m.Reason = StateDone, c.end.Move.String(), string(c.end.Reason)
	}
	if m.Number == 0 {
		return m
	}
	l.tap.count(m, c.start.Engine)
	if !c.thinking {
		m.Playouts = c.end.Playout
	}
	if len(m.Workers) == 1 {
		m.Workers[0].Playouts = m.Playouts // all of them
	}
	l.speeds.measure(m, now)
	if s.Engine == search.EngineAlphaBeta {
		l.fillScores(m)
	} else if s.Searcher != nil {
		l.fillVisits(m, s.Searcher)
	}
	return m
}

// goodFor is for how long a page that comes is told what the others were told last; the next message comes soon.
const goodFor = time.Second

// searchText returns the state of the search for a page that has just come.
func (l *Live) searchText(now time.Time) []byte {
	l.mu.Lock()
	said, number, thinking := l.said, l.number(), l.course.thinking
	l.mu.Unlock()
	if said.text != nil && said.number == number && said.thinking == thinking && (!thinking || now.Sub(said.at) < goodFor) {
		return said.text
	}
	return l.say(l.search(now), now)
}

// say remembers a state of the search and returns its text.
func (l *Live) say(m *Search, now time.Time) []byte {
	text := encode(m)
	l.mu.Lock()
	l.said = lastSearch{at: now, text: text, number: m.Number, thinking: m.State == StateThinking}
	l.mu.Unlock()
	return text
}

// count fills in the counters of a search by the engine.
func (t *tap) count(m *Search, engine string) {
	walks, steps, begun := int64(0), int64(0), int64(0)
	for i := observerLane + 1; i < maxLanes; i++ {
		lane := &t.lanes[i]
		w := Worker{Number: i - 1, Playouts: lane.playouts.Load(), Ply: int(lane.last.Load())}
		if engine == search.EngineAlphaBeta {
			w.Playouts, w.Ply = lane.made.Load(), int(lane.ply.Load())
		}
		walks += w.Playouts
		steps += lane.steps.Load()
		begun += lane.begun.Load()
		m.Playouts = max(m.Playouts, lane.made.Load())
		m.SelDepth = max(m.SelDepth, int(lane.longest.Load()))
		if w.Playouts > 0 {
			m.Workers = append(m.Workers, w)
		}
	}
	if walks > 0 && engine == search.EngineUCT {
		m.MeanDepth = float32(steps) / float32(walks)
	}
	m.EventsPartial = engine == search.EngineUCT && begun < m.Playouts
	m.Events = make(map[string]int64)
	for k := range search.EventKind(search.NumEventKinds) {
		if n := t.events(k); n > 0 && !(m.EventsPartial && k.Level() == search.LevelDebug) {
			m.Events[k.String()] = n
		}
	}
}

// fillVisits fills in what the tree search's tree says.
func (l *Live) fillVisits(m *Search, s *uct.Searcher) {
	l.tap.selection.take(func(e *search.Event) {
		l.course.selection = *e
		l.course.selection.Candidates = slices.Clone(e.Candidates)
	})
	e := &l.course.selection
	m.Scale, m.Loss = float32(e.Scale), float32(e.Loss)
	snapshot := s.Snapshot(uct.SnapshotLimits{Nodes: lineNodes})
	tree := inspect.FromSnapshot(&snapshot)
	fillTree(m, &tree, e, l.subject)
	st := s.Stats()
	m.Memory = &Memory{Full: st.HashFull, Slots: st.Slots, UsedSlots: st.UsedSlots, Cells: st.Cells, UsedCells: st.UsedCells, UsedBytes: st.UsedBytes(),
		Recycled: st.Recycled, Pauses: st.Pauses, LongestPause: milliseconds(st.LongestPause), Evaluations: st.Evaluations}
}

// fillTree fills in the root and its candidates from a tree of the tree search, and from the root's last selection.
func fillTree(m *Search, t *inspect.Tree, selection *search.Event, s Subject) {
	if len(t.Nodes) == 0 {
		return
	}
	root := &t.Nodes[0]
	m.Visits, m.WinRate, m.Value, m.Proof = root.Visits, float32(root.WinRate), float32(root.Value), root.Proof
	total := root.MoreVisits
	for i := range root.Edges {
		total += root.Edges[i].Visits
	}
	m.MoreMoves = root.More + max(0, len(root.Edges)-maxCandidates)
	for i := range root.Edges[:min(len(root.Edges), maxCandidates)] {
		e := &root.Edges[i]
		c := Candidate{Move: e.Move.String(), Visits: e.Visits, Prior: float32(e.Prior), Q: float32(e.WinRate), Proof: e.Proof,
			LCB: float32(lowerBound(e.WinRate, e.Visits)), CP: uct.Centipawns(e.WinRate, s.EvalCoef), PV: principal(t, e)}
		if total > 0 {
			c.Share = float32(float64(e.Visits) / float64(total))
		}
		k := slices.IndexFunc(selection.Candidates, func(o search.Candidate) bool { return o.Move == e.Move })
		switch {
		case k >= 0:
			c.Flying, c.U = selection.Candidates[k].Flying, float32(selection.Candidates[k].Explore)
		case !s.UCB1:
			c.U = float32(selection.Scale * e.Prior / float64(1+e.Visits))
		}
		m.Candidates = append(m.Candidates, c)
	}
}

// principal returns the line that begins with the root's edge.
func principal(t *inspect.Tree, e *inspect.Edge) []string {
	line := []string{e.Move.String()}
	for at := e.Child; at >= 0 && len(line) < maxPV && len(t.Nodes[at].Edges) > 0; {
		next := &t.Nodes[at].Edges[0]
		line = append(line, next.Move.String())
		at = next.Child
	}
	return line
}

// lowerBound returns the lower end of the 95 % interval of a win rate after n visits, as if each had been won or lost (E. B. Wilson, 1927).
// Values in between vary less, so the interval is wide.
func lowerBound(rate float64, visits int64) float64 {
	const z = 1.959964
	if visits <= 0 {
		return 0
	}
	n := float64(visits)
	rate = min(1, max(0, rate)) // sums of many values round
	middle := rate + z*z/(2*n)
	spread := z * math.Sqrt(rate*(1-rate)/n+z*z/(4*n*n))
	return max(0, (middle-spread)/(1+z*z/n))
}

// scoreRate returns the win rate that a score stands for.
func scoreRate(score int, coef float64) float64 { return 1 / (1 + math.Exp(-float64(score)/coef)) }

// The node table is looked at once in hashInterval at most, and for at most one part in hashPart of the time. A table of more than
// maxLiveSlots, which takes longer than a search may be kept from making room, is looked at between searches only.
const (
	hashInterval = time.Second
	hashPart     = 50
	maxLiveSlots = 1 << 21
)

// lookAtHash tells how the node table is filled.
func (l *Live) lookAtHash(now time.Time) {
	l.mu.Lock()
	s, sent := l.subject.Searcher, &l.sent
	due := now.Sub(sent.hash) >= max(hashInterval, hashPart*sent.hashTook)
	thinking := l.course.thinking
	l.mu.Unlock()
	if s == nil || !due || thinking && s.Stats().Slots > maxLiveSlots {
		return
	}
	m := l.hash(s)
	l.mu.Lock()
	sent.hash, sent.hashTook = now, time.Since(now)
	l.mu.Unlock()
	l.hub.say(m)
}

// hash describes the node table.
func (l *Live) hash(s *uct.Searcher) *Hash {
	l.hashing.Lock()
	defer l.hashing.Unlock()
	st := s.TableStats()
	m := &Hash{Type: TypeHash, Cap: st.Cap, Used: st.Used, Deleted: st.Deleted, Load: float32(st.Load), MeanProbe: float32(st.MeanProbe), LongestRun: st.LongestRun, Resting: st.Cap > maxLiveSlots,
		ProbeLengths: append([]int{}, st.ProbeLengths...), PlyFill: append([]int{}, st.PlyFill...)}
	for len(m.PlyFill) > 0 && m.PlyFill[0] == 0 {
		m.PlyFill = m.PlyFill[1:]
		m.FirstPly++
	}
	return m
}
