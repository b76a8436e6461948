// Command _asm writes the AVX2 kernels of package simd: kernels_amd64.s and the Go declarations of its functions.
//
// The vector loops take counts that are multiples of their step; package simd checks lengths and does the rest in Go.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	sumRowsI8()
	maxU16()
	clampPair()
	denseU8I8()
	dotU8I16()
	moveLogits()
	sumRowsF32()
	addToRowsF32()
	dotF32()
	axpyF32()
	expSum()
	adam()
	Generate()
}
