package tune

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// Spall's exponents and fishtest's share of A in N; see the package comment.
const (
	gainAlpha = 0.602
	gainGamma = 0.101
	gainShare = 0.1
)

// DefaultR is the rate of a run that states none. Chance moves a value by about one step in 2,000 pairs.
const DefaultR = 0.01

// Plan says how a run goes: what is shifted how far, and how fast the values follow the results.
type Plan struct {
	Params []Param `json:"params"`
	// Iterations is their number, Pairs the number of pairs in each.
	Iterations int `json:"iterations"`
	Pairs      int `json:"pairs"`
	// R is the rate at the end: a game that plus wins moves each value by R steps.
	R float64 `json:"r"`
	// Seed decides the shifts, the openings' order, and what players draw by chance.
	Seed uint64 `json:"seed"`
}

// The largest plan.
const (
	maxIterations = 1_000_000
	maxPairs      = 10_000
)

// Check refuses a plan that makes no sense.
func (p *Plan) Check() error {
	switch {
	case p.Iterations < 1 || p.Iterations > maxIterations:
		return fmt.Errorf("bad number of iterations %d: want 1 to %d", p.Iterations, maxIterations)
	case p.Pairs < 1 || p.Pairs > maxPairs:
		return fmt.Errorf("bad number of pairs %d: want 1 to %d", p.Pairs, maxPairs)
	case !(p.R > 0 && p.R <= 1):
		return fmt.Errorf("bad rate %v: want more than 0 and at most 1", p.R)
	}
	return checkParams(p.Params)
}

// start returns the values before the first iteration.
func (p *Plan) start() []float64 {
	var values []float64
	for i := range p.Params {
		values = append(values, float64(p.Params[i].Start))
	}
	return values
}

// gains returns the shift c(k)/step and the gain R(k)·c(k)/step for an iteration, numbered from 1. Its last pair gives k.
func (p *Plan) gains(iteration int) (shift, gain float64) {
	k, n := float64(iteration)*float64(p.Pairs), float64(p.Iterations)*float64(p.Pairs)
	a := gainShare * n
	shift = math.Pow(n/k, gainGamma)
	return shift, p.R * math.Pow((a+n)/(a+k), gainAlpha) / shift
}

// shiftSalt keeps the shifts apart from other uses of the seed.
const shiftSalt = 0x7368696674000000 // "shift"

// signs returns the direction of each parameter in an iteration, 1 or -1.
func (p *Plan) signs(iteration int) []float64 {
	random := rand.New(rand.NewPCG(p.Seed, shiftSalt+uint64(iteration)))
	signs := make([]float64, len(p.Params))
	for i := range signs {
		signs[i] = float64(random.IntN(2)*2 - 1)
	}
	return signs
}

// players returns the options' values of the two players. They differ in every parameter.
func (p *Plan) players(iteration int, values []float64) (plus, minus []int64) {
	shift, _ := p.gains(iteration)
	for i, sign := range p.signs(iteration) {
		param := &p.Params[i]
		by := shift * float64(param.Step) * sign
		plus = append(plus, param.whole(values[i]+by))
		minus = append(minus, param.whole(values[i]-by))
	}
	return plus, minus
}

// follow returns the values after an iteration in which plus won so many games more than it lost.
func (p *Plan) follow(iteration int, values []float64, net int) []float64 {
	_, gain := p.gains(iteration)
	after := make([]float64, len(values))
	for i, sign := range p.signs(iteration) {
		param := &p.Params[i]
		after[i] = param.clip(values[i] + gain*float64(param.Step)*sign*float64(net))
	}
	return after
}

// Iteration is a finished iteration.
type Iteration struct {
	// Number counts from 1.
	Number int `json:"number"`
	// Plus and Minus are the values that the two players had, in the order of the parameters.
	Plus  []int64 `json:"plus"`
	Minus []int64 `json:"minus"`
	// Wins, Draws and Losses are plus's.
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
	// Values are those after the iteration.
	Values []float64 `json:"values"`
	// Faults is the number of games that a player spoiled (a crash, a loss on time), Fault what the first of them was.
	Faults int    `json:"faults,omitempty"`
	Fault  string `json:"fault,omitempty"`
	// Ended is the time at which it was over, RFC 3339.
	Ended string `json:"ended"`
}

// check refuses an iteration that the plan does not have.
func (it *Iteration) check(p *Plan) error {
	n := len(p.Params)
	switch {
	case it.Number < 1 || it.Number > p.Iterations:
		return fmt.Errorf("iteration %d of %d", it.Number, p.Iterations)
	case len(it.Plus) != n || len(it.Minus) != n || len(it.Values) != n:
		return fmt.Errorf("iteration %d: not %d values of each kind", it.Number, n)
	case min(it.Wins, it.Draws, it.Losses, it.Faults) < 0 || it.Wins+it.Draws+it.Losses != 2*p.Pairs:
		return fmt.Errorf("iteration %d: %d wins, %d draws and %d losses in %d games", it.Number, it.Wins, it.Draws, it.Losses, 2*p.Pairs)
	}
	for i, v := range it.Values {
		if param := &p.Params[i]; !(v >= float64(param.Min) && v <= float64(param.Max)) {
			return fmt.Errorf("iteration %d: %s is %v, not in %d..%d", it.Number, param.Name, v, param.Min, param.Max)
		}
	}
	if it.Ended == "" {
		return errors.New("an iteration without an end")
	}
	return nil
}
