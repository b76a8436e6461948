package selfplay

import (
	"math"
	"math/rand/v2"

	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
)

// temperatureAt returns the temperature at a move number.
func (c *Config) temperatureAt(ply int) float64 {
	return c.FinalTemperature + (c.Temperature-c.FinalTemperature)*math.Exp2(-float64(ply-1)/float64(c.HalfLife))
}

// leastVisits is the share of the best move's visits that a move needs to be drawn: what the search has hardly looked at is no choice.
const leastVisits = 0.05

// choose draws a move of a search, listed best first, with chances visits^(1/temperature). A proved win is always played, and a
// proved loss never unless there is nothing else.
func choose(moves []uct.RootMove, temperature float64, random *rand.Rand) int {
	best := &moves[0]
	if best.Proof != 0 || best.Visits == 0 || temperature <= 0 {
		return 0
	}
	weights := make([]float64, len(moves))
	for i := range moves {
		if share := float64(moves[i].Visits) / float64(best.Visits); moves[i].Proof == 0 && share >= leastVisits {
			weights[i] = math.Pow(share, 1/temperature)
		}
	}
	return draw(weights, random)
}

// draw returns an index with chances in proportion to the weights, 0 when all are 0.
func draw(weights []float64, random *rand.Rand) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	at := random.Float64() * sum
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	return 0
}

// drawByPolicy returns a legal move with the chances that the policy gives.
func drawByPolicy(p *shogi.Position, last shogi.Move, net *policy.NetEvaluator, random *rand.Rand) shogi.Move {
	moves := p.AppendLegal(nil)
	priors := make([]float32, len(moves))
	net.Priors(p, last, moves, priors)
	weights := make([]float64, len(moves))
	for i, x := range priors {
		weights[i] = float64(x)
	}
	return moves[draw(weights, random)]
}
