package match

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// bout is what two players' games say to the fit of ratings: a mean score over some games.
type bout struct {
	a, b int
	// offset is added to the rating difference of a and b.
	offset float64
	games  float64
	// score is a's mean score, 0..1, and spread the variance of a pair's mean score.
	score, spread float64
}

// eloSlope is the derivative of the logit of the expected score by the rating difference: ln 10/400.
const eloSlope = math.Ln10 / eloScale

// fitRatings returns the ratings of n players that make the bouts' scores most likely by the model of Bradley and Terry
// (R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", 1952): the expected score is 1/(1 + 10^(-d/400))
// for the rating difference d, and a draw is half a win. Player 0 has 0. The maximum must exist: from each player a chain
// of players who scored against the next leads to each other one (L. R. Ford, 1957). It is found by Newton's method.
//
// The second result is the covariance of the ratings, with pairs of games as the unit, as the two games of a pair depend
// on each other: the sandwich H⁻¹·V·H⁻¹, where H is the Fisher information and V the sum over the pairs of the squared
// gradient (P. J. Huber, 1967). For two players it is the error of the mean score over the derivative of the expected score.
func fitRatings(n int, bouts []bout) (ratings []float64, covariance mat.Matrix) {
	const (
		rounds    = 200
		precision = 1e-9 // of the ratings, in Elo
	)
	ratings = make([]float64, n)
	if n == 1 {
		return ratings, nil
	}
	for range rounds {
		gradient, information, _ := derivatives(ratings, bouts)
		var step mat.VecDense
		must(step.SolveVec(information, gradient))
		if ratings = improve(ratings, step.RawVector().Data, bouts); mat.Norm(&step, math.Inf(1)) < precision {
			break
		}
	}
	_, information, pairs := derivatives(ratings, bouts)
	var inverse, sandwich mat.Dense
	must(inverse.Inverse(information))
	sandwich.Product(&inverse, pairs, &inverse)
	return ratings, &sandwich
}

// must lets pass that scores close to 0 or 1 make a matrix that is hard to invert: its results are as good as they can be.
func must(err error) {
	var condition mat.Condition
	if err != nil && !errors.As(err, &condition) {
		panic("match: " + err.Error())
	}
}

// improve goes the step, or half of it, or a quarter …, so that the likelihood does not fall.
func improve(ratings, step []float64, bouts []bout) []float64 {
	const halvings = 60
	before := likelihood(ratings, bouts)
	scale := 1.0
	for range halvings {
		tried := slices.Clone(ratings)
		for i, s := range step {
			tried[i+1] += scale * s
		}
		if likelihood(tried, bouts) >= before {
			return tried
		}
		scale /= 2
	}
	return ratings
}

// likelihood returns the logarithm of the bouts' likelihood.
func likelihood(ratings []float64, bouts []bout) float64 {
	sum := 0.0
	for _, b := range bouts {
		x := eloSlope * (ratings[b.a] - ratings[b.b] + b.offset)
		sum += b.games * (b.score*x - softplus(x)) // s·ln p + (1-s)·ln(1-p)
	}
	return sum
}

// softplus returns ln(1 + eˣ) without overflow.
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// derivatives returns the gradient of the log likelihood, the Fisher information and the pairs' sum of squared gradients, each
// without player 0.
func derivatives(ratings []float64, bouts []bout) (gradient *mat.VecDense, information, pairs *mat.SymDense) {
	n := len(ratings) - 1
	gradient, information, pairs = mat.NewVecDense(n, nil), mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	add := func(m *mat.SymDense, i, j int, v float64) { m.SetSym(i, j, m.At(i, j)+v) }
	for _, b := range bouts {
		p := Score(ratings[b.a] - ratings[b.b] + b.offset)
		slope := b.games * eloSlope * (b.score - p)
		info := b.games * eloSlope * eloSlope * p * (1 - p)
		// A pair's gradient is 2·slope·(its mean score - p); the mean of its square is variance + (mean - p)².
		noise := b.games / 2 * 4 * eloSlope * eloSlope * (b.spread + (b.score-p)*(b.score-p))
		for _, i := range []struct {
			player int
			sign   float64
		}{{b.a, 1}, {b.b, -1}} {
			if i.player == 0 {
				continue
			}
			gradient.SetVec(i.player-1, gradient.AtVec(i.player-1)+i.sign*slope)
			add(information, i.player-1, i.player-1, info)
			add(pairs, i.player-1, i.player-1, noise)
		}
		if b.a != 0 && b.b != 0 {
			add(information, b.a-1, b.b-1, -info)
			add(pairs, b.a-1, b.b-1, -noise)
		}
	}
	return gradient, information, pairs
}
