package uct

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// run is one search: what its workers share.
type run struct {
	s       *Searcher
	opts    Options
	limits  search.Limits
	start   time.Time
	game    *shogi.Game // what led to the root, copied
	history *shogi.History

	position shogi.Position
	last     shogi.Move
	root     *node
	legal    []shogi.Move
	allowed  []bool    // by root edge; nil allows all
	noise    []float64 // by root edge; nil for none
	parking  parking

	thrice []shogi.Position // of the game, that were there three times

	mate atomic.Pointer[[]shogi.Move] // the line of a mate that was found in the root's position

	nodes     int64         // playouts that may be made; 0 for any number, until prepare
	tickets   atomic.Int64  // playouts begun
	mateNodes atomic.Int64  // positions that mate searches on the principal variation were given
	playouts  atomic.Int64  // playouts finished
	selDepth  atomic.Int64  // longest path
	hard      atomic.Int64  // time since start at which workers stop, ns
	hardIs    search.Reason // which limit hard is; set before hard
	paused    time.Duration // for which the sink had held up earlier searches
	recycled  atomic.Int64  // nodes forgotten that no event has told of yet

	stop     atomic.Bool
	once     sync.Once
	reason   search.Reason
	extended bool // the clock's plan; set when the workers are done
}

const never = int64(1) << 62

// playoutsPerDepth ends a search with a depth limit N after that many playouts times N.
const playoutsPerDepth = 100_000

// maxVisits is how often the root may be visited: visits are counted in 32 bits. No other node gets more, because a walk
// stops at a node that other paths know better.
const maxVisits = 1<<32 - 1<<16

func (s *Searcher) newRun(game *shogi.Game, limits search.Limits) *run {
	r := &run{
		s:        s,
		opts:     s.opts,
		limits:   limits,
		start:    limits.Start,
		game:     game.Clone(),
		history:  game.History(),
		position: *game.Position(),
		last:     shogi.MoveNone,
		nodes:    limits.Nodes,
	}
	if s.inspected() {
		r.paused = search.PausedBy(s.sink)
	}
	if r.start.IsZero() {
		r.start = time.Now()
	}
	if moves := game.Moves(); len(moves) > 0 {
		r.last = moves[len(moves)-1]
	}
	r.legal = r.position.AppendLegal(nil)
	r.hard.Store(never)
	if limits.Depth > 0 {
		r.nodes = playoutsPerDepth * int64(limits.Depth)
		if limits.Nodes > 0 {
			r.nodes = min(r.nodes, limits.Nodes)
		}
	}
	return r
}

// finish ends the search; the first reason counts.
func (r *run) finish(reason search.Reason) {
	r.once.Do(func() { r.reason = reason })
	r.stop.Store(true)
}

// allows reports whether a root edge may be searched.
func (r *run) allows(i int) bool { return r.allowed == nil || r.allowed[i] }

// noteDepth counts a path's moves and remembers the longest.
func (r *run) noteDepth(depth int) {
	r.s.steps.Add(int64(depth))
	for {
		old := r.selDepth.Load()
		if int64(depth) <= old || r.selDepth.CompareAndSwap(old, int64(depth)) {
			return
		}
	}
}

// elapsed returns the time since the search was asked for, without that for which a sink has held it up.
func (r *run) elapsed() time.Duration {
	t := time.Since(r.start)
	if r.s.inspected() {
		t -= search.PausedBy(r.s.sink) - r.paused
	}
	return t
}

// prepare finds or makes the root node, with statistics for all its moves.
func (r *run) prepare() {
	s := r.s
	f := factsFor(&r.opts, &r.position)
	if r.thrice, f.thrice = thrice(r.game); f != s.facts {
		s.clear()
		s.facts = f
	}
	s.generation++
	s.table.SetGeneration(s.generation)
	s.reserve.Store(int64(len(s.arena.cells)/sparePart + cellsPerPlayout*min(r.opts.Threads, len(s.arena.cells)/(4*cellsPerPlayout))))
	s.recycler.exhausted.Store(false)
	if s.short() || !r.openRoot() {
		s.recycle(keyOf(&r.position))
	}
	if r.root == nil && !r.openRoot() || r.root.visits.Load() > maxVisits/2 {
		s.clear()
		r.openRoot()
	}
	if room := maxVisits - int64(r.root.visits.Load()); r.nodes == 0 || r.nodes > room {
		r.nodes = room
	}
	r.restrict()
	r.proveMates()
	if r.root.proof() > 0 && !r.proved() { // by a mate that was found when its node was made
		s.workers[0].solve(r.root, &r.position, lineNodes)
	}
	r.noise = r.opts.Noise.sample(len(r.legal))
	s.last = r
}

// openRoot reports false when memory is short or the node found is not this position's.
func (r *run) openRoot() bool {
	s, w := r.s, r.s.workers[0]
	slot, isNew, ok := s.findOrClaim(keyOf(&r.position))
	if !ok {
		return false
	}
	n := s.table.Node(slot)
	w.begin()
	if isNew {
		w.fill(n)
	}
	s.table.Touch(slot, s.generation)
	n.lock()
	defer n.unlock()
	if n.stage() == stateLeaf && !w.expand(n) || !w.complete(n) || !w.memory.grow(n, len(r.legal)) {
		return false
	}
	n.visited = n.edgeLen
	if !r.ownsEdges(n) {
		return false
	}
	r.root = n
	return true
}

// ownsEdges reports whether the node's edges are the root's legal moves. They are not when two positions share a key.
func (r *run) ownsEdges(n *node) bool {
	edges := r.s.arena.edges(n)
	if len(edges) != len(r.legal) {
		return false
	}
	for _, e := range edges {
		if !slices.Contains(r.legal, e.move()) {
			return false
		}
	}
	return true
}

// restrict applies the limits' search moves, when at least one of them is legal.
func (r *run) restrict() {
	r.allowed = nil
	if len(r.limits.SearchMoves) == 0 {
		return
	}
	allowed := make([]bool, r.root.edgeLen)
	for i, e := range r.s.arena.edges(r.root) {
		if slices.Contains(r.limits.SearchMoves, e.move()) {
			allowed[i] = true
			r.allowed = allowed
		}
	}
}

// proveMates marks the root's moves that leave the opponent without one.
func (r *run) proveMates() {
	n := r.root
	n.lock()
	defer n.unlock()
	for i, e := range r.s.arena.edges(n) {
		next := r.position
		if next.Do(e.move()); !next.HasLegalMove() {
			r.s.arena.conclude(n, &r.s.arena.stats(n)[i], lost(0))
		}
	}
}

// proved reports whether no playout can change the answer: a move that may be played wins, or all moves lose.
func (r *run) proved() bool {
	switch n := r.root; {
	case n.proof() == unproved:
		return false
	case n.proof() < 0:
		return true
	default:
		n.lock()
		defer n.unlock()
		for i, s := range r.s.arena.stats(n) {
			if s.proof > 0 && r.allows(i) {
				return true
			}
		}
		return false
	}
}
