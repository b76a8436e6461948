package search

import (
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// ClockOptions are the margins and habits of a clock.
type ClockOptions struct {
	// Delay is kept back from a game clock for the way to the GUI and back; at most half of the usable time.
	Delay time.Duration
	// MoveTimeDelay is the same for a fixed time for the move, at most a fifth of it.
	MoveTimeDelay time.Duration
	// SlowMover is the share of the usual time to use, in percent.
	SlowMover int
}

// DefaultClockOptions returns the margins for a GUI on the same machine.
func DefaultClockOptions() ClockOptions {
	return ClockOptions{Delay: 120 * time.Millisecond, MoveTimeDelay: 50 * time.Millisecond, SlowMover: 100}
}

// Progress is what a clock needs to know of a search.
type Progress struct {
	// Playouts is the number made in this search.
	Playouts int64
	// First and Second are the visits of the two most visited root moves, FirstRate and SecondRate their win rates.
	First, Second         int64
	FirstRate, SecondRate float64
}

// unsettled reports whether the best move is not much more visited than the second, or looks worse.
func (p *Progress) unsettled() bool {
	return 2*p.First < 3*p.Second || p.FirstRate < p.SecondRate
}

// The shape of the time plan, after dlshogi (usi/UctSearch.cpp): a share of the rest that grows until ply openingPlies, doubled once
// when the best move is unsettled.
const (
	openingPlies      = 30
	movesLeftFree     = 14 // assumed moves to go when each move brings time of its own
	movesLeftSudden   = 26 // the same in sudden death
	extension         = 2
	minimumPart       = 10 // a tenth of the plan is always used
	suddenMaximumPart = 5  // never more than a fifth of the rest for one move in sudden death
	freeMaximumPart   = 3  // never more than a third of the rest beside increment and byoyomi
	noTimeLimit       = 1 << 62
)

// Clock turns limits into deadlines and decides when a search on time has thought enough. All times are counted from the
// start of the search, or from the ponder hit. The zero value has no time limit.
type Clock struct {
	limited  bool
	onClock  bool
	moveTime time.Duration
	minimum  time.Duration
	optimum  time.Duration
	maximum  time.Duration
	extended bool
	// looked says that there was a first look at the search, firstLook when it was and firstPlayouts what had been made then: by
	// pondering, so not in the time that the clock counts.
	looked        bool
	firstLook     time.Duration
	firstPlayouts int64
}

// NewClock plans the time for a move of the side at the ply. Only Clock and MoveTime of the limits count.
func NewClock(l *Limits, side shogi.Color, ply int, o ClockOptions) *Clock {
	c := &Clock{moveTime: noTimeLimit, optimum: noTimeLimit, maximum: noTimeLimit}
	if l.MoveTime > 0 {
		c.limited = true
		c.moveTime = l.MoveTime - min(o.MoveTimeDelay, l.MoveTime/5)
	}
	if l.Clock != nil {
		c.limited, c.onClock = true, true
		c.plan(l.Clock, side&1, ply, o)
	}
	return c
}

// plan sets minimum, optimum and maximum from a game clock.
func (c *Clock) plan(t *ClockTimes, side shogi.Color, ply int, o ClockOptions) {
	usable := t.Usable(side)
	delay := min(o.Delay, usable/2)
	hard := usable - delay
	own := t.Increment[side] + t.Byoyomi // comes back with every move
	rest := max(0, usable-own)           // does not
	moves, part := movesLeftFree, freeMaximumPart
	if own == 0 {
		moves, part = movesLeftSudden, suddenMaximumPart
	}
	moves += max(0, openingPlies-ply)
	free := max(0, own-delay)
	share := float64(o.SlowMover) / float64(100*moves)
	c.optimum = min(hard, free+time.Duration(share*float64(rest)))
	c.maximum = min(hard, max(c.optimum, free+rest/time.Duration(part)))
	c.minimum = min(c.optimum, max(c.optimum/minimumPart, t.Byoyomi-delay))
	if rest < own/2 { // saving the little that is left brings nothing
		c.maximum = hard
		if t.Byoyomi > 0 {
			c.optimum = hard
		}
	}
}

// Limited reports whether any time limit is set.
func (c *Clock) Limited() bool { return c.limited }

// OnClock reports whether a game clock runs, so that time not used is kept.
func (c *Clock) OnClock() bool { return c.onClock }

// Hard returns the time at which the search must stop in any case.
func (c *Clock) Hard() time.Duration { return min(c.moveTime, c.maximum) }

// HardReason says which limit Hard is.
func (c *Clock) HardReason() Reason {
	if c.moveTime <= c.maximum {
		return ReasonMoveTime
	}
	return ReasonClock
}

// Extended reports whether the plan was made longer because the best move was unsettled. A search without a clock has nil.
func (c *Clock) Extended() bool { return c != nil && c.extended }

// Optimum returns the time at which the search stops when nothing speaks for going on.
func (c *Clock) Optimum() time.Duration { return c.optimum }

// Verdict says why the search should stop now, or "" to go on. It may extend the plan, once.
func (c *Clock) Verdict(elapsed time.Duration, p *Progress) Reason {
	if !c.looked {
		c.looked, c.firstLook, c.firstPlayouts = true, elapsed, p.Playouts
	}
	switch {
	case !c.limited:
		return ""
	case elapsed >= c.moveTime:
		return ReasonMoveTime
	case !c.onClock:
		return ""
	case elapsed >= c.maximum:
		return ReasonClock
	case elapsed >= c.optimum:
		if !c.extended && c.optimum < c.maximum && p.unsettled() {
			c.extended = true
			c.optimum = min(c.maximum, extension*c.optimum)
			return ""
		}
		return ReasonClock
	case elapsed >= c.minimum && p.Playouts > 0 && !p.unsettled() && c.cannotBeOvertaken(elapsed, p):
		return ReasonOvertaking
	}
	return ""
}

// cannotBeOvertaken reports whether the second move, given all playouts that fit into the planned time, would still have fewer visits.
func (c *Clock) cannotBeOvertaken(elapsed time.Duration, p *Progress) bool {
	took := elapsed - c.firstLook
	if took <= 0 {
		return false // how fast the search is is not known yet
	}
	speed := float64(p.Playouts-c.firstPlayouts) / float64(took)
	toCome := speed * float64(min(c.optimum, c.moveTime)-elapsed)
	return float64(p.First-p.Second) > toCome
}
