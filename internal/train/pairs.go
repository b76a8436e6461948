package train

import "math"

// oneBits is 1.0 as an integer.
const oneBits = 0x3f800000

// clamp returns x limited to 0..1. Floats of 0 or more are in the order of their bits as integers, and the bits of those below are
// negative integers. So it takes no branch, which would be guessed wrong half the time: this is the hottest line of the policy's
// training.
func clamp(x float32) float32 {
	return math.Float32frombits(uint32(min(max(int32(math.Float32bits(x)), 0), oneBits)))
}

// within returns y if x is what clamp makes of it, else 0.
func within(y, x, clamped float32) float32 {
	change := int32(math.Float32bits(x) ^ math.Float32bits(clamped))
	return math.Float32frombits(math.Float32bits(y) &^ uint32((change|-change)>>31))
}

// multiplyPairs sets out to the first half of x times the second, each clamped to 0..1.
func multiplyPairs(out, x []float32) {
	a, b := x[:len(out)], x[len(out):2*len(out)]
	for i := range out {
		out[i] = clamp(a[i]) * clamp(b[i])
	}
}

// backPairs sets d to the gradient of x, from that of multiplyPairs' result.
func backPairs(d, dOut, x []float32) {
	a, b := x[:len(dOut)], x[len(dOut):2*len(dOut)]
	dA, dB := d[:len(dOut)], d[len(dOut):2*len(dOut)]
	for i, g := range dOut {
		p, q := clamp(a[i]), clamp(b[i])
		dA[i], dB[i] = within(g*q, a[i], p), within(g*p, b[i], q)
	}
}
