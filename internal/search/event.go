package search

import (
	"fmt"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// Sink gets a search's events, one after the other from each worker, and from several goroutines at once. It must not keep the event
// or what it points to: the searcher uses the memory again. A sink may hold a search up by not returning; no node is locked meanwhile.
type Sink interface {
	Event(e *Event)
}

// Pauser is a Sink that holds searches up on purpose. The time is taken off the search's clock.
type Pauser interface {
	// Paused returns for how long searches have been held up, the pause under way included.
	Paused() time.Duration
}

// PausedBy returns how long a sink has held searches up; 0 for a sink that is no Pauser.
func PausedBy(s Sink) time.Duration {
	if p, ok := s.(Pauser); ok {
		return p.Paused()
	}
	return 0
}

// Leveled is a Sink that can say how much it wants to know.
type Leveled interface {
	// Level returns the level now. A searcher may leave out events above it, but need not. It may be called at any time.
	Level() Level
}

// LevelOf returns how much a sink wants to know: everything, unless it is Leveled.
func LevelOf(s Sink) Level {
	if l, ok := s.(Leveled); ok {
		return l.Level()
	}
	return LevelDebug
}

// EventKind is what an event tells.
type EventKind uint8

// The kinds of events. Those from EventSelect to EventRecycle come from the tree search, those from EventIteration to EventNode from
// alpha-beta, the rest from both.
const (
	EventStart     EventKind = iota // a search begins
	EventEnd                        // a search has its answer
	EventClock                      // the time was planned, or the clock decided to stop
	EventBest                       // another root move is the best
	EventSelect                     // a playout chose a move
	EventExpand                     // a node got its moves and priors
	EventEvaluate                   // a new node got its value
	EventMerge                      // a walk ended at a node that other paths know better
	EventRevisit                    // a walk ended at a node where the game is over or the result is proved
	EventRepeat                     // a walk ended by a repetition
	EventBackup                     // a value reached an edge and its node
	EventProve                      // a node's result became certain
	EventRecycle                    // nodes were forgotten to make room
	EventIteration                  // a depth begins
	EventFail                       // the score lay outside the window: the root is searched again
	EventEnter                      // a node begins
	EventTable                      // the table knew the position
	EventWindow                     // a move raised alpha
	EventPrune                      // a move cut the node off
	EventNode                       // a node has its score
	NumEventKinds  = iota
)

var eventNames = [NumEventKinds]string{"start", "end", "clock", "best", "select", "expand", "evaluate", "merge", "revisit", "repeat", "backup",
	"prove", "recycle", "iteration", "fail", "enter", "table", "window", "prune", "node"}

// String returns the kind's name.
func (k EventKind) String() string { return eventNames[k] }

// ParseEventKind reads the name of a kind.
func ParseEventKind(name string) (EventKind, error) {
	for k, n := range eventNames {
		if n == name {
			return EventKind(k), nil
		}
	}
	return 0, fmt.Errorf("unknown event %q: want one of %s", name, strings.Join(eventNames[:], ", "))
}

// Level says how much a reader wants to know.
type Level uint8

// The levels.
const (
	// LevelInfo has the course of the search, scores and values.
	LevelInfo Level = iota
	// LevelDebug adds what led to them: selections, windows, prunes.
	LevelDebug
)

// Level returns the level from which on the kind is shown.
func (k EventKind) Level() Level {
	switch k {
	case EventSelect, EventExpand, EventMerge, EventRevisit, EventRepeat, EventBackup, EventEnter, EventTable, EventWindow, EventPrune:
		return LevelDebug
	}
	return LevelInfo
}

// NodeType is what a node of the tree is.
type NodeType uint8

// The types of nodes.
const (
	NoNodeType   NodeType = iota
	NodeMax               // the side to move is the root's
	NodeMin               // it is the other one
	NodeLeaf              // it was judged, not searched
	NodeTerminal          // the game is over there
)

var nodeTypeNames = []string{"", "MAX", "MIN", "LEAF", "TERMINAL"}

// String returns the type's name in capitals, "" for none.
func (t NodeType) String() string { return nodeTypeNames[t] }

// ParseNodeType reads the name of a type, in any case; "" is none.
func ParseNodeType(name string) (NodeType, error) {
	for t, n := range nodeTypeNames {
		if strings.EqualFold(n, name) {
			return NodeType(t), nil
		}
	}
	return 0, fmt.Errorf("unknown node type %q: want MAX, MIN, LEAF or TERMINAL", name)
}

// InnerType returns the type of a node with moves at a distance from the root.
func InnerType(ply int) NodeType { return NodeMax + NodeType(ply&1) }

// Event is what happened in a search. Which fields are set depends on the kind; the others are zero. docs/inspect.md has a table.
// Win rates are 0..1 and scores in hundredths of a pawn, both for the side to move at the node that the event is about.
type Event struct {
	Kind EventKind
	Type NodeType
	// Bound says what an entry of the table, or a failed search, tells of the score.
	Bound Bound
	// Cut says that the table's entry ended the node.
	Cut bool
	// Worker is the number of the worker, from 0; -1 is who watches over the search.
	Worker int
	// Playout is the playout's number in this search, from 1; for alpha-beta the number of moves made so far.
	Playout int64
	// Ply is the node's distance from the root, Key its position's Zobrist key.
	Ply int
	Key uint64
	// Depth is how deep there is still to search, for EventTable the depth of the entry.
	Depth int
	// Move is the move that was chosen at the node, raised alpha or cut; for the kinds that tell of a node as a whole the move
	// that led to it.
	Move shogi.Move
	// Alpha, Beta and Score are the window and the score; Before is alpha before it was raised.
	Alpha, Beta, Score, Before int
	// Count is a number of moves: those listed (EventStart, EventExpand), skipped (EventPrune) or looked at behind a leaf (EventNode);
	// of nodes forgotten (EventRecycle); or of the edge's visits (EventMerge).
	Count int64
	// Visits and WinRate are the node's, EdgeVisits and EdgeRate those of Move.
	Visits, EdgeVisits int64
	WinRate, EdgeRate  float64
	// Value is what the evaluator said, or what a playout brought.
	Value float64
	// Proof is above 0 for a win in so many plies, below 0 for a loss in -Proof-1, so that -1 is being mated.
	Proof int
	// Scale is the exploration factor of the selection and Loss the lost visits that a playout under way counts for.
	Scale, Loss float64
	// Took is the time that has passed, Optimum and Hard are the clock's plan; 0 is none.
	Took, Optimum, Hard time.Duration
	// Reason is why a search ends.
	Reason Reason
	// Engine is "uct" or "alphabeta".
	Engine string
	// Candidates are the moves that a selection looked at.
	Candidates []Candidate
	// Line is the principal variation.
	Line []shogi.Move
	// Game is what led to the root.
	Game *shogi.Game
}

// The engines that an EventStart names.
const (
	EngineUCT       = "uct"
	EngineAlphaBeta = "alphabeta"
)

// Candidate is a move in a selection. Its score is WinRate + Explore.
type Candidate struct {
	Move shogi.Move
	// Visits are those that are finished, Flying those under way.
	Visits, Flying int
	// Prior is the policy's share P, WinRate the Q with playouts under way counted as lost, Explore the U that is added.
	Prior, WinRate, Explore float64
	// Proof is as in Event. A proved move is not chosen.
	Proof int
	// Fresh marks the move without visits; its WinRate is assumed.
	Fresh bool
}

// String writes the formula out with its numbers.
func (c *Candidate) String() string {
	if c.Proof != 0 {
		return fmt.Sprintf("%s N %d, %s", c.Move, c.Visits, ProofText(c.Proof))
	}
	return fmt.Sprintf("%s %.4f = Q %.4f + U %.4f (N %d, in flight %d, P %.4f)", c.Move, c.WinRate+c.Explore, c.WinRate, c.Explore, c.Visits, c.Flying, c.Prior)
}

// ProofText says what a proof means, "" for none.
func ProofText(proof int) string {
	switch {
	case proof > 0:
		return fmt.Sprintf("win in %d", proof)
	case proof < 0:
		return fmt.Sprintf("loss in %d", -proof-1)
	}
	return ""
}
