package train

import (
	"math"
	"math/rand/v2"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/internal/simd"
	"github.com/yomi-shogi/yomi/value"
)

// target is what a value net is trained to say: weight·σ(score/scale) + (1-weight)·result.
type target struct{ weight, scale float64 }

func (c *Config) target() target { return target{c.ScoreWeight, c.ScoreScale} }

// of returns the target of a sample, 0..1 for the side to move.
func (t target) of(s *sample) float64 {
	return t.weight*sigmoid(float64(s.Score)/t.scale) + (1-t.weight)*result(s)
}

// result returns the game's result, 0..1 for the side to move.
func result(s *sample) float64 { return float64(s.Result+1) / 2 }

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// valueNet is a value net in training.
type valueNet struct {
	w                    *value.Weights
	target               target
	w1, b1, out, outBias *table
	kernels              simd.Kernels
}

// valueOutLimit keeps Out in the range of the quantised net, which holds up to 16.
const valueOutLimit = 15.9

func newValueNet(w *value.Weights, t target) *valueNet {
	free := math.Inf(1)
	return &valueNet{
		w: w, target: t, kernels: simd.Best(),
		w1:      newTable("w1", &w.W1, w.Hidden, false, value.FineWeightLimit),
		b1:      newTable("b1", &w.B1, w.Hidden, true, free),
		out:     newTable("out", &w.Out, w.Hidden, true, valueOutLimit),
		outBias: newTable("out_bias", &[]float32{w.OutBias}, 1, true, free),
	}
}

func (n *valueNet) tables() []*table { return []*table{n.w1, n.b1, n.out, n.outBias} }

func (n *valueNet) quantise() (*quantised, error) {
	n.w.OutBias = n.outBias.w[0]
	net, costs, err := value.NewNet(n.w)
	if err != nil {
		return nil, err
	}
	return &quantised{
		costs: costs,
		file: func(provenance string, constants []nn.Number) *nn.File {
			f := net.File(provenance, constants)
			f.EvalCoef = n.target.scale
			return f
		},
		judge: newValueJudges(net, n.target),
	}, nil
}

// valueWorker computes losses and gradients of a value net.
type valueWorker struct {
	*valueNet
	g  [4]*gradient // in the order of tables
	in value.Inputs
	// acc are the sums of both views, x their products in pairs. The d are gradients.
	acc      [2][]float32
	x        []float32
	dAcc, dX []float32
}

func (n *valueNet) worker(g []*gradient) worker {
	hidden := n.w.Hidden
	w := &valueWorker{
		valueNet: n,
		acc:      [2][]float32{make([]float32, hidden), make([]float32, hidden)},
		x:        make([]float32, hidden), dAcc: make([]float32, hidden), dX: make([]float32, hidden),
	}
	copy(w.g[:], g)
	return w
}

// forward returns the win rate before the sigmoid.
func (w *valueWorker) forward(s *sample) float64 {
	w.in.Read(&s.Position)
	half := len(w.x) / 2
	for view, rows := range w.in.Rows {
		w.kernels.SumFloatRows(w.acc[view], w.w.B1, w.w.W1, rows)
		multiplyPairs(w.x[view*half:(view+1)*half], w.acc[view])
	}
	return float64(w.kernels.DotFloat(w.w.Out, w.x) + w.outBias.w[0])
}

// learn adds the gradient of a position, times scale, and returns its binary cross entropy.
func (w *valueWorker) learn(s *sample, scale float32, _ *rand.Rand) float64 {
	logit, t := w.forward(s), w.target.of(s)
	k := w.kernels
	d := float32(sigmoid(logit)-t) * scale
	w.g[3].sums[0] += d
	k.Axpy(w.g[2].sums, d, w.x)
	clear(w.dX)
	k.Axpy(w.dX, d, w.w.Out)
	half := len(w.x) / 2
	for view, rows := range w.in.Rows {
		backPairs(w.dAcc, w.dX[view*half:(view+1)*half], w.acc[view])
		k.Axpy(w.g[1].sums, 1, w.dAcc)
		w.g[0].add(k, w.dAcc, rows)
	}
	return binaryCrossEntropy(logit, t)
}

// binaryCrossEntropy returns -t·ln σ(x) - (1-t)·ln(1-σ(x)).
func binaryCrossEntropy(logit, t float64) float64 {
	return max(logit, 0) - logit*t + math.Log1p(math.Exp(-math.Abs(logit)))
}

// judge implements judge with the float weights.
func (w *valueWorker) judge(s *sample, t *tally) { t.addValue(s, w.forward(s), w.target) }

// valueJudge measures a quantised net.
type valueJudge struct {
	net    *value.NetEvaluator
	target target
}

// newValueJudges returns what makes judges of a net.
func newValueJudges(net *value.Net, t target) func() judge {
	return func() judge { return &valueJudge{net: value.NewNetEvaluator(net), target: t} }
}

func (j *valueJudge) judge(s *sample, t *tally) {
	t.addValue(s, float64(j.net.Logit(&s.Position)), j.target)
}
