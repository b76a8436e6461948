package uct

import (
	"math"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// What a search tells a sink. Each worker has one event that it uses again, so that telling allocates nothing; events are sent while no node
// is locked. Without a sink a playout asks a dozen times whether there is one, and nothing else.

// SetSink sends the events of the searches from now on to the sink; nil sends them nowhere.
func (s *Searcher) SetSink(sink search.Sink) { s.sink = sink }

// inspected reports whether someone wants the events.
func (s *Searcher) inspected() bool { return search.Inspectable && s.sink != nil }

// closely reports whether someone wants to follow the walks through the tree: events of selections, expansions and backups.
func (s *Searcher) closely() bool {
	return s.inspected() && search.LevelOf(s.sink) == search.LevelDebug
}

// telling is a worker's scratch for events.
type telling struct {
	closely    bool // in this playout
	event      search.Event
	candidates []search.Candidate
	keys       []uint64 // of the nodes on the path
	playout    int64
}

// tell begins an event about the worker's position.
func (w *worker) tell(kind search.EventKind) *search.Event {
	e := &w.telling.event
	*e = search.Event{Kind: kind, Worker: w.number, Playout: w.telling.playout, Ply: len(w.path), Key: w.position.Key(), Move: w.last}
	if len(w.path) == 0 {
		e.Move = shogi.MoveNone
	}
	return e
}

// send gives the sink the worker's event.
func (w *worker) send() { w.run.s.sink.Event(&w.telling.event) }

// noteKey notes the key of the node at which the worker is, for the events of the way back.
func (w *worker) noteKey() {
	t := &w.telling
	t.keys = append(t.keys[:len(w.path)], w.position.Key())
}

// note prepares the event of a selection at the node, whose lock the caller holds, before a move is chosen.
func (w *worker) note(n *node) {
	t := &w.telling
	r := w.run
	e := w.tell(search.EventSelect)
	e.Type = search.InnerType(len(w.path))
	e.Visits, e.WinRate = int64(n.visits.Load()), n.winRate()
	e.Loss = r.opts.Params[VirtualLoss]
	t.candidates = t.candidates[:0]
	if r.opts.Formula == UCB1 {
		e.Scale = r.opts.Params[UCB1C]
	} else {
		e.Scale = w.explorationAt(n, n == r.root)
	}
	w.noteCandidates(n, e)
	e.Candidates = t.candidates
}

// noteCandidates lists the moves with visits, finished or under way, and the first one without.
func (w *worker) noteCandidates(n *node, e *search.Event) {
	t, r, arena := &w.telling, w.run, w.run.s.arena
	stats, edges := arena.stats(n), arena.edges(n)
	fresh, mass := -1, 0.0
	for i := range stats {
		s := &stats[i]
		if n == r.root && !r.allows(i) {
			continue
		}
		if s.n == 0 && s.flying == 0 && s.proof == unproved {
			if fresh < 0 {
				fresh = i
			}
			continue
		}
		mass += edges[i].prior()
		t.candidates = append(t.candidates, w.candidate(n, i, e))
	}
	if fresh = n.freshEdge(fresh, true); fresh < 0 {
		return
	}
	reduction := r.opts.Params[FPUReduction]
	if n == r.root {
		reduction = r.opts.Params[FPUReductionRoot]
	}
	c := search.Candidate{Move: edges[fresh].move(), Prior: edges[fresh].prior(), WinRate: firstPlay(reduction, e.WinRate, mass), Fresh: true}
	if r.opts.Formula == UCB1 {
		c.WinRate, c.Explore = 1, 0 // every move is tried once first
	} else {
		c.Explore = e.Scale * c.Prior
	}
	t.candidates = append(t.candidates, c)
}

// candidate returns what the formula makes of the node's i-th edge, which has visits or a proof.
func (w *worker) candidate(n *node, i int, e *search.Event) search.Candidate {
	s, edge := &w.run.s.arena.stats(n)[i], w.run.s.arena.edges(n)[i]
	c := search.Candidate{Move: edge.move(), Visits: int(s.n), Flying: int(s.flying), Prior: edge.prior(), Proof: int(s.proof)}
	tries := float64(s.n + uint32(s.flying))
	switch {
	case tries == 0: // proved without a visit
		c.WinRate = s.proof.value()
	case w.run.opts.Formula == UCB1:
		c.WinRate = float64(s.w) / tries
		c.Explore = ucb1(e.Scale, 0, math.Log(float64(e.Visits)), tries)
	default:
		c.WinRate = inFlight(float64(s.w), float64(s.n), float64(s.flying), e.Loss)
		c.Explore = e.Scale * c.Prior / (1 + tries)
	}
	return c
}

// tellSelection sends the selection that note prepared, after the expansion that came before it, or that the node's result was
// proved instead. The worker is still at the node.
func (w *worker) tellSelection(n *node, expanded, chosen bool) {
	if chosen {
		selection := w.telling.event
		if expanded {
			w.tellExpansion(n, selection.Ply)
		}
		w.telling.event = selection
		w.telling.event.Move = w.path[len(w.path)-1].move
		w.send()
		return
	}
	if p := n.proof(); p != unproved {
		w.tell(search.EventProve).Proof = int(p)
		w.send()
	}
}

// tellArrival sends how a walk ended at a node that was there before.
func (w *worker) tellArrival(kind search.EventKind, n *node, own uint32) {
	e := w.tell(kind)
	e.Visits, e.WinRate, e.Count, e.Proof = int64(n.visits.Load()), n.winRate(), int64(own), int(n.proof())
	if n.stage() == stateTerminal {
		e.Type = search.NodeTerminal
	} else {
		e.Type = search.InnerType(len(w.path))
	}
	w.send()
}

// tellValue sends a new value of the worker's position.
func (w *worker) tellValue(kind search.EventKind, value float64, stage uint32, p proof) {
	e := w.tell(kind)
	e.Value, e.Type, e.Proof = value, search.NodeLeaf, int(p)
	if stage == stateTerminal {
		e.Type = search.NodeTerminal
	}
	w.send()
}

// tellExpansion sends that the node got its moves.
func (w *worker) tellExpansion(n *node, ply int) {
	e := w.tell(search.EventExpand)
	e.Ply, e.Type, e.Count = ply, search.InnerType(ply), int64(n.edgeLen)
	w.send()
}

// noteBackup prepares the event of the path's i-th step, whose parent's lock the caller holds.
func (w *worker) noteBackup(i int, stat *edgeStat, value float64) {
	s := &w.path[i]
	e := &w.telling.event
	*e = search.Event{Kind: search.EventBackup, Type: search.InnerType(i), Worker: w.number, Playout: w.telling.playout, Ply: i, Move: s.move, Value: value}
	e.Key = w.telling.keys[i]
	e.Visits, e.WinRate = int64(s.parent.visits.Load()), s.parent.winRate()
	e.EdgeVisits, e.EdgeRate = int64(stat.n), float64(stat.w)/float64(stat.n)
	e.Proof = int(s.parent.proof())
}

// tellBackup sends the event that noteBackup prepared, where closely says so, and a proof that is new.
func (w *worker) tellBackup(closely, isNew bool) {
	if closely {
		w.send()
	}
	if isNew {
		w.telling.event.Kind = search.EventProve
		w.send()
	}
}

// tellProof sends what a longer search for mate proved of a node of the principal variation.
func (w *worker) tellProof(p *shogi.Position, proved proof) {
	r := w.run
	w.telling.event = search.Event{Kind: search.EventProve, Worker: w.number, Playout: w.telling.playout,
		Ply: p.Ply() - r.position.Ply(), Key: p.Key(), Type: search.InnerType(p.Ply() - r.position.Ply()), Proof: int(proved)}
	w.send()
}

// observer is the number of who watches over the search in events.
const observer = -1

// tellStart sends that the search begins.
func (r *run) tellStart(game *shogi.Game) {
	if !r.s.inspected() {
		return
	}
	r.s.sink.Event(&search.Event{Kind: search.EventStart, Type: search.NodeMax, Worker: observer, Engine: search.EngineUCT, Game: game, Key: r.position.Key(),
		Count: int64(len(r.legal)), Visits: int64(r.root.visits.Load()), WinRate: r.root.winRate(), Value: float64(r.root.value), Proof: int(r.root.proof())})
}

// tellRecycled sends how many nodes were forgotten since it was told last.
func (r *run) tellRecycled() {
	if !r.s.inspected() {
		return
	}
	if n := r.recycled.Swap(0); n > 0 {
		r.s.sink.Event(&search.Event{Kind: search.EventRecycle, Worker: observer, Key: r.position.Key(), Playout: r.playouts.Load(), Count: n, Took: r.elapsed()})
	}
}

// tellEnd sends the answer.
func (r *run) tellEnd(result *search.Result) {
	if !r.s.inspected() {
		return
	}
	r.tellRecycled()
	e := search.Event{Kind: search.EventEnd, Type: search.NodeMax, Worker: observer, Key: r.position.Key(), Move: result.Best, Reason: result.Reason,
		Took: r.elapsed(), Playout: r.playouts.Load()}
	if r.root != nil {
		e.Visits, e.WinRate, e.Proof = int64(r.root.visits.Load()), r.root.winRate(), int(r.root.proof())
	}
	if len(result.Lines) > 0 {
		e.Line = result.Lines[0].PV
	}
	r.s.sink.Event(&e)
}

// tellClock sends the plan, or with a reason the decision to stop.
func (w *watch) tellClock(reason search.Reason) {
	r := w.r
	if !r.s.inspected() || w.clock == nil || !w.clock.Limited() {
		return
	}
	e := search.Event{Kind: search.EventClock, Worker: observer, Key: r.position.Key(), Playout: r.playouts.Load(), Reason: reason,
		Hard: w.clock.Hard()}
	e.Took = r.elapsed() - w.zero
	if w.clock.OnClock() {
		e.Optimum = w.clock.Optimum()
	}
	r.s.sink.Event(&e)
}

// tellBest sends that another move is the best.
func (w *watch) tellBest(p *search.Progress, total int64) {
	r := w.r
	if !r.s.inspected() {
		return
	}
	r.s.sink.Event(&search.Event{Kind: search.EventBest, Worker: observer, Key: r.position.Key(), Playout: p.Playouts, Move: w.best,
		EdgeVisits: p.First, EdgeRate: p.FirstRate, Visits: total, Took: r.elapsed()})
}
