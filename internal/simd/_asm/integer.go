package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// kernel opens a function whose pointers do not escape.
func kernel(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc)
}

func pointer(name string) Register { return Load(Param(name), GP64()) }

func ymms(n int) []VecVirtual {
	v := make([]VecVirtual, n)
	for i := range v {
		v[i] = YMM()
	}
	return v
}

func zero(v VecVirtual) { VPXOR(v, v, v) }

// rowAddress returns base + (row number at rows[i])·stride.
func rowAddress(base, rows, i, stride Register) Register {
	address := GP64()
	MOVWQZX(Mem{Base: rows, Index: i, Scale: 2}, address)
	IMULQ(stride, address)
	ADDQ(base, address)
	return address
}

// pairs adds rows of bytes to 16-bit sums, two rows at a time: it interleaves their bytes and lets one instruction add each byte
// to its neighbour, which widens them. That is faster than to widen each row by itself. The sums of 32 columns are then
// held as columns 0-7, 16-23 and 8-15, 24-31.
type pairs struct {
	ones VecVirtual
	sums []VecVirtual
}

func newPairs(columns int) pairs {
	p := pairs{ones: YMM(), sums: ymms(columns / 16)}
	VPCMPEQB(p.ones, p.ones, p.ones)
	VPABSB(p.ones, p.ones)
	return p
}

// add adds the rows at two addresses; second is nil for none.
func (p pairs) add(first, second Register) {
	for c := 0; c < len(p.sums); c += 2 {
		a, b, low, high := YMM(), YMM(), YMM(), YMM()
		VMOVDQU(Mem{Base: first, Disp: 16 * c}, a)
		if second == nil {
			zero(b)
		} else {
			VMOVDQU(Mem{Base: second, Disp: 16 * c}, b)
		}
		VPUNPCKLBW(a, b, low)
		VPUNPCKHBW(a, b, high)
		VPMADDUBSW(low, p.ones, low)
		VPMADDUBSW(high, p.ones, high)
		VPADDW(low, p.sums[c], p.sums[c])
		VPADDW(high, p.sums[c+1], p.sums[c+1])
	}
}

// reorder turns two registers of 16 columns from the order of memory to that of pairs or back.
func reorder(a, b VecVirtual) (low, high VecVirtual) {
	low, high = YMM(), YMM()
	VPERM2I128(U8(0x20), b, a, low)
	VPERM2I128(U8(0x31), b, a, high)
	return low, high
}

// loadReordered loads 32 columns of 16 bits in the order of pairs.
func loadReordered(base Register, disp int) (low, high VecVirtual) {
	a, b := YMM(), YMM()
	VMOVDQU(Mem{Base: base, Disp: disp}, a)
	VMOVDQU(Mem{Base: base, Disp: disp + 32}, b)
	return reorder(a, b)
}

// sumRowsI8 keeps 128 or 64 columns in registers while it goes through all rows.
func sumRowsI8() {
	kernel("sumRowsI8AVX2", "func(acc, bias *int16, table *int8, rows *uint16, count, width int)",
		"sumRowsI8AVX2 sets acc to bias plus rows of the table; count at least 1, width a multiple of 64.")
	acc, bias, table, rows := pointer("acc"), pointer("bias"), pointer("table"), pointer("rows")
	count, width := Load(Param("count"), GP64()), Load(Param("width"), GP64())
	left := GP64()
	MOVQ(width, left)
	block := func(label string, columns int) {
		p := newPairs(columns)
		for _, v := range p.sums {
			zero(v)
		}
		i := GP64()
		XORQ(i, i)
		TESTQ(U32(1), count)
		JE(LabelRef(label + "Pair"))
		p.add(rowAddress(table, rows, i, width), nil)
		INCQ(i)
		CMPQ(i, count)
		JE(LabelRef(label + "Store"))
		Label(label + "Pair")
		first := rowAddress(table, rows, i, width)
		INCQ(i)
		p.add(first, rowAddress(table, rows, i, width))
		INCQ(i)
		CMPQ(i, count)
		JNE(LabelRef(label + "Pair"))
		Label(label + "Store")
		for c := 0; c < len(p.sums); c += 2 {
			a, b := reorder(p.sums[c], p.sums[c+1])
			for k, v := range []VecVirtual{a, b} {
				VPADDW(Mem{Base: bias, Disp: 32 * (c + k)}, v, v)
				VMOVDQU(v, Mem{Base: acc, Disp: 32 * (c + k)})
			}
		}
		ADDQ(U32(2*columns), bias)
		ADDQ(U32(2*columns), acc)
		ADDQ(U32(columns), table)
		SUBQ(U32(columns), left)
	}
	Label("wide")
	CMPQ(left, U32(128))
	JLT(LabelRef("narrow"))
	block("wide", 128)
	JMP(LabelRef("wide"))
	Label("narrow")
	TESTQ(left, left)
	JE(LabelRef("done"))
	block("narrow", 64)
	Label("done")
	VZEROUPPER()
	RET()
}

// maxU16 looks at 16 row numbers at a time.
func maxU16() {
	kernel("maxU16AVX2", "func(x *uint16, n int) uint16", "maxU16AVX2 returns the largest x; n is a multiple of 16, at least 16.")
	x, n := pointer("x"), pointer("n")
	highest := YMM()
	zero(highest)
	Label("loop")
	VPMAXUW(Mem{Base: x}, highest, highest)
	ADDQ(U8(32), x)
	SUBQ(U8(16), n)
	JNE(LabelRef("loop"))
	half := XMM()
	VEXTRACTI128(U8(1), highest, half)
	VPMAXUW(highest.AsX(), half, half)
	// The instruction that looks for the smallest of eight, on the complements.
	ones := XMM()
	VPCMPEQW(ones, ones, ones)
	VPXOR(ones, half, half)
	VPHMINPOSUW(half, half)
	result := GP32()
	VMOVD(half, result)
	NOTL(result)
	Store(result.As16(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func clampPair() {
	kernel("clampPairAVX2", "func(acc *int16, limit *int16, shift int, out *uint8, half int)",
		"clampPairAVX2 multiplies the halves of acc, each clamped to 0..limit; half is a multiple of 32.")
	acc, limitAt, out, half := pointer("acc"), pointer("limit"), pointer("out"), pointer("half")
	limit, none, shift := YMM(), YMM(), XMM()
	VPBROADCASTW(Mem{Base: limitAt}, limit)
	zero(none)
	shiftBy := GP64()
	Load(Param("shift"), shiftBy)
	MOVQ(shiftBy, shift)
	second := GP64()
	LEAQ(Mem{Base: acc, Index: half, Scale: 2}, second)
	clamped := func(at Mem) VecVirtual {
		v := YMM()
		VPMAXSW(at, none, v)
		VPMINSW(v, limit, v)
		VPSLLW(shift, v, v)
		return v
	}
	i := GP64()
	XORQ(i, i)
	Label("loop")
	products := ymms(2)
	for j, v := range products {
		a := clamped(Mem{Base: acc, Index: i, Scale: 2, Disp: 32 * j})
		b := clamped(Mem{Base: second, Index: i, Scale: 2, Disp: 32 * j})
		VPMULHRSW(a, b, v)
	}
	packed := YMM()
	VPACKUSWB(products[1], products[0], packed)
	VPERMQ(U8(0b11_01_10_00), packed, packed)
	VMOVDQU(packed, Mem{Base: out, Index: i, Scale: 1})
	ADDQ(U8(32), i)
	CMPQ(i, half)
	JNE(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// denseU8I8 multiplies bytes in pairs, then the pairs' sums with ones, which widens them; four rows at a time while there are as
// many.
func denseU8I8() {
	kernel("denseU8I8AVX2", "func(x *uint8, w *int8, out *int32, columns, count int)",
		"denseU8I8AVX2 writes the dot product of x with each row of w; columns is a multiple of 32, count at least 1.")
	x, w, out := pointer("x"), pointer("w"), pointer("out")
	columns, count := Load(Param("columns"), GP64()), Load(Param("count"), GP64())
	ones, i := YMM(), GP64()
	VPCMPEQW(ones, ones, ones)
	VPSRLW(U8(15), ones, ones)
	// products adds the products of the rows at the addresses, column by column.
	products := func(label string, rows ...Register) []VecVirtual {
		sums := ymms(len(rows))
		for _, v := range sums {
			zero(v)
		}
		XORQ(i, i)
		Label(label)
		input := YMM()
		VMOVDQU(Mem{Base: x, Index: i, Scale: 1}, input)
		for k, v := range sums {
			product := YMM()
			VPMADDUBSW(Mem{Base: rows[k], Index: i, Scale: 1}, input, product)
			VPMADDWD(ones, product, product)
			VPADDD(product, v, v)
		}
		ADDQ(U8(32), i)
		CMPQ(i, columns)
		JNE(LabelRef(label))
		return sums
	}
	Label("four")
	CMPQ(count, U32(4))
	JLT(LabelRef("rest"))
	rows := []Register{w}
	for range 3 {
		next := GP64()
		LEAQ(Mem{Base: rows[len(rows)-1], Index: columns, Scale: 1}, next)
		rows = append(rows, next)
	}
	sums := products("fourColumns", rows...)
	VPHADDD(sums[1], sums[0], sums[0])
	VPHADDD(sums[3], sums[2], sums[2])
	VPHADDD(sums[2], sums[0], sums[0])
	totals := XMM()
	VEXTRACTI128(U8(1), sums[0], totals)
	VPADDD(sums[0].AsX(), totals, totals)
	VMOVDQU(totals, Mem{Base: out})
	LEAQ(Mem{Base: w, Index: columns, Scale: 4}, w)
	ADDQ(U8(16), out)
	SUBQ(U8(4), count)
	JMP(LabelRef("four"))
	Label("rest")
	TESTQ(count, count)
	JE(LabelRef("done"))
	Label("one")
	MOVL(reduceI32(products("oneColumns", w)[0]), Mem{Base: out})
	ADDQ(columns, w)
	ADDQ(U8(4), out)
	DECQ(count)
	JNE(LabelRef("one"))
	Label("done")
	VZEROUPPER()
	RET()
}

// reduceI32 adds the eight lanes.
func reduceI32(v VecVirtual) Register {
	high := XMM()
	low := v.AsX()
	VEXTRACTI128(U8(1), v, high)
	VPADDD(low, high, high)
	other := XMM()
	VPSHUFD(U8(0b01_00_11_10), high, other)
	VPADDD(other, high, high)
	VPSHUFD(U8(0b10_11_00_01), high, other)
	VPADDD(other, high, high)
	total := GP32()
	VMOVD(high, total)
	return total
}

func dotU8I16() {
	kernel("dotU8I16AVX2", "func(x *uint8, w *int16, n int) int32",
		"dotU8I16AVX2 returns the dot product; n is a multiple of 16.")
	x, w, n := pointer("x"), pointer("w"), pointer("n")
	sum := YMM()
	zero(sum)
	i := GP64()
	XORQ(i, i)
	Label("loop")
	wide := YMM()
	VPMOVZXBW(Mem{Base: x, Index: i, Scale: 1}, wide)
	VPMADDWD(Mem{Base: w, Index: i, Scale: 2}, wide, wide)
	VPADDD(wide, sum, sum)
	ADDQ(U8(16), i)
	CMPQ(i, n)
	JNE(LabelRef("loop"))
	total := reduceI32(sum)
	Store(total, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// moveLogits keeps the context and one move's 64 sums in registers.
func moveLogits() {
	kernel("moveLogitsAVX2", "func(context *int16, table *int8, rows *uint16, ends *int32, v *int16, limit *int16, logits *int32, count int)",
		"moveLogitsAVX2 writes the logit of each of count moves, at least 1; rows of the table are 64 wide.")
	contextAt, table, rows, ends := pointer("context"), pointer("table"), pointer("rows"), pointer("ends")
	vAt, limitAt, logits, count := pointer("v"), pointer("limit"), pointer("logits"), pointer("count")
	var context [4]VecVirtual
	context[0], context[1] = loadReordered(contextAt, 0)
	context[2], context[3] = loadReordered(contextAt, 64)
	v := AllocLocal(128)
	for c := 0; c < 4; c += 2 {
		low, high := loadReordered(vAt, 32*c)
		VMOVDQU(low, v.Offset(32*c))
		VMOVDQU(high, v.Offset(32*c+32))
	}
	limit, none := YMM(), YMM()
	VPBROADCASTW(Mem{Base: limitAt}, limit)
	zero(none)
	p := newPairs(64)
	i, end := GP64(), GP64()
	XORQ(i, i)
	at := func() Register {
		address := GP64()
		MOVWQZX(Mem{Base: rows, Index: i, Scale: 2}, address)
		SHLQ(U8(6), address)
		ADDQ(table, address)
		INCQ(i)
		return address
	}
	Label("move")
	for j, s := range p.sums {
		VMOVDQA(context[j], s)
	}
	MOVLQSX(Mem{Base: ends}, end)
	left := GP64()
	MOVQ(end, left)
	SUBQ(i, left)
	TESTQ(U32(1), left)
	JE(LabelRef("even"))
	p.add(at(), nil)
	Label("even")
	CMPQ(i, end)
	JGE(LabelRef("activate"))
	Label("pair")
	first := at()
	p.add(first, at())
	CMPQ(i, end)
	JLT(LabelRef("pair"))
	Label("activate")
	for j, s := range p.sums {
		VPMAXSW(s, none, s)
		VPMINSW(s, limit, s)
		VPMULLW(s, s, s)
		VPMADDWD(v.Offset(32*j), s, s)
	}
	VPADDD(p.sums[1], p.sums[0], p.sums[0])
	VPADDD(p.sums[3], p.sums[2], p.sums[2])
	VPADDD(p.sums[2], p.sums[0], p.sums[0])
	MOVL(reduceI32(p.sums[0]), Mem{Base: logits})
	ADDQ(U8(4), logits)
	ADDQ(U8(4), ends)
	DECQ(count)
	JNE(LabelRef("move"))
	VZEROUPPER()
	RET()
}
