package match

import (
	"math"
	"slices"
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
func fitRatings(n int, bouts []bout) (ratings []float64, covariance [][]float64) {
	const (
		rounds    = 200
		precision = 1e-9 // of the ratings, in Elo
	)
	ratings = make([]float64, n)
	for range rounds {
		gradient, information, _ := derivatives(ratings, bouts)
		step := solve(information, gradient)
		if ratings = improve(ratings, step, bouts); length(step) < precision {
			break
		}
	}
	_, information, pairs := derivatives(ratings, bouts)
	inverse := invert(information)
	return ratings, product(inverse, product(pairs, inverse))
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

// length returns the largest part of a step.
func length(step []float64) float64 {
	largest := 0.0
	for _, s := range step {
		largest = max(largest, math.Abs(s))
	}
	return largest
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
func derivatives(ratings []float64, bouts []bout) (gradient []float64, information, pairs [][]float64) {
	n := len(ratings) - 1
	gradient, information, pairs = make([]float64, n), square(n), square(n)
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
			gradient[i.player-1] += i.sign * slope
			information[i.player-1][i.player-1] += info
			pairs[i.player-1][i.player-1] += noise
		}
		if b.a != 0 && b.b != 0 {
			information[b.a-1][b.b-1] -= info
			information[b.b-1][b.a-1] -= info
			pairs[b.a-1][b.b-1] -= noise
			pairs[b.b-1][b.a-1] -= noise
		}
	}
	return gradient, information, pairs
}

func square(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

// solve returns x with m·x = y. m is symmetric and positive definite; it is not changed.
func solve(m [][]float64, y []float64) []float64 {
	x := make([]float64, len(y))
	for i, row := range invert(m) {
		for j, v := range row {
			x[i] += v * y[j]
		}
	}
	return x
}

// invert returns the inverse of a symmetric positive definite matrix, by elimination (Gauss-Jordan), for which such a matrix
// needs no exchange of rows.
func invert(m [][]float64) [][]float64 {
	n := len(m)
	left, right := square(n), square(n)
	for i := range m {
		copy(left[i], m[i])
		right[i][i] = 1
	}
	for i := range n {
		pivot := left[i][i]
		for j := range n {
			left[i][j] /= pivot
			right[i][j] /= pivot
		}
		for k := range n {
			factor := left[k][i]
			if k == i || factor == 0 {
				continue
			}
			for j := range n {
				left[k][j] -= factor * left[i][j]
				right[k][j] -= factor * right[i][j]
			}
		}
	}
	return right
}

func product(a, b [][]float64) [][]float64 {
	out := square(len(a))
	for i := range a {
		for k, v := range a[i] {
			for j, w := range b[k] {
				out[i][j] += v * w
			}
		}
	}
	return out
}
