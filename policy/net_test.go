package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
)

// realWeights returns random weights as large as those of a trained net.
func realWeights(seed uint64) *policy.Weights {
	w := policy.NewRandomWeights(seed, policy.DefaultHidden, policy.DefaultWidth)
	random := rand.New(rand.NewPCG(seed, 9))
	for _, x := range []struct {
		weights []float32
		spread  float64
	}{{w.W1, .12}, {w.P, .3}, {w.E, .12}, {w.V, .6}, {w.B1, .3}} {
		for i := range x.weights {
			x.weights[i] += float32(random.NormFloat64() * x.spread)
			x.weights[i] = min(max(x.weights[i], -policy.WeightLimit), policy.WeightLimit)
		}
	}
	return w
}

func quantised(t testing.TB, w *policy.Weights) *policy.Net {
	net, costs, err := policy.NewNet(w)
	require.NoError(t, err)
	for _, c := range costs {
		require.Zero(t, c.Clipped, c)
		require.LessOrEqual(t, c.Largest, .5/c.Scale+1e-6, c)
	}
	return net
}

// samplePositions calls visit for every n-th position of the sample file, with its move as the last one of the next.
func samplePositions(t testing.TB, n int, visit func(p *shogi.Position, moves []shogi.Move)) {
	reader, err := record.Open("../testdata/sample.psv.zst")
	require.NoError(t, err)
	defer reader.Close()
	for i := 0; i < 20000; i++ {
		sample, err := reader.Next()
		require.NoError(t, err)
		if i%n == 0 {
			if moves := sample.Position.AppendLegal(nil); len(moves) > 0 {
				visit(&sample.Position, moves)
			}
		}
	}
}

// TestQuantisedIsClose: the integer net moves only a small share of a position's attention compared with the float net. Most of
// that comes from rounding the weights; with weights that are whole steps already, only the units are rounded. Random weights, as
// large as trained ones but without their order, are the hard case.
func TestQuantisedIsClose(t *testing.T) {
	rounded := realWeights(1)
	for _, x := range [][]float32{rounded.W1, rounded.B1, rounded.P, rounded.PBias, rounded.E, rounded.V} {
		for i := range x {
			x[i] = float32(math.Round(float64(x[i])*64) / 64)
		}
	}
	for _, c := range []struct {
		name          string
		weights       *policy.Weights
		largest, mean float64 // bounds of the share that moves
	}{
		{"any weights", realWeights(1), .16, .06},
		{"whole steps", rounded, .02, .01},
	} {
		e := policy.NewNetEvaluator(quantised(t, c.weights))
		in := policy.NewInputs()
		var sum, largest, spread float64
		count := 0.0
		samplePositions(t, 100, func(p *shogi.Position, moves []shogi.Move) {
			got, want := make([]float32, len(moves)), make([]float32, len(moves))
			e.Priors(p, shogi.MoveNone, moves, got)
			in.Read(p, shogi.MoveNone, moves)
			c.weights.Logits(in, want)
			policy.Softmax(want)
			moved, total := 0.0, 0.0
			for i := range moves {
				moved += math.Abs(float64(got[i]-want[i])) / 2
				total += float64(got[i])
				spread += math.Abs(float64(want[i])-1/float64(len(moves))) / 2
			}
			require.InDelta(t, 1, total, 1e-5)
			sum += moved
			largest = max(largest, moved)
			count++
		})
		t.Logf("%s: largest %.4f, mean %.4f; compared with even priors %.3f", c.name, largest, sum/count, spread/count)
		require.Less(t, largest, c.largest, c.name)
		require.Less(t, sum/count, c.mean, c.name)
		require.Greater(t, spread/count, .3, "the priors differ from move to move")
	}
}

// TestFastIsPlain: assembly and plain Go give the same priors bit for bit.
func TestFastIsPlain(t *testing.T) {
	net := quantised(t, realWeights(2))
	fast, plain := policy.NewNetEvaluator(net), policy.NewNetEvaluator(net)
	plain.UsePlain()
	samplePositions(t, 200, func(p *shogi.Position, moves []shogi.Move) {
		got, want := make([]float32, len(moves)), make([]float32, len(moves))
		fast.Priors(p, moves[0], moves, got)
		plain.Priors(p, moves[0], moves, want)
		for i := range got {
			require.Equal(t, math.Float32bits(want[i]), math.Float32bits(got[i]), "%s in %s", moves[i], p.SFEN())
		}
	})
}

// TestNetSeesSymmetry: exchanging left and right changes no prior when the own king is off the middle file; exchanging the sides
// never does.
func TestNetSeesSymmetry(t *testing.T) {
	e := policy.NewNetEvaluator(quantised(t, realWeights(3)))
	priors := func(p *shogi.Position, last shogi.Move) map[shogi.Move]float32 {
		moves := p.AppendLegal(nil)
		out := make([]float32, len(moves))
		e.Priors(p, last, moves, out)
		prior := map[shogi.Move]float32{}
		for i, m := range moves {
			prior[m] = out[i]
		}
		return prior
	}
	compared := 0
	for seed := range uint64(3) {
		randomGame(seed, 100, func(p *shogi.Position, last shogi.Move) {
			here := priors(p, last)
			turn := turnedAround(t, p)
			turned := priors(&turn, mapMove(last, shogi.Square.Flip))
			for m, x := range here {
				require.InDelta(t, x, turned[mapMove(m, shogi.Square.Flip)], 1e-6, "%s in %s", m, p.SFEN())
			}
			if p.KingSquare(p.Side()).File() == 5 {
				return
			}
			compared++
			q := mirrored(t, p)
			mirror := priors(&q, mirroredMove(last))
			for m, x := range here {
				require.InDelta(t, x, mirror[mirroredMove(m)], 1e-6, "%s in %s", m, p.SFEN())
			}
		})
	}
	require.Greater(t, compared, 50)
}

// TestTemperature: a low temperature sharpens the priors, a high one flattens them.
func TestTemperature(t *testing.T) {
	e := policy.NewNetEvaluator(quantised(t, realWeights(4)))
	p := shogi.StartPosition()
	moves := p.AppendLegal(nil)
	most := func(temperature float32) float32 {
		e.SetTemperature(temperature)
		out := make([]float32, len(moves))
		e.Priors(&p, shogi.MoveNone, moves, out)
		highest := float32(0)
		for _, x := range out {
			highest = max(highest, x)
		}
		return highest
	}
	require.Greater(t, most(.5), most(1))
	require.Greater(t, most(1), most(2))
	require.InDelta(t, 1/float64(len(moves)), most(1e6), 1e-4)
	require.InDelta(t, 1, most(1e-6), 1e-3)
}

func TestNetFile(t *testing.T) {
	net := quantised(t, realWeights(5))
	data, err := net.File("random", []nn.Number{{Name: "C_init", Value: 1.5}}).Encode()
	require.NoError(t, err)
	read, err := policy.DecodeNet(data)
	require.NoError(t, err)
	require.Equal(t, "random", read.About().Provenance)
	again, err := read.File("random", read.About().Constants).Encode()
	require.NoError(t, err)
	require.Equal(t, data, again)
}

func TestNetRefuses(t *testing.T) {
	_, _, err := policy.NewNet(policy.NewWeights(100, 64))
	require.EqualError(t, err, "policy net with 100 hidden units and width 64: want a multiple of 64 to 256, and 64")
	net := quantised(t, policy.NewWeights(64, 64))
	for _, c := range []struct {
		change func(f *nn.File)
		want   string
	}{
		{func(f *nn.File) { f.Kind = "value" }, "the file holds a value net, not a policy net"},
		{func(f *nn.File) { f.Features = "policy-0" }, `policy net for the features "policy-0": this program has "policy-1"`},
		{func(f *nn.File) { f.Sizes[0].Value = 128 }, `policy net: weights "w1" are int8 [9148 64] in 585472 bytes, want int8 [9148 128]`},
		{func(f *nn.File) { f.Sizes = nil }, "policy net with 0 hidden units and width 0: want a multiple of 64 to 256, and 64"},
		{func(f *nn.File) { f.Tensors[5].Scale = 1 }, `policy net: weights "v" in steps of 1/1, want 1/512`},
		{func(f *nn.File) { f.Tensors[0].Data[7] = 0x80 }, `policy net: a weight of "w1" is larger than 127 steps`},
		{func(f *nn.File) { f.Tensors = f.Tensors[:4] }, `policy net without weights "e"`},
	} {
		f := net.File("", nil)
		c.change(f)
		data, err := f.Encode()
		require.NoError(t, err)
		_, err = policy.DecodeNet(data)
		require.EqualError(t, err, c.want)
	}
}

func TestNetDoesNotAllocate(t *testing.T) {
	p := shogi.StartPosition()
	moves := p.AppendLegal(nil)
	e := policy.NewNetEvaluator(quantised(t, policy.NewRandomWeights(1, 256, 64)))
	out := make([]float32, len(moves))
	require.Zero(t, testing.AllocsPerRun(100, func() { e.Priors(&p, shogi.MoveNone, moves, out) }))
}

// BenchmarkNet expands a middle-game position of about 90 moves: legal moves, features, net.
func BenchmarkNet(b *testing.B) {
	p, err := shogi.ParseSFEN("l2g2snl/1r3k3/2n3gpp/p1ppspp2/1p2P2PP/P1PPSPP2/1PS6/2G1G2R1/LN2K2NL w Bbp 41")
	require.NoError(b, err)
	e := policy.NewNetEvaluator(quantised(b, realWeights(6)))
	moves := make([]shogi.Move, 0, shogi.MaxMoves)
	out := make([]float32, shogi.MaxMoves)
	for b.Loop() {
		moves = p.AppendLegal(moves[:0])
		e.Priors(&p, shogi.MoveNone, moves, out)
	}
	b.ReportMetric(float64(len(moves)), "moves")
}
