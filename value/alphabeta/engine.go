package alphabeta

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// Options is how an Engine plays. What it shares with the tree search's options means the same.
type Options struct {
	// Config says how to search; of its TableSize only whether it is 0, for no table, counts (see HashMB).
	Config Config
	// HashMB is the memory of the transposition table in MiB; the table takes the largest power of two that fits. 0 means 64.
	HashMB int
	// Weights are those of the feature evaluation; nil means DefaultWeights. They are not used with NewValue.
	Weights *Weights
	// NewValue makes the evaluator that judges positions instead of the features, nil for the features.
	NewValue func() Value
	// EvalCoef is the scale between scores and win rates: cp = -EvalCoef·ln(1/p - 1); 0 means 600.
	EvalCoef float64
	// DrawValue is what a draw is worth to Black, 0..1, by the side to move at the root; White has the rest.
	DrawValue [2]float32
	// MaxMovesToDraw is the number of moves after which a game is drawn, 0 for no such rule.
	MaxMovesToDraw int
	// Declaration is the entering-king rule.
	Declaration shogi.DeclarationRule
	// ResignThreshold is the win rate below which the engine resigns; 0 means never.
	ResignThreshold float64
	// MultiPV is the number of lines to report, 0 means 1. The drivers with an OPEN list find one.
	MultiPV int
	// PVInterval is the time between reports of one iteration's lines; 0 reports only at the end.
	PVInterval time.Duration
	// Clock holds the margins of the time plan.
	Clock search.ClockOptions
}

// DefaultOptions returns the options of an even game.
func DefaultOptions() Options {
	return Options{Config: Default(), EvalCoef: defaultEvalCoef, DrawValue: [2]float32{0.5, 0.5}, Declaration: shogi.CSARule27,
		MultiPV: 1, PVInterval: 500 * time.Millisecond, Clock: search.DefaultClockOptions()}
}

const (
	defaultEvalCoef = 600
	defaultHashMB   = 64
	// entryBytes is the size of a table entry for shogi.
	entryBytes = 16
)

// complete fills in what zero values stand for.
func (o *Options) complete() error {
	if o.HashMB == 0 {
		o.HashMB = defaultHashMB
	}
	if o.EvalCoef == 0 {
		o.EvalCoef = defaultEvalCoef
	}
	o.MultiPV = max(o.MultiPV, 1)
	switch {
	case o.HashMB < 0:
		return fmt.Errorf("hash of %d MiB: want 0 or more", o.HashMB)
	case !(o.EvalCoef > 0):
		return fmt.Errorf("eval coefficient %v: want more than 0", o.EvalCoef)
	case !(min(o.DrawValue[0], o.DrawValue[1]) >= 0 && max(o.DrawValue[0], o.DrawValue[1]) <= 1):
		return fmt.Errorf("draw value %v: want 0..1", o.DrawValue)
	case o.MaxMovesToDraw < 0:
		return fmt.Errorf("moves to draw %d: want 0 or more", o.MaxMovesToDraw)
	}
	o.Config.MultiPV = o.Config.linesFound(o.MultiPV)
	return o.Config.Check()
}

// Engine plays shogi by alpha-beta, in one goroutine. The same search with a node limit gives the same answer every time after Clear.
type Engine struct {
	options Options
	game    *Shogi
	search  *Search[shogi.Move]
	sink    search.Sink // nil for none
}

// NewEngine returns an engine. The error names a bad option.
func NewEngine(o Options) (*Engine, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	e := &Engine{options: o}
	if o.NewValue != nil {
		e.game = NewShogiValue(o.NewValue(), o.EvalCoef, ShogiRules{})
	} else {
		w := o.Weights
		if w == nil {
			w = DefaultWeights()
		}
		e.game = NewShogi(w, ShogiRules{})
	}
	if o.Config.TableSize == 0 {
		var err error
		e.search, err = New[shogi.Move](e.game, o.Config, nil)
		return e, err
	}
	entries := 1
	for entries*2*entryBytes <= o.HashMB<<20 {
		entries *= 2
	}
	table, err := NewBoundTable[shogi.Move](entries)
	if err != nil {
		return nil, err
	}
	e.search, err = New[shogi.Move](e.game, o.Config, table)
	return e, err
}

// SetOptions changes options between searches. HashMB, Weights, NewValue and Config stay as NewEngine got them. Where what a
// position is worth changes, what was learnt is forgotten.
func (e *Engine) SetOptions(o Options) error {
	before := &e.options
	o.Config, o.HashMB, o.Weights, o.NewValue = before.Config, before.HashMB, before.Weights, before.NewValue
	if err := o.complete(); err != nil {
		return err
	}
	if o.DrawValue != before.DrawValue || o.MaxMovesToDraw != before.MaxMovesToDraw || o.Declaration != before.Declaration ||
		o.EvalCoef != before.EvalCoef {
		e.Clear()
	}
	e.options = o
	e.search.SetMultiPV(o.MultiPV)
	e.game.evalCoef = o.EvalCoef
	return nil
}

// Clear forgets the last game.
func (e *Engine) Clear() { e.search.Clear() }

// Search thinks about the game's position until a limit is reached or the context ends, and answers. report, which may be nil,
// gets blocks of lines, best first, from this goroutine, the last time directly before the answer. An infinite or pondering
// search answers only when the context ends or the ponder hit comes. Limits.Depth is the depth of iterations, Limits.Nodes the number of moves made.
func (e *Engine) Search(ctx context.Context, game *shogi.Game, limits search.Limits, report func([]search.Info)) search.Result {
	if report == nil {
		report = func([]search.Info) {}
	}
	t := newThinking(ctx, e, game, limits, report)
	result, over := t.overAtRoot()
	if !over {
		t.tellStart(game)
		result = t.think()
		t.tellEnd(&result)
	}
	t.hold(result.Lines)
	if len(result.Lines) > 0 {
		report(result.Lines)
	}
	return result
}

// rules returns the rules for a search that begins with the side to move. A draw is worth what the options say to that side.
func (e *Engine) rules(side shogi.Color) ShogiRules {
	o := &e.options
	black := float64(o.DrawValue[side&1])
	draw := scoreOf(black, o.EvalCoef)
	return ShogiRules{Declaration: o.Declaration, MaxMoves: o.MaxMovesToDraw, DrawScore: [2]int{draw, -draw}}
}

// allowed returns the limits' search moves that are legal, nil when all moves are.
func allowed(p *shogi.Position, moves []shogi.Move) []shogi.Move {
	var list []shogi.Move
	for _, m := range moves {
		if p.IsLegal(m) && !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}
