package shogi

import (
	"fmt"
	"strings"
)

// String returns the board as a diagram in 7-bit letters, White on top, with the hands and the side to move.
func (p *Position) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "White in hand: %s\n", p.handText(White))
	b.WriteString("  9  8  7  6  5  4  3  2  1\n")
	for rank := 1; rank <= 9; rank++ {
		for file := 9; file >= 1; file-- {
			text := p.board[NewSquare(file, rank)].String()
			if text == "" {
				text = "."
			}
			fmt.Fprintf(&b, "%3s", text)
		}
		fmt.Fprintf(&b, "  %c\n", 'a'+rank-1)
	}
	fmt.Fprintf(&b, "Black in hand: %s\n", p.handText(Black))
	fmt.Fprintf(&b, "%s to move, move %d\n", [2]string{"Black", "White"}[p.side], p.ply)
	return b.String()
}

func (p *Position) handText(c Color) string {
	var words []string
	for _, t := range handOrder {
		if n := p.hands[c].Count(t); n > 0 {
			words = append(words, fmt.Sprintf("%s*%d", t, n))
		}
	}
	if words == nil {
		return "-"
	}
	return strings.Join(words, " ")
}

var (
	japaneseType = [NumPieceTypes]string{"", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "杏", "圭", "全", "馬", "龍"}
	japaneseRank = [10]string{"", "一", "二", "三", "四", "五", "六", "七", "八", "九"}
	japaneseFile = [10]string{"", "１", "２", "３", "４", "５", "６", "７", "８", "９"}
)

// Japanese returns the board as a diagram in Japanese, White (後手, marked v) on top.
func (p *Position) Japanese() string {
	var b strings.Builder
	fmt.Fprintf(&b, "後手の持駒：%s\n", p.japaneseHand(White))
	b.WriteString("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n")
	for rank := 1; rank <= 9; rank++ {
		b.WriteString("|")
		for file := 9; file >= 1; file-- {
			piece := p.board[NewSquare(file, rank)]
			switch {
			case piece == Empty:
				b.WriteString(" ・")
			case piece.Color() == White:
				b.WriteString("v" + japaneseType[piece.Type()])
			default:
				b.WriteString(" " + japaneseType[piece.Type()])
			}
		}
		fmt.Fprintf(&b, "|%s\n", japaneseRank[rank])
	}
	fmt.Fprintf(&b, "+---------------------------+\n先手の持駒：%s\n", p.japaneseHand(Black))
	fmt.Fprintf(&b, "%s番　%d手目\n", [2]string{"先手", "後手"}[p.side], p.ply)
	return b.String()
}

func (p *Position) japaneseHand(c Color) string {
	var words []string
	for _, t := range handOrder {
		switch n := p.hands[c].Count(t); {
		case n > 10:
			words = append(words, japaneseType[t]+"十"+japaneseRank[n-10])
		case n == 10:
			words = append(words, japaneseType[t]+"十")
		case n > 1:
			words = append(words, japaneseType[t]+japaneseRank[n])
		case n == 1:
			words = append(words, japaneseType[t])
		}
	}
	if words == nil {
		return "なし"
	}
	return strings.Join(words, "　")
}

// JapaneseMove returns the legal move as Japanese players write it with its origin, for example "☗７六歩(77)" or "☖３四角打".
func (p *Position) JapaneseMove(m Move) string {
	mark := [2]string{"☗", "☖"}[p.side]
	square := japaneseFile[m.To().File()] + japaneseRank[m.To().Rank()]
	if m.IsDrop() {
		return mark + square + japaneseType[m.DropType()] + "打"
	}
	text := mark + square + japaneseType[p.board[m.From()].Type()]
	if m.IsPromotion() {
		text += "成"
	}
	return fmt.Sprintf("%s(%d%d)", text, m.From().File(), m.From().Rank())
}
