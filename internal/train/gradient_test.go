package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
)

const samplePath = "../../testdata/sample.psv.zst"

// tinyHidden is the smallest width that the kernels take.
const tinyHidden = 64

func loadSample(t testing.TB) *Data {
	t.Helper()
	d, err := Load(samplePath)
	require.NoError(t, err)
	return d
}

// double turns all tables into float64, where finite differences have digits enough.
func double(tables []*table) [][]float64 {
	out := make([][]float64, len(tables))
	for i, t := range tables {
		out[i] = make([]float64, len(t.w))
		for j, x := range t.w {
			out[i][j] = float64(x)
		}
	}
	return out
}

func clampDouble(x float64) float64 { return min(max(x, 0), 1) }

// pairsDouble returns the products in pairs of the sum of bias and rows.
func pairsDouble(bias, w []float64, rows []uint16) []float64 {
	acc := append([]float64(nil), bias...)
	for _, row := range rows {
		for j := range acc {
			acc[j] += w[int(row)*len(acc)+j]
		}
	}
	half := len(acc) / 2
	out := make([]float64, half)
	for j := range out {
		out[j] = clampDouble(acc[j]) * clampDouble(acc[half+j])
	}
	return out
}

// policyLossPlain is the cross entropy of a policy net, computed the slow way from its tables.
func policyLossPlain(w [][]float64, in *policy.Inputs, targets []float32) float64 {
	w1, b1, p, pBias, e, v := w[0], w[1], w[2], w[3], w[4], w[5]
	h := pairsDouble(b1, w1, in.Position)
	loss, sum := 0.0, 0.0
	start := int32(0)
	for i, end := range in.Ends {
		logit := 0.0
		for j := range v {
			x := pBias[j]
			for n, y := range h {
				x += p[j*len(h)+n] * y
			}
			for _, row := range in.Moves[start:end] {
				x += e[int(row)*len(v)+j]
			}
			logit += v[j] * clampDouble(x) * clampDouble(x)
		}
		start = end
		loss -= float64(targets[i]) * logit
		sum += math.Exp(logit)
	}
	return loss + math.Log(sum)
}

// valueLossPlain is the binary cross entropy of a value net, computed the slow way.
func valueLossPlain(w [][]float64, in *value.Inputs, t float64) float64 {
	w1, b1, out, outBias := w[0], w[1], w[2], w[3]
	logit := outBias[0]
	for view, rows := range in.Rows {
		x := pairsDouble(b1, w1, rows)
		for j := range x {
			logit += out[view*len(x)+j] * x[j]
		}
	}
	p := sigmoid(logit)
	return -t*math.Log(p) - (1-t)*math.Log(1-p)
}

// newGradients returns an empty gradient for each table.
func newGradients(tables []*table) []*gradient {
	var g []*gradient
	for _, t := range tables {
		g = append(g, newGradient(t))
	}
	return g
}

// requireGradient compares some numbers of each table's gradient with finite differences of the loss.
func requireGradient(t *testing.T, tables []*table, g []*gradient, loss func(w [][]float64) float64) {
	const step, tried = 1e-5, 25
	random := rand.New(rand.NewPCG(1, 2))
	w := double(tables)
	for i, table := range tables {
		differ := 0
		for range tried {
			row := int(g[i].rows[random.IntN(len(g[i].rows))])
			column := random.IntN(table.width)
			at := row*table.width + column
			was := w[i][at]
			w[i][at] = was + step
			above := loss(w)
			w[i][at] = was - step
			below := loss(w)
			w[i][at] = was
			want := (above - below) / (2 * step)
			require.InDelta(t, want, g[i].row(uint16(row))[column], 1e-5+1e-3*math.Abs(want), "%s[%d]", table.name, at)
			if math.Abs(want) > 1e-4 {
				differ++
			}
		}
		require.Positive(t, differ, "all gradients tried of %s are tiny", table.name)
	}
}

func TestPolicyGradient(t *testing.T) {
	data := loadSample(t)
	net := newPolicyNet(policy.NewRandomWeights(3, tinyHidden, policy.DefaultWidth), 0)
	net.skip = 0
	for _, i := range []int32{40, 1000, 7777} {
		g := newGradients(net.tables())
		w := net.worker(g).(*policyWorker)
		var s sample
		data.sample(i, &s)
		got := w.learn(&s, 1, rand.New(rand.NewPCG(0, 0)))
		loss := func(weights [][]float64) float64 { return policyLossPlain(weights, w.in, w.targets) }
		require.InDelta(t, loss(double(net.tables())), got, 1e-4, s.Position.SFEN())
		requireGradient(t, net.tables(), g, loss)

		// The loss takes any distribution, not only one move.
		w.forward(&s, shogi.MoveNone)
		for j := range w.targets {
			w.targets[j] = 1 / float32(len(w.targets))
		}
		require.InDelta(t, loss(double(net.tables())), w.softmax(), 1e-4)
	}
}

// TestSkippedGradients: leaving out tiny gradients at random is right on average.
func TestSkippedGradients(t *testing.T) {
	data := loadSample(t)
	var s sample
	data.sample(7777, &s)
	net := newPolicyNet(policy.NewRandomWeights(3, tinyHidden, policy.DefaultWidth), 0)
	exact := newGradients(net.tables())
	net.skip = 0
	net.worker(exact).learn(&s, 1, rand.New(rand.NewPCG(0, 0)))
	net.skip = .05 // more than 1/50, so most moves are affected
	const runs = 2000
	noisy := newGradients(net.tables())
	w, random := net.worker(noisy), rand.New(rand.NewPCG(5, 6))
	for range runs {
		w.learn(&s, 1./runs, random)
	}
	bias := net.pBias // its gradient sums over all moves
	var off, size float64
	for i := range bias.w {
		want := float64(exact[3].sums[i])
		off += math.Pow(float64(noisy[3].sums[i])-want, 2)
		size += want * want
	}
	require.Less(t, math.Sqrt(off/size), .05)
}

func TestValueGradient(t *testing.T) {
	data := loadSample(t)
	net := newValueNet(value.NewRandomWeights(3, tinyHidden), target{.7, 600})
	for _, i := range []int32{40, 1000, 7777} {
		g := newGradients(net.tables())
		w := net.worker(g).(*valueWorker)
		var s sample
		data.sample(i, &s)
		want := net.target.of(&s)
		got := w.learn(&s, 1, nil)
		loss := func(weights [][]float64) float64 { return valueLossPlain(weights, &w.in, want) }
		require.InDelta(t, loss(double(net.tables())), got, 1e-4, s.Position.SFEN())
		requireGradient(t, net.tables(), g, loss)
	}
}

// TestLearnAllocates: learning a position allocates nothing once the lists of touched rows have grown.
func TestLearnAllocates(t *testing.T) {
	data := loadSample(t)
	random := rand.New(rand.NewPCG(1, 1))
	policyNet := newPolicyNet(policy.NewRandomWeights(3, tinyHidden, policy.DefaultWidth), .5)
	valueNet := newValueNet(value.NewRandomWeights(3, tinyHidden), target{.7, 600})
	for _, net := range []network{policyNet, valueNet} {
		w := net.worker(newGradients(net.tables()))
		var s sample
		i := int32(0)
		step := func() {
			data.sample(i%100, &s)
			w.learn(&s, 1, random)
			i++
		}
		for range 500 {
			step()
		}
		require.Zero(t, testing.AllocsPerRun(100, step), "%T", net)
	}
}
