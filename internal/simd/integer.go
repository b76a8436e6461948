package simd

import (
	"fmt"
	"math/bits"
)

// SumRows sets acc to bias plus the table's rows. A row is as long as acc and bias, a multiple of 64. Sums wrap around: the
// caller sees to it that they fit in 16 bits.
func (k Kernels) SumRows(acc, bias []int16, table []int8, rows []uint16) {
	if len(acc) != len(bias) {
		panic(fmt.Sprintf("simd: %d sums with %d biases", len(acc), len(bias)))
	}
	k.checkTable(len(table), len(acc), rows)
	switch {
	case len(rows) == 0:
		copy(acc, bias)
	case k.avx2:
		sumRowsI8AVX2(&acc[0], &bias[0], &table[0], &rows[0], len(rows), len(acc))
	default:
		sumRowsI8(acc, bias, table, rows)
	}
}

func sumRowsI8(acc, bias []int16, table []int8, rows []uint16) {
	copy(acc, bias)
	for _, row := range rows {
		start := int(row) * len(acc)
		for j, x := range table[start : start+len(acc)] {
			acc[j] += int16(x)
		}
	}
}

// UnitOne is what stands for 1.0 in the output of ClampPair.
const UnitOne = 128

// clampPairOne is what ClampPair scales 1.0 to before it multiplies, so that the product, of 2¹⁵, has UnitOne for 1.0.
const clampPairOne = 2048

// ClampPair clamps acc to 0..one, multiplies each number of the first half with its partner in the second and writes
// the rounded products, 0..UnitOne. one stands for 1.0 in acc; it is a power of two from 1 to 2048. A half is a multiple of 32.
func (k Kernels) ClampPair(acc []int16, one int, out []uint8) {
	half := len(out)
	if len(acc) != 2*half || half == 0 || half%32 != 0 {
		panic(fmt.Sprintf("simd: %d sums into %d units", len(acc), half))
	}
	if one <= 0 || one > clampPairOne || one&(one-1) != 0 {
		panic(fmt.Sprintf("simd: one is %d, not a power of two to %d", one, clampPairOne))
	}
	shift := bits.TrailingZeros(clampPairOne) - bits.TrailingZeros(uint(one))
	limit := int16(one)
	if k.avx2 {
		clampPairAVX2(&acc[0], &limit, shift, &out[0], half)
		return
	}
	clampPair(acc, limit, shift, out)
}

func clampPair(acc []int16, limit int16, shift int, out []uint8) {
	first, second := acc[:len(out)], acc[len(out):]
	for i := range out {
		a := int32(min(max(first[i], 0), limit)) << shift
		b := int32(min(max(second[i], 0), limit)) << shift
		out[i] = uint8((a*b + 1<<14) >> 15)
	}
}

// Dense writes to out the dot product of x with each row of w. A row is as long as x, a multiple of 32; x is at most
// UnitOne and w at least -127.
func (k Kernels) Dense(x []uint8, w []int8, out []int32) {
	if len(x) == 0 || len(x)%32 != 0 || len(w) != len(x)*len(out) {
		panic(fmt.Sprintf("simd: %d weights for %d inputs, %d outputs", len(w), len(x), len(out)))
	}
	switch {
	case len(out) == 0:
	case k.avx2:
		denseU8I8AVX2(&x[0], &w[0], &out[0], len(x), len(out))
	default:
		denseU8I8(x, w, out)
	}
}

func denseU8I8(x []uint8, w []int8, out []int32) {
	for i := range out {
		var sum int32
		for j, a := range w[i*len(x) : (i+1)*len(x)] {
			sum += int32(x[j]) * int32(a)
		}
		out[i] = sum
	}
}

// Dot returns the dot product of x and w, which are equally long, a multiple of 16.
func (k Kernels) Dot(x []uint8, w []int16) int32 {
	if len(x) == 0 || len(x)%16 != 0 || len(x) != len(w) {
		panic(fmt.Sprintf("simd: %d weights for %d inputs", len(w), len(x)))
	}
	if k.avx2 {
		return dotU8I16AVX2(&x[0], &w[0], len(x))
	}
	return dotU8I16(x, w)
}

func dotU8I16(x []uint8, w []int16) int32 {
	var sum int32
	for i, a := range w {
		sum += int32(x[i]) * int32(a)
	}
	return sum
}

// MoveWidth is the width of the table that MoveLogits reads.
const MoveWidth = 64

// MoveSet is the moves of a position as rows of a table: those of move i end before Ends[i] and begin where the ones
// before end.
type MoveSet struct {
	Rows []uint16
	Ends []int32
}

// MoveLogits computes for each move: the sum of context and its rows, clamped to 0..one, squared, times v. context, v and the
// table's rows are MoveWidth long; one is at most 128. Sums wrap around: the caller sees to it that they fit in 16 bits, and the
// logits in 32.
func (k Kernels) MoveLogits(context []int16, table []int8, moves MoveSet, v []int16, one int16, logits []int32) {
	if len(context) != MoveWidth || len(v) != MoveWidth {
		panic(fmt.Sprintf("simd: move kernel with widths %d, %d", len(context), len(v)))
	}
	if one <= 0 || one > 128 {
		panic(fmt.Sprintf("simd: move kernel with one = %d", one))
	}
	if len(logits) != len(moves.Ends) {
		panic(fmt.Sprintf("simd: %d logits for %d moves", len(logits), len(moves.Ends)))
	}
	k.checkTable(len(table), MoveWidth, moves.Rows)
	start := int32(0)
	for _, end := range moves.Ends {
		if end < start || int(end) > len(moves.Rows) {
			panic(fmt.Sprintf("simd: a move's rows go from %d to %d of %d", start, end, len(moves.Rows)))
		}
		start = end
	}
	switch {
	case len(logits) == 0:
	case k.avx2 && len(moves.Rows) > 0:
		moveLogitsAVX2(&context[0], &table[0], &moves.Rows[0], &moves.Ends[0], &v[0], &one, &logits[0], len(logits))
	default:
		moveLogits(context, table, moves, v, one, logits)
	}
}

func moveLogits(context []int16, table []int8, moves MoveSet, v []int16, one int16, logits []int32) {
	start := int32(0)
	for i, end := range moves.Ends {
		var acc [MoveWidth]int16
		sumRowsI8(acc[:], context, table, moves.Rows[start:end])
		var logit int32
		for j, e := range acc {
			a := int32(min(max(e, 0), one))
			logit += a * a * int32(v[j])
		}
		logits[i] = logit
		start = end
	}
}
