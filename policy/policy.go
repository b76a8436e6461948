// Package policy says which moves of a position are worth looking at: for each legal move a prior, its share of the
// search's attention, all together 1.
//
// A policy is used by one goroutine at a time, so it may keep scratch memory; a search makes one for each worker.
package policy

import (
	"math"

	"github.com/yomi-shogi/yomi/shogi"
)

// Uniform gives every move the same prior. It is the policy of a search that knows nothing of shogi.
type Uniform struct{}

// NewUniform returns a Uniform.
func NewUniform() *Uniform { return &Uniform{} }

// Priors writes the same prior for each move to out, which has room for all moves.
func (*Uniform) Priors(_ *shogi.Position, _ shogi.Move, moves []shogi.Move, out []float32) {
	for i := range moves {
		out[i] = 1 / float32(len(moves))
	}
}

// Softmax turns logits into priors that sum to 1, in place.
func Softmax(logits []float32) {
	highest := float32(math.Inf(-1))
	for _, x := range logits {
		highest = max(highest, x)
	}
	var sum float32
	for i, x := range logits {
		e := float32(math.Exp(float64(x - highest)))
		logits[i] = e
		sum += e
	}
	for i := range logits {
		logits[i] /= sum
	}
}
