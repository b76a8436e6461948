package policy

import (
	"math"
	"math/rand/v2"
)

// The usual sizes of a policy net: units of the position part and units of the move part.
const (
	DefaultHidden = 256
	DefaultWidth  = 64
)

// WeightLimit is the largest size of a weight of W1, P and E that the quantised net can hold: 127 steps of 1/64. Training
// clips to it, so that quantising only rounds.
const WeightLimit = 127.0 / 64

// Weights is a policy net in float32, as it is trained. Play uses a Net, quantised from it.
//
//	position rows ─ W1, B1 ─► clamp 0..1 ─► first half × second half = h ─ P, PBias ─► context
//	rows of a move ─ E ─► + context ─► clamp 0..1, square ─ V ─► logit of the move
//
// All matrices are flat, one row after the other.
type Weights struct {
	// Hidden is the number of units of the position part before they are multiplied in pairs, a multiple of 64.
	Hidden int
	// Width is the number of units of the move part.
	Width int
	// W1 has NumPositionRows rows of Hidden, B1 is Hidden long.
	W1, B1 []float32
	// P has Width rows of Hidden/2, PBias is Width long.
	P, PBias []float32
	// E has NumMoveRows rows of Width, V is Width long.
	E, V []float32
}

// NewWeights returns weights of the given sizes, all 0.
func NewWeights(hidden, width int) *Weights {
	return &Weights{
		Hidden: hidden, Width: width,
		W1: make([]float32, NumPositionRows*hidden), B1: make([]float32, hidden),
		P: make([]float32, width*hidden/2), PBias: make([]float32, width),
		E: make([]float32, NumMoveRows*width), V: make([]float32, width),
	}
}

// NewRandomWeights returns weights to begin training with; the same seed gives the same weights. The spreads keep about half of
// the units between 0 and 1.
func NewRandomWeights(seed uint64, hidden, width int) *Weights {
	w := NewWeights(hidden, width)
	random := rand.New(rand.NewPCG(seed, 0x706f6c696379)) // "policy"
	normal := func(x []float32, spread float64) {
		for i := range x {
			x[i] = float32(random.NormFloat64() * spread)
		}
	}
	normal(w.W1, .053)
	normal(w.P, .3/math.Sqrt(float64(hidden)))
	normal(w.E, .03)
	normal(w.V, .2)
	for i := range w.B1 {
		w.B1[i] = .3
	}
	for i := range w.PBias {
		w.PBias[i] = .3
	}
	return w
}

// Logits writes the logit of each move to out, which has room for all. It is the plain form of what Net computes fast.
func (w *Weights) Logits(in *Inputs, out []float32) {
	context := w.context(in.Position)
	e := make([]float32, w.Width)
	start := int32(0)
	for i, end := range in.Ends {
		copy(e, context)
		addRows(e, w.E, in.Moves[start:end])
		var logit float32
		for j, x := range e {
			a := clamp(x)
			logit += w.V[j] * a * a
		}
		out[i] = logit
		start = end
	}
}

// context returns what the position part adds to each move.
func (w *Weights) context(rows []uint16) []float32 {
	acc := append([]float32(nil), w.B1...)
	addRows(acc, w.W1, rows)
	half := w.Hidden / 2
	context := append([]float32(nil), w.PBias...)
	for j := range half {
		h := clamp(acc[j]) * clamp(acc[half+j])
		for i := range context {
			context[i] += w.P[i*half+j] * h
		}
	}
	return context
}

// addRows adds rows of a table to acc; a row is as long as acc.
func addRows(acc, table []float32, rows []uint16) {
	for _, row := range rows {
		start := int(row) * len(acc)
		for j, x := range table[start : start+len(acc)] {
			acc[j] += x
		}
	}
}

func clamp(x float32) float32 { return min(max(x, 0), 1) }
