package value_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
)

// realWeights returns random weights as large as those of a trained net, at most limit.
func realWeights(seed uint64, limit float32) *value.Weights {
	w := value.NewRandomWeights(seed, value.DefaultHidden)
	random := rand.New(rand.NewPCG(seed, 9))
	for _, x := range []struct {
		weights []float32
		spread  float64
	}{{w.W1, .12}, {w.Out, .3}, {w.B1, .3}} {
		for i := range x.weights {
			x.weights[i] += float32(random.NormFloat64() * x.spread)
			x.weights[i] = min(max(x.weights[i], -limit), limit)
		}
	}
	w.OutBias = .1
	w.W1[5] = limit
	return w
}

func quantised(t testing.TB, w *value.Weights) *value.Net {
	net, costs, err := value.NewNet(w)
	require.NoError(t, err)
	for _, c := range costs {
		require.Zero(t, c.Clipped, c)
		require.LessOrEqual(t, c.Largest, .5/c.Scale+1e-6, c)
	}
	return net
}

// samplePositions calls visit for every n-th position of the sample file.
func samplePositions(t testing.TB, n int, visit func(p *shogi.Position)) {
	reader, err := record.Open("../testdata/sample.psv.zst")
	require.NoError(t, err)
	defer reader.Close()
	for i := 0; i < 20000; i++ {
		sample, err := reader.Next()
		require.NoError(t, err)
		if i%n == 0 {
			visit(&sample.Position)
		}
	}
}

// TestQuantisedIsClose: the integer net gives the float net's win rates within these tolerances.
func TestQuantisedIsClose(t *testing.T) {
	for _, c := range []struct {
		name                   string
		limit                  float32
		largest, mean, spreads float64
	}{
		{"fine", value.FineWeightLimit, .05, .01, .1},
		{"coarse", value.WeightLimit, .15, .02, .1},
	} {
		w := realWeights(1, c.limit)
		e := value.NewNetEvaluator(quantised(t, w))
		var in value.Inputs
		var sum, largest, spread float64
		count := 0
		samplePositions(t, 20, func(p *shogi.Position) {
			in.Read(p)
			want := w.WinRate(&in)
			difference := math.Abs(float64(e.WinRate(p) - want))
			sum += difference
			largest = max(largest, difference)
			spread += math.Abs(float64(want) - .5)
			count++
		})
		t.Logf("%s: largest %.4f, mean %.4f, spread %.3f", c.name, largest, sum/float64(count), spread/float64(count))
		require.Less(t, largest, c.largest, c.name)
		require.Less(t, sum/float64(count), c.mean, c.name)
		require.Greater(t, spread/float64(count), c.spreads, "win rates differ from position to position")
	}
}

// TestFastIsPlain: assembly and plain Go give the same win rates bit for bit.
func TestFastIsPlain(t *testing.T) {
	net := quantised(t, realWeights(2, 1.5))
	fast, plain := value.NewNetEvaluator(net), value.NewNetEvaluator(net)
	plain.UsePlain()
	samplePositions(t, 20, func(p *shogi.Position) {
		require.Equal(t, math.Float32bits(plain.WinRate(p)), math.Float32bits(fast.WinRate(p)), p.SFEN())
	})
}

// TestNetSeesSymmetry: exchanging the sides, board turned, changes nothing.
func TestNetSeesSymmetry(t *testing.T) {
	e := value.NewNetEvaluator(quantised(t, realWeights(3, 1)))
	sfen := "l3k2nl/4g1gs1/p2p1p1pp/2p3p2/1p7/2P1SP3/PP1PP1PP1/2G1G2R1/L1K4NL b BNSPrbsn 1"
	require.Equal(t, e.WinRate(parse(t, sfen)), e.WinRate(parse(t, turned(sfen))))
	require.NotEqual(t, e.WinRate(parse(t, sfen)), e.WinRate(parse(t, strings.Replace(sfen, " b ", " w ", 1))))
}

func TestNetFile(t *testing.T) {
	for _, limit := range []float32{.9, 1.9} {
		net := quantised(t, realWeights(5, limit))
		data, err := net.File("random", []nn.Number{{Name: "C_init", Value: 1.5}}).Encode()
		require.NoError(t, err)
		read, err := value.DecodeNet(data)
		require.NoError(t, err)
		require.Equal(t, "random", read.About().Provenance)
		require.Equal(t, float64(value.EvalCoef), read.About().EvalCoef)
		again, err := read.File("random", read.About().Constants).Encode()
		require.NoError(t, err)
		require.Equal(t, data, again)
		p := shogi.StartPosition()
		require.Equal(t, value.NewNetEvaluator(net).WinRate(&p), value.NewNetEvaluator(read).WinRate(&p))
	}
}

func TestNetRefuses(t *testing.T) {
	_, _, err := value.NewNet(value.NewWeights(100))
	require.EqualError(t, err, "value net with 100 hidden units: want a multiple of 64 to 512")
	net := quantised(t, value.NewWeights(64))
	for _, c := range []struct {
		change func(f *nn.File)
		want   string
	}{
		{func(f *nn.File) { f.Kind = "policy" }, "the file holds a policy net, not a value net"},
		{func(f *nn.File) { f.Architecture = "deep" }, `value net of architecture "deep": this program plays "two-views-pairs-1"`},
		{func(f *nn.File) { f.Features = "value-0" }, `value net for the features "value-0": this program has "value-1"`},
		{func(f *nn.File) { f.Sizes[0].Value = 128 }, `value net: weights "w1" are int8 [3584 64] in 229376 bytes, want int8 [3584 128]`},
		{func(f *nn.File) { f.Sizes = f.Sizes[:1] }, "value net in steps of 1/0: want 1/64 or 1/128"},
		{func(f *nn.File) { f.Tensors[0].Data[7] = 0x80 }, `value net: a weight of "w1" is larger than 127 steps`},
		{func(f *nn.File) { f.Tensors = f.Tensors[:3] }, `value net without weights "out_bias"`},
	} {
		f := net.File("", nil)
		c.change(f)
		data, err := f.Encode()
		require.NoError(t, err)
		_, err = value.DecodeNet(data)
		require.EqualError(t, err, c.want)
	}
}

// TestNetEnds: a net that is certain says so without overflow.
func TestNetEnds(t *testing.T) {
	p := shogi.StartPosition()
	for _, sign := range []float32{1, -1} {
		w := value.NewWeights(64)
		w.OutBias = 3000 * sign
		require.InDelta(t, (sign+1)/2, value.NewNetEvaluator(quantised(t, w)).WinRate(&p), 1e-9)
	}
}

func TestNetDoesNotAllocate(t *testing.T) {
	p := shogi.StartPosition()
	e := value.NewNetEvaluator(quantised(t, value.NewRandomWeights(1, 256)))
	require.Zero(t, testing.AllocsPerRun(100, func() { e.WinRate(&p) }))
}

func BenchmarkNet(b *testing.B) {
	e := value.NewNetEvaluator(quantised(b, realWeights(6, 1)))
	p, err := shogi.ParseSFEN("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1")
	require.NoError(b, err)
	for b.Loop() {
		e.WinRate(&p)
	}
}

// TestInputsAreThoseOfTheSlowTwin compares both views with a plain twin.
func TestInputsAreThoseOfTheSlowTwin(t *testing.T) {
	var in value.Inputs
	compare := func(p *shogi.Position) {
		in.Read(p)
		for i, side := range []shogi.Color{p.Side(), p.Side().Opponent()} {
			var got []int
			for _, row := range in.Rows[i] {
				got = append(got, int(row))
			}
			want := value.SlowRows(p, side)
			slices.Sort(got)
			slices.Sort(want)
			require.Equal(t, want, got, p.SFEN())
		}
	}
	samplePositions(t, 10, compare)
	compare(parse(t, "9/9/9/9/4r4/9/9/9/4K4 b 2G 1"))
	compare(parse(t, "k8/9/9/9/9/9/9/9/8K b RB2GSNL3P 1"))
}
