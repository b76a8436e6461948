package uct

import (
	"fmt"
	"math/bits"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// Policy says which moves deserve attention. One instance serves one worker.
type Policy interface {
	// Priors writes to out, which is as long as moves, the prior of each legal move; they are 0 or more and their sum is 1.
	// last is the move that led to the position, MoveNone when there is none. It must not keep p or the slices.
	// Asked again about the same position and last move, it must write the same.
	Priors(p *shogi.Position, last shogi.Move, moves []shogi.Move, out []float32)
}

// Value says who stands better. One instance serves one worker.
type Value interface {
	// WinRate returns the expected result, 0..1, for the side to move. It must not keep p.
	WinRate(p *shogi.Position) float32
}

// Formula chooses how a move is selected.
type Formula uint8

// The selection formulas.
const (
	PUCT Formula = iota // priors guide, as in AlphaZero
	UCB1                // the textbook formula; every move is tried once before any is tried twice
)

// Config says what a Searcher is made of.
type Config struct {
	// NewPolicy and NewValue make the evaluators, one of each a worker. Both are needed.
	NewPolicy func() Policy
	NewValue  func() Value
	// HashMB is the memory of the tree in MiB, slots and arena together; 0 means 64.
	HashMB int
	// Slots is the number of node slots, a power of two; 0 derives it from HashMB.
	Slots int
	// Options may be changed between searches. A zero Options stands for DefaultOptions.
	Options
}

// Options is what may differ from search to search.
type Options struct {
	// Threads is the number of workers, 1 or more.
	Threads int
	Formula Formula
	// Params are the tunables; the zero value stands for the defaults.
	Params Params
	// PolicyTemperature flattens (above 1) or sharpens priors: p^(1/T), normalised.
	PolicyTemperature float64
	// DrawValue is what a draw is worth to Black, 0..1, by the side to move at the root; White has the rest. Where the two differ,
	// the tree is cleared when the root's side to move changes.
	DrawValue [2]float32
	// MaxMovesToDraw is the number of moves after which a game is drawn, 0 for no such rule.
	MaxMovesToDraw int
	// Declaration is the entering-king rule.
	Declaration shogi.DeclarationRule
	// EvalCoef is the scale of centipawns: cp = -EvalCoef·ln(1/p - 1).
	EvalCoef float64
	// ResignThreshold is the win rate below which the search resigns; 0 means never.
	ResignThreshold float64
	// MultiPV is the number of lines to report, 1 or more.
	MultiPV int
	// PVInterval is the time between reports; 0 reports only at the end.
	PVInterval time.Duration
	// Noise is for self-play; the zero value is none.
	Noise RootNoise
	// Clock holds the margins of the time plan.
	Clock search.ClockOptions
}

// DefaultOptions returns the options of an even game on one worker.
func DefaultOptions() Options {
	return Options{
		Threads:           1,
		Params:            DefaultParams(),
		PolicyTemperature: 1,
		DrawValue:         [2]float32{0.5, 0.5},
		Declaration:       shogi.CSARule27,
		EvalCoef:          600,
		MultiPV:           1,
		PVInterval:        500 * time.Millisecond,
		Clock:             search.DefaultClockOptions(),
	}
}

// check fills in the parameters' defaults and returns an error that names the first bad option.
func (o *Options) check() error {
	if o.Params == (Params{}) {
		o.Params = DefaultParams()
	}
	switch {
	case o.Threads < 1:
		return fmt.Errorf("threads %d: want 1 or more", o.Threads)
	case o.MultiPV < 1:
		return fmt.Errorf("multipv %d: want 1 or more", o.MultiPV)
	case !(o.PolicyTemperature > 0):
		return fmt.Errorf("policy temperature %v: want more than 0", o.PolicyTemperature)
	case !(o.EvalCoef > 0):
		return fmt.Errorf("eval coefficient %v: want more than 0", o.EvalCoef)
	case !(min(o.DrawValue[0], o.DrawValue[1]) >= 0 && max(o.DrawValue[0], o.DrawValue[1]) <= 1):
		return fmt.Errorf("draw value %v: want 0..1", o.DrawValue)
	case !(o.Noise.Share >= 0 && o.Noise.Share <= 1) || o.Noise.Share > 0 && !(o.Noise.Concentration > 0):
		return fmt.Errorf("root noise %+v: want a share of 0..1 and a positive concentration", o.Noise)
	case o.MaxMovesToDraw < 0:
		return fmt.Errorf("moves to draw %d: want 0 or more", o.MaxMovesToDraw)
	}
	return o.Params.Check()
}

const (
	defaultHashMB = 64
	// slotBytes is a slot's key and node together.
	slotBytes = 16 + nodeBytes
	nodeBytes = 48
	// slotShare is the largest part, in percent, of the memory that slots get when their number is derived. In a middle game with the nets
	// a node has 64 bytes of slot and 80 of the arena when the memory is full for the first time; in a long search the nodes that are not
	// forgotten have many visited moves, and then it is 64 and some 200.
	slotShare = 45
)

// sizes splits the memory: slots, a power of two, and arena cells from what is left.
func (c *Config) sizes() (slots, cells int, err error) {
	mb := c.HashMB
	if mb == 0 {
		mb = defaultHashMB
	}
	total := mb << 20
	slots = c.Slots
	if slots == 0 {
		slots = 1 << (bits.Len(uint(total*slotShare/100/slotBytes)) - 1)
	}
	if mb < 0 || slots < 1 || bits.OnesCount(uint(slots)) != 1 {
		return 0, 0, fmt.Errorf("%d MiB, %d slots: want positive memory and a power of two", mb, slots)
	}
	cells = (total - slots*slotBytes) / cellBytes
	if cells < minCells {
		return 0, 0, fmt.Errorf("%d slots leave no room for moves in %d MiB", slots, mb)
	}
	return slots, cells, nil
}

// minCells is enough for a root with any number of moves and some thousand nodes.
const minCells = 1 << 14
