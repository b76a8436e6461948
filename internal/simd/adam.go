package simd

import (
	"fmt"
	"math"
)

// Adam is one step of the Adam optimiser (Kingma and Ba, 2015; with Keep below 1 AdamW, Loshchilov and Hutter, 2019):
//
//	m += Mean·(g - m)     v += Spread·(g² - v)     w = w·Keep - Rate·m/(√v + Epsilon), then clamped to ±Limit
//
// The correction of the first steps is the caller's: at step t with β₂ = 1 - Spread, multiply the learning rate by
// √(1-β₂ᵗ)/(1-β₁ᵗ) and ε by √(1-β₂ᵗ), which is the same as correcting m and v.
type Adam struct {
	// Mean and Spread are 1-β₁ and 1-β₂.
	Mean, Spread float32
	// Rate is the step size, Epsilon keeps it finite.
	Rate, Epsilon float32
	// Keep is 1 minus learning rate times weight decay; 1 for none.
	Keep float32
	// Limit bounds the weights' size; infinity for no bound.
	Limit float32
}

// Step applies the step to weights w with their moments m, v and gradient g, and clears g. All are equally long.
func (k Kernels) Step(step *Adam, w, m, v, g []float32) {
	n := len(w)
	if len(m) != n || len(v) != n || len(g) != n {
		panic(fmt.Sprintf("simd: Adam step of %d weights with %d, %d, %d numbers", n, len(m), len(v), len(g)))
	}
	done := 0
	if whole := n &^ 7; k.avx2 && whole > 0 {
		parameters := [6]float32{step.Mean, step.Spread, step.Rate, step.Epsilon, step.Keep, step.Limit}
		adamAVX2(&w[0], &m[0], &v[0], &g[0], whole, &parameters)
		done = whole
	}
	adam(step, w[done:], m[done:], v[done:], g[done:])
}

func adam(step *Adam, w, m, v, g []float32) {
	for i, x := range g {
		g[i] = 0
		m[i] += float32(step.Mean * float32(x-m[i]))
		v[i] += float32(step.Spread * float32(float32(x*x)-v[i]))
		root := float32(math.Sqrt(float64(v[i])))
		next := float32(w[i]*step.Keep) - float32(float32(m[i]*step.Rate)/float32(root+step.Epsilon))
		if step.Limit < next {
			next = step.Limit
		}
		if -step.Limit > next {
			next = -step.Limit
		}
		w[i] = next
	}
}
