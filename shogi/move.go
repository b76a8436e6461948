package shogi

import "fmt"

// Move is a move in 16 bits, the layout of psv records:
//
//	bit  15       14    13 … 7                          6 … 0
//	     promote  drop  from square or dropped type     to square
//
// The moved piece is not part of it; it is read from the position.
type Move uint16

const (
	moveFromShift       = 7
	moveDrop       Move = 1 << 14
	movePromote    Move = 1 << 15
	moveSquareMask      = 127
)

// Moves that are none. Their from and to squares are equal, so no legal move has these values.
const (
	MoveNone   Move = 0
	MoveNull   Move = 1<<moveFromShift | 1
	MoveResign Move = 2<<moveFromShift | 2
	MoveWin    Move = 3<<moveFromShift | 3
)

// MaxMoves is the largest number of legal moves in any position (593, in a constructed one).
const MaxMoves = 593

// NewMove returns a board move without promotion.
func NewMove(from, to Square) Move { return Move(from)<<moveFromShift | Move(to) }

// NewPromotion returns a board move that promotes.
func NewPromotion(from, to Square) Move { return NewMove(from, to) | movePromote }

// NewDrop returns the drop of a piece type on a square.
func NewDrop(t PieceType, to Square) Move {
	return Move(t)<<moveFromShift | Move(to) | moveDrop
}

// To returns the square that the piece goes to.
func (m Move) To() Square { return Square(m & moveSquareMask) }

// From returns the square that the piece leaves. It is only right where IsDrop is false.
func (m Move) From() Square { return Square(m >> moveFromShift & moveSquareMask) }

// IsDrop reports whether the move drops a piece from the hand.
func (m Move) IsDrop() bool { return m&moveDrop != 0 }

// DropType returns the dropped piece type. It is only right where IsDrop is true.
func (m Move) DropType() PieceType { return PieceType(m >> moveFromShift & moveSquareMask) }

// IsPromotion reports whether the move promotes the piece.
func (m Move) IsPromotion() bool { return m&movePromote != 0 }

// IsMove reports whether the value is a move on the board or a drop, rather than none, null, resign or win.
func (m Move) IsMove() bool { return m.IsDrop() || m.From() != m.To() }

// String returns the move as USI writes it: "7g7f", "4e3c+", "P*3d", "resign", "win", "null" or "none".
func (m Move) String() string {
	switch {
	case m == MoveNone:
		return "none"
	case m == MoveNull:
		return "null"
	case m == MoveResign:
		return "resign"
	case m == MoveWin:
		return "win"
	case m.IsDrop():
		return m.DropType().String() + "*" + m.To().String()
	case m.IsPromotion():
		return m.From().String() + m.To().String() + "+"
	}
	return m.From().String() + m.To().String()
}

// ParseMove reads a move as USI writes it. It knows nothing of a position, so the move may be illegal; the error
// names the text that is no move at all.
func ParseMove(text string) (Move, error) {
	if len(text) == 4 && text[1] == '*' {
		to, err := ParseSquare(text[2:])
		if err != nil {
			return MoveNone, fmt.Errorf("bad move %q: %w", text, err)
		}
		for t := Pawn; t <= Gold; t++ {
			if pieceTypeText[t][0] == text[0] {
				return NewDrop(t, to), nil
			}
		}
		return MoveNone, fmt.Errorf("bad move %q: %q cannot be dropped", text, text[:1])
	}
	promote := len(text) == 5 && text[4] == '+'
	if len(text) != 4 && !promote {
		return MoveNone, fmt.Errorf("bad move %q: want for example 7g7f, 4e3c+ or P*3d", text)
	}
	from, err := ParseSquare(text[:2])
	if err != nil {
		return MoveNone, fmt.Errorf("bad move %q: %w", text, err)
	}
	to, err := ParseSquare(text[2:4])
	if err != nil {
		return MoveNone, fmt.Errorf("bad move %q: %w", text, err)
	}
	if from == to {
		return MoveNone, fmt.Errorf("bad move %q: both squares are the same", text)
	}
	if promote {
		return NewPromotion(from, to), nil
	}
	return NewMove(from, to), nil
}
