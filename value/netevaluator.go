package value

import (
	"github.com/yomi-shogi/yomi/internal/simd"
	"github.com/yomi-shogi/yomi/shogi"
)

// NetEvaluator gives the win rates of a net. It keeps scratch memory: use it in one goroutine.
type NetEvaluator struct {
	net     *Net
	kernels simd.Kernels
	in      Inputs
	acc     []int16
	units   []uint8
}

// NewNetEvaluator returns an evaluator.
func NewNetEvaluator(net *Net) *NetEvaluator {
	return &NetEvaluator{net: net, kernels: simd.Best(), acc: make([]int16, net.hidden), units: make([]uint8, net.hidden)}
}

// WinRate returns the expected result for the side to move, 0..1.
func (e *NetEvaluator) WinRate(p *shogi.Position) float32 {
	return 1 / (1 + simd.Exp(-min(max(e.Logit(p), -maxLogit), maxLogit)))
}

// maxLogit is where a float32 win rate has long been 0 or 1.
const maxLogit = 60

// Logit returns the win rate of the side to move before the sigmoid; times EvalCoef it is a score in hundredths of a pawn.
func (e *NetEvaluator) Logit(p *shogi.Position) float32 {
	k, n := e.kernels, e.net
	e.in.Read(p)
	half := n.hidden / 2
	for view, rows := range e.in.Rows {
		k.SumRows(e.acc, n.b1, n.w1, rows)
		k.ClampPair(e.acc, n.steps, e.units[view*half:(view+1)*half])
	}
	return float32(int64(k.Dot(e.units, n.out))+int64(n.outBias)) / logitSteps
}
