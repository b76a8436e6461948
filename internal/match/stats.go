package match

import (
	"fmt"
	"math"
)

// Pentanomial counts finished pairs by player A's points in the two games, in half points: [0] both lost, [1] a loss and a
// draw, [2] two draws or a win and a loss, [3] a win and a draw, [4] both won.
type Pentanomial [5]int

// Pairs returns the number of pairs.
func (p Pentanomial) Pairs() int { return p[0] + p[1] + p[2] + p[3] + p[4] }

// String returns the counts as "[LL LD DD+WL WD WW]" shows them: "[1, 2, 3, 4, 5]".
func (p Pentanomial) String() string {
	return fmt.Sprintf("[%d, %d, %d, %d, %d]", p[0], p[1], p[2], p[3], p[4])
}

// moments returns the mean score a game, 0..1, and the variance of a pair's mean score.
func (p Pentanomial) moments() (mean, variance float64) {
	n := float64(p.Pairs())
	for i, count := range p {
		mean += float64(i) / 4 * float64(count) / n
	}
	for i, count := range p {
		d := float64(i)/4 - mean
		variance += float64(count) / n * d * d
	}
	return mean, variance
}

// Constants of the rating scales.
const (
	// eloScale: a win rate of 10/11 is 400 Elo.
	eloScale = 400
	// confidence is the number of standard errors of a 95 % interval.
	confidence = 1.959963984540054
	// normalizedScale makes normalized Elo about equal to Elo for games without draws between near equals (800/ln 10).
	normalizedScale = 800 / math.Ln10
)

// Elo returns the rating difference that an expected score stands for: -400·log10(1/s - 1), infinite for 0 and 1.
func Elo(score float64) float64 {
	switch {
	case score <= 0:
		return math.Inf(-1)
	case score >= 1:
		return math.Inf(1)
	}
	return eloScale * math.Log10(score/(1-score))
}

// Score returns the expected score of a rating difference, the inverse of Elo.
func Score(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/eloScale)) }

// Estimate is a value with its 95 % interval.
type Estimate struct{ Value, Low, High float64 }

// Margin is half the width of the interval.
func (e Estimate) Margin() float64 { return (e.High - e.Low) / 2 }

// Rating is what the finished pairs say about A − B.
type Rating struct {
	Pairs Pentanomial
	// Score is A's mean score, 0..1.
	Score float64
	// Elo is the logistic rating difference; its interval is that of the score, by the pairs' variance. Ends may be infinite.
	Elo Estimate
	// Normalized is the normalized Elo (score - 1/2)/√(2·variance)·800/ln 10, which measures the difference in units of
	// the noise of a game. Its interval takes the variance for known, which is right for near equals (below about 100 Elo).
	Normalized Estimate
	// LOS is the likelihood of superiority: the chance that A is stronger, by the normal approximation.
	LOS float64
	// Spread says that the pairs' results differ. Where they do not (no pair, all pairs alike), nothing is known about the
	// error, the intervals have no meaning, and LOS is 0, 1/2 or 1 by the score alone.
	Spread bool
}

// Rate computes the rating from the finished pairs. Formulas: M. Van den Bergh, "Comments on normalized Elo", as fishtest
// and fastchess use them.
func Rate(p Pentanomial) Rating {
	r := Rating{Pairs: p, Score: 0.5, LOS: 0.5}
	if p.Pairs() == 0 {
		return r
	}
	mean, variance := p.moments()
	r.Score = mean
	r.Spread = variance > 1e-12
	if !r.Spread {
		elo := Elo(mean)
		r.Elo = Estimate{elo, elo, elo}
		switch {
		case mean > 0.5:
			r.LOS, r.Normalized = 1, Estimate{math.Inf(1), math.Inf(1), math.Inf(1)}
		case mean < 0.5:
			r.LOS, r.Normalized = 0, Estimate{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
		}
		return r
	}
	sigma := math.Sqrt(variance / float64(p.Pairs()))
	low, high := mean-confidence*sigma, mean+confidence*sigma
	r.Elo = Estimate{Elo(mean), Elo(low), Elo(high)}
	normalized := func(score float64) float64 { return (score - 0.5) / math.Sqrt(2*variance) * normalizedScale }
	r.Normalized = Estimate{normalized(mean), normalized(low), normalized(high)}
	r.LOS = normalCDF((mean - 0.5) / sigma)
	return r
}

// normalCDF is the distribution function Φ of the standard normal distribution.
func normalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// String describes the rating in one line, with the number of pairs and always as A − B.
func (r Rating) String() string {
	pairs := r.Pairs.Pairs()
	switch {
	case pairs == 0:
		return "A − B: no pair is finished yet"
	case !r.Spread && (r.Score == 0 || r.Score == 1):
		who := "A"
		if r.Score == 0 {
			who = "B"
		}
		return fmt.Sprintf("A − B: %s won all of %s, so the difference has no bound", who, pairCount(pairs))
	case !r.Spread:
		return fmt.Sprintf("A − B: Elo %+.1f, error unknown: %s, all alike", r.Elo.Value, pairCount(pairs))
	}
	return fmt.Sprintf("A − B: Elo %+.1f ± %.1f [%+.1f, %+.1f], nElo %+.1f ± %.1f, LOS %.1f %%, %s %s",
		r.Elo.Value, r.Elo.Margin(), r.Elo.Low, r.Elo.High, r.Normalized.Value, r.Normalized.Margin(), 100*r.LOS, pairCount(pairs), r.Pairs)
}

// pairCount writes a number of pairs.
func pairCount(n int) string {
	if n == 1 {
		return "1 pair"
	}
	return fmt.Sprintf("%d pairs", n)
}
