package kifu

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// The versions of CSA that are written: the old one as far as it goes.
const (
	csaPlain = "V2.2"
	csaFull  = "V3.0"
)

// writeCSA writes the games in version 2.2 where ASCII and whole seconds are enough, else in 3.0.
func writeCSA(o *output, records []*Record) {
	version := csaPlain
	for i := 0; i < len(records) && version == csaPlain; i++ {
		draft := &output{}
		writeCSAGame(draft, records[i], csaPlain)
		if text := draft.text.String(); strings.ContainsFunc(text, func(r rune) bool { return r > 127 }) || hasFractions(records[i]) {
			version = csaFull
		}
	}
	if version == csaFull {
		o.printf("'%s=UTF-8\n", csaEncoding)
	}
	for i, r := range records {
		if i > 0 {
			o.printf("/\n")
		}
		writeCSAGame(o, r, version)
	}
}

// hasFractions reports whether a time of the main line is not in whole seconds.
func hasFractions(r *Record) bool {
	for _, n := range r.Main() {
		if n.Timed && n.Time%time.Second != 0 {
			return true
		}
	}
	return false
}

func writeCSAGame(o *output, r *Record, version string) {
	o.printf("%s\n", version)
	for _, f := range r.Header {
		line := csaField(f)
		if back, ok := parseCSAField(line); !ok || back != f || strings.ContainsAny(line, "\r\n") {
			o.drop(1, "header fields that CSA cannot write")
			continue
		}
		o.printf("%s\n", line)
	}
	writeCSAStart(o, &r.Start)
	writeCSAComments(o, r.Root)
	c := newCursor(r)
	var sums [2]time.Duration
	o.drop(max(len(r.Root.Children)-1, 0), "variations")
	for _, n := range r.Main() {
		if n.End == NoEnd {
			o.printf("%s\n", csaMoveText(&c.pos, n.Move))
		} else if word, ok := csaWord(n, c.side); ok {
			o.printf("%%%s\n", word)
		} else {
			o.printf("%%%s\n", ends[Abort].csa)
			o.drop(1, "end words that CSA lacks")
		}
		if n.Timed {
			o.printf("T%s\n", secondsText(n.Time))
			if sums[c.side] += n.Time; sums[c.side] != n.Total {
				o.drop(1, "cumulative times that are not the sum of the times")
			}
		}
		writeCSAComments(o, n)
		o.drop(max(len(n.Children)-1, 0), "variations")
		c.after(n)
	}
}

// secondsText returns the time in seconds, with as much of a fraction as it has.
func secondsText(t time.Duration) string {
	text := strconv.FormatInt(int64(t/time.Second), 10)
	if fraction := t % time.Second; fraction != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%09d", fraction), "0")
	}
	return text
}

func csaField(f Field) string {
	for _, k := range csaKeys {
		if k.key == f.Key {
			return k.csa + f.Value
		}
	}
	return "$" + f.Key + ":" + f.Value
}

func writeCSAStart(o *output, p *shogi.Position) {
	if p.Ply() != 1 {
		o.drop(1, "numbers of the first move")
	}
	if p.SFEN() == shogi.StartSFEN {
		o.printf("PI\n+\n")
		return
	}
	for rank := 1; rank <= 9; rank++ {
		o.printf("P%d", rank)
		for file := 9; file >= 1; file-- {
			if piece := p.PieceAt(shogi.NewSquare(file, rank)); piece == shogi.Empty {
				o.printf(" * ")
			} else {
				o.printf("%s%s", csaSign(piece.Color()), csaNames[piece.Type()])
			}
		}
		o.printf("\n")
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		if p.Hand(c) == 0 {
			continue
		}
		o.printf("P%s", csaSign(c))
		for _, t := range handOrder {
			o.printf("%s", strings.Repeat("00"+csaNames[t], p.Hand(c).Count(t)))
		}
		o.printf("\n")
	}
	o.printf("%s\n", csaSign(p.Side()))
}

func csaMoveText(p *shogi.Position, m shogi.Move) string {
	to := strconv.Itoa(m.To().File()*10 + m.To().Rank())
	if m.IsDrop() {
		return csaSign(p.Side()) + "00" + to + csaNames[m.DropType()]
	}
	t := p.PieceAt(m.From()).Type()
	if m.IsPromotion() {
		t = t.Promote()
	}
	return csaSign(p.Side()) + strconv.Itoa(m.From().File()*10+m.From().Rank()) + to + csaNames[t]
}

// writeCSAComments writes comments as '*text; those with an apostrophe of their own as they are.
func writeCSAComments(o *output, n *Node) {
	for _, text := range commentLines(n) {
		remark, plain := strings.CutPrefix(text, "'")
		if !plain || strings.HasPrefix(remark, "*") || strings.HasPrefix(remark, csaEncoding) {
			text = "'*" + text
		}
		o.printf("%s\n", text)
	}
	if n.Bookmark != "" {
		o.drop(1, "bookmarks")
	}
}

// commentLines returns the node's comments, those with line breaks cut there.
func commentLines(n *Node) []string {
	var lines []string
	for _, text := range n.Comments {
		lines = append(lines, strings.Split(lineFeeds.Replace(text), "\n")...)
	}
	return lines
}
