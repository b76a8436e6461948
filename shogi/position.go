package shogi

import "github.com/yomi-shogi/yomi/zobrist"

// Position is a board, both hands, the side to move and the move number. It is a value: copy it freely. It is always
// one that the rules allow in the sense of ParseSFEN. The zero value is not a position; begin with StartPosition or ParseSFEN.
type Position struct {
	// types[t] is the squares of type t, both sides; types[NoPieceType] is unused.
	types [NumPieceTypes + 1]Bitboard
	// sides[c] is the squares of side c.
	sides [2]Bitboard
	// checkers is the pieces that give check to the side to move.
	checkers Bitboard
	// boardKey is the Zobrist key of pieces and side to move, handKey that of the hands.
	boardKey, handKey uint64
	hands             [2]Hand
	ply               uint16
	board             [NumSquares]Piece
	kings             [2]Square
	side              Color
}

// Side returns the side to move.
func (p *Position) Side() Color { return p.side }

// Ply returns the move number: 1 at the start of a game.
func (p *Position) Ply() int { return int(p.ply) }

// PieceAt returns the piece on the square, Empty when there is none.
func (p *Position) PieceAt(s Square) Piece { return p.board[s] }

// Hand returns the pieces that the side holds.
func (p *Position) Hand(c Color) Hand { return p.hands[c&1] }

// KingSquare returns where the side's king stands, NoSquare when it has none.
func (p *Position) KingSquare(c Color) Square { return p.kings[c&1] }

// Key returns the 64-bit Zobrist key of board, both hands and side to move. The move number is not part of it.
func (p *Position) Key() uint64 { return p.boardKey ^ p.handKey }

// BoardKey returns the Zobrist key of board and side to move without the hands.
func (p *Position) BoardKey() uint64 { return p.boardKey }

// InCheck reports whether the side to move is in check.
func (p *Position) InCheck() bool { return !p.checkers.IsEmpty() }

// Checkers returns the pieces that give check.
func (p *Position) Checkers() Bitboard { return p.checkers }

// Occupied returns all squares with a piece.
func (p *Position) Occupied() Bitboard { return p.sides[Black].Or(p.sides[White]) }

// Pieces returns the squares of the side's pieces.
func (p *Position) Pieces(c Color) Bitboard { return p.sides[c&1] }

// PiecesOf returns the squares of the side's pieces of one type.
func (p *Position) PiecesOf(c Color, t PieceType) Bitboard { return p.types[t&15].And(p.sides[c&1]) }

// place puts a piece on an empty square; all representations of the board and the key change here and in remove only.
func (p *Position) place(c Color, t PieceType, s Square) {
	p.board[s] = NewPiece(c, t)
	p.types[t&15].toggle(s)
	p.sides[c&1].toggle(s)
	p.boardKey ^= zobrist.Piece(uint8(c), uint8(t), uint8(s))
	if t == King {
		p.kings[c&1] = s
	}
}

// remove takes the piece off an occupied square.
func (p *Position) remove(c Color, t PieceType, s Square) {
	p.board[s] = Empty
	p.types[t&15].toggle(s)
	p.sides[c&1].toggle(s)
	p.boardKey ^= zobrist.Piece(uint8(c), uint8(t), uint8(s))
}

// take adds a piece to the side's hand.
func (p *Position) take(c Color, t PieceType) {
	p.hands[c&1] = p.hands[c&1].Add(t, 1)
	p.handKey ^= zobrist.Hand(uint8(c), uint8(t), uint8(p.hands[c&1].Count(t)))
}

// give removes a piece from the side's hand.
func (p *Position) give(c Color, t PieceType) {
	p.handKey ^= zobrist.Hand(uint8(c), uint8(t), uint8(p.hands[c&1].Count(t)))
	p.hands[c&1] = p.hands[c&1].Add(t, -1)
}

// Do makes a move, which must be legal; IsLegal tells.
func (p *Position) Do(m Move) {
	us, them := p.side, p.side.Opponent()
	to := m.To()
	if m.IsDrop() {
		t := m.DropType()
		p.give(us, t)
		p.place(us, t, to)
	} else {
		from := m.From()
		t := p.board[from].Type()
		p.remove(us, t, from)
		if captured := p.board[to].Type(); captured != NoPieceType {
			p.remove(them, captured, to)
			p.take(us, captured.Unpromote())
		}
		if m.IsPromotion() {
			t = t.Promote()
		}
		p.place(us, t, to)
	}
	p.turn()
	p.checkers = p.checkersOf(them)
}

// DoNull passes the turn without a move. The side to move must not be in check. It is for evaluators that ask what
// the other side threatens.
func (p *Position) DoNull() {
	p.turn()
	p.checkers = Bitboard{}
}

func (p *Position) turn() {
	p.side ^= 1
	p.boardKey ^= zobrist.Turn()
	p.ply++
}

// checkersOf returns the enemy pieces that attack the side's king.
func (p *Position) checkersOf(c Color) Bitboard {
	k := p.kings[c&1]
	if k == NoSquare {
		return Bitboard{}
	}
	return p.Attackers(c.Opponent(), k, p.Occupied())
}

// golds returns the pieces of both sides that move like a gold.
func (p *Position) golds() Bitboard {
	return Bitboard{
		p.types[Gold].Lo | p.types[ProPawn].Lo | p.types[ProLance].Lo | p.types[ProKnight].Lo | p.types[ProSilver].Lo,
		p.types[Gold].Hi | p.types[ProPawn].Hi | p.types[ProLance].Hi | p.types[ProKnight].Hi | p.types[ProSilver].Hi,
	}
}

// straight returns the side's rooks and dragons.
func (p *Position) straight(c Color) Bitboard {
	return p.types[Rook].Or(p.types[Dragon]).And(p.sides[c&1])
}

// diagonal returns the side's bishops and horses.
func (p *Position) diagonal(c Color) Bitboard {
	return p.types[Bishop].Or(p.types[Horse]).And(p.sides[c&1])
}

// Attackers returns the pieces of side c that attack the square when the board is occupied as given; pieces that are not in
// occupied still count as attackers (mask the result to leave them out).
func (p *Position) Attackers(c Color, s Square, occupied Bitboard) Bitboard {
	steps := &stepAttacks[(c^1)&1]
	s &= 127
	rooks, bishops := p.straight(c), p.diagonal(c)
	a := steps[Pawn][s].And(p.types[Pawn])
	a = a.Or(steps[Knight][s].And(p.types[Knight]))
	a = a.Or(steps[Silver][s].And(p.types[Silver]))
	a = a.Or(steps[Gold][s].And(p.golds()))
	a = a.Or(steps[King][s].And(p.types[King].Or(p.types[Horse]).Or(p.types[Dragon])))
	if rooks.Intersects(rookLines[s]) {
		a = a.Or(RookAttacks(s, occupied).And(rooks))
	}
	if bishops.Intersects(bishopLines[s]) {
		a = a.Or(BishopAttacks(s, occupied).And(bishops))
	}
	if lances := p.PiecesOf(c, Lance); lances.Intersects(lanceLines[(c^1)&1][s]) {
		a = a.Or(LanceAttacks(c^1, s, occupied).And(lances))
	}
	return a.And(p.sides[c&1])
}

// keyFromScratch is the slow twin of the incremental keys.
func (p *Position) keyFromScratch() (boardKey, handKey uint64) {
	for s, piece := range p.board {
		if piece != Empty {
			boardKey ^= zobrist.Piece(uint8(piece.Color()), uint8(piece.Type()), uint8(s))
		}
	}
	if p.side == White {
		boardKey ^= zobrist.Turn()
	}
	for c := Black; c <= White; c++ {
		for t := Pawn; t <= Gold; t++ {
			for n := 1; n <= p.hands[c].Count(t); n++ {
				handKey ^= zobrist.Hand(uint8(c), uint8(t), uint8(n))
			}
		}
	}
	return boardKey, handKey
}
