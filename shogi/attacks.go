package shogi

import "math/bits"

// Direction is one of the eight ray directions, named as on the diagram (rank a on top, file 9 on the left).
type Direction uint8

// The directions. The first four have a falling square index, their opposites are 7 - d.
const (
	Up        Direction = iota // rank - 1
	UpRight                    // file - 1, rank - 1
	Right                      // file - 1
	DownRight                  // file - 1, rank + 1
	UpLeft                     // file + 1, rank - 1
	Left                       // file + 1
	DownLeft                   // file + 1, rank + 1
	Down                       // rank + 1
	NoDirection
)

const numDirections = 8

var (
	directionFile = [numDirections]int{0, -1, -1, -1, 1, 1, 1, 0}
	directionRank = [numDirections]int{-1, -1, 0, 1, -1, 0, 1, 1}
)

// Opposite returns the direction turned by 180 degrees.
func (d Direction) Opposite() Direction { return Down - d }

// step returns the square (file+df, rank+dr) away from s, NoSquare outside the board.
func step(s Square, df, dr int) Square {
	f, r := s.File()+df, s.Rank()+dr
	if f < 1 || f > 9 || r < 1 || r > 9 {
		return NoSquare
	}
	return NewSquare(f, r)
}

// Neighbour returns the next square in the direction, NoSquare outside the board.
func (s Square) Neighbour(d Direction) Square { return neighbours[s][d] }

var neighbours = func() (t [NumSquares][numDirections]Square) {
	for s := Square(0); s < NumSquares; s++ {
		for d := range Direction(numDirections) {
			t[s][d] = step(s, directionFile[d], directionRank[d])
		}
	}
	return t
}()

// rays[d][s] is all squares from s (excluded) to the edge in direction d.
var rays = func() (t [numDirections][128]Bitboard) {
	for s := Square(0); s < NumSquares; s++ {
		for d := range Direction(numDirections) {
			for x := neighbours[s][d]; x != NoSquare; x = neighbours[x][d] {
				t[d][s].toggle(x)
			}
		}
	}
	return t
}()

// rookLines[s] and bishopLines[s] are what a rook and a bishop would attack on an empty board, lanceLines[c][s] what a lance of side c would.
var rookLines, bishopLines, lanceLines = func() (r, b [128]Bitboard, l [2][128]Bitboard) {
	for s := range NumSquares {
		r[s] = rays[Up][s].Or(rays[Down][s]).Or(rays[Left][s]).Or(rays[Right][s])
		b[s] = rays[UpLeft][s].Or(rays[UpRight][s]).Or(rays[DownLeft][s]).Or(rays[DownRight][s])
		l[Black][s], l[White][s] = rays[Up][s], rays[Down][s]
	}
	return r, b, l
}()

// directions[a][b] is the direction from a to b, NoDirection when they share no line.
var directions = func() (t [NumSquares][NumSquares]Direction) {
	for a := Square(0); a < NumSquares; a++ {
		for b := Square(0); b < NumSquares; b++ {
			t[a][b] = NoDirection
			for d := range Direction(numDirections) {
				if rays[d][a].Has(b) {
					t[a][b] = d
				}
			}
		}
	}
	return t
}()

// DirectionTo returns the direction of the line from s to o, NoDirection when they share no line.
func (s Square) DirectionTo(o Square) Direction { return directions[s][o] }

// between returns the squares strictly between a and b, which lie on one line in direction d from a.
func between(a, b Square, d Direction) Bitboard {
	r, tail := &rays[d][a&127], &rays[d][b&127]
	x := squareSet[b&127]
	return Bitboard{r.Lo &^ (tail.Lo | x.Lo), r.Hi &^ (tail.Hi | x.Hi)}
}

// growing returns the part of the ray (of growing square index) up to and including the first blocker.
func growing(ray *Bitboard, occupied Bitboard) Bitboard {
	oLo, oHi := occupied.Lo&ray.Lo, occupied.Hi&ray.Hi
	lo, borrow := bits.Sub64(oLo, 1, 0)
	hi, _ := bits.Sub64(oHi, 0, borrow)
	return Bitboard{(lo ^ oLo) & ray.Lo, (hi ^ oHi) & ray.Hi}
}

// falling is growing for a ray of falling square index whose steps are 8 or more.
func falling(ray *Bitboard, occupied Bitboard) Bitboard {
	oHi, oLo := bits.ReverseBytes64(occupied.Lo&ray.Lo), bits.ReverseBytes64(occupied.Hi&ray.Hi)
	lo, borrow := bits.Sub64(oLo, 1, 0)
	hi, _ := bits.Sub64(oHi, 0, borrow)
	return Bitboard{bits.ReverseBytes64(hi^oHi) & ray.Lo, bits.ReverseBytes64(lo^oLo) & ray.Hi}
}

// upAttacks returns the squares that a slider on s reaches towards rank a.
func upAttacks(s Square, occupied Bitboard) Bitboard {
	ray := &rays[Up][s&127]
	if s < loSquares {
		return Bitboard{Lo: ray.Lo & (^uint64(0) << (bits.Len64(occupied.Lo&ray.Lo|1) - 1))}
	}
	return Bitboard{Hi: ray.Hi & (^uint64(0) << (bits.Len64(occupied.Hi&ray.Hi|1) - 1))}
}

// downAttacks returns the squares that a slider on s reaches towards rank i.
func downAttacks(s Square, occupied Bitboard) Bitboard {
	ray := &rays[Down][s&127]
	lo, hi := occupied.Lo&ray.Lo, occupied.Hi&ray.Hi
	return Bitboard{(lo ^ (lo - 1)) & ray.Lo, (hi ^ (hi - 1)) & ray.Hi}
}

// LanceAttacks returns the squares that a lance of side c on s attacks.
func LanceAttacks(c Color, s Square, occupied Bitboard) Bitboard {
	if c == Black {
		return upAttacks(s, occupied)
	}
	return downAttacks(s, occupied)
}

// BishopAttacks returns the squares that a bishop on s attacks.
func BishopAttacks(s Square, occupied Bitboard) Bitboard {
	a := growing(&rays[UpLeft][s&127], occupied)
	b := growing(&rays[DownLeft][s&127], occupied)
	c := falling(&rays[UpRight][s&127], occupied)
	d := falling(&rays[DownRight][s&127], occupied)
	return Bitboard{a.Lo | b.Lo | c.Lo | d.Lo, a.Hi | b.Hi | c.Hi | d.Hi}
}

// RookAttacks returns the squares that a rook on s attacks.
func RookAttacks(s Square, occupied Bitboard) Bitboard {
	a := growing(&rays[Left][s&127], occupied)
	b := falling(&rays[Right][s&127], occupied)
	c := upAttacks(s, occupied)
	d := downAttacks(s, occupied)
	return Bitboard{a.Lo | b.Lo | c.Lo | d.Lo, a.Hi | b.Hi | c.Hi | d.Hi}
}

// stepAttacks[c][t][s] is what a piece attacks by steps: all of a pawn, knight, silver, gold (and promoted small
// piece) or king; the straight or diagonal steps that a horse or dragon adds; nothing for lance, bishop and rook.
var stepAttacks = func() (t [2][NumPieceTypes + 1][128]Bitboard) {
	type offset struct{ file, rank int } // for Black
	gold := []offset{{0, -1}, {-1, -1}, {1, -1}, {-1, 0}, {1, 0}, {0, 1}}
	diagonal := []offset{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}
	straight := []offset{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}
	steps := [NumPieceTypes][]offset{
		Pawn:    {{0, -1}},
		Knight:  {{-1, -2}, {1, -2}},
		Silver:  append([]offset{{0, -1}}, diagonal...),
		Gold:    gold,
		King:    append(append([]offset{}, straight...), diagonal...),
		ProPawn: gold, ProLance: gold, ProKnight: gold, ProSilver: gold,
		Horse:  straight,
		Dragon: diagonal,
	}
	for pt, offsets := range steps {
		for s := Square(0); s < NumSquares; s++ {
			for _, o := range offsets {
				t[Black][pt][s] = t[Black][pt][s].Or(squareSet[step(s, o.file, o.rank)])
				t[White][pt][s] = t[White][pt][s].Or(squareSet[step(s, -o.file, -o.rank)])
			}
		}
	}
	return t
}()

// PieceAttacks returns the squares that a piece of side c and type t on s attacks, own pieces' squares included.
func PieceAttacks(c Color, t PieceType, s Square, occupied Bitboard) Bitboard {
	a := stepAttacks[c&1][t&15][s&127]
	switch t {
	case Lance:
		return LanceAttacks(c, s, occupied)
	case Bishop, Horse:
		return a.Or(BishopAttacks(s, occupied))
	case Rook, Dragon:
		return a.Or(RookAttacks(s, occupied))
	}
	return a
}
