package engine

import (
	"cmp"
	"slices"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
)

// Evaluation is what the evaluators say about a position.
type Evaluation struct {
	// WinRate is the value for the side to move, 0..1, and CP the same in centipawns.
	WinRate float64
	CP      int
	// Moves are the legal moves, the highest prior first.
	Moves []Prior
}

// Prior is a move with the share of attention that the policy gives it.
type Prior struct {
	Move  shogi.Move
	Prior float64
}

// Evaluate asks the evaluators about a position, without any search.
func (e *Engine) Evaluate(p *shogi.Position) Evaluation {
	newPolicy, newValue := e.evaluators()
	moves := p.AppendLegal(nil)
	priors := make([]float32, len(moves))
	newPolicy().Priors(p, shogi.MoveNone, moves, priors)
	winRate := float64(newValue().WinRate(p))
	out := Evaluation{WinRate: winRate, CP: uct.Centipawns(winRate, e.evalCoef())}
	for i, m := range moves {
		out.Moves = append(out.Moves, Prior{m, float64(priors[i])})
	}
	slices.SortStableFunc(out.Moves, func(a, b Prior) int { return cmp.Compare(b.Prior, a.Prior) })
	return out
}
