package train

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/yomi-shogi/yomi/internal/simd"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
)

// skipBelow is the size of a move's gradient below which it is rounded at random to 0 or ±skipBelow, right on average. Most moves
// of a position are hopeless and known to be; this saves most of the way back.
const skipBelow = 2e-3

// policyNet is a policy net in training.
type policyNet struct {
	w *policy.Weights
	// forget is the share of positions whose last move is kept from the net, so that it can do without.
	forget float64
	// skip is skipBelow, or 0 to compute the whole gradient.
	skip                   float32
	w1, b1, p, pBias, e, v *table
	kernels                simd.Kernels
}

func newPolicyNet(w *policy.Weights, forget float64) *policyNet {
	free := math.Inf(1)
	return &policyNet{
		w: w, forget: forget, skip: skipBelow, kernels: simd.Best(),
		w1:    newTable("w1", &w.W1, w.Hidden, false, policy.WeightLimit),
		b1:    newTable("b1", &w.B1, w.Hidden, true, free),
		p:     newTable("p", &w.P, w.Hidden/2, true, policy.WeightLimit),
		pBias: newTable("p_bias", &w.PBias, w.Width, true, free),
		e:     newTable("e", &w.E, w.Width, false, policy.WeightLimit),
		v:     newTable("v", &w.V, w.Width, true, policyOutLimit),
	}
}

// policyOutLimit keeps V in the range of the quantised net, which holds up to 8.
const policyOutLimit = 7.9

func (n *policyNet) tables() []*table { return []*table{n.w1, n.b1, n.p, n.pBias, n.e, n.v} }

func (n *policyNet) quantise() (*quantised, error) {
	net, costs, err := policy.NewNet(n.w)
	if err != nil {
		return nil, err
	}
	return &quantised{costs: costs, file: net.File, judge: newPolicyJudges(net)}, nil
}

// policyWorker computes losses and gradients of a policy net.
type policyWorker struct {
	*policyNet
	g     [6]*gradient // in the order of tables
	in    *policy.Inputs
	moves []shogi.Move
	// acc are the sums of the position part, h their products in pairs, context what these add to each move. The d are gradients.
	acc, dAcc, h, dH, context, dContext []float32
	// sums are those of each move, width a move.
	sums, dSum      []float32
	logits, targets []float32
}

func (n *policyNet) worker(g []*gradient) worker {
	hidden, width := n.w.Hidden, n.w.Width
	w := &policyWorker{
		policyNet: n, in: policy.NewInputs(), moves: make([]shogi.Move, 0, shogi.MaxMoves),
		acc: make([]float32, hidden), dAcc: make([]float32, hidden), h: make([]float32, hidden/2), dH: make([]float32, hidden/2),
		context: make([]float32, width), dContext: make([]float32, width),
		sums: make([]float32, shogi.MaxMoves*width), dSum: make([]float32, width),
		logits: make([]float32, shogi.MaxMoves), targets: make([]float32, shogi.MaxMoves),
	}
	copy(w.g[:], g)
	return w
}

// learn adds the gradient of a position, times scale, and returns its cross entropy.
func (w *policyWorker) learn(s *sample, scale float32, random *rand.Rand) float64 {
	last := s.last
	if random.Float64() < w.forget {
		last = shogi.MoveNone
	}
	w.forward(s, last)
	loss := w.softmax()
	w.backward(scale, random)
	return loss
}

// forward computes the logits of the legal moves and sets the targets.
func (w *policyWorker) forward(s *sample, last shogi.Move) {
	w.moves = s.Position.AppendLegal(w.moves[:0])
	w.in.Read(&s.Position, last, w.moves)
	w.targets = w.targets[:len(w.moves)]
	s.policyTargets(w.moves, w.targets)
	k, net := w.kernels, w.w
	k.SumFloatRows(w.acc, net.B1, net.W1, w.in.Position)
	multiplyPairs(w.h, w.acc)
	half := len(w.h)
	for i := range w.context {
		w.context[i] = net.PBias[i] + k.DotFloat(net.P[i*half:(i+1)*half], w.h)
	}
	w.logits = w.logits[:len(w.moves)]
	start, width := int32(0), net.Width
	for i, end := range w.in.Ends {
		sum := w.sums[i*width : (i+1)*width]
		k.SumFloatRows(sum, w.context, net.E, w.in.Moves[start:end])
		w.logits[i] = squaredDot(sum, net.V)
		start = end
	}
}

// policyTargets sets what a policy should say of the legal moves: the shares of the visits, where they are known, else 1 for the move.
func (s *sample) policyTargets(moves []shogi.Move, targets []float32) {
	clear(targets)
	if len(s.shares) == 0 {
		targets[slices.Index(moves, s.Move)] = 1
		return
	}
	sum := 0
	for _, v := range s.shares {
		sum += int(v.weight)
	}
	for _, v := range s.shares {
		targets[slices.Index(moves, v.move)] += float32(v.weight) / float32(sum)
	}
}

// bestMove returns the move that a policy should put first.
func (s *sample) bestMove() shogi.Move {
	if len(s.shares) == 0 {
		return s.Move
	}
	return slices.MaxFunc(s.shares, func(a, b share) int { return int(a.weight) - int(b.weight) }).move
}

// squaredDot returns the sum of v times the square of x clamped to 0..1.
func squaredDot(x, v []float32) float32 {
	var a, b float32
	v = v[:len(x)]
	for i := 0; i+1 < len(x); i += 2 {
		c, d := clamp(x[i]), clamp(x[i+1])
		a += v[i] * c * c
		b += v[i+1] * d * d
	}
	return a + b
}

// softmax turns logits into probabilities and returns the cross entropy against the targets.
func (w *policyWorker) softmax() float64 {
	highest := w.logits[0]
	for _, x := range w.logits {
		highest = max(highest, x)
	}
	loss := 0.0
	for i, x := range w.logits {
		w.logits[i] = x - highest
		loss -= float64(w.targets[i] * (x - highest))
	}
	sum := w.kernels.ExpSum(w.logits)
	for i := range w.logits {
		w.logits[i] /= sum
	}
	return loss + math.Log(float64(sum))
}

// backward adds the gradient, from the probabilities and the targets.
func (w *policyWorker) backward(scale float32, random *rand.Rand) {
	k, net := w.kernels, w.w
	width := net.Width
	clear(w.dContext)
	dV := w.g[5].sums
	start := int32(0)
	for i, end := range w.in.Ends {
		rows := w.in.Moves[start:end]
		start = end
		d := w.logits[i] - w.targets[i]
		if size := max(d, -d); size < w.skip {
			if random.Float32()*w.skip >= size {
				continue
			}
			d *= w.skip / size
		}
		d *= scale
		w.backMove(w.sums[i*width:(i+1)*width], d, dV)
		k.Axpy(w.dContext, 1, w.dSum)
		w.g[4].add(k, w.dSum, rows)
	}
	k.Axpy(w.g[3].sums, 1, w.dContext)
	half := len(w.h)
	clear(w.dH)
	for i, d := range w.dContext {
		k.Axpy(w.g[2].sums[i*half:(i+1)*half], d, w.h)
		k.Axpy(w.dH, d, net.P[i*half:(i+1)*half])
	}
	backPairs(w.dAcc, w.dH, w.acc)
	k.Axpy(w.g[1].sums, 1, w.dAcc)
	w.g[0].add(k, w.dAcc, w.in.Position)
}

// backMove sets dSum to the gradient of a move's sums and adds that of V; d is the gradient of its logit.
func (w *policyWorker) backMove(sum []float32, d float32, dV []float32) {
	v, dSum := w.w.V[:len(sum)], w.dSum[:len(sum)]
	dV = dV[:len(sum)]
	for j, x := range sum {
		c := clamp(x)
		dV[j] += d * c * c
		dSum[j] = within(2*d*v[j]*c, x, c)
	}
}

// newPolicyJudges returns what makes judges of a net.
func newPolicyJudges(net *policy.Net) func() judge {
	return func() judge {
		return &policyJudge{net: policy.NewNetEvaluator(net), moves: make([]shogi.Move, 0, shogi.MaxMoves)}
	}
}

// judge implements judge with the float weights.
func (w *policyWorker) judge(s *sample, t *tally) {
	if s.Fast {
		return
	}
	w.forward(s, s.last)
	loss := w.softmax()
	t.addPolicy(w.moves, w.logits, s.bestMove(), loss)
}

// policyJudge measures a quantised net.
type policyJudge struct {
	net     *policy.NetEvaluator
	moves   []shogi.Move
	priors  [shogi.MaxMoves]float32
	targets [shogi.MaxMoves]float32
}

func (j *policyJudge) judge(s *sample, t *tally) {
	if s.Fast {
		return
	}
	j.moves = s.Position.AppendLegal(j.moves[:0])
	priors := j.priors[:len(j.moves)]
	j.net.Priors(&s.Position, s.last, j.moves, priors)
	targets := j.targets[:len(j.moves)]
	s.policyTargets(j.moves, targets)
	loss := 0.0
	for i, target := range targets {
		if target > 0 {
			loss -= float64(target) * math.Log(max(float64(priors[i]), math.SmallestNonzeroFloat32))
		}
	}
	t.addPolicy(j.moves, priors, s.bestMove(), loss)
}
