package uct

import (
	"math"
	"math/rand/v2"
)

// RootNoise mixes random numbers into the priors of the root's moves, so that self-play tries moves that the policy thinks little of
// (AlphaZero). The tree keeps the true priors.
type RootNoise struct {
	// Share is the part of a prior that is noise, 0..1; 0 is none.
	Share float64
	// Concentration is the sum of the Dirichlet distribution's parameters, each of which is Concentration / number of moves; the smaller,
	// the fewer moves get nearly all noise. AlphaZero's 0.15 a move for shogi's 80 or so moves is 12.
	Concentration float64
	// Seed starts the random numbers of a search.
	Seed uint64
}

// sample returns noise for a number of moves, with the sum 1, or nil when there is none.
func (o *RootNoise) sample(moves int) []float64 {
	if o.Share <= 0 || moves == 0 {
		return nil
	}
	random := rand.New(rand.NewPCG(o.Seed, 0x726f6f74)) // «root»
	noise, sum := make([]float64, moves), 0.0
	for i := range noise {
		noise[i] = gamma(random, o.Concentration/float64(moves))
		sum += noise[i]
	}
	for i := range noise {
		if noise[i] /= sum; sum == 0 {
			noise[i] = 1 / float64(moves)
		}
	}
	return noise
}

// gamma draws from the gamma distribution of a shape, scale 1 (Marsaglia and Tsang, 2000).
func gamma(random *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gamma(random, shape+1) * math.Pow(1-random.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := random.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if math.Log(1-random.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// chooseNoisy is choosePUCT at a root whose priors are mixed with noise: a move without visits need not come in the order of the list.
func (w *worker) chooseNoisy(n *node) int {
	r := w.run
	params, stats, edges := &r.opts.Params, r.s.arena.stats(n), r.s.arena.edges(n)
	prior := func(i int) float64 {
		return (1-r.opts.Noise.Share)*edges[i].prior() + r.opts.Noise.Share*r.noise[i]
	}
	mass := 0.0
	for i := range stats {
		if stats[i].n+uint32(stats[i].flying) > 0 && r.allows(i) {
			mass += prior(i)
		}
	}
	scale, winRate := w.explorationAt(n, true), n.winRate()
	best, bestScore := -1, math.Inf(-1)
	for i := range stats {
		s := &stats[i]
		if !r.allows(i) || s.proof != unproved {
			continue
		}
		tries := float64(s.n + uint32(s.flying))
		q := firstPlay(params[FPUReductionRoot], winRate, mass)
		if tries > 0 {
			q = inFlight(float64(s.w), float64(s.n), float64(s.flying), params[VirtualLoss])
		}
		if score := q + scale*prior(i)/(1+tries); score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}
