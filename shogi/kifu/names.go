package kifu

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yomi-shogi/yomi/shogi"
)

// pieceNames[t] is the piece in a move, boardNames[t] the one-character name in a diagram, csaNames[t] CSA's.
var (
	pieceNames = [shogi.NumPieceTypes]string{shogi.Pawn: "歩", shogi.Lance: "香", shogi.Knight: "桂", shogi.Silver: "銀",
		shogi.Bishop: "角", shogi.Rook: "飛", shogi.Gold: "金", shogi.King: "玉", shogi.ProPawn: "と", shogi.ProLance: "成香",
		shogi.ProKnight: "成桂", shogi.ProSilver: "成銀", shogi.Horse: "馬", shogi.Dragon: "龍"}
	boardNames = [shogi.NumPieceTypes]string{shogi.Pawn: "歩", shogi.Lance: "香", shogi.Knight: "桂", shogi.Silver: "銀",
		shogi.Bishop: "角", shogi.Rook: "飛", shogi.Gold: "金", shogi.King: "玉", shogi.ProPawn: "と", shogi.ProLance: "杏",
		shogi.ProKnight: "圭", shogi.ProSilver: "全", shogi.Horse: "馬", shogi.Dragon: "龍"}
	csaNames = [shogi.NumPieceTypes]string{shogi.Pawn: "FU", shogi.Lance: "KY", shogi.Knight: "KE", shogi.Silver: "GI",
		shogi.Bishop: "KA", shogi.Rook: "HI", shogi.Gold: "KI", shogi.King: "OU", shogi.ProPawn: "TO", shogi.ProLance: "NY",
		shogi.ProKnight: "NK", shogi.ProSilver: "NG", shogi.Horse: "UM", shogi.Dragon: "RY"}
)

// otherNames are spellings that are read and not written.
var otherNames = []struct {
	name      string
	pieceType shogi.PieceType
}{{"王", shogi.King}, {"竜", shogi.Dragon}, {"飛車", shogi.Rook}, {"角行", shogi.Bishop}, {"と金", shogi.ProPawn}}

// handOrder is the order in which hands are written.
var handOrder = [...]shogi.PieceType{shogi.Rook, shogi.Bishop, shogi.Gold, shogi.Silver, shogi.Knight, shogi.Lance, shogi.Pawn}

const (
	kanjiDigits = "一二三四五六七八九"
	wideDigits  = "１２３４５６７８９"
	blanks      = " \t　"
)

// kanji returns 1..18 in kanji.
func kanji(n int) string {
	text := ""
	if n >= 10 {
		text = "十"
		n -= 10
	}
	if n > 0 {
		text += kanjiDigits[3*n-3 : 3*n]
	}
	return text
}

func wideDigit(n int) string { return wideDigits[3*n-3 : 3*n] }

// squareName returns the square as in ７六.
func squareName(s shogi.Square) string { return wideDigit(s.File()) + kanji(s.Rank()) }

// digit returns the value 1..9 of a rune in ASCII, full width or kanji, 0 for other runes.
func digit(r rune) int {
	if r >= '1' && r <= '9' {
		return int(r - '0')
	}
	for _, digits := range []string{wideDigits, kanjiDigits} {
		if i := strings.IndexRune(digits, r); i >= 0 {
			return i/3 + 1
		}
	}
	return 0
}

// cutSquare reads a square such as ７六 or 76 at the beginning of the text.
func cutSquare(text string) (s shogi.Square, rest string, ok bool) {
	file, n := utf8.DecodeRuneInString(text)
	rank, m := utf8.DecodeRuneInString(text[n:])
	if digit(file) == 0 || digit(rank) == 0 || strings.ContainsRune(kanjiDigits, file) {
		return shogi.NoSquare, text, false
	}
	return shogi.NewSquare(digit(file), digit(rank)), text[n+m:], true
}

// cutPiece reads a piece's name, the longest that fits, at the beginning of the text.
func cutPiece(text string) (t shogi.PieceType, rest string) {
	longest := ""
	try := func(name string, pieceType shogi.PieceType) {
		if len(name) > len(longest) && strings.HasPrefix(text, name) {
			longest, t = name, pieceType
		}
	}
	for pt := shogi.Pawn; pt <= shogi.Dragon; pt++ {
		try(pieceNames[pt], pt)
		try(boardNames[pt], pt)
	}
	for _, o := range otherNames {
		try(o.name, o.pieceType)
	}
	return t, text[len(longest):]
}

// pieceOfCSA returns the piece type of a CSA name.
func pieceOfCSA(name string) (shogi.PieceType, bool) {
	for t := shogi.Pawn; t <= shogi.Dragon; t++ {
		if csaNames[t] == name {
			return t, true
		}
	}
	return shogi.NoPieceType, false
}

func csaSign(c shogi.Color) string {
	if c == shogi.Black {
		return "+"
	}
	return "-"
}

// cutDigits splits ASCII digits off the beginning of the text.
func cutDigits(text string) (digits, rest string) {
	i := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if i < 0 {
		i = len(text)
	}
	return text[:i], text[i:]
}

// firstWord returns the text up to the first blank, for error messages.
func firstWord(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i]
	}
	return text
}

// handicaps are the named start positions. Those that are not rare stand in KIF without a diagram.
var handicaps = []struct {
	name, sfen string
	rare       bool
}{
	{"平手", shogi.StartSFEN, false},
	{"香落ち", "lnsgkgsn1/1r5b1" + handicapRest, false},
	{"右香落ち", "1nsgkgsnl/1r5b1" + handicapRest, false},
	{"角落ち", "lnsgkgsnl/1r7" + handicapRest, false},
	{"飛車落ち", "lnsgkgsnl/7b1" + handicapRest, false},
	{"飛香落ち", "lnsgkgsn1/7b1" + handicapRest, false},
	{"二枚落ち", "lnsgkgsnl/9" + handicapRest, false},
	{"三枚落ち", "lnsgkgsn1/9" + handicapRest, true},
	{"四枚落ち", "1nsgkgsn1/9" + handicapRest, false},
	{"五枚落ち", "2sgkgsn1/9" + handicapRest, true},
	{"左五枚落ち", "1nsgkgs2/9" + handicapRest, true},
	{"六枚落ち", "2sgkgs2/9" + handicapRest, false},
	{"左七枚落ち", "2sgkg3/9" + handicapRest, true},
	{"右七枚落ち", "3gkgs2/9" + handicapRest, true},
	{"八枚落ち", "3gkg3/9" + handicapRest, false},
	{"十枚落ち", "4k4/9" + handicapRest, false},
}

const handicapRest = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"

// Handicap returns the position with the name that KIF gives it in 手合割, for example 平手 or 二枚落ち; false for other names.
func Handicap(name string) (shogi.Position, bool) {
	for _, h := range handicaps {
		if h.name == name {
			p, err := shogi.ParseSFEN(h.sfen)
			return p, err == nil
		}
	}
	return shogi.Position{}, false
}

// HandicapName returns the name of a named start position, その他 for any other position.
func HandicapName(p *shogi.Position) string {
	name, _ := handicapOf(p)
	return name
}

const otherHandicap = "その他"

func handicapOf(p *shogi.Position) (name string, rare bool) {
	sfen := p.SFEN()
	for _, h := range handicaps {
		if h.sfen == sfen {
			return h.name, h.rare
		}
	}
	return otherHandicap, true
}
