package hashlab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// GridConfig says what Grid measures.
type GridConfig struct {
	Modes []Mode
	Sizes []int     // buckets, powers of two
	Loads []float64 // different positions a bucket
	Seed  uint64    // which squares the avalanche test changes
}

// DefaultGrid is what yomi hashlab measures unless told otherwise.
func DefaultGrid() GridConfig {
	return GridConfig{Modes: []Mode{Faithful, Wide32}, Sizes: []int{1024, 4096, 65536}, Loads: []float64{0.25, 0.5, 0.67, 0.9, 2}, Seed: 1}
}

// Check refuses sizes and loads that cannot be measured.
func (c *GridConfig) Check() error {
	if len(c.Sizes) == 0 || len(c.Loads) == 0 || len(c.Modes) == 0 {
		return errors.New("no sizes, loads or modes to measure")
	}
	for _, size := range c.Sizes {
		if size < 2 || size&(size-1) != 0 || size > 1<<26 {
			return fmt.Errorf("bad size %d: want a power of two from 2 to 2^26", size)
		}
	}
	for _, load := range c.Loads {
		if !(load > 0 && load <= 100) {
			return fmt.Errorf("bad load %g: want more than 0, at most 100", load)
		}
	}
	return nil
}

// Cell is one scheme at one size and load.
type Cell struct {
	Load       float64
	Different  int     // different positions that were put in
	Stored     int     // positions that were put in, repetitions included
	Occupied   int     // full buckets
	Ideal      float64 // full buckets to be expected of random buckets
	Collisions int     // easyAI's count: Evictions + Restores
	Evictions  int     // stores that threw out another position
	Restores   int     // stores of the position that was there
}

// Row is one scheme at one size.
type Row struct {
	Scheme Scheme
	Size   int
	Failed string // why the function takes no position: TypeError or ValueError
	Cells  []Cell

	Bits        int     // low bits that the chi-square test looks at
	ChiSquare   float64 // of their 2^Bits values over all positions of the set
	Uniform     float64 // probability of such a chi-square, or a larger one, if the bits were random
	Avalanche   float64 // share of the index's bits that flip when one square changes; 0.5 is ideal
	Unchanged   float64 // share of such changes that leave the index as it was; 1/Size is ideal
	Nanoseconds float64 // a hash from scratch
}

// Grid measures every scheme at every size and load. Loads for which the set has too few positions are left out.
func Grid(ctx context.Context, set *Set, c GridConfig, report func(done, total int)) ([]Row, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	schemes := Schemes(c.Modes)
	largest := slices.Max(c.Sizes)
	known := make(map[Scheme][]int32) // buckets of the largest size, where smaller ones are their low bits
	var rows []Row
	for _, size := range c.Sizes {
		for _, s := range schemes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			indices, ok := known[s]
			var err error
			if of := size; !ok {
				if s.reducedOnce() {
					of = largest
				}
				if indices, err = s.indices(set, c.most(set, s), of); err == nil && s.reducedOnce() {
					known[s] = indices
				}
			}
			row := Row{Scheme: s, Size: size}
			if err != nil {
				row.Failed = failure(err)
			} else {
				row.measure(set, c, indices)
			}
			rows = append(rows, row)
			report(len(rows), len(c.Sizes)*len(schemes))
		}
	}
	return rows, nil
}

// most returns how many different positions are hashed: enough for the largest table and load, and for the chi-square
// test. Faithful Jenkins takes a millisecond, so it gets fewer and may miss the largest tables.
func (c *GridConfig) most(set *Set, s Scheme) int {
	const enough = 20_000
	n := max(enough, int(slices.Max(c.Loads)*float64(slices.Max(c.Sizes))))
	if s.Function == "Jenkins" && s.Mode == Faithful {
		n = enough
	}
	return min(n, set.Len())
}

// measure fills in what the positions' buckets show.
func (r *Row) measure(set *Set, c GridConfig, indices []int32) {
	for _, load := range c.Loads {
		if n := int(load * float64(r.Size)); n > 0 && n <= len(indices) {
			r.Cells = append(r.Cells, fillBuckets(set, indices, r.Size, load))
		}
	}
	r.Bits, r.ChiSquare, r.Uniform = lowBits(indices, bits.Len(uint(r.Size-1)))
	var err error
	if r.Avalanche, r.Unchanged, err = avalanche(set, r.Scheme, r.Size, c.Seed); err == nil {
		r.Nanoseconds, err = r.Scheme.Nanoseconds(set, r.Size)
	}
	if err != nil {
		r.Failed = failure(err)
	}
}

// fillBuckets puts positions into a bucket table in the order of the stream until it has seen enough different ones.
func fillBuckets(set *Set, indices []int32, size int, load float64) Cell {
	const empty = -1
	table := make([]int32, size)
	for i := range table {
		table[i] = empty
	}
	wanted := int32(load * float64(size))
	c := Cell{Load: load, Different: int(wanted), Ideal: float64(size) * -math.Expm1(float64(wanted)*math.Log1p(-1/float64(size)))}
	for _, position := range set.stream {
		if position >= wanted {
			break // different positions are numbered as they come
		}
		c.Stored++
		switch b := &table[int(indices[position])&(size-1)]; *b {
		case empty:
			c.Occupied++
			*b = position
		case position:
			c.Restores++
		default:
			c.Evictions++
			*b = position
		}
	}
	c.Collisions = c.Evictions + c.Restores
	return c
}

// lowBits tests whether the low bits are uniform, as many of them as leave 16 positions a value.
func lowBits(indices []int32, available int) (count int, chi, probability float64) {
	const expected = 16
	count = max(1, min(available, bits.Len(uint(len(indices)/expected))-1))
	counts := make([]int, 1<<count)
	for _, i := range indices {
		counts[int(i)&(len(counts)-1)]++
	}
	chi, probability = chiSquare(counts)
	return count, chi, probability
}

// chiSquare tests counts against equal ones. The probability that chance gives such a chi-square or a larger one is
// Wilson and Hilferty's approximation (1931), good for 30 and more degrees of freedom.
func chiSquare(counts []int) (chi, probability float64) {
	total := 0
	for _, n := range counts {
		total += n
	}
	mean := float64(total) / float64(len(counts))
	for _, n := range counts {
		d := float64(n) - mean
		chi += d * d / mean
	}
	degrees := float64(len(counts) - 1)
	spread := 2 / (9 * degrees)
	z := (math.Cbrt(chi/degrees) - (1 - spread)) / math.Sqrt(spread)
	return chi, math.Erfc(z/math.Sqrt2) / 2
}

// avalanche changes one square of positions, and counts the bits of the index that flip.
func avalanche(set *Set, s Scheme, size int, seed uint64) (share, unchanged float64, err error) {
	const wanted = 500
	random := rand.New(rand.NewPCG(seed, uint64(size)))
	h, err := s.hasher(size)
	if s.Function == Zobrist {
		h, err = nil, nil
	}
	if err != nil {
		return 0, 0, err
	}
	pieces := []byte{0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 17, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28, 29, 30}
	flipped, same := 0, 0
	for range wanted {
		cells := append([]byte(nil), set.cellsOf(random.IntN(set.Len()))...)
		before, err := s.index(h, cells, size)
		if err != nil {
			return 0, 0, err
		}
		square := random.IntN(81)
		for old := cells[square]; cells[square] == old; {
			cells[square] = pieces[random.IntN(len(pieces))]
		}
		after, err := s.index(h, cells, size)
		if err != nil {
			return 0, 0, err
		}
		flipped += bits.OnesCount(uint(before ^ after))
		if before == after {
			same++
		}
	}
	return float64(flipped) / float64(wanted*bits.Len(uint(size-1))), float64(same) / wanted, nil
}
