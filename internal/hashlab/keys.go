package hashlab

import (
	"math"
	"slices"
)

// Width is the collisions of keys cut to so many bits.
type Width struct {
	Bits     int
	Counted  int     // pairs of different positions with equal keys
	Expected float64 // n(n-1)/2 pairs at odds of 2^-Bits each, for random keys
	Chance   float64 // that there is any pair: 1 - exp(-Expected)
	Sigmas   float64 // (Counted - Expected) in standard deviations, which are the root of Expected
}

// Widths are those that CutKeys looks at unless told otherwise.
func Widths() []int { return []int{16, 20, 24, 28, 32, 36, 40, 48, 64} }

// CutKeys counts the pairs of different positions whose Zobrist keys agree in their low bits, against the birthday odds.
func CutKeys(set *Set, widths []int) []Width { return pairs(set.keys, widths) }

func pairs(keys []uint64, widths []int) []Width {
	cut := make([]uint64, len(keys))
	var out []Width
	for _, bits := range widths {
		for i, key := range keys {
			cut[i] = key << (64 - bits)
		}
		slices.Sort(cut)
		w := Width{Bits: bits, Expected: float64(len(keys)) * float64(len(keys)-1) / 2 * math.Pow(2, -float64(bits))}
		run := 0
		for i := 1; i < len(cut); i++ {
			if cut[i] != cut[i-1] {
				run = 0
				continue
			}
			run++ // the key makes a pair with each of its equals before
			w.Counted += run
		}
		w.Chance = -math.Expm1(-w.Expected)
		w.Sigmas = (float64(w.Counted) - w.Expected) / math.Sqrt(w.Expected)
		out = append(out, w)
	}
	return out
}

// WideKeys counts the colliding pairs of a textbook function's whole words, before they are reduced to buckets. At most
// so many positions are looked at. It returns "" or why the function takes no position.
func WideKeys(set *Set, s Scheme, most int) (Width, string) {
	h, err := s.hasher(1)
	if err != nil {
		return Width{}, err.Error()
	}
	bits := 32
	if s.Mode == Wide64 {
		bits = 64
	}
	keys := make([]uint64, min(most, set.Len()))
	for i := range keys {
		n, err := h.Hash(set.text[i])
		if err != nil {
			return Width{}, failure(err)
		}
		keys[i] = n.Uint64()
	}
	return pairs(keys, []int{bits})[0], ""
}

// Uniformity is a test of some low bits of the Zobrist keys.
type Uniformity struct {
	What      string
	Bits      int
	ChiSquare float64
	Uniform   float64 // probability of such a chi-square, or a larger one, by chance
}

// KeyUniformity tests the low bits of the keys, of their folded halves (which index the node table), and the high bits.
func KeyUniformity(set *Set) []Uniformity {
	var out []Uniformity
	for _, bits := range []int{8, 12, 16} {
		if set.Len()>>bits < 5 {
			continue // the test wants at least 5 positions a value
		}
		for _, part := range []struct {
			what string
			of   func(key uint64) uint64
		}{
			{"low bits", func(key uint64) uint64 { return key }},
			{"folded halves, low bits", func(key uint64) uint64 { return key ^ key>>32 }},
			{"high bits", func(key uint64) uint64 { return key >> (64 - bits) }},
		} {
			counts := make([]int, 1<<bits)
			for _, key := range set.keys {
				counts[part.of(key)&uint64(len(counts)-1)]++
			}
			chi, p := chiSquare(counts)
			out = append(out, Uniformity{part.what, bits, chi, p})
		}
	}
	return out
}
