package value

import "github.com/yomi-shogi/yomi/shogi"

// The rows of the value net's first layer. Every feature is seen from one side: the net is asked twice, from the side to move
// and from its opponent, each with its own view of the board.
//
//	group  rows   one active row for each …
//	piece  2268   piece on the board: (enemy·14 + type)·81 + square
//	hand     76   piece in hand: own and enemy, type and count up to what is held
//	pair    784   attack of a piece on a piece of the other side: attacker type, victim type, whose attack, victim defended
//	take     24   side: how much its best capture wins by static exchange
//	ring    432   square next to either king: whose piece stands there, how often own and enemy pieces attack it
const (
	pieceRows = 2 * 14 * shogi.NumSquares
	handRows  = 2 * shogi.HandSlots
	pairRows  = 14 * 14 * 2 * 2
	takeRows  = 2 * takeBuckets
	ringRows  = 2 * 8 * 3 * 9

	handStart = pieceRows
	pairStart = handStart + handRows
	takeStart = pairStart + pairRows
	ringStart = takeStart + takeRows

	// NumRows is the number of rows of the first layer.
	NumRows = ringStart + ringRows
)

// MaxActive is the most rows that can be active in one view: 40 pieces, the pairs that fit, 2 best captures, 16 ring squares.
// A position with more pairs, which games do not reach, loses the last ones.
const MaxActive = 192

const takeBuckets = 12

// takeBucket sorts a gain of exchange units (a pawn is 90) into 0..9.
func takeBucket(gain int) int {
	for i, limit := range [...]int{1, 200, 500, 750, 900, 1050, 1250, 1750, 2250} {
		if gain < limit {
			return i
		}
	}
	return 9
}

// Inputs is the active rows of a position in both views, with the scratch to find them. Use it in one goroutine.
type Inputs struct {
	// Rows[0] is the view of the side to move, Rows[1] that of its opponent.
	Rows    [2][]uint16
	attacks shogi.AttackMap
	buffers [2][MaxActive]uint16
}

// Read finds the active rows of the position. It allocates nothing; Rows is valid until the next call.
func (in *Inputs) Read(p *shogi.Position) {
	p.AttackMap(&in.attacks)
	var takes [2]int
	for c := shogi.Black; c <= shogi.White; c++ {
		takes[c] = takeBucket(bestCapture(p, &in.attacks, c))
	}
	us := p.Side()
	for i, viewer := range [2]shogi.Color{us, us.Opponent()} {
		v := viewRows{p: p, view: p.View(viewer), viewer: viewer, attacks: &in.attacks, rows: &in.buffers[i]}
		v.pieces()
		v.hands()
		for c := shogi.Black; c <= shogi.White; c++ {
			v.add(takeStart + v.side(c)*takeBuckets + takes[c])
			v.ring(c)
		}
		v.pairs()
		in.Rows[i] = in.buffers[i][:v.count]
	}
}

// viewRows collects the rows of one view.
type viewRows struct {
	p       *shogi.Position
	view    shogi.View
	viewer  shogi.Color
	attacks *shogi.AttackMap
	rows    *[MaxActive]uint16
	count   int
}

func (v *viewRows) add(row int) {
	v.rows[v.count] = uint16(row)
	v.count++
}

// side returns 0 for the viewer's own colour, 1 for the enemy's.
func (v *viewRows) side(c shogi.Color) int { return int(v.viewer ^ c) }

func (v *viewRows) pieces() {
	for _, s := range v.attacks.From[:v.attacks.Count] {
		piece := v.p.PieceAt(s)
		v.add((v.side(piece.Color())*14+int(piece.Type())-1)*shogi.NumSquares + int(v.view.Square(s)))
	}
}

func (v *viewRows) hands() {
	for c := shogi.Black; c <= shogi.White; c++ {
		hand := v.p.Hand(c)
		start := handStart + v.side(c)*shogi.HandSlots
		for t := shogi.Pawn; hand != 0 && t <= shogi.Gold; t++ {
			for n := 1; n <= hand.Count(t); n++ {
				v.add(start + shogi.HandSlot(t, n))
			}
		}
	}
}

func (v *viewRows) ring(c shogi.Color) {
	king := v.p.KingSquare(c)
	if king == shogi.NoSquare {
		return
	}
	a, start := v.attacks, ringStart+v.side(c)*8*3*9
	own, enemy := v.viewer, v.viewer.Opponent()
	for d := shogi.Up; d < shogi.NoDirection; d++ {
		s := king.Neighbour(d)
		if s == shogi.NoSquare {
			continue
		}
		content := 0
		if piece := v.p.PieceAt(s); piece != shogi.Empty {
			content = 1 + v.side(piece.Color())
		}
		row := start + (int(v.view.Direction(d))*3+content)*9
		if a.Once[own].Has(s) {
			row += 3
		}
		if a.Twice[own].Has(s) {
			row += 3
		}
		if a.Once[enemy].Has(s) {
			row++
		}
		if a.Twice[enemy].Has(s) {
			row++
		}
		v.add(row)
	}
}

// pairs comes last, because it is cut when the room is full.
func (v *viewRows) pairs() {
	a := v.attacks
	victims := [2]shogi.Bitboard{v.p.Pieces(shogi.White), v.p.Pieces(shogi.Black)} // by attacker
	for i, from := range a.From[:a.Count] {
		x := a.Attacks[i]
		attacker := v.p.PieceAt(from)
		c := attacker.Color()
		x = x.And(victims[c&1])
		start := pairStart + (int(attacker.Type())-1)*14*4 + 2*v.side(c)
		for !x.IsEmpty() {
			s := x.PopFirst()
			if v.count == MaxActive {
				return
			}
			row := start + (int(v.p.PieceAt(s).Type())-1)*4
			if a.Once[c^1].Has(s) {
				row++
			}
			v.add(row)
		}
	}
}

// bestCapture returns what side c gains at best by taking something, if it were to move.
func bestCapture(p *shogi.Position, attacks *shogi.AttackMap, c shogi.Color) int {
	best := 0
	victims := p.Pieces(c.Opponent()).And(attacks.Once[c])
	for !victims.IsEmpty() {
		s := victims.PopFirst()
		victim := p.PieceAt(s).Type()
		if victim == shogi.King || shogi.CaptureValue(victim) <= best {
			continue
		}
		best = max(best, p.Threat(c, s))
	}
	return best
}
