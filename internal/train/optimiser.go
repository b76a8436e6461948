package train

import (
	"math"

	"github.com/yomi-shogi/yomi/internal/simd"
)

// Adam's decay rates and ε, the usual ones (Kingma and Ba, 2015).
const (
	beta1   = .9
	beta2   = .999
	epsilon = 1e-8
)

// table is a matrix of weights with the moments that Adam keeps of each weight.
type table struct {
	name  string
	width int
	// dense tells that every position touches all rows.
	dense bool
	// limit bounds the weights.
	limit   float32
	w, m, v []float32
	// steps counts the optimiser's steps of each row: rows that a batch does not touch stay as they are, moments included.
	steps []uint32
}

// newTable returns a table of the weights, which move to memory of its choice.
func newTable(name string, weights *[]float32, width int, dense bool, limit float64) *table {
	n := len(*weights)
	w := newFloats(n)
	copy(w, *weights)
	*weights = w
	return &table{
		name: name, width: width, dense: dense, limit: float32(limit),
		w: w, m: newFloats(n), v: newFloats(n), steps: make([]uint32, n/width),
	}
}

// gradient is what a shard adds to the gradient of a table.
type gradient struct {
	g []float32
	// rows are the rows that are not 0, marked tells the same of each row.
	rows   []uint16
	marked []bool
}

func newGradient(t *table) *gradient {
	return &gradient{g: newFloats(len(t.w)), marked: make([]bool, len(t.steps))}
}

// add adds x to each of the rows.
func (g *gradient) add(k simd.Kernels, x []float32, rows []uint16) {
	k.AddToRows(g.g, x, rows)
	for _, row := range rows {
		if !g.marked[row] {
			g.marked[row] = true
			g.rows = append(g.rows, row)
		}
	}
}

// markAll marks all rows of a dense table.
func (g *gradient) markAll() {
	g.rows = g.rows[:0]
	for row := range g.marked {
		g.marked[row] = true
		g.rows = append(g.rows, uint16(row))
	}
}

// correctionSteps is the number of steps after which Adam's correction of the first steps is 1 in float32.
const correctionSteps = 1 << 15

// corrections hold Adam's factors of the rate and of ε for each number of steps, from 1.
type corrections [correctionSteps][2]float32

func newCorrections() *corrections {
	c := new(corrections)
	for i := range c {
		t := float64(i + 1)
		root := math.Sqrt(1 - math.Pow(beta2, t))
		c[i] = [2]float32{float32(root / (1 - math.Pow(beta1, t))), float32(root)}
	}
	return c
}

// stepper applies gradients.
type stepper struct {
	kernels     simd.Kernels
	corrections *corrections
}

// step sums the shards' gradients of the rows that fall to one of several workers, moves the weights and clears the gradients.
// Workers can do it at the same time. clear must follow when all are done.
func (s *stepper) step(t *table, shards []*gradient, rate, decay float64, worker, workers int) {
	adam := simd.Adam{Mean: 1 - beta1, Spread: 1 - beta2, Keep: 1, Limit: t.limit}
	if !t.dense {
		adam.Keep = float32(1 - rate*decay)
	}
	for i, shard := range shards {
		for _, row := range shard.rows {
			if int(row)%workers != worker || !shard.marked[row] {
				continue
			}
			start, end := int(row)*t.width, (int(row)+1)*t.width
			sum := shard.g[start:end]
			shard.marked[row] = false
			for _, other := range shards[i+1:] {
				if other.marked[row] {
					other.marked[row] = false
					s.kernels.Axpy(sum, 1, other.g[start:end])
					clear(other.g[start:end])
				}
			}
			c := s.corrections[min(t.steps[row], correctionSteps-1)]
			t.steps[row]++
			adam.Rate, adam.Epsilon = float32(rate)*c[0], epsilon*c[1]
			s.kernels.Step(&adam, t.w[start:end], t.m[start:end], t.v[start:end], sum)
		}
	}
}

// clear forgets the rows after all workers' steps.
func (g *gradient) clear() { g.rows = g.rows[:0] }

// learningRate rises over the first steps to its peak and then falls as a cosine to a share of it. progress is 0..1.
func learningRate(peak, final float64, step, warmUp int, progress float64) float64 {
	rate := peak * (final + (1-final)*(1+math.Cos(math.Pi*progress))/2)
	if step < warmUp {
		rate *= float64(step+1) / float64(warmUp)
	}
	return rate
}
