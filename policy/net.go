package policy

import (
	"fmt"
	"math"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/internal/simd"
)

// What a net file must say to be a policy net that this package plays.
const (
	netKind         = "policy"
	netArchitecture = "position-pairs+moves-squared-1"
	netFeatures     = "policy-1"
)

// The steps that stand for 1.0. Sums of steps are exact, so the order of the rows does not matter.
const (
	// weightSteps is for W1, B1, E and P, and for the sums of the first three.
	weightSteps = 64
	// outSteps is for V.
	outSteps = 512
	// contextShift brings P·h, in steps of weightSteps·simd.UnitOne, to weightSteps.
	contextShift = 7
	// logitSteps is for the result: squares of sums times V.
	logitSteps = weightSteps * weightSteps * outSteps
)

// The largest quantised weights and biases. With them nothing overflows: a sum of W1 has at most 40 rows of 127 and a bias, the
// context at most Hidden/2 products of 127·128, shifted, and a bias, a move's sum 32 rows of 127 more, a logit 64 products of
// 64·64 with V.
const (
	maxWeight  = 127
	maxBias    = 8000
	maxOut     = 4095
	maxHidden  = 256
	longBias   = maxBias << contextShift
	maxContext = maxHidden/2*maxWeight*simd.UnitOne>>contextShift + maxBias

	_ = uint(math.MaxInt16 - MaxPositionActive*maxWeight - maxBias)
	_ = uint(math.MaxInt16 - maxContext - MaxMoveActive*maxWeight)
	_ = uint(math.MaxInt32/simd.MoveWidth - weightSteps*weightSteps*maxOut)
)

// Net is a policy net in integers, as it is played. It does not change, so any number of evaluators can share it.
type Net struct {
	hidden int
	w1     []int8
	b1     []int16
	p      []int8
	pBias  []int32
	e      []int8
	v      []int16
	about  nn.File
}

// NewNet quantises weights and reports what that costs. Hidden must be a multiple of 64 up to 256, Width 64.
func NewNet(w *Weights) (*Net, nn.Costs, error) {
	if err := checkSizes(w.Hidden, w.Width); err != nil {
		return nil, nil, err
	}
	var costs nn.Costs
	n := &Net{
		hidden: w.Hidden,
		w1:     nn.Quantise[int8](&costs, "w1", w.W1, weightSteps, maxWeight),
		b1:     nn.Quantise[int16](&costs, "b1", w.B1, weightSteps, maxBias),
		p:      nn.Quantise[int8](&costs, "p", w.P, weightSteps, maxWeight),
		pBias:  nn.Quantise[int32](&costs, "p_bias", w.PBias, weightSteps<<contextShift, longBias),
		e:      nn.Quantise[int8](&costs, "e", w.E, weightSteps, maxWeight),
		v:      nn.Quantise[int16](&costs, "v", w.V, outSteps, maxOut),
	}
	return n, costs, nil
}

func checkSizes(hidden, width int) error {
	if hidden <= 0 || hidden > maxHidden || hidden%64 != 0 || width != simd.MoveWidth {
		return fmt.Errorf("policy net with %d hidden units and width %d: want a multiple of 64 to %d, and %d",
			hidden, width, maxHidden, simd.MoveWidth)
	}
	return nil
}

// File returns the net as a file to encode, with the given words about its origin and constants of the search tuned with it.
func (n *Net) File(provenance string, constants []nn.Number) *nn.File {
	half, width := n.hidden/2, simd.MoveWidth
	return &nn.File{
		Kind: netKind, Architecture: netArchitecture, Features: netFeatures,
		Sizes:      []nn.Number{{Name: "hidden", Value: float64(n.hidden)}, {Name: "width", Value: float64(width)}},
		Provenance: provenance, Constants: constants,
		Tensors: []nn.Tensor{
			nn.NewTensor("w1", weightSteps, n.w1, NumPositionRows, n.hidden),
			nn.NewTensor("b1", weightSteps, n.b1, n.hidden),
			nn.NewTensor("p", weightSteps, n.p, width, half),
			nn.NewTensor("p_bias", weightSteps<<contextShift, n.pBias, width),
			nn.NewTensor("e", weightSteps, n.e, NumMoveRows, width),
			nn.NewTensor("v", outSteps, n.v, width),
		},
	}
}

// DecodeNet reads a policy net file. The error says in one sentence why a file cannot be played.
func DecodeNet(data []byte) (*Net, error) {
	f, err := nn.Decode(data)
	if err != nil {
		return nil, err
	}
	if err := f.Expect(netKind, netArchitecture, netFeatures); err != nil {
		return nil, err
	}
	hidden, width := f.Size("hidden"), f.Size("width")
	if err := checkSizes(hidden, width); err != nil {
		return nil, err
	}
	n := &Net{hidden: hidden}
	r := nn.NewTensorReader(f)
	n.w1 = nn.Read[int8](r, "w1", weightSteps, maxWeight, NumPositionRows, hidden)
	n.b1 = nn.Read[int16](r, "b1", weightSteps, maxBias, hidden)
	n.p = nn.Read[int8](r, "p", weightSteps, maxWeight, width, hidden/2)
	n.pBias = nn.Read[int32](r, "p_bias", weightSteps<<contextShift, longBias, width)
	n.e = nn.Read[int8](r, "e", weightSteps, maxWeight, NumMoveRows, width)
	n.v = nn.Read[int16](r, "v", outSteps, maxOut, width)
	if err := r.Err(); err != nil {
		return nil, err
	}
	f.Tensors = nil
	n.about = *f
	return n, nil
}

// About returns what the net's file says besides the weights; it is empty for a net that comes from no file.
func (n *Net) About() *nn.File { return &n.about }
