package engine

import (
	"math"
	"math/rand/v2"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// How Strength makes the engine weaker for people. Two things happen below 100, both by degrees:
//
//   - it thinks less: 32 playouts at 0, twice as many for every 10 more, so it sees less far;
//   - it does not always play its best move: among its candidates it chooses by chance, the better ones far more often.
//
// A move that it knows to be much worse than its best, or has not looked at, is never chosen, and a proved win is always
// played, so its mistakes are those of a hasty player and not absurd. Infinite analysis is never weakened.
const (
	maxStrength   = 100
	candidates    = 8
	weakPlayouts  = 32   // at strength 0
	doubling      = 10.0 // steps of strength that double the playouts
	weakSpread    = 0.06 // at strength 0: a candidate this much worse in win rate is chosen e times less often
	weakTolerance = 0.20 // at strength 0: no candidate worse by more than this is chosen
)

// weakerLimits returns the limits with the playouts that the strength allows.
func weakerLimits(l search.Limits, strength int64) search.Limits {
	n := int64(weakPlayouts * math.Exp2(float64(strength)/doubling))
	if l.Nodes == 0 || n < l.Nodes {
		l.Nodes = n
	}
	return l
}

// pickWeaker returns the result with one of its lines chosen by chance put first. visits are those of the lines, nil when each was
// searched: a line without has no win rate of its own, so it is not chosen.
func pickWeaker(r search.Result, visits []int64, strength int64, dice *rand.Rand) search.Result {
	if len(r.Lines) < 2 || r.Lines[0].Score.Mate {
		return r
	}
	weakness := 1 - float64(strength)/maxStrength
	best := r.Lines[0].Score.WinRate
	weights := make([]float64, len(r.Lines))
	total := 0.0
	for i := range r.Lines {
		worse := max(0, best-r.Lines[i].Score.WinRate)
		if visits != nil && visits[i] == 0 || len(r.Lines[i].PV) == 0 || r.Lines[i].Score.Mate || worse > weakTolerance*weakness {
			continue
		}
		weights[i] = math.Exp(-worse / (weakSpread * weakness))
		total += weights[i]
	}
	return drawLine(r, weights, total, dice)
}

// pickVaried returns the result with one of its lines put first, chosen by chance in proportion to visits^(1/temperature) among those
// whose win rate is at most cutoff below the best one's.
func pickVaried(r search.Result, visits []int64, temperature, cutoff float64, dice *rand.Rand) search.Result {
	if len(r.Lines) < 2 || r.Lines[0].Score.Mate {
		return r
	}
	best, total := r.Lines[0].Score.WinRate, 0.0
	weights := make([]float64, len(r.Lines))
	for i := range r.Lines {
		score := &r.Lines[i].Score
		if score.Mate || best-score.WinRate > cutoff || len(r.Lines[i].PV) == 0 {
			continue
		}
		weights[i] = 1
		if visits != nil {
			weights[i] = math.Pow(float64(visits[i])/float64(max(1, visits[0])), 1/temperature)
		}
		total += weights[i]
	}
	return drawLine(r, weights, total, dice)
}

// drawLine puts a line first that is drawn by weight.
func drawLine(r search.Result, weights []float64, total float64, dice *rand.Rand) search.Result {
	throw := dice.Float64() * total
	for i, w := range weights {
		if throw -= w; w > 0 && throw < 0 {
			return withFirst(r, i)
		}
	}
	return r
}

// withFirst returns the result with line i as the answer and the other lines behind it.
func withFirst(r search.Result, i int) search.Result {
	lines := append([]search.Info{r.Lines[i]}, r.Lines[:i]...)
	r.Lines = append(lines, r.Lines[i+1:]...)
	for k := range r.Lines {
		r.Lines[k].MultiPV = k + 1
	}
	pv := r.Lines[0].PV
	r.Best, r.Ponder = pv[0], shogi.MoveNone
	if len(pv) > 1 {
		r.Ponder = pv[1]
	}
	return r
}
