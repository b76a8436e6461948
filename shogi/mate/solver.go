package mate

import (
	"context"

	"github.com/yomi-shogi/yomi/shogi"
)

// Outcome is what a search for mate came to.
type Outcome uint8

// The outcomes.
const (
	// Unknown: the search ended before it knew; Result.Reason says why.
	Unknown Outcome = iota
	// Mate: the side to move mates by checks.
	Mate
	// NoMate: there is no mate by checks, or none within the limit of plies.
	NoMate
)

// String returns "unknown", "mate" or "no mate".
func (o Outcome) String() string { return [...]string{"unknown", "mate", "no mate"}[o] }

// Reason says why a search ended.
type Reason uint8

// The reasons.
const (
	running Reason = iota
	// Nodes: the limit of nodes was reached.
	Nodes
	// Stopped: the context was cancelled or its time is over.
	Stopped
	// Depth: some lines were longer than the solver can follow (512 plies).
	Depth
)

// String returns "" for a search that ended by itself, else "nodes", "stopped" or "depth".
func (r Reason) String() string { return [...]string{"", "nodes", "stopped", "depth"}[r] }

// Limits bound a search. The zero value is no limit.
type Limits struct {
	// Nodes is the number of positions to look at, 0 for no limit.
	Nodes int64
	// Plies is the longest mate to look for, 0 for any length.
	Plies int
	// Context stops the search; nil for none. It is asked every 1024 positions.
	Context context.Context
}

// Result is the answer of a search.
type Result struct {
	Outcome Outcome
	// Reason says why the outcome is Unknown; for a mate, why the search for a shorter one ended early. It is 0 otherwise.
	Reason Reason
	// Plies is the length of the mate.
	Plies int
	// Minimal says that no mate is shorter.
	Minimal bool
	// Line is the mate: the attacker plays the shortest, the defender the longest way, of Plies moves. Of a mate that is not
	// Minimal it may be shorter, and where Reason is set it may end early, but it has its first move. It is the solver's own:
	// copy it to keep it.
	Line []shogi.Move
	// Nodes is the number of positions looked at.
	Nodes int64
}

// Solver searches mates. It is for one goroutine. All its memory is taken at construction; a search allocates nothing.
type Solver struct {
	table    table
	loops    loops
	nodes    []node
	children []child
	top      int // of children
	line     []shogi.Move
	moves    [shogi.MaxMoves]shogi.Move
	replies  [shogi.MaxMoves]shogi.Move
	// onPath counts the positions of the path by the low bits of their key, so that most look-ups for a repetition end at once.
	onPath [pathFilter]uint8
	// looped says that loops holds something, cut that a line was given up because it is too long.
	looped, cut   bool
	count, budget int64
	nextLook      int64 // at the context
	ctx           context.Context
	reason        Reason
}

// NewSolver returns a solver whose table takes up to the given number of bytes (rounded down to a power of two, at least 2 kB).
// About 1 MB more is for the path. For leaves of a search 256 kB are plenty; a problem needs 32 bytes for each 3 to 5 nodes.
func NewSolver(tableBytes int) *Solver {
	t := newTable(tableBytes)
	return &Solver{
		table:    t,
		loops:    newLoops(max(len(t.slots)/8, 8)),
		nodes:    make([]node, maxDepth),
		children: make([]child, maxChildren),
		line:     make([]shogi.Move, 0, maxDepth),
	}
}

// begin makes the solver ready for a new question.
func (s *Solver) begin(nodes int64) {
	s.table.clear()
	if s.table.age == 1 {
		clear(s.loops.slots)
	}
	s.looped, s.count, s.nextLook, s.ctx = false, 0, 0, nil
	s.grant(nodes)
}

// grant sets the number of nodes at which the search stops, 0 for never, and lets it run.
func (s *Solver) grant(nodes int64) {
	if nodes <= 0 {
		nodes = 1<<63 - 1
	}
	s.budget, s.reason = nodes, running
}

// halted reports whether a limit is reached.
func (s *Solver) halted() bool {
	switch {
	case s.reason != running:
		return true
	case s.count >= s.budget:
		s.reason = Nodes
	case s.ctx != nil && s.count >= s.nextLook:
		s.nextLook = s.count + 1024
		if s.ctx.Err() != nil {
			s.reason = Stopped
		}
	}
	return s.reason != running
}

// run searches the position, the attacker to move, for a mate within the limit. It returns false when it was halted.
func (s *Solver) run(p *shogi.Position, limit uint16) (knowledge, bool) {
	hand := p.Hand(p.Side())
	if k, found := s.table.find(p.BoardKey(), hand, limit); found && (k.proof == 0 || k.disproof == 0) {
		return k, true
	}
	s.cut = false
	root := &s.nodes[0]
	root.pos, root.key, root.hand, root.path = *p, p.BoardKey(), hand, 0
	root.limit, root.attacker = limit, true
	k := s.search(0, infinite, infinite)
	if k.disproof == 0 && s.cut {
		s.reason = Depth
	}
	return k, k.proof == 0 || k.disproof == 0 && s.reason != Depth
}

// Quick looks for a mate by the side to move among about the given number of positions (0 looks at all). It finds a mate in one
// whatever the number. The length is that of the mate found; there may be a shorter one. A mate that is not found, may exist
// all the same, unless the outcome is NoMate.
func (s *Solver) Quick(p *shogi.Position, nodes int) (outcome Outcome, move shogi.Move, plies int) {
	s.begin(int64(nodes))
	k, settled := s.run(p, unlimited)
	switch {
	case !settled:
		return Unknown, shogi.MoveNone, 0
	case k.proof == 0:
		return Mate, k.move, int(k.plies)
	}
	return NoMate, shogi.MoveNone, 0
}

// Solve looks for a mate by the side to move, and then for the shortest one and its line, within the limits.
func (s *Solver) Solve(p *shogi.Position, limits Limits) Result {
	s.begin(limits.Nodes)
	s.ctx = limits.Context
	limit := uint16(unlimited)
	if limits.Plies > 0 && limits.Plies < maxDepth-2 {
		limit = uint16(limits.Plies-1) | 1 // the attacker has the last move
	}
	k, settled := s.run(p, limit)
	switch {
	case !settled:
		return Result{Outcome: Unknown, Reason: s.reason, Nodes: s.count}
	case k.disproof == 0:
		return Result{Outcome: NoMate, Nodes: s.count}
	}
	r := Result{Outcome: Mate}
	r.Plies, r.Minimal = s.shorten(p, int(k.plies), limits.Nodes)
	r.Reason = s.reason
	r.Line = s.findLine(p, r.Plies, r.Minimal, limits.Nodes)
	r.Reason = max(r.Reason, s.reason)
	r.Nodes = s.count
	return r
}

const (
	// alwaysShortest is the length up to which mates are given at their shortest whatever it costs within the limits.
	alwaysShortest = 7
	// extraNodes and extraShare bound the other work on length and line: a number of nodes and a multiple of those spent so far.
	extraNodes = 200_000
	extraShare = 4
)

// grantExtra lets the solver run for the work after the mate is found.
func (s *Solver) grantExtra(nodes int64) {
	extra := s.count + extraNodes + extraShare*s.count
	if nodes > 0 {
		extra = min(extra, nodes)
	}
	s.grant(max(extra, 1))
}

// shorten looks for a shorter mate: first upwards from one ply, then downwards from what is known. It returns the best length
// and whether there is none shorter.
func (s *Solver) shorten(p *shogi.Position, plies int, nodes int64) (best int, minimal bool) {
	low := 1 // no mate is shorter
	for low < plies && low <= alwaysShortest {
		k, settled := s.run(p, uint16(low))
		switch {
		case !settled:
			return plies, false
		case k.proof == 0:
			return int(k.plies), true
		}
		low = next(k.plies)
	}
	s.grantExtra(nodes)
	for low < plies {
		k, settled := s.run(p, uint16(plies-2))
		switch {
		case !settled:
			return plies, false
		case k.proof == 0:
			plies = int(k.plies)
		default:
			low = next(k.plies)
		}
	}
	return plies, true
}

// next returns the first odd number above the plies.
func next(plies uint16) int { return (int(plies) + 1) | 1 }

// findLine writes the line of the mate in so many plies. When no mate is shorter it sees to it that the defender's replies
// really last longest.
func (s *Solver) findLine(p *shogi.Position, plies int, minimal bool, nodes int64) []shogi.Move {
	s.grantExtra(nodes)
	s.line = s.line[:0]
	pos := *p
	for {
		k, settled := s.run(&pos, uint16(plies))
		if !settled || k.proof != 0 {
			return s.line
		}
		s.line = append(s.line, k.move)
		if k.plies == 1 {
			return s.line
		}
		pos.Do(k.move)
		plies = int(k.plies) - 2
		reply := s.longestReply(&pos, plies, minimal)
		if reply == shogi.MoveNone {
			return s.line
		}
		s.line = append(s.line, reply)
		pos.Do(reply)
	}
}

// longestReply returns a reply after which the mate takes the given number of plies, or as many as possible where a better proof
// has been found meanwhile. MoveNone says that the limits ended the search for it.
func (s *Solver) longestReply(p *shogi.Position, plies int, minimal bool) shogi.Move {
	var replies [shogi.MaxMoves]shogi.Move
	longest, most := shogi.MoveNone, 0
	for _, m := range p.AppendLegal(replies[:0]) {
		next := *p
		next.Do(m)
		k, settled := s.run(&next, uint16(plies))
		if !settled || k.proof != 0 {
			return longest
		}
		if int(k.plies) > most {
			longest, most = m, int(k.plies)
		}
		if int(k.plies) < plies || !minimal || plies == 1 {
			continue
		}
		if shorter, settled := s.run(&next, uint16(plies-2)); settled && shorter.proof != 0 {
			return m
		}
	}
	return longest
}
