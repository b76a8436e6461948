package shogi

import "math/bits"

// Bitboard is a set of squares: Lo holds squares 0..62 (files 1-7), Hi squares 63..80 (files 8-9) from bit 0.
type Bitboard struct{ Lo, Hi uint64 }

const (
	loSquares = 63
	loAll     = 1<<loSquares - 1
	hiAll     = 1<<(NumSquares-loSquares) - 1
)

// AllSquares is the set of all 81 squares.
func AllSquares() Bitboard { return Bitboard{loAll, hiAll} }

// SquareSet returns the set of one square, empty for NoSquare.
func SquareSet(s Square) Bitboard { return squareSet[s] }

// And returns the squares in both sets.
func (b Bitboard) And(o Bitboard) Bitboard { return Bitboard{b.Lo & o.Lo, b.Hi & o.Hi} }

// Or returns the squares in either set.
func (b Bitboard) Or(o Bitboard) Bitboard { return Bitboard{b.Lo | o.Lo, b.Hi | o.Hi} }

// Xor returns the squares in exactly one of the sets.
func (b Bitboard) Xor(o Bitboard) Bitboard { return Bitboard{b.Lo ^ o.Lo, b.Hi ^ o.Hi} }

// AndNot returns the squares of b that are not in o.
func (b Bitboard) AndNot(o Bitboard) Bitboard { return Bitboard{b.Lo &^ o.Lo, b.Hi &^ o.Hi} }

// IsEmpty reports whether the set has no square.
func (b Bitboard) IsEmpty() bool { return b.Lo|b.Hi == 0 }

// Count returns the number of squares.
func (b Bitboard) Count() int { return bits.OnesCount64(b.Lo) + bits.OnesCount64(b.Hi) }

// Has reports whether the square is in the set; false for NoSquare.
func (b Bitboard) Has(s Square) bool { return !b.And(squareSet[s]).IsEmpty() }

// Intersects reports whether the sets share a square.
func (b Bitboard) Intersects(o Bitboard) bool { return b.Lo&o.Lo|b.Hi&o.Hi != 0 }

// More reports whether the set has at least two squares.
func (b Bitboard) More() bool {
	return b.Lo&(b.Lo-1)|b.Hi&(b.Hi-1) != 0 || b.Lo != 0 && b.Hi != 0
}

// First returns the lowest square, NoSquare for the empty set.
func (b Bitboard) First() Square {
	if b.Lo != 0 {
		return Square(bits.TrailingZeros64(b.Lo))
	}
	if b.Hi != 0 {
		return Square(bits.TrailingZeros64(b.Hi) + loSquares)
	}
	return NoSquare
}

// PopFirst removes the lowest square and returns it. The set must not be empty.
func (b *Bitboard) PopFirst() Square {
	if b.Lo != 0 {
		s := bits.TrailingZeros64(b.Lo)
		b.Lo &= b.Lo - 1
		return Square(s)
	}
	s := bits.TrailingZeros64(b.Hi)
	b.Hi &= b.Hi - 1
	return Square(s + loSquares)
}

func (b *Bitboard) toggle(s Square) {
	x := &squareSet[s]
	b.Lo ^= x.Lo
	b.Hi ^= x.Hi
}

// squareSet has one entry more than the board so that NoSquare gives the empty set; 128 entries save bounds checks.
var squareSet = func() (t [128]Bitboard) {
	for s := range NumSquares {
		if s < loSquares {
			t[s].Lo = 1 << s
		} else {
			t[s].Hi = 1 << (s - loSquares)
		}
	}
	return t
}()

// rankSet[r] is rank r (1..9); fileSet[f] is file f (1..9).
var (
	rankSet, fileSet = func() (ranks, files [10]Bitboard) {
		for s := Square(0); s < NumSquares; s++ {
			ranks[s.Rank()].toggle(s)
			files[s.File()].toggle(s)
		}
		return ranks, files
	}()
)

// zoneSet[c] is the promotion zone of side c.
var zoneSet = [2]Bitboard{
	Black: rankSet[1].Or(rankSet[2]).Or(rankSet[3]),
	White: rankSet[7].Or(rankSet[8]).Or(rankSet[9]),
}
