package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// No kernel fuses a multiplication with an addition: the Go twins round between the two.

// sumRowsF32 keeps 64 columns in registers while it goes through all rows.
func sumRowsF32() {
	kernel("sumRowsF32AVX2", "func(acc, bias, table *float32, rows *uint16, count, width int)",
		"sumRowsF32AVX2 sets acc to bias plus rows of the table; count at least 1, width a multiple of 64.")
	acc, bias, table, rows := pointer("acc"), pointer("bias"), pointer("table"), pointer("rows")
	count, stride := Load(Param("count"), GP64()), Load(Param("width"), GP64())
	left := GP64()
	MOVQ(stride, left)
	SHLQ(U8(2), stride)
	Label("block")
	sums := ymms(8)
	for j, v := range sums {
		VMOVUPS(Mem{Base: bias, Disp: 32 * j}, v)
	}
	i := GP64()
	XORQ(i, i)
	Label("row")
	address := rowAddress(table, rows, i, stride)
	for j, v := range sums {
		VADDPS(Mem{Base: address, Disp: 32 * j}, v, v)
	}
	INCQ(i)
	CMPQ(i, count)
	JNE(LabelRef("row"))
	for j, v := range sums {
		VMOVUPS(v, Mem{Base: acc, Disp: 32 * j})
	}
	for _, p := range []Register{bias, acc, table} {
		ADDQ(U32(256), p)
	}
	SUBQ(U8(64), left)
	JNE(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// addToRowsF32 keeps 64 columns of the gradient in registers while it goes through all rows.
func addToRowsF32() {
	kernel("addToRowsF32AVX2", "func(table, x *float32, rows *uint16, count, width int)",
		"addToRowsF32AVX2 adds x to rows of the table; count at least 1, width a multiple of 64.")
	table, x, rows := pointer("table"), pointer("x"), pointer("rows")
	count, stride := Load(Param("count"), GP64()), Load(Param("width"), GP64())
	left := GP64()
	MOVQ(stride, left)
	SHLQ(U8(2), stride)
	Label("block")
	values := ymms(8)
	for j, v := range values {
		VMOVUPS(Mem{Base: x, Disp: 32 * j}, v)
	}
	i := GP64()
	XORQ(i, i)
	Label("row")
	address := rowAddress(table, rows, i, stride)
	for j, v := range values {
		sum := YMM()
		VADDPS(Mem{Base: address, Disp: 32 * j}, v, sum)
		VMOVUPS(sum, Mem{Base: address, Disp: 32 * j})
	}
	INCQ(i)
	CMPQ(i, count)
	JNE(LabelRef("row"))
	for _, p := range []Register{x, table} {
		ADDQ(U32(256), p)
	}
	SUBQ(U8(64), left)
	JNE(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// dotF32 adds in 32 lanes, then folds them: 32 to 16 to 8 and so on.
func dotF32() {
	kernel("dotF32AVX2", "func(a, b *float32, n int) float32", "dotF32AVX2 returns the dot product; n is a multiple of 32, at least 32.")
	a, b, n := pointer("a"), pointer("b"), pointer("n")
	sums := ymms(4)
	for _, v := range sums {
		zero(v)
	}
	Label("loop")
	for j, v := range sums {
		product := YMM()
		VMOVUPS(Mem{Base: a, Disp: 32 * j}, product)
		VMULPS(Mem{Base: b, Disp: 32 * j}, product, product)
		VADDPS(product, v, v)
	}
	ADDQ(U32(128), a)
	ADDQ(U32(128), b)
	SUBQ(U8(32), n)
	JNE(LabelRef("loop"))
	VADDPS(sums[2], sums[0], sums[0])
	VADDPS(sums[3], sums[1], sums[1])
	VADDPS(sums[1], sums[0], sums[0])
	Store(reduceF32(sums[0]), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// reduceF32 folds the eight lanes: 8 to 4 to 2 to 1.
func reduceF32(v VecVirtual) Register {
	sum, other := XMM(), XMM()
	VEXTRACTF128(U8(1), v, sum)
	VADDPS(v.AsX(), sum, sum)
	VPSHUFD(U8(0b01_00_11_10), sum, other)
	VADDPS(other, sum, sum)
	VPSHUFD(U8(0b10_11_00_01), sum, other)
	VADDSS(other, sum, sum)
	return sum
}

func axpyF32() {
	kernel("axpyF32AVX2", "func(y, x *float32, n int, a float32)", "axpyF32AVX2 adds a·x to y; n is a multiple of 8, at least 8.")
	y, x, n := pointer("y"), pointer("x"), pointer("n")
	a := YMM()
	at, err := Param("a").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(at.Addr, a)
	Label("loop")
	product := YMM()
	VMULPS(Mem{Base: x}, a, product)
	VADDPS(Mem{Base: y}, product, product)
	VMOVUPS(product, Mem{Base: y})
	ADDQ(U8(32), x)
	ADDQ(U8(32), y)
	SUBQ(U8(8), n)
	JNE(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// constant returns a register with x in all lanes, from the data section.
func constant(name string, x float32) Mem {
	at := GLOBL(name, RODATA|NOPTR)
	for lane := range 8 {
		DATA(4*lane, U32(math.Float32bits(x)))
	}
	return at
}

// expSum is e^x = 2^n·e^r with n the integer nearest to x/ln 2, and a polynomial for e^r.
func expSum() {
	lowest := constant("expLowest", -80)
	log2e := constant("expLog2e", math.Log2E)
	rounder := constant("expRounder", 1<<23+1<<22)
	ln2High, ln2Low := constant("expLn2High", .693359375), constant("expLn2Low", -2.12194440e-4)
	one := constant("expOne", 1)
	terms := []Mem{
		constant("expP0", 1.9875691500e-4), constant("expP1", 1.3981999507e-3), constant("expP2", 8.3334519073e-3),
		constant("expP3", 4.1665795894e-2), constant("expP4", 1.6666665459e-1), constant("expP5", 5.0000001201e-1),
	}
	kernel("expSumAVX2", "func(x *float32, n int) float32",
		"expSumAVX2 replaces each x by e^x and returns the sum; n is a multiple of 8, at least 8.")
	x, n := pointer("x"), pointer("n")
	sum := YMM()
	zero(sum)
	Label("loop")
	v, power, r, y, square := YMM(), YMM(), YMM(), YMM(), YMM()
	VMOVUPS(lowest, v)
	VMAXPS(Mem{Base: x}, v, v)
	VMULPS(log2e, v, power)
	VADDPS(rounder, power, power)
	VSUBPS(rounder, power, r) // n as a float
	VPSLLD(U8(23), power, power)
	product := YMM()
	VMULPS(ln2High, r, product)
	VSUBPS(product, v, v)
	VMULPS(ln2Low, r, product)
	VSUBPS(product, v, r)
	VMULPS(r, r, square)
	VMOVUPS(terms[0], y)
	for _, term := range terms[1:] {
		VMULPS(r, y, y)
		VADDPS(term, y, y)
	}
	VMULPS(square, y, y)
	VADDPS(r, y, y)
	VADDPS(one, y, y)
	VPADDD(power, y, y) // adds n to the exponent
	VMOVUPS(y, Mem{Base: x})
	VADDPS(y, sum, sum)
	ADDQ(U8(32), x)
	SUBQ(U8(8), n)
	JNE(LabelRef("loop"))
	Store(reduceF32(sum), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// adam avoids the name g, which the assembler keeps for the goroutine, and reads its parameters from an array, in the order of the fields of Adam.
func adam() {
	kernel("adamAVX2", "func(w, m, v, gradient *float32, n int, p *[6]float32)",
		"adamAVX2 is one step of Adam and clears the gradient; n is a multiple of 8, at least 8.")
	w, m, v, g, n, p := pointer("w"), pointer("m"), pointer("v"), pointer("gradient"), pointer("n"), pointer("p")
	parameters := ymms(6)
	for i, x := range parameters {
		VBROADCASTSS(Mem{Base: p, Disp: 4 * i}, x)
	}
	mean, spread, rate, epsilon, keep, limit := parameters[0], parameters[1], parameters[2], parameters[3], parameters[4], parameters[5]
	none, lower := YMM(), YMM()
	zero(none)
	VSUBPS(limit, none, lower)
	Label("loop")
	gv, mv, vv, wv, t := YMM(), YMM(), YMM(), YMM(), YMM()
	VMOVUPS(Mem{Base: g}, gv)
	VMOVUPS(none, Mem{Base: g})
	VMOVUPS(Mem{Base: m}, mv)
	VSUBPS(mv, gv, t)
	VMULPS(mean, t, t)
	VADDPS(t, mv, mv)
	VMOVUPS(mv, Mem{Base: m})
	VMOVUPS(Mem{Base: v}, vv)
	VMULPS(gv, gv, t)
	VSUBPS(vv, t, t)
	VMULPS(spread, t, t)
	VADDPS(t, vv, vv)
	VMOVUPS(vv, Mem{Base: v})
	VSQRTPS(vv, vv)
	VADDPS(epsilon, vv, vv)
	VMULPS(rate, mv, mv)
	VDIVPS(vv, mv, mv)
	VMULPS(Mem{Base: w}, keep, wv)
	VSUBPS(mv, wv, wv)
	VMINPS(wv, limit, wv)
	VMAXPS(wv, lower, wv)
	VMOVUPS(wv, Mem{Base: w})
	for _, x := range []Register{w, m, v, g} {
		ADDQ(U8(32), x)
	}
	SUBQ(U8(8), n)
	JNE(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
