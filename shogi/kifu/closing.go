package kifu

import (
	"strconv"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// closings are the phrases with which まで…手で ends where they name a side: that of the end's mover or its opponent.
var closings = []struct {
	end           End
	before, after string
	opponent      bool
}{
	{end: Resign, after: "の勝ち", opponent: true},
	{end: TimeUp, before: "時間切れにより", after: "の勝ち", opponent: true},
	{end: TimeUp, after: "の切れ負け"},
	{end: IllegalWin, after: "の反則勝ち"},
	{end: IllegalWin, after: "の反則負け", opponent: true},
	{end: IllegalLoss, after: "の反則負け"},
	{end: IllegalLoss, after: "の反則勝ち", opponent: true},
	{end: Declaration, after: "の入玉勝ち"},
}

// closing reads まで…手で…, the last line of a game. It says something new only where no end word stands.
func (r *kakinokiReader) closing(text, rest string) *Error {
	if err := r.begin(0); err != nil {
		return err
	}
	if r.current().node.End != NoEnd {
		return nil
	}
	phrase := strings.TrimPrefix(rest, "、")
	if digits, after := cutDigits(phrase); digits != "" {
		if _, found := strings.CutPrefix(after, "手"); found {
			phrase = strings.TrimPrefix(strings.TrimPrefix(after, "手"), "で")
		}
	}
	phrase = strings.TrimSpace(phrase)
	if !isEndWord(phrase) {
		return nil
	}
	e, other := endOfPhrase(phrase, r.current().side)
	return r.end(e, other, text)
}

// endOfPhrase returns the end that a phrase after まで…手で means when the side is to move.
func endOfPhrase(phrase string, side shogi.Color) (End, string) {
	for _, c := range closings {
		for i, word := range sideWords {
			if phrase == c.before+word+c.after && (shogi.Color(i%2) == side) != c.opponent {
				return c.end, ""
			}
		}
	}
	return endOfKIF(phrase)
}

// closingText returns the closing line for an end after the move with the number, without line feed.
func closingText(n *Node, moves int, side shogi.Color, handicap bool) string {
	phrase := n.End.String()
	if n.End == OtherEnd {
		phrase = n.EndText
	}
	for _, c := range closings {
		if c.end != n.End && (n.End != FoulLoss || c.end != IllegalLoss) {
			continue
		}
		named := side
		if c.opponent {
			named = side.Opponent()
		}
		phrase = c.before + sideWord(named, handicap) + c.after
		break
	}
	return "まで" + strconv.Itoa(moves) + "手で" + phrase
}

// sideWord returns 先手 or 後手, in handicap games 下手 or 上手.
func sideWord(c shogi.Color, handicap bool) string {
	if handicap {
		return sideWords[2+c]
	}
	return sideWords[c]
}
