package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/simd"
)

// TestStep compares the optimiser with Adam as the paper writes it, over shards, workers and rows that are seldom touched.
func TestStep(t *testing.T) {
	const rows, width, steps, rate, decay = 9, 64, 50, .01, .1
	random := rand.New(rand.NewPCG(1, 2))
	w := make([]float32, rows*width)
	for i := range w {
		w[i] = float32(random.NormFloat64())
	}
	want := make([]float64, len(w))
	for i, x := range w {
		want[i] = float64(x)
	}
	m, v, count := make([]float64, len(w)), make([]float64, len(w)), make([]int, rows)
	tab := newTable("w", &w, width, false, 1.5)
	shards := []*gradient{newGradient(tab), newGradient(tab), newGradient(tab)}
	s := stepper{kernels: simd.Best(), corrections: newCorrections()}
	for range steps {
		sum := make([]float64, len(w))
		touched := make([]bool, rows)
		for _, g := range shards {
			row := random.IntN(random.IntN(rows) + 1)
			x := make([]float32, width)
			for j := range x {
				x[j] = float32(random.NormFloat64())
				sum[row*width+j] += float64(x[j])
			}
			touched[row] = true
			g.add(s.kernels, x, []uint16{uint16(row)})
		}
		for i := range want {
			row := i / width
			if !touched[row] {
				continue
			}
			if i%width == 0 {
				count[row]++
			}
			n := float64(count[row])
			m[i] = beta1*m[i] + (1-beta1)*sum[i]
			v[i] = beta2*v[i] + (1-beta2)*sum[i]*sum[i]
			step := rate * (m[i] / (1 - math.Pow(beta1, n))) / (math.Sqrt(v[i]/(1-math.Pow(beta2, n))) + epsilon)
			want[i] = min(max(want[i]*(1-rate*decay)-step, -1.5), 1.5)
		}
		parallel(2, func(k int) { s.step(tab, shards, rate, decay, k, 2) })
		for _, g := range shards {
			g.clear()
		}
	}
	for i := range want {
		require.InDelta(t, want[i], w[i], 1e-4)
	}
	for _, g := range shards {
		require.Equal(t, make([]float32, len(g.sums)), g.sums, "gradients are cleared")
		require.Equal(t, make([]uint16, rows), g.place)
	}
}

func TestLearningRate(t *testing.T) {
	require.InDelta(t, .5, learningRate(1, .02, 49, 100, 0), 1e-9)
	require.InDelta(t, 1, learningRate(1, .02, 99, 100, 0), 1e-9)
	require.InDelta(t, .51, learningRate(1, .02, 500, 100, .5), 1e-9)
	require.InDelta(t, .02, learningRate(1, .02, 900, 100, 1), 1e-9)
}
