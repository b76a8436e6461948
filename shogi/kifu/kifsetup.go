package kifu

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

const handicapKey = "手合割"

// kifSetup is the start position while its lines are read.
type kifSetup struct {
	// name is what 手合割 says, nameAt how many fields stand before it.
	name   string
	nameAt int
	board  [shogi.NumSquares]shogi.Piece
	rows   int
	hands  [2][shogi.NumHandTypes]int
	side   shogi.Color
	// sideGiven says that a line such as 後手番 was there.
	sideGiven bool
	// ply is the number of the first move, 0 when unknown.
	ply  int
	last shogi.Square
}

// setupLine reads a line about the start position.
func (r *kakinokiReader) setupLine(kind lineKind, text, rest string) *Error {
	set := &r.setup
	switch kind {
	case handicapLine:
		set.name, set.nameAt = rest, len(r.rec.Header)
	case sideLine:
		set.sideGiven = true
		set.side = shogi.Black
		if strings.HasPrefix(text, sideWords[1]) || strings.HasPrefix(text, sideWords[3]) {
			set.side = shogi.White
		}
	case handLine:
		c := shogi.Black
		if strings.HasPrefix(text, sideWords[1]) || strings.HasPrefix(text, sideWords[3]) {
			c = shogi.White
		}
		return r.hand(rest, c)
	case boardRow:
		return r.row(text, rest)
	case plyLine:
		return r.ply(text, rest)
	}
	return nil
}

// hand reads pieces such as 飛　角二　歩十八.
func (r *kakinokiReader) hand(text string, c shogi.Color) *Error {
	r.setup.hands[c] = [shogi.NumHandTypes]int{}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimLeft(text, blanks) {
		if rest, found := strings.CutPrefix(text, "なし"); found {
			text = rest
			continue
		}
		t, rest := cutPiece(text)
		if t == shogi.NoPieceType || t > shogi.Gold {
			return r.fail(firstWord(text), "want pieces in hand such as 角　歩十二, or なし")
		}
		count, rest := cutCount(rest)
		r.setup.hands[c][t] += count
		if r.setup.hands[c][t] > t.SetCount() {
			return r.fail(firstWord(text), "more than a set has")
		}
		text = rest
	}
	return nil
}

// cutCount reads a number in kanji, or digits, at the beginning of the text; 1 when there is none.
func cutCount(text string) (int, string) {
	n := 0
	i := strings.IndexFunc(text, func(r rune) bool {
		switch {
		case r == '十' || r == '0' || r == '０':
			n *= 10
			if r == '十' {
				n += 10
			}
		case digit(r) > 0 && strings.ContainsRune(kanjiDigits, r):
			n += digit(r)
		case digit(r) > 0:
			n = n*10 + digit(r)
		default:
			return true
		}
		n = min(n, maxNumber)
		return false
	})
	switch {
	case i == 0 || text == "":
		return 1, text
	case i < 0:
		i = len(text)
	}
	return n, text[i:]
}

// row reads a rank of the diagram: nine squares, each a blank or v and a piece or ・.
func (r *kakinokiReader) row(line, text string) *Error {
	set := &r.setup
	set.rows++
	if set.rows > 9 {
		return r.fail(line, "the diagram has more than nine ranks")
	}
	text, _, _ = strings.Cut(text, "|")
	for file := 9; file >= 1; file-- {
		text = strings.TrimLeft(text, blanks)
		piece := shogi.Empty
		if rest, found := cutAny(text, "・", "·", "･", "."); found {
			text = rest
		} else {
			c := shogi.Black
			if rest, found := cutAny(text, "v", "V", "ｖ"); found {
				c, text = shogi.White, rest
			} else if rest, found := cutAny(text, "^"); found {
				text = rest
			}
			t, rest := cutBoardPiece(text)
			if t == shogi.NoPieceType {
				return r.fail(line, "want ・ or a piece such as 歩 or v歩 on file %d", file)
			}
			piece, text = shogi.NewPiece(c, t), rest
		}
		set.board[shogi.NewSquare(file, set.rows)] = piece
	}
	if strings.TrimSpace(text) != "" {
		return r.fail(line, "a rank has nine squares")
	}
	return nil
}

// cutBoardPiece reads a piece in the one character that it has in a diagram.
func cutBoardPiece(text string) (shogi.PieceType, string) {
	first := []rune(text + " ")[0]
	t, rest := cutPiece(string(first))
	if rest != "" {
		return shogi.NoPieceType, text
	}
	return t, text[len(string(first)):]
}

func cutAny(text string, signs ...string) (string, bool) {
	for _, sign := range signs {
		if rest, found := strings.CutPrefix(text, sign); found {
			return rest, true
		}
	}
	return text, false
}

// ply reads 手数＝N, the number of moves before the diagram, and the last of them if it is there.
func (r *kakinokiReader) ply(line, text string) *Error {
	digits, rest := cutDigits(strings.TrimLeft(text, blanks))
	n, err := strconv.Atoi(digits)
	if err != nil || n >= maxNumber {
		return r.fail(line, "want the number of moves before the diagram, below %d", maxNumber)
	}
	r.setup.ply = n + 1
	r.setup.last = shogi.NoSquare
	if i := strings.IndexAny(rest, blackMarks+whiteMarks); i >= 0 {
		_, move := classify(rest[i:])
		if s, _, ok := cutSquare(strings.TrimLeft(move, blanks)); ok {
			r.setup.last = s
		}
	}
	return nil
}

// unknownName reports whether 手合割 has a name that means nothing and no diagram explains.
func (set *kifSetup) unknownName() bool {
	_, known := Handicap(set.name)
	return !known && set.rows == 0 && set.name != "" && set.name != otherHandicap
}

// position returns the start position: the diagram, else the named position, else that of an even game.
func (set *kifSetup) position() (shogi.Position, error) {
	named, known := Handicap(set.name)
	if !known {
		named = shogi.StartPosition()
	}
	board, side := named.Setup().Board, named.Side()
	switch {
	case set.rows > 0 && set.rows < 9:
		return shogi.Position{}, fmt.Errorf("the diagram has %d of nine ranks", set.rows)
	case set.rows > 0:
		board = set.board
	}
	if set.sideGiven {
		side = set.side
	}
	return makePosition(board, set.hands, side, max(set.ply, 1))
}
