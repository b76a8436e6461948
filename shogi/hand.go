package shogi

// Hand is the pieces that one side holds, as packed counts:
//
//	bits 0-5 pawns, 6-9 lances, 10-13 knights, 14-17 silvers, 18-21 bishops, 22-25 rooks, 26-29 golds
//
// Each count has one spare bit above it, which stays 0 and catches the borrow when two hands are compared.
type Hand uint32

var (
	handShift = [NumHandTypes]uint8{Pawn: 0, Lance: 6, Knight: 10, Silver: 14, Bishop: 18, Rook: 22, Gold: 26}
	handMask  = [NumHandTypes]Hand{Pawn: 31, Lance: 7, Knight: 7, Silver: 7, Bishop: 7, Rook: 7, Gold: 7}
)

const handBorrow Hand = 1<<5 | 1<<9 | 1<<13 | 1<<17 | 1<<21 | 1<<25 | 1<<29

// Count returns how many pieces of the unpromoted type are held.
func (h Hand) Count(t PieceType) int {
	return int(h >> handShift[t&7] & handMask[t&7])
}

// Has reports whether at least one piece of the type is held.
func (h Hand) Has(t PieceType) bool { return h&(handMask[t&7]<<handShift[t&7]) != 0 }

// Add returns the hand with n more (or, n negative, fewer) pieces of the type.
func (h Hand) Add(t PieceType, n int) Hand { return h + Hand(n)<<handShift[t&7] }

// Covers reports whether for every type the hand holds at least as many pieces as the other.
func (h Hand) Covers(other Hand) bool { return ((h|handBorrow)-other)&handBorrow == handBorrow }

// Total returns the number of pieces held.
func (h Hand) Total() int {
	n := 0
	for t := Pawn; t <= Gold; t++ {
		n += h.Count(t)
	}
	return n
}
