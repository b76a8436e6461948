package dashboard

import (
	"sync/atomic"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// tap counts events and remembers the last of each that matters. Workers only store into memory that is there; they take no lock and never
// wait for those who look.
//
//	lanes      one for each worker: counts by kind, the path that it is on
//	selection  the root's last selection, copied when somebody asked for one
//	roots      alpha-beta's root moves
//	ring       events for the logs, copied where a filter shows their kind
type tap struct {
	lanes     [maxLanes]lane
	selection selection
	roots     roots
	ring      ring
	number    atomic.Int64 // of the search
}

// maxLanes is the number of workers that are told apart; further ones share the last lane.
const maxLanes = 65

// observerLane is the lane of who watches over the search; workers have those behind it.
const observerLane = 0

// maxPath is how much of a path is remembered.
const maxPath = 64

// lane is what one worker did in this search.
type lane struct {
	counts   [search.NumEventKinds]atomic.Int64
	playouts atomic.Int64 // walks that ended
	steps    atomic.Int64 // moves on them
	begun    atomic.Int64 // selections at the root
	made     atomic.Int64 // number of the last playout; for alpha-beta moves made
	skipped  atomic.Int64 // moves that were pruned
	answers  atomic.Int64 // nodes that alpha-beta's table ended
	longest  atomic.Int32 // path
	ply      atomic.Int32 // of the path now
	last     atomic.Int32 // length of the last finished playout's path
	alpha    atomic.Int32 // alpha-beta: window at the path's end
	beta     atomic.Int32
	depth    atomic.Int32
	path     [maxPath]atomic.Uint32
	_        [64]byte // others' counters stand on other cache lines
}

func (l *lane) reset() {
	for i := range l.counts {
		l.counts[i].Store(0)
	}
	for _, n := range [...]*atomic.Int64{&l.playouts, &l.steps, &l.begun, &l.made, &l.skipped, &l.answers} {
		n.Store(0)
	}
	l.longest.Store(0)
	l.ply.Store(0)
	l.last.Store(0)
}

// laneOf returns the worker's lane.
func (t *tap) laneOf(worker int) *lane { return &t.lanes[min(worker+1, maxLanes-1)] }

// event notes an event.
func (t *tap) event(e *search.Event) {
	l := t.laneOf(e.Worker)
	if e.Kind == search.EventStart {
		t.start(e)
	}
	l.counts[e.Kind].Add(1)
	switch e.Kind {
	case search.EventSelect:
		l.step(e.Ply+1, e.Move)
		if e.Ply == 0 {
			l.begun.Add(1)
			t.selection.offer(e)
		}
	case search.EventEvaluate, search.EventMerge, search.EventRevisit, search.EventRepeat:
		l.playouts.Add(1)
		l.made.Store(e.Playout)
		l.steps.Add(int64(e.Ply))
		l.last.Store(int32(e.Ply))
		if int32(e.Ply) > l.longest.Load() {
			l.longest.Store(int32(e.Ply))
		}
	case search.EventEnter:
		l.step(e.Ply, e.Move)
		l.alpha.Store(int32(e.Alpha))
		l.beta.Store(int32(e.Beta))
		l.depth.Store(int32(e.Depth))
		l.made.Store(e.Playout)
		t.roots.enter(e)
	case search.EventNode:
		if e.Cut {
			l.answers.Add(1)
		}
		l.step(e.Ply, e.Move)
		l.made.Store(e.Playout)
		t.roots.node(e)
	case search.EventPrune:
		l.skipped.Add(e.Count)
		t.roots.raise(e)
	case search.EventWindow, search.EventIteration:
		t.roots.raise(e)
	}
	t.ring.offer(e, int(t.number.Load()))
}

// start makes the counters ready for a search. No worker runs yet.
func (t *tap) start(e *search.Event) {
	t.number.Add(1)
	for i := range t.lanes {
		t.lanes[i].reset()
	}
	t.selection.reset()
	t.roots.reset(int(e.Count))
}

// step notes the move that leads to a ply.
func (l *lane) step(ply int, m shogi.Move) {
	if ply > 0 && ply <= maxPath {
		l.path[ply-1].Store(uint32(m))
	}
	l.ply.Store(int32(ply))
	if int32(ply) > l.longest.Load() {
		l.longest.Store(int32(ply))
	}
}

// line returns the first plies of the path that the worker is on.
func (l *lane) line(plies int) []shogi.Move {
	var line []shogi.Move
	for i := range min(plies, maxPath) {
		line = append(line, shogi.Move(l.path[i].Load()))
	}
	return line
}

// events returns the number of events of a kind from all workers.
func (t *tap) events(k search.EventKind) (sum int64) {
	for i := range t.lanes {
		sum += t.lanes[i].counts[k].Load()
	}
	return sum
}

// selection holds one selection at the root. It goes from idle over wanted and writing to ready, and back; one who asks and one who writes
// never touch it at the same time.
type selection struct {
	state      atomic.Int32
	event      search.Event
	candidates []search.Candidate
}

const (
	selectionIdle = iota
	selectionWanted
	selectionWriting
	selectionReady
)

// offer copies the event if one is wanted.
func (s *selection) offer(e *search.Event) {
	if s.state.Load() != selectionWanted || !s.state.CompareAndSwap(selectionWanted, selectionWriting) {
		return
	}
	s.candidates = append(s.candidates[:0], e.Candidates...)
	s.event = *e
	s.event.Candidates = s.candidates
	s.state.Store(selectionReady)
}

// take gives the look function the selection that came since the last call, if any, and asks for the next one.
func (s *selection) take(look func(e *search.Event)) {
	switch s.state.Load() {
	case selectionReady:
		look(&s.event)
		s.state.Store(selectionWanted)
	case selectionIdle:
		s.state.CompareAndSwap(selectionIdle, selectionWanted)
	}
}

// reset forgets a selection of the search before.
func (s *selection) reset() { s.state.CompareAndSwap(selectionReady, selectionWanted) }

// roots is what alpha-beta's one worker knows of the root: its window and its moves, in the order in which they were first searched.
type roots struct {
	legal       atomic.Int32
	count       atomic.Int32 // of moves
	depth       atomic.Int32
	alpha, beta atomic.Int32
	passed      atomic.Int32 // moves begun in this pass over the root
	now         atomic.Int32 // index of the move that is being searched
	moves       [shogi.MaxMoves]rootMove
}

// rootMove is a root move of alpha-beta.
type rootMove struct {
	move    atomic.Uint32
	score   atomic.Int32 // for the root's side to move
	bound   atomic.Int32 // search.Bound of score
	scored  atomic.Bool
	visits  atomic.Int64 // moves made below it in this search
	entered atomic.Int64 // moves made when it was begun
}

func (r *roots) reset(legal int) {
	r.legal.Store(int32(legal))
	r.count.Store(0)
	r.depth.Store(0)
	r.passed.Store(0)
	r.alpha.Store(-int32(alphabeta.Mate) - 1)
	r.beta.Store(int32(alphabeta.Mate) + 1)
}

// find returns the index of the move, making it when need be.
func (r *roots) find(m shogi.Move) int {
	n := int(r.count.Load())
	for i := range n {
		if r.moves[i].move.Load() == uint32(m) {
			return i
		}
	}
	if n == len(r.moves) {
		return n - 1
	}
	r.moves[n].move.Store(uint32(m))
	r.moves[n].scored.Store(false)
	r.moves[n].visits.Store(0)
	r.count.Store(int32(n + 1))
	return n
}

func (r *roots) enter(e *search.Event) {
	switch e.Ply {
	case 0:
		r.alpha.Store(int32(e.Alpha))
		r.beta.Store(int32(e.Beta))
		r.depth.Store(int32(e.Depth))
		r.passed.Store(0)
		r.now.Store(-1)
	case 1:
		r.begin(e)
	}
}

// begin notes that the event's root move is being searched.
func (r *roots) begin(e *search.Event) {
	i := r.find(e.Move)
	if int(r.now.Load()) != i {
		r.passed.Add(1)
	}
	r.now.Store(int32(i))
	r.moves[i].entered.Store(e.Playout)
}

func (r *roots) node(e *search.Event) {
	if e.Ply != 1 || !e.Move.IsMove() {
		return
	}
	inner := (e.Type == search.NodeMax || e.Type == search.NodeMin) && !e.Cut
	if !inner {
		r.begin(e) // no other event came before
	}
	move := &r.moves[r.find(e.Move)]
	bound := search.Exact
	switch {
	case inner && e.Score >= e.Beta:
		bound = search.UpperBound
	case inner && e.Score <= e.Alpha:
		bound = search.LowerBound
	}
	move.score.Store(-int32(e.Score))
	move.bound.Store(int32(bound))
	move.scored.Store(true)
	move.visits.Add(e.Playout - move.entered.Load() + 1)
}

// raise notes a new window of the root.
func (r *roots) raise(e *search.Event) {
	if e.Ply != 0 {
		return
	}
	r.alpha.Store(int32(e.Alpha))
	r.beta.Store(int32(e.Beta))
	r.depth.Store(int32(e.Depth))
}
