package match

import (
	"fmt"
	"math"
)

// Model is the scale on which an SPRT's two hypotheses are stated.
type Model string

// The models.
const (
	// Normalized: bounds in normalized Elo. The number of games needed does not depend on how many draws there are.
	Normalized Model = "normalized"
	// Logistic: bounds in usual Elo.
	Logistic Model = "logistic"
)

// SPRT is a generalized sequential probability ratio test of H1: A − B = Elo1 against H0: A − B = Elo0. The zero value is off.
type SPRT struct {
	Elo0 float64 `json:"elo0"`
	Elo1 float64 `json:"elo1"`
	// Alpha is the risk to accept H1 when H0 holds, Beta the risk to accept H0 when H1 holds.
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
	Model Model   `json:"model"`
}

// On reports whether there is a test to make.
func (s SPRT) On() bool { return s != SPRT{} }

// The largest bounds in Elo. Beyond 231 normalized Elo the search for the likeliest distribution (withT) cannot begin; beyond
// 2000 Elo the likelihoods leave the range of floating-point numbers.
const maxNormalized, maxLogistic = 200, 2000

// Check refuses a test that makes no sense.
func (s SPRT) Check() error {
	switch {
	case !s.On():
		return nil
	case !(s.Elo0 < s.Elo1):
		return fmt.Errorf("bad SPRT bounds %v, %v: the first must be the smaller one", s.Elo0, s.Elo1)
	case !(s.Alpha > 0 && s.Beta > 0 && s.Alpha+s.Beta < 1):
		return fmt.Errorf("bad SPRT risks %v, %v: want positive numbers whose sum is below 1", s.Alpha, s.Beta)
	case s.Model != Normalized && s.Model != Logistic:
		return fmt.Errorf("bad SPRT model %q: want %s or %s", s.Model, Normalized, Logistic)
	}
	most := float64(maxNormalized)
	if s.Model == Logistic {
		most = maxLogistic
	}
	if math.Abs(s.Elo0) > most || math.Abs(s.Elo1) > most {
		return fmt.Errorf("bad SPRT bounds %v, %v: want at most %v %s Elo either way", s.Elo0, s.Elo1, most, s.Model)
	}
	return nil
}

// Bounds returns the log-likelihood ratios at which the test ends: ln(β/(1-α)) for H0, ln((1-β)/α) for H1 (Wald).
func (s SPRT) Bounds() (lower, upper float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// Verdict is the state of a test.
type Verdict string

// The verdicts.
const (
	Undecided  Verdict = ""
	AcceptedH0 Verdict = "H0"
	AcceptedH1 Verdict = "H1"
)

// Judge returns the log-likelihood ratio of the pairs and the verdict.
func (s SPRT) Judge(p Pentanomial) (float64, Verdict) {
	llr := s.LLR(p)
	lower, upper := s.Bounds()
	switch {
	case llr >= upper:
		return llr, AcceptedH1
	case llr <= lower:
		return llr, AcceptedH0
	}
	return llr, Undecided
}

// emptyCount stands for a count of 0, so that both hypotheses stay possible whatever has not been seen yet.
const emptyCount = 1e-3

// LLR returns the log-likelihood ratio of H1 to H0: for each hypothesis the distribution of pair results that fits the counts
// best under it is taken (M. Van den Bergh, "Comments on normalized Elo", sections 1 and 4.1). It is 0 without a pair.
func (s SPRT) LLR(p Pentanomial) float64 {
	if p.Pairs() == 0 {
		return 0
	}
	var counts distribution
	var total float64
	for i, n := range p {
		counts[i] = max(float64(n), emptyCount)
		total += counts[i]
	}
	for i := range counts {
		counts[i] /= total
	}
	var h0, h1 distribution
	if s.Model == Logistic {
		h0, h1 = counts.withMean(Score(s.Elo0)), counts.withMean(Score(s.Elo1))
	} else {
		h0, h1 = counts.withT(math.Sqrt2*s.Elo0/normalizedScale), counts.withT(math.Sqrt2*s.Elo1/normalizedScale)
	}
	var llr float64
	for i, share := range counts {
		llr += share * math.Log(h1[i]/h0[i])
	}
	return total * llr
}

// distribution is the probability of each result of a pair, worth i/4.
type distribution [5]float64

// withMean returns the distribution with the mean that gives d the highest likelihood: p = d/(1 + θ(a - mean)).
func (d distribution) withMean(mean float64) distribution {
	var phi distribution
	for i := range phi {
		phi[i] = float64(i)/4 - mean
	}
	return d.tilt(phi)
}

const (
	maxRounds = 100
	precision = 1e-9
)

// withT returns the distribution with (mean - 1/2)/σ = t that gives d the highest likelihood, found by repeated tilting with
// the condition linearized at the last solution.
func (d distribution) withT(t float64) distribution {
	p := distribution{0.2, 0.2, 0.2, 0.2, 0.2}
	for range maxRounds {
		var mean, variance float64
		for i, share := range p {
			mean += share * float64(i) / 4
		}
		for i, share := range p {
			variance += share * (float64(i)/4 - mean) * (float64(i)/4 - mean)
		}
		sigma := math.Sqrt(variance)
		var phi distribution
		for i := range phi {
			z := (float64(i)/4 - mean) / sigma
			phi[i] = float64(i)/4 - 0.5 - t*sigma*(1+z*z)/2
		}
		next := d.tilt(phi)
		var change float64
		for i := range p {
			change = max(change, math.Abs(next[i]-p[i]))
		}
		p = next
		if change < precision {
			break
		}
	}
	return p
}

// tilt returns d/(1 + θ·phi) for the θ that makes the mean of phi zero under it. phi must have both signs. The sum falls
// with θ, so halving the interval of the θ that keep all probabilities positive finds it.
func (d distribution) tilt(phi distribution) distribution {
	least, most := phi[0], phi[0]
	for _, x := range phi {
		least, most = min(least, x), max(most, x)
	}
	low, high := -1/most, -1/least
	for range 200 {
		theta := (low + high) / 2
		var sum float64
		for i, x := range phi {
			sum += d[i] * x / (1 + theta*x)
		}
		if sum > 0 {
			low = theta
		} else {
			high = theta
		}
	}
	theta := (low + high) / 2
	var out distribution
	for i, x := range phi {
		out[i] = d[i] / (1 + theta*x)
	}
	return out
}
