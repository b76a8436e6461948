package shogi

import "fmt"

// Setup is a position given piece by piece, as the binary record formats store it.
type Setup struct {
	Board [NumSquares]Piece
	Hands [2]Hand
	Side  Color
	// Ply is the move number; 0 is read as 1.
	Ply int
}

// Position returns the position. Setups that no game can reach are refused as ParseSFEN does.
func (s *Setup) Position() (Position, error) {
	p := Position{kings: [2]Square{NoSquare, NoSquare}}
	for i, piece := range s.Board {
		if piece == Empty {
			continue
		}
		c, t := piece.Color(), piece.Type()
		if t == King && p.kings[c&1] != NoSquare {
			return Position{}, fmt.Errorf("bad setup: two kings %q", piece)
		}
		p.place(c, t, Square(i))
	}
	for c := Black; c <= White; c++ {
		for t := Pawn; t <= Gold; t++ {
			n := s.Hands[c].Count(t)
			if n > t.SetCount() {
				return Position{}, fmt.Errorf("bad setup: %d of %q in hand", n, NewPiece(c, t))
			}
			for range n {
				p.take(c, t)
			}
		}
	}
	if s.Side == White {
		p.turn()
	}
	p.ply = uint16(min(max(s.Ply, 1), maxPly))
	if err := p.reachable(); err != nil {
		return Position{}, err
	}
	p.checkers = p.checkersOf(p.side)
	return p, nil
}

// Setup returns the position piece by piece.
func (p *Position) Setup() Setup {
	return Setup{Board: p.board, Hands: p.hands, Side: p.side, Ply: int(p.ply)}
}
