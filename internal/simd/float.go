package simd

import (
	"fmt"
	"math"
)

// SumFloatRows sets acc to bias plus the table's rows. A row is as long as acc and bias, a multiple of 64.
func (k Kernels) SumFloatRows(acc, bias, table []float32, rows []uint16) {
	if len(acc) != len(bias) {
		panic(fmt.Sprintf("simd: %d sums with %d biases", len(acc), len(bias)))
	}
	k.checkTable(len(table), len(acc), rows)
	switch {
	case len(rows) == 0:
		copy(acc, bias)
	case k.avx2:
		sumRowsF32AVX2(&acc[0], &bias[0], &table[0], &rows[0], len(rows), len(acc))
	default:
		sumRowsF32(acc, bias, table, rows)
	}
}

func sumRowsF32(acc, bias, table []float32, rows []uint16) {
	copy(acc, bias)
	for _, row := range rows {
		start := int(row) * len(acc)
		for j, x := range table[start : start+len(acc)] {
			acc[j] += x
		}
	}
}

// AddToRows adds x to each of the table's rows, to one that is named twice two times. A row is as long as x, a multiple of 64.
func (k Kernels) AddToRows(table, x []float32, rows []uint16) {
	k.checkTable(len(table), len(x), rows)
	switch {
	case len(rows) == 0:
	case k.avx2:
		addToRowsF32AVX2(&table[0], &x[0], &rows[0], len(rows), len(x))
	default:
		addToRowsF32(table, x, rows)
	}
}

func addToRowsF32(table, x []float32, rows []uint16) {
	for _, row := range rows {
		start := int(row) * len(x)
		for j, a := range x {
			table[start+j] += a
		}
	}
}

// dotLanes is the number of sums that DotFloat keeps and folds at the end.
const dotLanes = 32

// DotFloat returns the dot product of a and b, which are equally long.
func (k Kernels) DotFloat(a, b []float32) float32 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("simd: dot product of %d and %d numbers", len(a), len(b)))
	}
	n := len(a) / dotLanes * dotLanes
	var sum float32
	switch {
	case n == 0:
	case k.avx2:
		sum = dotF32AVX2(&a[0], &b[0], n)
	default:
		sum = dotF32(a[:n], b[:n])
	}
	for i := n; i < len(a); i++ {
		sum += float32(a[i] * b[i])
	}
	return sum
}

func dotF32(a, b []float32) float32 {
	var lanes [dotLanes]float32
	for i := 0; i < len(a); i += dotLanes {
		for j := range lanes {
			lanes[j] += float32(a[i+j] * b[i+j])
		}
	}
	return fold(lanes[:])
}

// fold adds the lanes: the upper half to the lower one until one is left. It overwrites them.
func fold(lanes []float32) float32 {
	for len(lanes) > 1 {
		half := len(lanes) / 2
		for j := range half {
			lanes[j] += lanes[half+j]
		}
		lanes = lanes[:half]
	}
	return lanes[0]
}

// Axpy adds a·x to y, which is as long as x.
func (k Kernels) Axpy(y []float32, a float32, x []float32) {
	if len(x) != len(y) {
		panic(fmt.Sprintf("simd: %d numbers added to %d", len(x), len(y)))
	}
	done := 0
	if n := len(y) &^ 7; k.avx2 && n > 0 {
		axpyF32AVX2(&y[0], &x[0], n, a)
		done = n
	}
	for i := done; i < len(y); i++ {
		y[i] += float32(a * x[i])
	}
}

// expLanes is the number of sums that ExpSum keeps and folds at the end.
const expLanes = 8

// ExpSum replaces each x by e^x and returns the sum. x is at most 80; one below -80 counts as -80. The relative error is below
// 1e-6.
func (k Kernels) ExpSum(x []float32) float32 {
	n := len(x) / expLanes * expLanes
	var sum float32
	switch {
	case n == 0:
	case k.avx2:
		sum = expSumAVX2(&x[0], n)
	default:
		sum = expSum(x[:n])
	}
	for i := n; i < len(x); i++ {
		x[i] = exp(x[i])
		sum += x[i]
	}
	return sum
}

func expSum(x []float32) float32 {
	var lanes [expLanes]float32
	for i := 0; i < len(x); i += expLanes {
		for j := range lanes {
			x[i+j] = exp(x[i+j])
			lanes[j] += x[i+j]
		}
	}
	return fold(lanes[:])
}

// expTerms are the coefficients of the polynomial for (e^r - 1 - r)/r², |r| <= ln(2)/2, from the Cephes library's expf.
var expTerms = [...]float32{1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1}

// Exp returns e^x as ExpSum computes it, the same on every machine. x is at most 80; one below -80 counts as -80.
func Exp(x float32) float32 { return exp(x) }

// exp is e^x = 2^n·e^r with n the integer nearest to x/ln 2. The conversions keep the compiler from fusing operations.
func exp(x float32) float32 {
	const rounder = 1<<23 + 1<<22 // adding it rounds to an integer and leaves that in the lowest bits
	const ln2High, ln2Low = .693359375, -2.12194440e-4
	if x < -80 {
		x = -80
	}
	power := float32(x*math.Log2E) + rounder
	n := power - rounder
	r := float32(x - float32(n*ln2High))
	r = float32(r - float32(n*ln2Low))
	y := expTerms[0]
	for _, term := range expTerms[1:] {
		y = float32(y*r) + term
	}
	y = float32(y*float32(r*r)) + r
	y++
	return math.Float32frombits(math.Float32bits(y) + math.Float32bits(power)<<23)
}
