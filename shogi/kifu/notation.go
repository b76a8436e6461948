package kifu

import (
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// written is a move as KIF and KI2 write it, for example 同　銀成(31), ５八金右 or ４五角打.
type written struct {
	to shogi.Square
	// same says 同: to is where the last move went.
	same      bool
	pieceType shogi.PieceType
	promote   bool
	drop      bool
	// from is the square in parentheses, NoSquare when there is none.
	from shogi.Square
	// marks are the characters that tell which of several pieces moves: 右 左 直 上 引 寄.
	marks string
}

// startsMove reports whether the text begins like a move: with a square or 同.
func startsMove(text string) bool {
	_, _, square := cutSquare(text)
	return square || strings.HasPrefix(text, "同")
}

// parseWritten reads a move at the beginning of the text. reason says what is wrong, "" for nothing.
func parseWritten(text string) (w written, rest, reason string) {
	w.from = shogi.NoSquare
	var found bool
	if rest, w.same = strings.CutPrefix(text, "同"); !w.same {
		if w.to, rest, found = cutSquare(text); !found {
			return w, text, "want a square such as ７六"
		}
	}
	rest = strings.TrimLeft(rest, blanks)
	if w.pieceType, rest = cutPiece(rest); w.pieceType == shogi.NoPieceType {
		return w, text, "want a piece such as 歩 after the square"
	}
	rest = w.cutMarks(rest)
	inner, found := cutAny(strings.TrimLeft(rest, blanks), "(", "（")
	digits, after := cutDigits(inner)
	after, closed := cutAny(after, ")", "）")
	switch {
	case !found || !closed || len(digits) != 2:
		return w, rest, ""
	case digits == "00":
		w.drop = true
	default:
		if w.from, _, found = cutSquare(digits); !found {
			return w, text, "want the square it comes from, such as (77)"
		}
	}
	return w, after, ""
}

// cutMarks reads what follows the piece: marks, 成, 不成 and 打.
func (w *written) cutMarks(text string) string {
	for {
		rest, found := cutAny(text, "不成", "生")
		if !found {
			if rest, found = strings.CutPrefix(text, "成"); found {
				w.promote = true
			} else if rest, found = strings.CutPrefix(text, "打"); found {
				w.drop = true
			} else if rest, found = cutAny(text, "行", "入"); found {
				w.marks += "上"
			} else if rest, found = cutAny(text, "右", "左", "直", "上", "引", "寄"); found {
				w.marks += text[:len(text)-len(rest)]
			}
		}
		if !found {
			return text
		}
		text = rest
	}
}

// resolve returns the move in the position. reason says why there is none, "" otherwise. The move may be illegal.
func (w *written) resolve(p *shogi.Position) (m shogi.Move, reason string) {
	switch {
	case w.drop && w.pieceType > shogi.Gold:
		return shogi.MoveNone, "such a piece cannot be dropped"
	case w.drop && w.promote:
		return shogi.MoveNone, "a drop does not promote"
	case w.drop:
		return shogi.NewDrop(w.pieceType, w.to), ""
	case w.promote && !w.pieceType.CanPromote():
		return shogi.MoveNone, "such a piece cannot promote"
	case w.from == shogi.NoSquare:
		return w.find(p)
	case p.PieceAt(w.from) != shogi.NewPiece(p.Side(), w.pieceType):
		return shogi.MoveNone, "no such piece there"
	}
	return w.moveFrom(w.from), ""
}

func (w *written) moveFrom(from shogi.Square) shogi.Move {
	if w.promote {
		return shogi.NewPromotion(from, w.to)
	}
	return shogi.NewMove(from, w.to)
}

// find returns the move of the piece that the marks choose.
func (w *written) find(p *shogi.Position) (shogi.Move, string) {
	group := rivals(p, w.pieceType, w.to)
	if group.IsEmpty() {
		if w.pieceType > shogi.Gold {
			return shogi.MoveNone, "no such piece can go there"
		}
		return shogi.NewDrop(w.pieceType, w.to), ""
	}
	for set := group; !set.IsEmpty(); {
		if from := set.PopFirst(); marksOf(p.Side(), w.pieceType, from, w.to, group) == w.marks {
			return w.moveFrom(from), ""
		}
	}
	// Not as we write it: with more marks than needed, or without those that would tell apart a piece that may not move.
	found := shogi.MoveNone
	for set := group; !set.IsEmpty(); {
		from := set.PopFirst()
		m := w.moveFrom(from)
		if !w.fits(p.Side(), from, group) || !p.IsLegal(m) {
			continue
		}
		if found != shogi.MoveNone {
			return shogi.MoveNone, "several pieces can go there"
		}
		found = m
	}
	if found == shogi.MoveNone {
		return found, "no such piece can go there"
	}
	return found, ""
}

// fits reports whether each of the marks is true of the piece on the square.
func (w *written) fits(c shogi.Color, from shogi.Square, group shogi.Bitboard) bool {
	for _, mark := range w.marks {
		ok := false
		switch mark {
		case '右', '左':
			ok = sideMark(c, w.pieceType, from, w.to, group) == string(mark)
		case '直':
			ok = from.File() == w.to.File() && directionMark(c, from, w.to) == "上"
		default:
			ok = directionMark(c, from, w.to) == string(mark)
		}
		if !ok {
			return false
		}
	}
	return true
}

// rivals returns the mover's pieces of the type that attack the square, pinned ones too.
func rivals(p *shogi.Position, t shogi.PieceType, to shogi.Square) shogi.Bitboard {
	return p.Attackers(p.Side(), to, p.Occupied()).And(p.PiecesOf(p.Side(), t))
}

// directionMark returns 上 for a move forward, 引 for one backward, 寄 for one sideways.
func directionMark(c shogi.Color, from, to shogi.Square) string {
	if c == shogi.White {
		from, to = from.Flip(), to.Flip()
	}
	switch {
	case from.Rank() > to.Rank():
		return "上"
	case from.Rank() < to.Rank():
		return "引"
	}
	return "寄"
}

// sideMark returns 右 or 左 for a piece on that side, as the mover sees it: of the target square, or, for horses and dragons,
// of the other piece. It is "" for a piece on the same file.
func sideMark(c shogi.Color, t shogi.PieceType, from, to shogi.Square, group shogi.Bitboard) string {
	axis := to.File()
	if t == shogi.Horse || t == shogi.Dragon {
		for set := group; !set.IsEmpty(); {
			if s := set.PopFirst(); s != from {
				axis = s.File()
			}
		}
	}
	right := axis - from.File()
	if c == shogi.White {
		right = -right
	}
	switch {
	case right > 0:
		return "右"
	case right < 0:
		return "左"
	}
	return ""
}

// marksOf returns the marks that tell the piece on from apart from the others of its group: the direction if that is enough,
// else the side (直 for straight forward, which horses and dragons do not use), else both.
func marksOf(c shogi.Color, t shogi.PieceType, from, to shogi.Square, group shogi.Bitboard) string {
	direction, side := directionMark(c, from, to), sideMark(c, t, from, to, group)
	sameDirection, sameSide := 0, 0
	for set := group; !set.IsEmpty(); {
		s := set.PopFirst()
		if directionMark(c, s, to) == direction {
			sameDirection++
		}
		if sideMark(c, t, s, to, group) == side {
			sameSide++
		}
	}
	switch {
	case group.Count() <= 1:
		return ""
	case sameDirection == 1:
		return direction
	case side == "" && direction == "上":
		return "直"
	case sameSide == 1:
		return side
	}
	return side + direction
}

// ki2Text returns a move as KI2 has it, without the mover's sign: 打 only where a piece on the board could go there too, and at illegal
// drops. last is where the move before went. It is false for an
// illegal move of a piece that does not reach the square, because KI2 does not say where a piece comes from.
func ki2Text(p *shogi.Position, m shogi.Move, last shogi.Square) (string, bool) {
	text := squareName(m.To())
	if m.To() == last {
		text = "同"
	}
	if m.IsDrop() {
		text += pieceNames[m.DropType()]
		if !rivals(p, m.DropType(), m.To()).IsEmpty() || !p.IsLegal(m) {
			text += "打"
		}
		return text, true
	}
	t := p.PieceAt(m.From()).Type()
	group := rivals(p, t, m.To())
	text += pieceNames[t] + marksOf(p.Side(), t, m.From(), m.To(), group)
	switch {
	case m.IsPromotion():
		text += "成"
	case t.CanPromote() && (inZone(p.Side(), m.From()) || inZone(p.Side(), m.To())):
		text += "不成"
	}
	return text, group.Has(m.From())
}

// inZone reports whether the square is in the side's promotion zone.
func inZone(c shogi.Color, s shogi.Square) bool {
	if c == shogi.White {
		s = s.Flip()
	}
	return s.Rank() <= 3
}

// kifText returns a move as KIF has it.
func kifText(p *shogi.Position, m shogi.Move, last shogi.Square) string {
	text := squareName(m.To())
	if m.To() == last {
		text = "同　"
	}
	if m.IsDrop() {
		return text + pieceNames[m.DropType()] + "打"
	}
	text += pieceNames[p.PieceAt(m.From()).Type()]
	if m.IsPromotion() {
		text += "成"
	}
	from := m.From()
	return text + "(" + string([]byte{byte('0' + from.File()), byte('0' + from.Rank())}) + ")"
}
