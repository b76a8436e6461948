package shogi

// MaxPieces is the number of pieces in a full set.
const MaxPieces = 40

// AttackMap says which squares each piece of a position attacks and how often each side attacks each square. Pins are not
// looked at; an own piece on an attacked square is defended.
type AttackMap struct {
	// Count is the number of pieces on the board; piece i stands on From[i] and attacks Attacks[i].
	Count   int
	From    [MaxPieces]Square
	Attacks [MaxPieces]Bitboard
	// ByType[c][t] is all that side c attacks with pieces of type t.
	ByType [2][NumPieceTypes]Bitboard
	// Once, Twice and Thrice[c] are the squares that side c attacks at least one, two and three times.
	Once, Twice, Thrice [2]Bitboard
}

// AttackMap fills the map for the position.
func (p *Position) AttackMap(m *AttackMap) {
	*m = AttackMap{}
	occupied := p.Occupied()
	for c := Black; c <= White; c++ {
		for t := Pawn; t < NumPieceTypes; t++ {
			for set := p.types[t&15].And(p.sides[c&1]); !set.IsEmpty(); {
				from := set.PopFirst()
				a := PieceAttacks(c, t, from, occupied)
				m.From[m.Count] = from
				m.Attacks[m.Count] = a
				m.Count++
				m.ByType[c][t] = m.ByType[c][t].Or(a)
				m.Thrice[c] = m.Thrice[c].Or(m.Twice[c].And(a))
				m.Twice[c] = m.Twice[c].Or(m.Once[c].And(a))
				m.Once[c] = m.Once[c].Or(a)
			}
		}
	}
}

// AttackCount returns how often side c attacks the square, 3 for three times or more.
func (m *AttackMap) AttackCount(c Color, s Square) int {
	n := 0
	if m.Once[c].Has(s) {
		n++
	}
	if m.Twice[c].Has(s) {
		n++
	}
	if m.Thrice[c].Has(s) {
		n++
	}
	return n
}

// Least returns the least valuable type with which side c attacks the square, NoPieceType when it does not.
func (m *AttackMap) Least(c Color, s Square) PieceType {
	if !m.Once[c].Has(s) {
		return NoPieceType
	}
	for _, t := range byExchangeValue {
		if m.ByType[c][t].Has(s) {
			return t
		}
	}
	return NoPieceType
}
