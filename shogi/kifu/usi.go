package kifu

import (
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// readUSI reads a game a line. Empty lines and those that begin with # are skipped.
func readUSI(lines []string) []*Record {
	var records []*Record
	for i, line := range lines {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		b := newBuilder()
		b.line = i + 1
		err := b.usiStart(&fields)
		if err != nil {
			b.rec.Root = nil
		}
		for i := 0; i < len(fields) && err == nil; i++ {
			err = b.usiMove(fields[i])
		}
		records = append(records, b.finish(err))
	}
	return records
}

// usiStart reads the position and leaves the moves in fields.
func (b *builder) usiStart(fields *[]string) *Error {
	head := *fields
	*fields = nil
	for i, f := range head {
		if f == "moves" {
			head, *fields = head[:i], head[i+1:]
			break
		}
	}
	g, err := shogi.ParsePosition(strings.Join(head, " "))
	if err != nil {
		return b.fail(strings.Join(head, " "), "%v", err)
	}
	b.start(g.Start(), shogi.NoSquare)
	return nil
}

func (b *builder) usiMove(text string) *Error {
	switch text {
	case shogi.MoveResign.String():
		return b.end(Resign, "", text)
	case shogi.MoveWin.String():
		return b.end(Declaration, "", text)
	}
	m, err := shogi.ParseMove(text)
	if err != nil {
		return b.fail(text, "%v", err)
	}
	return b.play(m, text)
}

// looksUSI reports whether a line is one of USI, beginning with a position.
func looksUSI(line string) bool {
	word := firstWord(line)
	return word == "position" || word == "startpos" || word == "sfen" || strings.Count(word, "/") == 8 && len(strings.Fields(line)) > 2
}

func writeUSI(o *output, records []*Record) {
	for _, r := range records {
		g := shogi.NewGame(r.Start)
		line := r.Main()
		o.drop(len(r.Header), "header fields")
		usiOmissions(o, r.Root)
		end := ""
		for _, n := range line {
			usiOmissions(o, n)
			switch {
			case n.End == Resign:
				end = shogi.MoveResign.String()
			case n.End == Declaration:
				end = shogi.MoveWin.String()
			case n.End != NoEnd:
				o.drop(1, "end words other than 投了 and 入玉勝ち")
			case n.Illegal:
				o.drop(1, "illegal moves")
			default:
				// check has found the move legal.
				_ = g.Do(n.Move)
			}
		}
		text := g.USI()
		if end != "" && len(g.Moves()) == 0 {
			text += " moves"
		}
		o.printf("%s\n", strings.TrimSpace("position "+text+" "+end))
	}
}

func usiOmissions(o *output, n *Node) {
	o.drop(len(n.Comments), "comments")
	o.drop(max(len(n.Children)-1, 0), "variations")
	if n.Bookmark != "" {
		o.drop(1, "bookmarks")
	}
	if n.Timed {
		o.drop(1, "times")
	}
}
