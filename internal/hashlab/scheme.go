package hashlab

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/nodehash/classic"
	"github.com/yomi-shogi/yomi/zobrist"
)

// Zobrist is the name of yomi's own scheme.
const Zobrist = "Zobrist"

// Mode is how a textbook function computes.
type Mode uint8

// The modes. Zobrist has only one.
const (
	Faithful Mode = iota // integers without bounds, reduced after every join
	Wide32               // 32-bit words, reduced once
	Wide64               // 64-bit words, reduced once
)

// String returns the name.
func (m Mode) String() string { return [...]string{"faithful", "32-bit", "64-bit"}[m] }

// ParseModes reads a list such as faithful,32-bit.
func ParseModes(text string) ([]Mode, error) {
	var modes []Mode
	for name := range strings.SplitSeq(text, ",") {
		m := slices.IndexFunc([]Mode{Faithful, Wide32, Wide64}, func(m Mode) bool { return m.String() == name })
		if m < 0 {
			return nil, fmt.Errorf("bad mode %q: want faithful, 32-bit or 64-bit", name)
		}
		modes = append(modes, Mode(m))
	}
	return modes, nil
}

// Scheme turns positions into buckets.
type Scheme struct {
	Function string // Zobrist, or a name of classic.FunctionNames
	Mode     Mode
}

// String returns function and mode.
func (s Scheme) String() string {
	if s.Function == Zobrist {
		return Zobrist
	}
	return s.Function + " " + s.Mode.String()
}

// Schemes returns Zobrist and every textbook function in the modes given.
func Schemes(modes []Mode) []Scheme {
	list := []Scheme{{Function: Zobrist}}
	for _, m := range modes {
		for _, name := range classic.FunctionNames() {
			list = append(list, Scheme{name, m})
		}
	}
	return list
}

// hasher returns the textbook function for a table of so many buckets.
func (s Scheme) hasher(buckets int) (*classic.Hasher, error) {
	f, err := classic.NewFunction(s.Function)
	if err != nil {
		return nil, err
	}
	switch s.Mode {
	case Wide32:
		return classic.NewWide(f, 32, buckets)
	case Wide64:
		return classic.NewWide(f, 64, buckets)
	}
	return classic.NewFaithful(f, buckets)
}

// fold is the home of a Zobrist key in a table of a power of two, as in package nodehash.
func fold(key uint64, size int) int { return int((uint32(key) ^ uint32(key>>32)) & uint32(size-1)) }

// reducedOnce says that the buckets of a smaller table are the low bits of those of a larger one, both powers of two.
func (s Scheme) reducedOnce() bool {
	return s.Function == Zobrist || s.Function == "Jenkins" || s.Mode != Faithful
}

// indices returns the buckets of a set's first different positions.
func (s Scheme) indices(set *Set, count, buckets int) ([]int32, error) {
	out := make([]int32, count)
	if s.Function == Zobrist {
		for i := range out {
			out[i] = int32(fold(set.keys[i], buckets))
		}
		return out, nil
	}
	h, err := s.hasher(buckets)
	if err != nil {
		return nil, err
	}
	for i := range out {
		index, err := h.Index(set.text[i])
		if err != nil {
			return nil, err
		}
		out[i] = int32(index)
	}
	return out, nil
}

// index returns the bucket of cells.
func (s Scheme) index(h *classic.Hasher, cells []byte, buckets int) (int, error) {
	if s.Function == Zobrist {
		return fold(zobristOf(cells), buckets), nil
	}
	return h.Index(classic.Bytes(cells))
}

// failure shortens an error for a table cell.
func failure(err error) string {
	var k *classic.KeyError
	if errors.As(err, &k) {
		return k.Kind
	}
	return err.Error()
}

// Nanoseconds returns the time to hash a position of the set from scratch. A search does not hash from scratch: Zobrist
// keys follow each move with a few xors, see MoveNanoseconds.
func (s Scheme) Nanoseconds(set *Set, buckets int) (float64, error) {
	const atMost = 256
	n := min(set.Len(), atMost)
	if s.Function == Zobrist {
		return timeEach(n, func(i int) (int, error) { return fold(zobristOf(set.cellsOf(i)), buckets), nil })
	}
	h, err := s.hasher(buckets)
	if err != nil {
		return 0, err
	}
	return timeEach(n, func(i int) (int, error) { return h.Index(set.text[i]) })
}

// MoveNanoseconds returns the time to bring a Zobrist key from one position to the next after a capture: a piece leaves
// its square, the captured one too, the piece arrives, the hand grows, the turn passes.
func MoveNanoseconds() float64 {
	key := uint64(1)
	t, _ := timeEach(1000, func(i int) (int, error) {
		from, to, kind := uint8(i%80), uint8((7*i+1)%81), uint8(1+i%14)
		key ^= zobrist.Piece(0, kind, from) ^ zobrist.Piece(1, 1+kind/2, to) ^ zobrist.Piece(0, kind, to) ^ zobrist.Hand(0, 1+kind/2, 1) ^ zobrist.Turn()
		return int(key & 1), nil
	})
	return t
}

// timeEach returns the time of one call: the best of many short rounds of n different ones, so that what else the computer
// does counts little.
func timeEach(n int, call func(i int) (int, error)) (float64, error) {
	const rounds, enough = 60, 50 * time.Millisecond
	best, sum := 0.0, 0
	begin := time.Now()
	for round := range rounds {
		start := time.Now()
		for i := range n {
			x, err := call(i)
			if err != nil {
				return 0, err
			}
			sum += x
		}
		if t := float64(time.Since(start).Nanoseconds()) / float64(n); round == 0 || t < best {
			best = t
		}
		if round > 5 && time.Since(begin) > enough {
			break
		}
	}
	if sum < 0 { // never; the calls must not be left out
		return 0, nil
	}
	return best, nil
}
