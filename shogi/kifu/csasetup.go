package kifu

import (
	"fmt"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// pieces reads a line about the start position: PI…, P1… to P9…, P+… or P-….
func (r *csaReader) pieces(s string) *Error {
	if len(s) < 2 {
		return r.fail(s, "want PI, P1 to P9, P+ or P-")
	}
	set := &r.setup
	set.given = true
	switch c := s[1]; {
	case c == 'I':
		even := shogi.StartPosition()
		set.board = even.Setup().Board
		return r.removed(s[2:])
	case c >= '1' && c <= '9':
		return r.rank(s, int(c-'0'))
	case c == '+':
		return r.placed(s[2:], shogi.Black)
	case c == '-':
		return r.placed(s[2:], shogi.White)
	}
	return r.fail(s, "want PI, P1 to P9, P+ or P-")
}

// removed takes the pieces that a handicap line lists off the board.
func (r *csaReader) removed(text string) *Error {
	for ; text != ""; text = text[min(4, len(text)):] {
		square, t, ok := csaPlace(text)
		if !ok || square == shogi.NoSquare || r.setup.board[square].Type() != t {
			return r.fail(text, "want the square and name of a piece that stands there, such as 82HI")
		}
		r.setup.board[square] = shogi.Empty
	}
	return nil
}

// rank reads nine squares. Blanks between them may be missing or too many.
func (r *csaReader) rank(s string, rank int) *Error {
	text := strings.TrimLeft(s[2:], blanks)
	for file := 9; file >= 1; file-- {
		square := shogi.NewSquare(file, rank)
		if rest, found := strings.CutPrefix(text, "*"); found {
			r.setup.board[square] = shogi.Empty
			text = strings.TrimLeft(rest, blanks)
			continue
		}
		t, ok := shogi.NoPieceType, len(text) >= 3 && (text[0] == '+' || text[0] == '-')
		if ok {
			t, ok = pieceOfCSA(text[1:3])
		}
		if !ok {
			return r.fail(s, "want * or a piece such as +FU on file %d", file)
		}
		c := shogi.Black
		if text[0] == '-' {
			c = shogi.White
		}
		r.setup.board[square] = shogi.NewPiece(c, t)
		text = strings.TrimLeft(text[3:], blanks)
	}
	if text != "" {
		return r.fail(text, "a rank has nine squares")
	}
	return nil
}

// placed reads a list of pieces of a side: on squares, 00 in hand, 00AL all that are left.
func (r *csaReader) placed(text string, c shogi.Color) *Error {
	set := &r.setup
	for ; text != ""; text = text[min(4, len(text)):] {
		if strings.HasPrefix(text, "00AL") {
			set.rest, set.restOf = true, c
			continue
		}
		square, t, ok := csaPlace(text)
		switch {
		case !ok:
			return r.fail(text, "want a square and a piece, such as 55FU or 00FU")
		case square == shogi.NoSquare && t > shogi.Gold:
			return r.fail(text[:4], "cannot be in hand")
		case square == shogi.NoSquare:
			set.hands[c][t]++
		case set.board[square] != shogi.Empty:
			return r.fail(text[:4], "the square has a piece already")
		default:
			set.board[square] = shogi.NewPiece(c, t)
		}
	}
	return nil
}

// csaPlace reads a square and a piece; the square 00 is NoSquare.
func csaPlace(text string) (shogi.Square, shogi.PieceType, bool) {
	if len(text) < 4 {
		return shogi.NoSquare, shogi.NoPieceType, false
	}
	t, ok := pieceOfCSA(text[2:4])
	if text[:2] == "00" {
		return shogi.NoSquare, t, ok
	}
	if text[0] < '1' || text[0] > '9' || text[1] < '1' || text[1] > '9' {
		return shogi.NoSquare, t, false
	}
	return shogi.NewSquare(int(text[0]-'0'), int(text[1]-'0')), t, ok
}

// position returns the start position; without any line about pieces it is that of an even game.
func (set *csaSetup) position() (shogi.Position, error) {
	even := shogi.StartPosition()
	if !set.given {
		set.board = even.Setup().Board
	}
	if set.rest {
		var used [shogi.NumPieceTypes]int
		for _, piece := range set.board {
			used[piece.Type().Unpromote()]++
		}
		for t := shogi.Pawn; t <= shogi.Gold; t++ {
			left := t.SetCount() - used[t] - set.hands[shogi.Black][t] - set.hands[shogi.White][t]
			set.hands[set.restOf][t] += max(left, 0)
		}
	}
	return makePosition(set.board, set.hands, set.side, 1)
}

// makePosition returns the position with the pieces, or an error that says what is wrong with it.
func makePosition(board [shogi.NumSquares]shogi.Piece, hands [2][shogi.NumHandTypes]int, side shogi.Color, ply int) (shogi.Position, error) {
	setup := shogi.Setup{Board: board, Side: side, Ply: ply}
	for c := range hands {
		for t := shogi.Pawn; t <= shogi.Gold; t++ {
			if hands[c][t] > t.SetCount() {
				return shogi.Position{}, fmt.Errorf("%d pieces %s in hand", hands[c][t], t)
			}
			setup.Hands[c] = setup.Hands[c].Add(t, hands[c][t])
		}
	}
	return setup.Position()
}
