package uct

import (
	"math"
	"math/bits"
)

// The formulas of the search, as functions of numbers alone. Win rates are 0..1 for the side to move at the node.

// opponent returns a win rate as the other side sees it.
func opponent(winRate float64) float64 { return 1 - winRate }

// exploration returns the factor of prior/(1+visits) in the PUCT score of a node's moves. It grows with the node's visits and
// scales with the spread of priors and of values (Monty, src/mcts/helpers.rs). A larger value means that more moves are tried.
func exploration(p *Params, root bool, growth, priorSpread, valueSpread float64) float64 {
	c := p[CPuct]
	if root {
		c = p[CPuctRoot]
	}
	return c * growth * priorSpread * valueSpread
}

// growth returns how exploration grows with a node's visits: by a power, and slowly by a logarithm (AlphaZero).
func growth(p *Params, visits float64) float64 {
	return (1 + math.Log((visits+p[CPuctBase])/p[CPuctBase])) * math.Pow(visits, p[CPuctPower])
}

// growthTable holds growth for the numbers of visits that most nodes have, and beyond them for 64 points in each octave.
type growthTable struct {
	params Params
	values [1 << growthExact]float64
	points [(32-growthExact)*64 + 1]float64
}

// growthExact is the number of octaves of visits that have each their value.
const growthExact = 12

func newGrowthTable(p *Params) *growthTable {
	t := &growthTable{params: *p}
	for n := range t.values {
		t.values[n] = growth(p, float64(n))
	}
	for i := range t.points {
		t.points[i] = growth(p, math.Ldexp(float64(64+i%64), growthExact-6+i/64))
	}
	return t
}

// at returns growth for n visits; between the points by a straight line, which is within 1e-5 of it.
func (t *growthTable) at(n uint32) float64 {
	if int(n) < len(t.values) {
		return t.values[n]
	}
	shift := bits.Len32(n) - 7
	i := (shift-growthExact+6)*64 + int(n>>shift) - 64
	part := float64(n&(1<<shift-1)) / float64(uint32(1)<<shift)
	return t.points[i] + part*(t.points[i+1]-t.points[i])
}

// priorSpread returns the exploration factor for how the priors are spread; concentration is lnImpurity of them.
func priorSpread(p *Params, lnImpurity float64) float64 {
	return min(p[PriorSpreadBase]-p[PriorSpreadSlope]*lnImpurity, p[PriorSpreadMax])
}

// lnImpurity returns ln(G + 0.001) of the Gini impurity G = 1 - Σp², given Σp²: near 0 when many moves share the
// priors, strongly negative when one move has nearly all.
func lnImpurity(sumOfSquares float64) float64 {
	return math.Log(max(0, 1-sumOfSquares) + 0.001)
}

// valueSpread returns the exploration factor for the standard deviation of the win rates seen below a node: above 1 where
// they differ more than usual, 1 as long as there are too few visits to know.
func valueSpread(p *Params, visits, deviation float64) float64 {
	if visits <= 1 {
		return 1
	}
	f := deviation / p[ValueSpreadUnit]
	f += (1 - f) / (1 + p[ValueSpreadWarm]*visits)
	return max(0.1, 1+p[ValueSpreadScale]*(f-1))
}

// deviation returns the standard deviation of values from their number, sum and sum of squares.
func deviation(n, sum, squares float64) float64 {
	mean := sum / n
	return math.Sqrt(max(0, squares/n-mean*mean))
}

// firstPlay returns the win rate assumed of a move without visits (first play urgency): the node's own, less a part that grows
// with the prior mass of the moves already visited.
func firstPlay(reduction, winRate, visitedPrior float64) float64 {
	return max(0, winRate-reduction*math.Sqrt(visitedPrior))
}

// inFlight returns a move's win rate when each of the playouts under way counts as a number of lost visits.
func inFlight(sum, visits, flying, loss float64) float64 {
	return sum / (visits + flying*loss)
}

// ucb1 returns the score of Auer, Cesa-Bianchi and Fischer (2002): mean + c·√(2·ln N / n).
func ucb1(c, mean, lnParent, visits float64) float64 {
	return mean + c*math.Sqrt(2*lnParent/visits)
}

// Centipawns returns a win rate as centipawns, −coef·ln(1/p − 1), cut to ±30000.
func Centipawns(winRate, coef float64) int {
	cp := -coef * math.Log(1/winRate-1)
	return int(math.Round(max(-30000, min(30000, cp))))
}
