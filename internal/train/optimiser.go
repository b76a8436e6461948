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

// gradient is what a shard adds to the gradient of a table: only the rows that are not 0, in the order in which they were touched.
// The gradient of a batch is much smaller than its table, so it stays in the processor's cache.
type gradient struct {
	width int
	dense bool
	// rows are the touched rows; the sums of rows[i] are sums[i·width:(i+1)·width], all sums behind the last are 0.
	rows []uint16
	sums []float32
	// place[row] is 1 + the row's index in rows, 0 if it is not there.
	place []uint16
	// places is scratch.
	places []uint16
}

// newGradient returns the gradient of a table, all 0. That of a dense table always has all rows, in order.
func newGradient(t *table) *gradient {
	g := &gradient{width: t.width, dense: t.dense, place: make([]uint16, len(t.steps))}
	if t.dense {
		g.sums = newFloats(len(t.w))
		for row := range g.place {
			g.touch(uint16(row))
		}
	}
	return g
}

// touch returns the row's index in rows.
func (g *gradient) touch(row uint16) uint16 {
	if at := g.place[row]; at > 0 {
		return at - 1
	}
	g.rows = append(g.rows, row)
	g.place[row] = uint16(len(g.rows))
	if need := len(g.rows) * g.width; need > len(g.sums) {
		grown := newFloats(2 * need)
		copy(grown, g.sums)
		g.sums = grown
	}
	return uint16(len(g.rows) - 1)
}

// add adds x to each of the rows.
func (g *gradient) add(k simd.Kernels, x []float32, rows []uint16) {
	g.places = g.places[:0]
	for _, row := range rows {
		g.places = append(g.places, g.touch(row))
	}
	k.AddToRows(g.sums, x, g.places)
}

// row returns the sums of a row, nil if it was not touched.
func (g *gradient) row(row uint16) []float32 {
	at := int(g.place[row])
	if at == 0 {
		return nil
	}
	return g.sums[(at-1)*g.width : at*g.width]
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
		if t.dense && i > 0 {
			break // the first shard has all rows
		}
		for _, row := range shard.rows {
			if int(row)%workers != worker {
				continue
			}
			sum := shard.row(row)
			if sum == nil {
				continue // an earlier shard had it too
			}
			for _, other := range shards[i+1:] {
				if more := other.row(row); more != nil {
					s.kernels.Axpy(sum, 1, more)
					clear(more)
					other.forget(row)
				}
			}
			shard.forget(row)
			c := s.corrections[min(t.steps[row], correctionSteps-1)]
			t.steps[row]++
			adam.Rate, adam.Epsilon = float32(rate)*c[0], epsilon*c[1]
			start, end := int(row)*t.width, (int(row)+1)*t.width
			s.kernels.Step(&adam, t.w[start:end], t.m[start:end], t.v[start:end], sum)
		}
	}
}

// forget marks a row as not touched; its sums must be 0.
func (g *gradient) forget(row uint16) {
	if !g.dense {
		g.place[row] = 0
	}
}

// clear empties the list of rows after all workers' steps, which forgot each of them.
func (g *gradient) clear() {
	if !g.dense {
		g.rows = g.rows[:0]
	}
}

// learningRate rises over the first steps to its peak and then falls as a cosine to a share of it. progress is 0..1.
func learningRate(peak, final float64, step, warmUp int, progress float64) float64 {
	rate := peak * (final + (1-final)*(1+math.Cos(math.Pi*progress))/2)
	if step < warmUp {
		rate *= float64(step+1) / float64(warmUp)
	}
	return rate
}
