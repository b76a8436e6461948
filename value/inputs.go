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
	us := p.Side()
	views := [2]shogi.View{p.View(us), p.View(us.Opponent())}
	for i := range in.Rows {
		in.Rows[i] = in.buffers[i][:0]
	}
	in.pieces(p, views)
	in.hands(p, views)
	in.takes(p, views)
	in.rings(p, views)
	in.pairs(p, views)
}

func (in *Inputs) add(view int, row int) {
	in.Rows[view] = append(in.Rows[view], uint16(row))
}

// side returns 0 for the view's own colour, 1 for the enemy's.
func side(v shogi.View, c shogi.Color) int { return int(v.Side() ^ c) }

func (in *Inputs) pieces(p *shogi.Position, views [2]shogi.View) {
	for _, s := range in.attacks.From[:in.attacks.Count] {
		piece := p.PieceAt(s)
		kind := int(piece.Type()) - 1
		for i, v := range views {
			in.add(i, (side(v, piece.Color())*14+kind)*shogi.NumSquares+int(v.Square(s)))
		}
	}
}

func (in *Inputs) hands(p *shogi.Position, views [2]shogi.View) {
	for c := shogi.Black; c <= shogi.White; c++ {
		hand := p.Hand(c)
		if hand == 0 {
			continue
		}
		for t := shogi.Pawn; t <= shogi.Gold; t++ {
			for n := 1; n <= hand.Count(t); n++ {
				slot := handStart + shogi.HandSlot(t, n)
				for i, v := range views {
					in.add(i, slot+side(v, c)*shogi.HandSlots)
				}
			}
		}
	}
}

func (in *Inputs) takes(p *shogi.Position, views [2]shogi.View) {
	for c := shogi.Black; c <= shogi.White; c++ {
		bucket := takeBucket(bestCapture(p, &in.attacks, c))
		for i, v := range views {
			in.add(i, takeStart+side(v, c)*takeBuckets+bucket)
		}
	}
}

func (in *Inputs) rings(p *shogi.Position, views [2]shogi.View) {
	for c := shogi.Black; c <= shogi.White; c++ {
		king := p.KingSquare(c)
		if king == shogi.NoSquare {
			continue
		}
		for d := shogi.Up; d < shogi.NoDirection; d++ {
			s := king.Neighbour(d)
			if s == shogi.NoSquare {
				continue
			}
			piece := p.PieceAt(s)
			black, white := min(in.attacks.AttackCount(shogi.Black, s), 2), min(in.attacks.AttackCount(shogi.White, s), 2)
			for i, v := range views {
				content := 0
				if piece != shogi.Empty {
					content = 1 + side(v, piece.Color())
				}
				own, enemy := black, white
				if v.Side() == shogi.White {
					own, enemy = white, black
				}
				in.add(i, ringStart+((side(v, c)*8+int(v.Direction(d)))*3+content)*9+own*3+enemy)
			}
		}
	}
}

// pairs comes last, because it is cut when the room is full.
func (in *Inputs) pairs(p *shogi.Position, views [2]shogi.View) {
	a := &in.attacks
	for i, from := range a.From[:a.Count] {
		attacker := p.PieceAt(from)
		c := attacker.Color()
		for victims := a.Attacks[i].And(p.Pieces(c.Opponent())); !victims.IsEmpty(); {
			s := victims.PopFirst()
			defended := 0
			if a.Once[c.Opponent()].Has(s) {
				defended = 1
			}
			pair := pairStart + (int(attacker.Type()-1)*14+int(p.PieceAt(s).Type()-1))*4 + defended
			if len(in.Rows[0]) == MaxActive {
				return
			}
			for i, v := range views {
				in.add(i, pair+2*side(v, c))
			}
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
