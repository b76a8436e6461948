package kifu

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yomi-shogi/yomi/shogi"
)

// End is how a line ended.
type End uint8

// The ends. «Mover» is the side to move, that is, the side that did not make the last move.
const (
	NoEnd       End = iota
	Resign          // 投了: the mover resigned
	Abort           // 中断: broken off
	Repetition      // 千日手
	Impasse         // 持将棋: both kings entered
	Mate            // 詰み: the mover is mated
	NoMate          // 不詰: a mate problem without solution
	TimeUp          // 切れ負け: the mover's time is over
	IllegalWin      // 反則勝ち: the last move, or the opponent, broke the rules
	IllegalLoss     // 反則負け: the mover made an illegal move that is not recorded
	FoulLoss        // the mover broke the rules otherwise (CSA %+ILLEGAL_ACTION with Black to move); 反則負け in KIF
	Declaration     // 入玉勝ち: the mover won by declaration
	ForfeitWin      // 不戦勝: the opponent did not appear
	ForfeitLoss     // 不戦敗: the mover did not appear
	Sealed          // 封じ手: the next move is sealed
	AgreedDraw      // 引き分け
	MaxMoves        // 最大手数: the limit of moves is reached
	Takeback        // 待った
	Fault           // エラー
	OtherEnd        // another word, in Node.EndText
)

// outcome is what an end means for the side to move.
type outcome uint8

const (
	unknown outcome = iota
	loss
	win
	draw
)

// ends holds the words of each end. An empty word means that the format has none.
var ends = [...]struct {
	kif, csa string
	outcome  outcome
}{
	NoEnd:       {},
	Resign:      {"投了", "TORYO", loss},
	Abort:       {"中断", "CHUDAN", unknown},
	Repetition:  {"千日手", "SENNICHITE", draw},
	Impasse:     {"持将棋", "JISHOGI", draw},
	Mate:        {"詰み", "TSUMI", loss},
	NoMate:      {"不詰", "FUZUMI", unknown},
	TimeUp:      {"切れ負け", "TIME_UP", loss},
	IllegalWin:  {"反則勝ち", "", win},
	IllegalLoss: {"反則負け", "ILLEGAL_MOVE", loss},
	FoulLoss:    {"", "", loss},
	Declaration: {"入玉勝ち", "KACHI", win},
	ForfeitWin:  {"不戦勝", "", win},
	ForfeitLoss: {"不戦敗", "", loss},
	Sealed:      {"封じ手", "", unknown},
	AgreedDraw:  {"引き分け", "HIKIWAKE", draw},
	MaxMoves:    {"最大手数", "MAX_MOVES", draw},
	Takeback:    {"待った", "MATTA", unknown},
	Fault:       {"エラー", "ERROR", unknown},
	OtherEnd:    {},
}

// String returns KIF's word for the end, "" for NoEnd and OtherEnd.
func (e End) String() string {
	if e == FoulLoss {
		e = IllegalLoss
	}
	return ends[e].kif
}

// saysIllegal reports whether the end explains an illegal move before it.
func (e End) saysIllegal() bool { return e == IllegalWin || e == IllegalLoss || e == FoulLoss }

func (e End) result(side shogi.Color) Result {
	switch ends[e].outcome {
	case loss:
		return winFor(side.Opponent())
	case win:
		return winFor(side)
	case draw:
		return Draw
	}
	return NoResult
}

// endOfKIF returns the end that KIF's word stands for. The word is one that isEndWord accepts.
func endOfKIF(word string) (End, string) {
	switch word {
	case "詰":
		return Mate, ""
	case "入玉":
		return Declaration, ""
	case "時間切れ":
		return TimeUp, ""
	}
	for e := Resign; e < OtherEnd; e++ {
		if ends[e].kif == word {
			return e, ""
		}
	}
	return OtherEnd, word
}

// isEndWord reports whether the text can stand where KIF has a move or an end.
func isEndWord(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first) && !startsMove(text) && !strings.ContainsFunc(text, endsWord)
}

// endsWord reports whether the rune cannot be part of an end word in KIF.
func endsWord(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("(（+", r) }

// endOfCSA returns the end that CSA's word, without the percent sign, stands for when the side is to move.
func endOfCSA(word string, side shogi.Color) (End, string) {
	if color, found := strings.CutSuffix(word, "ILLEGAL_ACTION"); found && (color == "+" || color == "-") {
		if color == csaSign(side) {
			return FoulLoss, ""
		}
		return IllegalWin, ""
	}
	for e := Resign; e < OtherEnd; e++ {
		if ends[e].csa != "" && ends[e].csa == word {
			return e, ""
		}
	}
	return OtherEnd, word
}

// csaWord returns CSA's word for a node's end without the percent sign, false when CSA has none.
func csaWord(n *Node, side shogi.Color) (string, bool) {
	word := ends[n.End].csa
	switch n.End {
	case IllegalWin:
		word = csaSign(side.Opponent()) + "ILLEGAL_ACTION"
	case FoulLoss:
		word = csaSign(side) + "ILLEGAL_ACTION"
	case OtherEnd:
		word = n.EndText
		if e, text := endOfCSA(word, side); e != OtherEnd || text != strings.TrimSpace(text) || strings.ContainsAny(text, ",\r\n") {
			word = ""
		}
	}
	return word, word != ""
}
