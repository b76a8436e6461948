package zobrist

// splitMix64 is the SplitMix64 generator: a counter in steps of the golden ratio, passed through a mixing bijection.
type splitMix64 struct{ state uint64 }

// next returns the next number of the sequence.
func (g *splitMix64) next() uint64 {
	g.state += 0x9e3779b97f4a7c15
	z := g.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
