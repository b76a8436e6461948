package shogi

import "fmt"

// Color is a side: Black (sente, moves first in an even game) or White (gote).
type Color uint8

// The two sides. The numbers are those of the node hash's turn field.
const (
	Black Color = iota
	White
)

// Opponent returns the other side.
func (c Color) Opponent() Color { return c ^ 1 }

// String returns "b" for Black and "w" for White, as SFEN writes them.
func (c Color) String() string {
	if c == Black {
		return "b"
	}
	return "w"
}

// Square is a board square, index = (file-1)*9 + (rank-1): 1a = 0 … 9i = 80.
type Square uint8

// NumSquares is the number of squares of the board.
const NumSquares = 81

// NoSquare says that there is no such square, for example the king's square of a side without a king.
const NoSquare Square = NumSquares

// NewSquare returns the square on file 1..9 and rank 1..9 (rank 1 is USI's "a").
func NewSquare(file, rank int) Square { return Square((file-1)*9 + rank - 1) }

// File returns the square's file, 1..9.
func (s Square) File() int { return int(s)/9 + 1 }

// Rank returns the square's rank, 1..9; rank 1 is Black's farthest.
func (s Square) Rank() int { return int(s)%9 + 1 }

// Flip returns the square as the opponent sees it, the board turned by 180 degrees.
func (s Square) Flip() Square { return NumSquares - 1 - s }

// String returns the square as USI writes it, for example "7g".
func (s Square) String() string {
	if s >= NumSquares {
		return "-"
	}
	return string([]byte{byte('0' + s.File()), byte('a' + s.Rank() - 1)})
}

// ParseSquare reads a square as USI writes it. The error names the text.
func ParseSquare(text string) (Square, error) {
	if len(text) != 2 || text[0] < '1' || text[0] > '9' || text[1] < 'a' || text[1] > 'i' {
		return NoSquare, fmt.Errorf("bad square %q: want a file 1-9 and a rank a-i", text)
	}
	return NewSquare(int(text[0]-'0'), int(text[1]-'a')+1), nil
}

// relativeRank returns the square's rank, 1..9, as side c sees it: 1..3 is the promotion zone.
func relativeRank(c Color, s Square) int {
	if c == Black {
		return s.Rank()
	}
	return 10 - s.Rank()
}
