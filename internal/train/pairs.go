package train

// clamp returns x limited to 0..1.
func clamp(x float32) float32 {
	if x < 0 {
		return 0
	}
	if x > 1 {
		return 1
	}
	return x
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
		dA[i], dB[i] = 0, 0
		if p == a[i] {
			dA[i] = g * q
		}
		if q == b[i] {
			dB[i] = g * p
		}
	}
}
