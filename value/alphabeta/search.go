package alphabeta

import (
	"fmt"
	"slices"

	"github.com/yomi-shogi/yomi/internal/search"
)

// Search searches a game. It keeps its table, history and memory from one Run to the next. It is for one goroutine.
type Search[M comparable] struct {
	game    Game[M]
	orderer Orderer[M] // nil when the game is none
	quieter Quieter[M] // nil when the game is none or quiescence is off
	config  Config
	table   Table[M] // nil for none
	// identities remembers whole positions by key in check mode.
	identities map[uint64]any
	keyMask    uint64

	stats   Stats
	stop    func() bool
	limit   int64 // nodes, 0 for any number
	stopped bool

	root []rootMove[M]
	// first is the root move from which on moves are searched; those before it are lines that are settled.
	first int
	// best is the index of the root move found best by the last pass over the root, -1 for none.
	best int
	// rootDepth is the depth of the running iteration.
	rootDepth int
	// whole says that all legal moves are searched at the root.
	whole bool
	// refutation is the line that refuted the root move being searched in the last iteration.
	refutation []M
	// following is the number of plies for which the path has followed that line.
	following int

	frames   [MaxPly + 2]frame[M]
	history  []int32
	counters []M
	open     openList[M]

	sink  search.Sink  // nil for none
	event search.Event // scratch
}

// frame is what the search keeps for a ply.
type frame[M comparable] struct {
	moves []M
	ranks []int
	// line is the best line from this ply on.
	line []M
	// killers are the last two quiet moves that cut here.
	killers [2]M
	// slot is the class of the move being searched.
	slot int
	// playing is the move being searched; it is kept for a sink only.
	playing M
}

// rootMove is a move at the root with what is known of it.
type rootMove[M comparable] struct {
	move M
	// nodes is the effort spent on it in the last pass.
	nodes int64
	// line is the line expected after it (the move first): its refutation, when it is not the best.
	line []M
}

// tickNodes is the number of nodes between two looks at the stop function.
const tickNodes = 512

// New returns a search of the game. table may be nil: then one is made when the configuration asks for one. A table that is
// given is used whatever Config.TableSize says.
func New[M comparable](game Game[M], c Config, table Table[M]) (*Search[M], error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	s := &Search[M]{game: game, config: c, table: table, keyMask: ^uint64(0)}
	if table == nil && c.TableSize > 0 {
		built, err := NewBoundTable[M](c.TableSize)
		if err != nil {
			return nil, err
		}
		s.table = built
	}
	if o, ok := game.(Orderer[M]); ok {
		s.orderer = o
		s.history = make([]int32, o.Slots())
		s.counters = make([]M, o.Slots())
	}
	if q, ok := game.(Quieter[M]); ok {
		s.quieter = q
	}
	if c.KeyBits > 0 && c.KeyBits < 64 {
		s.keyMask = 1<<c.KeyBits - 1
	}
	if c.CheckKeys {
		if _, ok := game.(Identified); !ok {
			return nil, fmt.Errorf("check-keys: the game does not identify its positions")
		}
		s.identities = make(map[uint64]any)
	}
	return s, nil
}

// Table returns the transposition table, nil for none.
func (s *Search[M]) Table() Table[M] { return s.table }

// Config returns the configuration.
func (s *Search[M]) Config() Config { return s.config }

// SetMultiPV changes the number of lines for the next Run; the drivers with an OPEN list find one.
func (s *Search[M]) SetMultiPV(n int) { s.config.MultiPV = s.config.linesFound(n) }

// Clear forgets what was learnt: table, history, killers, counter-moves.
func (s *Search[M]) Clear() {
	if s.table != nil {
		s.table.Clear()
	}
	clear(s.identities)
	s.forget()
	clear(s.counters)
	clear(s.history)
}

// forget drops the killers, which belong to one root.
func (s *Search[M]) forget() {
	for i := range s.frames {
		s.frames[i].killers = [2]M{}
	}
}

// Line is what the search says of one root move.
type Line[M comparable] struct {
	Score int
	// Moves is the whole line, the root move first. Its last position has the value Score, seen from the root; where a mate is
	// announced it is the mate.
	Moves []M
}

// Outcome is the result of the last completed iteration.
type Outcome[M comparable] struct {
	// Depth is the iteration's depth; 0 when none was completed, then there are no lines.
	Depth int
	// Lines are the best lines, best first. They are empty when the side to move has no move.
	Lines []Line[M]
	// Stats counts all iterations, the one that was broken off included.
	Stats Stats
	// Stopped says that the last iteration was broken off, OpenFull that this was for lack of room for the OPEN list.
	Stopped, OpenFull bool
}

// Move returns the best move, the zero M when there is none.
func (o *Outcome[M]) Move() (m M) {
	if len(o.Lines) > 0 && len(o.Lines[0].Moves) > 0 {
		m = o.Lines[0].Moves[0]
	}
	return m
}

// Score returns the best line's score, 0 without one.
func (o *Outcome[M]) Score() int {
	if len(o.Lines) == 0 {
		return 0
	}
	return o.Lines[0].Score
}

// Goal says what a Run is to do.
type Goal[M comparable] struct {
	// Depth is the depth to reach, from 1.
	Depth int
	// Nodes ends the search after so many moves made; 0 for no limit.
	Nodes int64
	// Stop, when not nil, is asked now and then, every few hundred nodes, whether to stop.
	Stop func() bool
	// Moves restricts the root to these moves, nil allows all.
	Moves []M
	// Report, when not nil, gets the outcome of each completed iteration, and returns whether to go on.
	Report func(*Outcome[M]) bool
}

// Run searches the game's position. The game is left as it was. With Config.Deepening it goes through the depths from 1, and a search
// that is stopped gives the result of the last depth that it completed.
func (s *Search[M]) Run(goal Goal[M]) Outcome[M] {
	s.begin(&goal)
	var out Outcome[M]
	if s.tableAnswer(goal.Depth, &out) || len(s.root) == 0 {
		return out
	}
	deepest := min(goal.Depth, MaxPly)
	depth := deepest
	if s.config.Deepening {
		depth = 1
	}
	for ; depth <= deepest; depth++ {
		lines, ok := s.iterate(depth, &out)
		if !ok {
			out.Stopped, out.OpenFull = true, s.open.full
			break
		}
		out.Depth, out.Lines, out.Stats = depth, lines, s.stats
		if goal.Report != nil && !goal.Report(&out) {
			break
		}
		if s.settled(depth, out.Score()) {
			break
		}
	}
	out.Stats = s.stats
	return out
}

// begin prepares a Run.
func (s *Search[M]) begin(goal *Goal[M]) {
	s.stats, s.stopped, s.stop, s.limit = Stats{}, false, goal.Stop, goal.Nodes
	s.open.full = false
	s.whole = goal.Moves == nil
	s.forget()
	for i := range s.history {
		s.history[i] /= 8
	}
	if s.table != nil {
		s.table.NewSearch()
	}
	f := &s.frames[0]
	f.moves = s.game.Moves(f.moves[:0])
	s.root = s.root[:0]
	for _, m := range s.orderRoot(f) {
		if goal.Moves == nil || slices.Contains(goal.Moves, m) {
			s.root = append(s.root, rootMove[M]{move: m})
		}
	}
}

// settled reports that no deeper search can change the result: a mate no longer than the depth, or a game that is decided.
func (s *Search[M]) settled(depth, score int) bool {
	if s.config.WinLoss && score != 0 {
		return true
	}
	plies, ok := IsMate(score)
	return ok && max(plies, -plies) <= depth && s.config.MultiPV <= 1
}

// tableAnswer answers from the table alone, where that is allowed.
func (s *Search[M]) tableAnswer(depth int, out *Outcome[M]) bool {
	if !s.config.TableAnswers || s.table == nil || s.config.MultiPV > 1 || len(s.root) == 0 {
		return false
	}
	low, high := s.window()
	hint, score, ok := s.probe(depth, 0, low, high)
	if !ok || !slices.ContainsFunc(s.root, func(r rootMove[M]) bool { return r.move == hint }) {
		return false
	}
	out.Depth, out.Lines, out.Stats = depth, []Line[M]{{Score: score, Moves: []M{hint}}}, s.stats
	return true
}

// window returns the window of the whole search.
func (s *Search[M]) window() (low, high int) {
	if s.config.WinLoss {
		return -1, 1
	}
	return -infinity, infinity
}

// iterate searches one depth and returns its lines; ok is false when it was stopped.
func (s *Search[M]) iterate(depth int, last *Outcome[M]) (lines []Line[M], ok bool) {
	s.rootDepth = depth
	low, high := s.window()
	s.tellPass(search.EventIteration, search.Exact, low, high, depth, 0)
	for i := range min(max(1, s.config.MultiPV), len(s.root)) {
		guess := 0
		if i < len(last.Lines) {
			guess = last.Lines[i].Score
		} else if last.Depth == 0 {
			guess = s.game.Value()
		}
		s.first, s.best = i, -1
		score := s.drive(depth, guess)
		if s.stopped || s.best < 0 {
			return nil, false
		}
		best := s.root[s.best]
		lines = append(lines, Line[M]{Score: score, Moves: slices.Clone(best.line)})
		copy(s.root[i+1:s.best+1], s.root[i:s.best])
		s.root[i] = best
		if s.config.Ordering == OrderNone {
			s.restoreOrder(i)
		}
	}
	s.first = 0
	slices.SortStableFunc(lines, func(a, b Line[M]) int { return b.Score - a.Score })
	s.sortRoot(len(lines))
	return lines, true
}

// restoreOrder puts the root moves behind the settled lines back into the game's order, and without other lines the first too.
func (s *Search[M]) restoreOrder(settled int) {
	from := settled + 1
	if s.config.MultiPV <= 1 {
		from = 0
	}
	order := s.frames[0].moves
	slices.SortFunc(s.root[from:], func(a, b rootMove[M]) int { return slices.Index(order, a.move) - slices.Index(order, b.move) })
}

// sortRoot orders the root moves for the next iteration: the best lines, then most effort first.
func (s *Search[M]) sortRoot(lines int) {
	if s.config.Ordering == OrderMemory {
		slices.SortStableFunc(s.root[lines:], func(a, b rootMove[M]) int { return int(b.nodes - a.nodes) })
	}
}

// halted counts a node and reports whether the search has to stop.
func (s *Search[M]) halted() bool {
	if s.stopped {
		return true
	}
	n := s.stats.Nodes
	if s.limit > 0 && n >= s.limit || s.stop != nil && n%tickNodes == 0 && s.stop() {
		s.stopped = true
	}
	return s.stopped
}

// do makes a move and counts it.
func (s *Search[M]) do(m M) {
	s.stats.Nodes++
	s.game.Do(m)
}
