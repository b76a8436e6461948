package kifu

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineKind is what a line of a KIF or KI2 file is.
type lineKind uint8

const (
	junk         lineKind = iota // text that means nothing
	field                        // key：value
	comment                      // *text
	bookmark                     // &name
	ignored                      // #text, and the frame of a diagram
	handicapLine                 // 手合割：name
	handLine                     // 先手の持駒：…, 後手の持駒：…
	boardRow                     // |v香v桂 … |一
	sideLine                     // 先手番, 後手番
	plyLine                      // 手数＝N
	flipLine                     // 盤面反転
	movesHeading                 // 手数----指手---------消費時間--
	numberedMove                 // 1 ７六歩(77)
	markedMoves                  // ▲７六歩 △３四歩
	variation                    // 変化：N手
	closing                      // まで…
)

const flipText = "盤面反転"

// classify returns the kind of a line without blanks around it, and what follows the line's sign, where it has one.
func classify(line string) (lineKind, string) {
	for _, p := range prefixes {
		if rest, found := strings.CutPrefix(line, p.prefix); found {
			return p.kind, rest
		}
	}
	if line == flipText {
		return flipLine, ""
	}
	if rest, found := strings.CutPrefix(line, "９"); found && strings.TrimLeft(rest, blanks) != rest {
		return ignored, ""
	}
	if rest, found := cutColonWord(line, "手合割"); found {
		return handicapLine, rest
	}
	if rest, found := cutColonWord(line, "変化"); found {
		return variation, rest
	}
	for _, side := range sideWords {
		if line == side+"番" {
			return sideLine, ""
		}
		if rest, found := cutColonWord(line, side+"の持駒"); found {
			return handLine, rest
		}
	}
	if digits, rest := cutDigits(line); digits != "" && strings.TrimLeft(rest, blanks) != rest {
		return numberedMove, ""
	}
	if first, n := utf8.DecodeRuneInString(line); strings.ContainsRune(blackMarks+whiteMarks, first) {
		return markedMoves, line[n:]
	}
	if _, ok := parseField(line); ok {
		return field, ""
	}
	return junk, ""
}

var prefixes = []struct {
	prefix string
	kind   lineKind
}{{"*", comment}, {"&", bookmark}, {"#", ignored}, {"|", boardRow}, {"+--", ignored}, {"手数--", movesHeading},
	{"手数＝", plyLine}, {"手数=", plyLine}, {"まで", closing}}

// The signs of the sides before moves, and the words for them, Black's at even places.
const (
	blackMarks = "▲☗▼⛊"
	whiteMarks = "△☖▽⛉"
)

var sideWords = [...]string{"先手", "後手", "下手", "上手"}

// cutColonWord returns what follows the word and a colon.
func cutColonWord(line, word string) (string, bool) {
	rest, found := strings.CutPrefix(line, word)
	if !found {
		return "", false
	}
	for _, colon := range []string{"：", ":"} {
		if value, found := strings.CutPrefix(rest, colon); found {
			return strings.TrimSpace(value), true
		}
	}
	return "", false
}

// parseField reads key：value. The key has no blanks.
func parseField(line string) (Field, bool) {
	i := strings.IndexFunc(line, func(r rune) bool { return r == '：' || r == ':' })
	if i <= 0 || strings.ContainsFunc(line[:i], unicode.IsSpace) {
		return Field{}, false
	}
	_, n := utf8.DecodeRuneInString(line[i:])
	key := line[:i]
	switch key {
	case sideWords[2]:
		key = KeyBlack
	case sideWords[3]:
		key = KeyWhite
	}
	return Field{key, strings.TrimSpace(line[i+n:])}, true
}
