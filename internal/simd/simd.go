// Package simd holds the inner loops of the nets. Each has a plain Go form and, for amd64, an AVX2 form in assembly; both give
// the same results bit for bit, also in float32, because both add in the same order and round after each operation. So a search
// and a training run repeat on any machine.
//
// Words: a table is a flat matrix, row after row; rows are the numbers of the active ones, the inputs that are 1. A call always
// handles many rows, since calling assembly costs as much as a row.
//
// The assembly is generated: the generator, a module of its own, is in _asm. Build tag purego leaves it out.
package simd

import "fmt"

//go:generate go -C _asm run . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg simd

// Kernels is a set of kernels. The zero value is the plain set. All methods panic when lengths do not fit or a row lies
// outside its table, as these are errors of the caller.
type Kernels struct{ avx2 bool }

// Best returns the fastest set for this machine.
func Best() Kernels { return Kernels{avx2: hasAVX2()} }

// Plain returns the set in plain Go.
func Plain() Kernels { return Kernels{} }

// Name returns "avx2" or "plain".
func (k Kernels) Name() string {
	if k.avx2 {
		return "avx2"
	}
	return "plain"
}

// Name returns the name of the fastest set for this machine.
func Name() string { return Best().Name() }

// block is the number of columns that row kernels handle at a time.
const block = 64

// checkTable panics unless width is a multiple of 64 and all rows lie in a table of the given length.
func (k Kernels) checkTable(length, width int, rows []uint16) {
	if width == 0 || width%block != 0 {
		panic(fmt.Sprintf("simd: width %d is not a multiple of %d", width, block))
	}
	if len(rows) > 0 && (int(k.maxRow(rows))+1)*width > length {
		panic(fmt.Sprintf("simd: row %d lies outside a table of %d rows", k.maxRow(rows), length/width))
	}
}

// maxRow returns the largest row number.
func (k Kernels) maxRow(rows []uint16) uint16 {
	highest, done := uint16(0), 0
	if n := len(rows) &^ 15; k.avx2 && n > 0 {
		highest, done = maxU16AVX2(&rows[0], n), n
	}
	for _, row := range rows[done:] {
		highest = max(highest, row)
	}
	return highest
}
