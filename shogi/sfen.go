package shogi

import (
	"fmt"
	"strconv"
	"strings"
)

// StartSFEN is the start position of an even game.
const StartSFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

// maxPly is the largest move number that ParseSFEN takes; a game may go on beyond it.
const maxPly = 30000

// StartPosition returns the start position of an even game.
func StartPosition() Position { return startPosition }

var startPosition = func() Position {
	p, err := ParseSFEN(StartSFEN)
	if err != nil {
		panic(err)
	}
	return p
}()

// ParseSFEN reads a position: board, side to move, hands and, optionally, the move number (1 when missing, 0 is read as 1);
// a leading word "sfen" is skipped. Hands may come in any order, with repeated letters and counts up to 18. A side may be
// without a king (mate problems). Refused, with an error that names the field and the token, are malformed text, two kings of
// a side, and positions that no game can reach: more pieces than a set has, pieces that could never move again, two
// pawns of a side on a file, and a side to move that could take the king.
func ParseSFEN(text string) (Position, error) {
	p, err := ParseConstructedSFEN(text)
	if err == nil {
		err = p.reachable()
	}
	if err != nil {
		return Position{}, err
	}
	return p, nil
}

// ParseConstructedSFEN is ParseSFEN for boards made by hand for a test or a study: it also reads positions that no
// game can reach, as long as the moves in them are defined. A king is never taken.
func ParseConstructedSFEN(text string) (Position, error) {
	fields := strings.Fields(text)
	if len(fields) > 0 && fields[0] == "sfen" {
		fields = fields[1:]
	}
	if len(fields) < 3 || len(fields) > 4 {
		return Position{}, fmt.Errorf("bad sfen %q: want board, side, hands and optionally the move number, got %d fields", text, len(fields))
	}
	p := Position{ply: 1, kings: [2]Square{NoSquare, NoSquare}}
	if err := p.parseBoard(fields[0]); err != nil {
		return Position{}, err
	}
	switch fields[1] {
	case "b":
	case "w":
		p.turn()
	default:
		return Position{}, fmt.Errorf("bad sfen side %q: want b or w", fields[1])
	}
	if err := p.parseHands(fields[2]); err != nil {
		return Position{}, err
	}
	p.ply = 1
	if len(fields) == 4 {
		n, err := strconv.Atoi(fields[3])
		if err != nil || n < 0 || n > maxPly {
			return Position{}, fmt.Errorf("bad sfen move number %q: want 1-%d", fields[3], maxPly)
		}
		p.ply = uint16(max(n, 1))
	}
	for t := Pawn; t <= Gold; t++ {
		if n := p.total(t); n > mostPieces[t] {
			return Position{}, fmt.Errorf("bad sfen: %d pieces of type %s, at most %d can be represented", n, t, mostPieces[t])
		}
	}
	if n := p.Occupied().Count(); n > MaxPieces {
		return Position{}, fmt.Errorf("bad sfen board: %d pieces, want at most %d", n, MaxPieces)
	}
	p.checkers = p.checkersOf(p.side)
	return p, nil
}

func (p *Position) parseBoard(text string) error {
	ranks := strings.Split(text, "/")
	if len(ranks) != 9 {
		return fmt.Errorf("bad sfen board %q: want 9 ranks, got %d", text, len(ranks))
	}
	for i, rank := range ranks {
		if err := p.parseRank(rank, i+1); err != nil {
			return fmt.Errorf("bad sfen board, rank %d %q: %w", i+1, rank, err)
		}
	}
	return nil
}

func (p *Position) parseRank(text string, rank int) error {
	file := 9
	promoted := false
	for i := 0; i < len(text); i++ {
		ch := text[i]
		switch {
		case ch >= '1' && ch <= '9' && !promoted:
			file -= int(ch - '0')
		case ch == '+' && !promoted:
			promoted = true
			continue
		default:
			c, t, ok := pieceOf(ch)
			if !ok || promoted && !t.CanPromote() {
				return fmt.Errorf("%q is no piece", text[max(0, i-1):i+1])
			}
			if file < 1 {
				return fmt.Errorf("more than 9 squares")
			}
			if t == King && p.kings[c] != NoSquare {
				return fmt.Errorf("%q is a second king", string(ch))
			}
			if promoted {
				t = t.Promote()
			}
			p.place(c, t, NewSquare(file, rank))
			promoted = false
			file--
		}
		if file < 0 {
			return fmt.Errorf("more than 9 squares")
		}
	}
	if promoted {
		return fmt.Errorf("\"+\" at the end")
	}
	if file != 0 {
		return fmt.Errorf("%d squares, want 9", 9-file)
	}
	return nil
}

// pieceOf returns the piece of an SFEN letter, capitals for Black.
func pieceOf(ch byte) (Color, PieceType, bool) {
	c := Black
	if ch >= 'a' && ch <= 'z' {
		c = White
		ch -= 'a' - 'A'
	}
	for t := Pawn; t <= King; t++ {
		if pieceTypeText[t][0] == ch {
			return c, t, true
		}
	}
	return c, NoPieceType, false
}

func (p *Position) parseHands(text string) error {
	if text == "-" {
		return nil
	}
	count := -1
	for i := 0; i < len(text); i++ {
		ch := text[i]
		if ch >= '0' && ch <= '9' {
			count = max(count, 0)*10 + int(ch-'0')
			if count < 1 || count > 18 {
				return fmt.Errorf("bad sfen hands %q: the count at %q is not 1-18", text, text[i:])
			}
			continue
		}
		c, t, ok := pieceOf(ch)
		if !ok || t == King {
			return fmt.Errorf("bad sfen hands %q: %q cannot be in hand", text, string(rune(ch)))
		}
		for range max(count, 1) {
			if p.hands[c].Count(t) >= t.SetCount() {
				return fmt.Errorf("bad sfen hands %q: more than %d of %q", text, t.SetCount(), string(rune(ch)))
			}
			p.take(c, t)
		}
		count = -1
	}
	if count >= 0 {
		return fmt.Errorf("bad sfen hands %q: a count without a piece at the end", text)
	}
	return nil
}

// mostPieces is how many pieces of a type a hand can represent.
var mostPieces = [NumHandTypes]int{Pawn: 18, Lance: 7, Knight: 7, Silver: 7, Bishop: 7, Rook: 7, Gold: 7}

// total returns the number of pieces of the unpromoted type in the game, promoted ones and hands included.
func (p *Position) total(t PieceType) int {
	n := p.types[t].Count() + p.hands[Black].Count(t) + p.hands[White].Count(t)
	if t.CanPromote() {
		n += p.types[t.Promote()].Count()
	}
	return n
}

// reachable returns an error that says why no game can reach the position, nil when nothing speaks against it.
func (p *Position) reachable() error {
	for t := Pawn; t <= Gold; t++ {
		if n := p.total(t); n > t.SetCount() {
			return fmt.Errorf("bad sfen: %d pieces of type %s, a set has %d", n, t, t.SetCount())
		}
	}
	for c := Black; c <= White; c++ {
		for t := Pawn; t <= Knight; t++ {
			if dead := p.PiecesOf(c, t).AndNot(mobileSet[c][t]); !dead.IsEmpty() {
				return fmt.Errorf("bad sfen board: %s on %s could never move", NewPiece(c, t), dead.First())
			}
		}
		for f := 1; f <= 9; f++ {
			if p.PiecesOf(c, Pawn).And(fileSet[f]).More() {
				return fmt.Errorf("bad sfen board: two pawns %q on file %d", NewPiece(c, Pawn), f)
			}
		}
	}
	if !p.checkersOf(p.side ^ 1).IsEmpty() {
		return fmt.Errorf("bad sfen side %q: the side to move could take the king", p.side)
	}
	return nil
}

// SFEN returns the position in its canonical form: hands in the order R B G S N L P, Black's first, and the move number.
func (p *Position) SFEN() string {
	b := make([]byte, 0, 100)
	for rank := 1; rank <= 9; rank++ {
		if rank > 1 {
			b = append(b, '/')
		}
		empty := 0
		for file := 9; file >= 1; file-- {
			piece := p.board[NewSquare(file, rank)]
			if piece == Empty {
				empty++
				continue
			}
			if empty > 0 {
				b = append(b, byte('0'+empty))
				empty = 0
			}
			b = append(b, piece.String()...)
		}
		if empty > 0 {
			b = append(b, byte('0'+empty))
		}
	}
	b = append(b, ' ')
	b = append(b, p.side.String()...)
	b = append(b, ' ')
	b = p.appendHands(b)
	b = append(b, ' ')
	return string(strconv.AppendInt(b, int64(p.ply), 10))
}

// handOrder is the order in which SFEN and diagrams list pieces in hand.
var handOrder = [...]PieceType{Rook, Bishop, Gold, Silver, Knight, Lance, Pawn}

func (p *Position) appendHands(b []byte) []byte {
	if p.hands[Black]|p.hands[White] == 0 {
		return append(b, '-')
	}
	for c := Black; c <= White; c++ {
		for _, t := range handOrder {
			n := p.hands[c].Count(t)
			if n > 1 {
				b = strconv.AppendInt(b, int64(n), 10)
			}
			if n > 0 {
				b = append(b, NewPiece(c, t).String()...)
			}
		}
	}
	return b
}
