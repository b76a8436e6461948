package simd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/simd"
)

// best returns the fast kernels; the test is skipped when they are the plain ones.
func best(t testing.TB) simd.Kernels {
	if simd.Best() == simd.Plain() {
		t.Skip("no fast kernels here")
	}
	return simd.Best()
}

func bytes(random *rand.Rand, n int) []int8 {
	x := make([]int8, n)
	for i := range x {
		x[i] = int8(random.IntN(255) - 127)
	}
	return x
}

func words(random *rand.Rand, n, size int) []int16 {
	x := make([]int16, n)
	for i := range x {
		x[i] = int16(random.IntN(2*size+1) - size)
	}
	return x
}

func units(random *rand.Rand, n int) []uint8 {
	x := make([]uint8, n)
	for i := range x {
		x[i] = uint8(random.IntN(simd.UnitOne + 1))
	}
	return x
}

func floats(random *rand.Rand, n int, size float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(random.NormFloat64() * size)
	}
	return x
}

func rowsOf(random *rand.Rand, n, table int) []uint16 {
	x := make([]uint16, n)
	for i := range x {
		x[i] = uint16(random.IntN(table))
	}
	return x
}

// bits makes floats comparable bit for bit.
func bits(x ...float32) []uint32 {
	b := make([]uint32, len(x))
	for i := range x {
		b[i] = math.Float32bits(x[i])
	}
	return b
}

// addSeeds gives a fuzz target of (seed, a, b) some sizes to begin with.
func addSeeds(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed), uint8(seed*seed*5))
	}
}

func FuzzSumRows(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, seed uint64, blocks, count uint8) {
		k, random := best(t), rand.New(rand.NewPCG(seed, 1))
		width := 64 * (1 + int(blocks%9))
		table, rows := bytes(random, 50*width), rowsOf(random, int(count), 50)
		bias := words(random, width, 32767)
		fast, plain := make([]int16, width), make([]int16, width)
		k.SumRows(fast, bias, table, rows)
		simd.Plain().SumRows(plain, bias, table, rows)
		require.Equal(t, plain, fast)
	})
}

func FuzzUnits(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, seed uint64, blocks, count uint8) {
		k, random := best(t), rand.New(rand.NewPCG(seed, 2))
		half := 32 * (1 + int(blocks%9))
		acc, one := words(random, 2*half, 32767>>(seed%10)), 1<<(count%12)
		fast, plain := make([]uint8, half), make([]uint8, half)
		k.ClampPair(acc, one, fast)
		simd.Plain().ClampPair(acc, one, plain)
		require.Equal(t, plain, fast)

		x, w := units(random, half), bytes(random, half*int(count))
		fastOut, plainOut := make([]int32, count), make([]int32, count)
		k.Dense(x, w, fastOut)
		simd.Plain().Dense(x, w, plainOut)
		require.Equal(t, plainOut, fastOut)

		v := words(random, half, 32767)
		require.Equal(t, simd.Plain().Dot(x, v), k.Dot(x, v))
	})
}

func FuzzMoveLogits(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, seed uint64, moves, most uint8) {
		k, random := best(t), rand.New(rand.NewPCG(seed, 3))
		table := bytes(random, 100*simd.MoveWidth)
		var set simd.MoveSet
		for range moves {
			set.Rows = append(set.Rows, rowsOf(random, random.IntN(int(most)+1), 100)...)
			set.Ends = append(set.Ends, int32(len(set.Rows)))
		}
		context, v := words(random, simd.MoveWidth, 200), words(random, simd.MoveWidth, 4095)
		fast, plain := make([]int32, moves), make([]int32, moves)
		one := int16(1 + most%128)
		k.MoveLogits(context, table, set, v, one, fast)
		simd.Plain().MoveLogits(context, table, set, v, one, plain)
		require.Equal(t, plain, fast)
	})
}

func FuzzFloatRows(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, seed uint64, blocks, count uint8) {
		k, random := best(t), rand.New(rand.NewPCG(seed, 4))
		width := 64 * (1 + int(blocks%5))
		table, rows := floats(random, 20*width, 1), rowsOf(random, int(count), 20)
		bias := floats(random, width, 1)
		fast, plain := make([]float32, width), make([]float32, width)
		k.SumFloatRows(fast, bias, table, rows)
		simd.Plain().SumFloatRows(plain, bias, table, rows)
		require.Equal(t, bits(plain...), bits(fast...))

		other := append([]float32(nil), table...)
		k.AddToRows(table, bias, rows)
		simd.Plain().AddToRows(other, bias, rows)
		require.Equal(t, bits(other...), bits(table...))
	})
}

func FuzzFloatVectors(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, seed uint64, n, size uint8) {
		k, random := best(t), rand.New(rand.NewPCG(seed, 5))
		a, b := floats(random, int(n), float64(size)), floats(random, int(n), 1)
		require.Equal(t, bits(simd.Plain().DotFloat(a, b)), bits(k.DotFloat(a, b)))

		fast, plain := append([]float32(nil), b...), append([]float32(nil), b...)
		k.Axpy(fast, float32(size), a)
		simd.Plain().Axpy(plain, float32(size), a)
		require.Equal(t, bits(plain...), bits(fast...))

		for i := range a {
			fast[i] = min(a[i], 80) // the kernel's range; above it the two may give different not-a-numbers
		}
		copy(plain, fast)
		require.Equal(t, bits(simd.Plain().ExpSum(plain)), bits(k.ExpSum(fast)))
		require.Equal(t, bits(plain...), bits(fast...))
	})
}

func FuzzAdam(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, seed uint64, n, size uint8) {
		k := best(t)
		step := simd.Adam{Mean: .1, Spread: .001, Rate: float32(size) / 256, Epsilon: 1e-8, Keep: .999, Limit: 2}
		run := func(k simd.Kernels) (state [][]float32) {
			random := rand.New(rand.NewPCG(seed, 6))
			w, m, v := floats(random, int(n), 1), make([]float32, n), make([]float32, n)
			for range 3 {
				g := floats(random, int(n), float64(size))
				k.Step(&step, w, m, v, g)
				state = append(state, g)
			}
			return append(state, w, m, v)
		}
		plain, fast := run(simd.Plain()), run(k)
		for i := range plain {
			require.Equal(t, bits(plain[i]...), bits(fast[i]...))
		}
	})
}

// TestExp compares with the library for the numbers that a softmax meets, and at the ends.
func TestExp(t *testing.T) {
	for _, k := range []simd.Kernels{simd.Plain(), simd.Best()} {
		var x []float32
		for a := -80.0; a <= 80; a += .0137 {
			x = append(x, float32(a))
		}
		y := append([]float32(nil), x...)
		k.ExpSum(y)
		for i := range x {
			require.InEpsilon(t, math.Exp(float64(x[i])), y[i], 1e-6, "e^%v", x[i])
		}
		ends := []float32{0, -1e30, float32(math.Inf(-1))}
		sum := k.ExpSum(ends)
		require.Equal(t, float32(1), ends[0], "exactly 1")
		require.InEpsilon(t, math.Exp(-80), ends[1], 1e-6)
		require.Equal(t, ends[1], ends[2])
		require.Equal(t, float32(1), sum)
	}
}

// TestSmallCases works the kernels out by hand.
func TestSmallCases(t *testing.T) {
	for _, k := range []simd.Kernels{simd.Plain(), simd.Best()} {
		table := make([]int8, 3*64)
		table[0], table[64], table[128] = 1, 10, 100
		acc := make([]int16, 64)
		bias := make([]int16, 64)
		bias[0], bias[63] = 1000, 7
		k.SumRows(acc, bias, table, []uint16{2, 0, 2})
		require.Equal(t, int16(1201), acc[0], k.Name())
		require.Equal(t, int16(7), acc[63])

		out := make([]uint8, 32)
		acc[0], acc[32] = 64, 32 // 1 × 0.5 where 64 is 1
		acc[1], acc[33] = -5, 64
		acc[2], acc[34] = 500, 500
		k.ClampPair(acc, 64, out)
		require.Equal(t, []uint8{64, 0, 128}, out[:3])

		context, v := make([]int16, 64), make([]int16, 64)
		context[0], v[0] = 20, 3
		logits := make([]int32, 3)
		k.MoveLogits(context, table, simd.MoveSet{Rows: []uint16{0, 1, 2}, Ends: []int32{2, 2, 3}}, v, 64, logits)
		require.Equal(t, []int32{31 * 31 * 3, 20 * 20 * 3, 64 * 64 * 3}, logits)

		w, m, s, g := []float32{1}, []float32{0}, []float32{0}, []float32{2}
		k.Step(&simd.Adam{Mean: .1, Spread: .01, Rate: .5, Epsilon: .3, Keep: .5, Limit: 9}, w, m, s, g)
		require.InDelta(t, .2, m[0], 1e-6)
		require.InDelta(t, .04, s[0], 1e-6)
		require.InDelta(t, 1*.5-.5*.2/(.2+.3), w[0], 1e-6)
		require.Zero(t, g[0])
	}
}

// TestRefuses: bad lengths and rows outside the table panic in both sets.
func TestRefuses(t *testing.T) {
	for _, k := range []simd.Kernels{simd.Plain(), simd.Best()} {
		acc, table := make([]int16, 64), make([]int8, 20*64)
		rows := make([]uint16, 33)
		require.NotPanics(t, func() { k.SumRows(acc, acc, table, rows) })
		for i := range rows {
			bad := append([]uint16(nil), rows...)
			bad[i] = 20
			require.PanicsWithValue(t, "simd: row 20 lies outside a table of 20 rows", func() { k.SumRows(acc, acc, table, bad) })
		}
		require.Panics(t, func() { k.SumRows(acc, acc[:32], table, rows) })
		require.Panics(t, func() { k.SumRows(acc[:32], acc[:32], table, rows) })
		require.Panics(t, func() { k.ClampPair(acc, 64, make([]uint8, 16)) })
		require.Panics(t, func() { k.ClampPair(acc, 63, make([]uint8, 32)) })
		require.Panics(t, func() { k.Dense(make([]uint8, 32), table[:33], make([]int32, 1)) })
		require.Panics(t, func() { k.Dot(make([]uint8, 32), acc[:31]) })
		for _, ends := range [][]int32{{34}, {2, 1}, {-1}} {
			logits := make([]int32, len(ends))
			require.Panics(t, func() { k.MoveLogits(acc, table, simd.MoveSet{Rows: rows, Ends: ends}, acc, 64, logits) })
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	k, random := simd.Best(), rand.New(rand.NewPCG(1, 1))
	table, rows := bytes(random, 3000*64), rowsOf(random, 700, 3000)
	acc, logits := make([]int16, 64), make([]int32, 1)
	out := make([]uint8, 32)
	require.Zero(t, testing.AllocsPerRun(10, func() {
		k.SumRows(acc, acc, table, rows)
		k.ClampPair(acc, 64, out)
		k.Dense(out, table[:32], logits)
		k.MoveLogits(acc, table, simd.MoveSet{Rows: rows, Ends: []int32{700}}, acc, 64, logits)
	}))
}

func BenchmarkKernels(b *testing.B) {
	for _, k := range []simd.Kernels{simd.Plain(), simd.Best()} {
		random := rand.New(rand.NewPCG(1, 1))
		table := bytes(random, 9000*256)
		acc, rows := make([]int16, 256), rowsOf(random, 40, 9000)
		out := make([]uint8, 128)
		b.Run(fmt.Sprintf("%s/SumRows-40x256", k.Name()), func(b *testing.B) {
			for b.Loop() {
				k.SumRows(acc, acc, table, rows)
			}
		})
		b.Run(fmt.Sprintf("%s/Dense-128x64", k.Name()), func(b *testing.B) {
			dense := make([]int32, 64)
			for b.Loop() {
				k.Dense(out, table[:128*64], dense)
			}
		})
		b.Run(fmt.Sprintf("%s/MoveLogits-90", k.Name()), func(b *testing.B) {
			set := simd.MoveSet{Rows: rowsOf(random, 90*21, 3000)}
			for i := range int32(90) {
				set.Ends = append(set.Ends, 21*(i+1))
			}
			logits := make([]int32, 90)
			for b.Loop() {
				k.MoveLogits(acc[:64], table, set, acc[64:128], 64, logits)
			}
		})
		b.Run(fmt.Sprintf("%s/ExpSum-90", k.Name()), func(b *testing.B) {
			x := make([]float32, 90)
			for b.Loop() {
				k.ExpSum(x)
			}
		})
	}
}
