package value

import (
	"fmt"
	"math"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/internal/simd"
)

// What a net file must say to be a value net that this package plays.
const (
	netKind         = "value"
	netArchitecture = "two-views-pairs-1"
	netFeatures     = "value-1"
)

// EvalCoef is the score, in hundredths of a pawn, at which nets of this package are trained to say 1/(1+1/e) = 73 %.
const EvalCoef = 600

// The steps that stand for 1.0. Sums of steps are exact, so the order of the rows does not matter.
const (
	// coarseSteps or fineSteps is for W1 and B1: fine, if all weights fit.
	coarseSteps = 64
	fineSteps   = 128
	// outSteps is for Out.
	outSteps = 2048
	// logitSteps is for OutBias and the result.
	logitSteps = outSteps * simd.UnitOne
)

// The largest quantised weights and biases. With them nothing overflows: a sum has at most MaxActive rows of 127 and a bias, the
// result at most maxHidden products of 128 with Out.
const (
	maxWeight  = 127
	maxBias    = 8000
	maxOut     = 32767
	maxHidden  = 512
	maxOutBias = 1 << 30

	_ = uint(math.MaxInt16 - MaxActive*maxWeight - maxBias)
	_ = uint(math.MaxInt32 - maxHidden*simd.UnitOne*maxOut)
)

// Net is a value net in integers, as it is played. It does not change, so any number of evaluators can share it.
type Net struct {
	hidden int
	// steps is coarseSteps or fineSteps.
	steps   int
	w1      []int8
	b1      []int16
	out     []int16
	outBias int32
	about   nn.File
}

// NewNet quantises weights and reports what that costs. Hidden must be a multiple of 64 up to 512.
func NewNet(w *Weights) (*Net, nn.Costs, error) {
	if err := checkHidden(w.Hidden); err != nil {
		return nil, nil, err
	}
	steps := coarseSteps
	if nn.Largest(w.W1) <= FineWeightLimit {
		steps = fineSteps
	}
	var costs nn.Costs
	n := &Net{
		hidden: w.Hidden, steps: steps,
		w1:  nn.Quantise[int8](&costs, "w1", w.W1, float64(steps), maxWeight),
		b1:  nn.Quantise[int16](&costs, "b1", w.B1, float64(steps), maxBias),
		out: nn.Quantise[int16](&costs, "out", w.Out, outSteps, maxOut),
	}
	n.outBias = nn.Quantise[int32](&costs, "out_bias", []float32{w.OutBias}, logitSteps, maxOutBias)[0]
	return n, costs, nil
}

func checkHidden(hidden int) error {
	if hidden <= 0 || hidden > maxHidden || hidden%64 != 0 {
		return fmt.Errorf("value net with %d hidden units: want a multiple of 64 to %d", hidden, maxHidden)
	}
	return nil
}

// File returns the net as a file to encode, with the given words about its origin and constants of the search tuned with it.
func (n *Net) File(provenance string, constants []nn.Number) *nn.File {
	steps := float64(n.steps)
	return &nn.File{
		Kind: netKind, Architecture: netArchitecture, Features: netFeatures,
		Sizes:    []nn.Number{{Name: "hidden", Value: float64(n.hidden)}, {Name: "steps", Value: steps}},
		EvalCoef: EvalCoef, Provenance: provenance, Constants: constants,
		Tensors: []nn.Tensor{
			nn.NewTensor("w1", steps, n.w1, NumRows, n.hidden),
			nn.NewTensor("b1", steps, n.b1, n.hidden),
			nn.NewTensor("out", outSteps, n.out, n.hidden),
			nn.NewTensor("out_bias", logitSteps, []int32{n.outBias}, 1),
		},
	}
}

// DecodeNet reads a value net file. The error says in one sentence why a file cannot be played.
func DecodeNet(data []byte) (*Net, error) {
	f, err := nn.Decode(data)
	if err != nil {
		return nil, err
	}
	if err := f.Expect(netKind, netArchitecture, netFeatures); err != nil {
		return nil, err
	}
	n := &Net{hidden: f.Size("hidden"), steps: f.Size("steps")}
	if err := checkHidden(n.hidden); err != nil {
		return nil, err
	}
	if n.steps != coarseSteps && n.steps != fineSteps {
		return nil, fmt.Errorf("value net in steps of 1/%d: want 1/%d or 1/%d", n.steps, coarseSteps, fineSteps)
	}
	r := nn.NewTensorReader(f)
	steps := float64(n.steps)
	n.w1 = nn.Read[int8](r, "w1", steps, maxWeight, NumRows, n.hidden)
	n.b1 = nn.Read[int16](r, "b1", steps, maxBias, n.hidden)
	n.out = nn.Read[int16](r, "out", outSteps, maxOut, n.hidden)
	outBias := nn.Read[int32](r, "out_bias", logitSteps, maxOutBias, 1)
	if err := r.Err(); err != nil {
		return nil, err
	}
	n.outBias = outBias[0]
	f.Tensors = nil
	n.about = *f
	return n, nil
}

// About returns what the net's file says besides the weights; it is empty for a net that comes from no file.
func (n *Net) About() *nn.File { return &n.about }
