package policy

import (
	"github.com/yomi-shogi/yomi/internal/simd"
	"github.com/yomi-shogi/yomi/shogi"
)

// NetEvaluator gives the priors of a net. It keeps scratch memory: use it in one goroutine.
type NetEvaluator struct {
	net     *Net
	kernels simd.Kernels
	// scale turns a quantised logit into a logit divided by the temperature.
	scale   float32
	in      *Inputs
	acc     []int16
	units   []uint8
	long    [simd.MoveWidth]int32
	context [simd.MoveWidth]int16
	logits  [shogi.MaxMoves]int32
}

// NewNetEvaluator returns an evaluator with temperature 1.
func NewNetEvaluator(net *Net) *NetEvaluator {
	e := &NetEvaluator{
		net: net, kernels: simd.Best(), in: NewInputs(),
		acc: make([]int16, net.hidden), units: make([]uint8, net.hidden/2),
	}
	e.SetTemperature(1)
	return e
}

// SetTemperature sets what logits are divided by before the softmax, more than 0: below 1 the best moves stand out more, above 1
// all become more alike.
func (e *NetEvaluator) SetTemperature(t float32) { e.scale = 1 / (logitSteps * t) }

// Priors writes the prior of each legal move to out, which has room for all moves. last is the move that led to the position,
// MoveNone when there is none.
func (e *NetEvaluator) Priors(p *shogi.Position, last shogi.Move, moves []shogi.Move, out []float32) {
	if len(moves) == 0 {
		return
	}
	logits, out := e.logits[:len(moves)], out[:len(moves)]
	e.read(p, last, moves, logits)
	highest := logits[0]
	for _, x := range logits {
		highest = max(highest, x)
	}
	for i, x := range logits {
		out[i] = float32(x-highest) * e.scale
	}
	share := 1 / e.kernels.ExpSum(out)
	for i := range out {
		out[i] *= share
	}
}

// read computes the quantised logits.
func (e *NetEvaluator) read(p *shogi.Position, last shogi.Move, moves []shogi.Move, logits []int32) {
	k, n := e.kernels, e.net
	e.in.Read(p, last, moves)
	k.SumRows(e.acc, n.b1, n.w1, e.in.Position)
	k.ClampPair(e.acc, weightSteps, e.units)
	k.Dense(e.units, n.p, e.long[:])
	for i, x := range e.long {
		e.context[i] = int16((x + n.pBias[i] + 1<<(contextShift-1)) >> contextShift)
	}
	k.MoveLogits(e.context[:], n.e, simd.MoveSet{Rows: e.in.Moves, Ends: e.in.Ends}, n.v, weightSteps, logits)
}
