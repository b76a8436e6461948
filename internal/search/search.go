// Package search holds the words that every searcher and its callers share: what ends a search (Limits), what it
// says while it runs (Info), what it answers (Result, Reason) and the clock that turns a game's times into deadlines.
package search

import (
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// Limits says when a search must end. The zero value is a search without a limit: it runs until it is cancelled.
// Several limits may be set; the first that is reached ends the search.
type Limits struct {
	// Clock is the game's clock, nil when the move is not on a clock.
	Clock *ClockTimes
	// MoveTime is the time for this move, 0 for none.
	MoveTime time.Duration
	// Nodes is the number of new playouts (visits kept from the last search excluded), 0 for none.
	Nodes int64
	// Depth ends the search when the longest path is that long, the root is proved, or after 100,000 playouts a ply; 0 for none.
	Depth int
	// Infinite keeps the answer back until the search is cancelled.
	Infinite bool
	// PonderHit is non-nil while pondering: the answer is kept back and the clock stands still until it is closed.
	PonderHit <-chan struct{}
	// HitTimes, when not nil, returns the clock that came with the ponder hit, or nil; it is called after PonderHit is closed.
	HitTimes func() *ClockTimes
	// SearchMoves restricts the root to these moves; empty means all.
	SearchMoves []shogi.Move
	// Start is when the command arrived. The zero value means now.
	Start time.Time
}

// ClockTimes is a game's clock before a move, by side where it matters: [Black], [White].
type ClockTimes struct {
	// Main is the time left; it may be negative when the increment of this move is not added yet.
	Main [2]time.Duration
	// Increment is added to the own main time for every move.
	Increment [2]time.Duration
	// Byoyomi is the time a move that is not taken from the main time.
	Byoyomi time.Duration
}

// Usable returns the most time that the side may take for this move: max(0, main) + byoyomi + increment, where a negative main
// time is paid from the increment (the GUI takes the increment off before the first move).
func (c *ClockTimes) Usable(side shogi.Color) time.Duration {
	return max(0, c.Main[side]+c.Increment[side]) + c.Byoyomi
}

// Bound says whether a score is exact or a bound.
type Bound uint8

// The bounds of a score.
const (
	Exact Bound = iota
	LowerBound
	UpperBound
)

// Score is the value of a position or line for the side to move at the root.
type Score struct {
	// CP is the score in centipawns, cp = -Eval_Coef·ln(1/p - 1). It is unset when Mate is true.
	CP int
	// Mate says that the result is proved; Plies is the length, positive when the side to move mates, negative when it is mated.
	Mate  bool
	Plies int
	Bound Bound
	// WinRate is the expected result, 0..1.
	WinRate float64
}

// Info is one line of thinking: what a GUI shows for one candidate.
type Info struct {
	// MultiPV is the line's rank, 1 for the best.
	MultiPV int
	// Depth is the length of the line searched (the principal variation), SelDepth that of the longest path; plies.
	Depth, SelDepth int
	Score           Score
	// Nodes is the number of playouts made in this search, NPS the same a second.
	Nodes, NPS int64
	// HashFull is the permille of the memory in use.
	HashFull int
	Time     time.Duration
	PV       []shogi.Move
	// Text is a message for people; a line with Text carries nothing else.
	Text string
}

// Result is a search's answer.
type Result struct {
	// Best is the move, MoveResign or MoveWin.
	Best shogi.Move
	// Ponder is the expected reply, MoveNone when there is none.
	Ponder shogi.Move
	// Lines are the final lines, best first. It may be empty when nothing was searched.
	Lines []Info
	// Reason says why the search ended.
	Reason Reason
	// Extended says that the clock's plan was made longer because the best move was unsettled.
	Extended bool
}

// Reason is the machine-readable cause of a decision to stop, resign or declare.
type Reason string

// Why a search ended.
const (
	ReasonCancelled  Reason = "cancelled"  // stop, quit, gameover
	ReasonNodes      Reason = "nodes"      // the node limit
	ReasonDepth      Reason = "depth"      // the depth limit
	ReasonMoveTime   Reason = "movetime"   // the time for this move
	ReasonClock      Reason = "clock"      // the game clock's share
	ReasonOvertaking Reason = "overtaking" // the best move cannot be overtaken in the time left
	ReasonOnlyMove   Reason = "only move"  // one legal move
	ReasonProved     Reason = "proved"     // the root's result is proved
	ReasonNoMove     Reason = "no move"    // no legal move: resign
	ReasonDeclare    Reason = "declare"    // the declaration wins
	ReasonResign     Reason = "resign"     // the win rate fell below the threshold
	ReasonBook       Reason = "book"       // the move is from the opening book
)
