package value

import (
	"math"
	"math/rand/v2"
)

// DefaultHidden is the usual number of units of a value net.
const DefaultHidden = 256

// WeightLimit is the largest size of a weight of W1 that the quantised net can hold: 127 steps of 1/64. Weights up to half of it
// are kept twice as fine. Training clips to a limit, so that quantising only rounds.
const WeightLimit = 127.0 / 64

// FineWeightLimit is the largest size of a weight of W1 in a net that is quantised in steps of 1/128.
const FineWeightLimit = 127.0 / 128

// Weights is a value net in float32, as it is trained. Play uses a Net, quantised from it.
//
//	rows of the mover's view    ─ W1, B1 ─► clamp 0..1 ─► first half × second half ─┐
//	rows of the opponent's view ─ W1, B1 ─► clamp 0..1 ─► first half × second half ─┴─ Out, OutBias ─► sigmoid = win rate
//
// Both views share W1 and B1. W1 is flat, one row after the other.
type Weights struct {
	// Hidden is the number of units of one view before they are multiplied in pairs, a multiple of 64.
	Hidden int
	// W1 has NumRows rows of Hidden, B1 is Hidden long.
	W1, B1 []float32
	// Out is Hidden long: the first half for the mover's view, the second for its opponent's.
	Out []float32
	// OutBias is added before the sigmoid.
	OutBias float32
}

// NewWeights returns weights of the given size, all 0.
func NewWeights(hidden int) *Weights {
	return &Weights{
		Hidden: hidden,
		W1:     make([]float32, NumRows*hidden), B1: make([]float32, hidden),
		Out: make([]float32, hidden),
	}
}

// NewRandomWeights returns weights to begin training with; the same seed gives the same weights. The spreads keep about half of
// the units between 0 and 1.
func NewRandomWeights(seed uint64, hidden int) *Weights {
	w := NewWeights(hidden)
	random := rand.New(rand.NewPCG(seed, 0x76616c7565)) // "value"
	for i := range w.W1 {
		w.W1[i] = float32(random.NormFloat64() * .045)
	}
	for i := range w.B1 {
		w.B1[i] = .3
	}
	for i := range w.Out {
		w.Out[i] = float32(random.NormFloat64() / math.Sqrt(float64(hidden)))
	}
	return w
}

// Logit returns the win rate of the side to move before the sigmoid. It is the plain form of what Net computes fast.
func (w *Weights) Logit(in *Inputs) float32 {
	half := w.Hidden / 2
	logit := w.OutBias
	acc := make([]float32, w.Hidden)
	for view, rows := range in.Rows {
		copy(acc, w.B1)
		for _, row := range rows {
			start := int(row) * w.Hidden
			for j, x := range w.W1[start : start+w.Hidden] {
				acc[j] += x
			}
		}
		for j := range half {
			logit += w.Out[view*half+j] * clamp(acc[j]) * clamp(acc[half+j])
		}
	}
	return logit
}

// WinRate returns the expected result for the side to move, 0..1.
func (w *Weights) WinRate(in *Inputs) float32 { return sigmoid(w.Logit(in)) }

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }

func clamp(x float32) float32 { return min(max(x, 0), 1) }
