package kifu

import (
	"fmt"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// fork is a node with variations after it, and the state there.
type fork struct {
	state cursor
	node  *Node
}

// line writes the node and the main line after it, then their variations, the last first.
func (w *kakinokiWriter) line(c cursor, parent, n *Node) {
	var forks []fork
	for w.writable(&c, n) {
		w.node(&c, parent, n)
		c.after(n)
		if len(n.Children) > 1 {
			forks = append(forks, fork{c, n})
		}
		if len(n.Children) == 0 {
			break
		}
		parent, n = n, n.Children[0]
	}
	w.breakLine()
	for i := len(forks) - 1; i >= 0; i-- {
		w.variations(forks[i].state, forks[i].node)
	}
}

// variations writes all continuations of the node but the main line.
func (w *kakinokiWriter) variations(c cursor, n *Node) {
	for i := 1; i < len(n.Children); i++ {
		w.printf("\n変化：%d手\n", c.number)
		w.line(c, n, n.Children[i])
	}
}

// writable reports whether the format has a way to write the move. The rest of the line is left out where it has none.
func (w *kakinokiWriter) writable(c *cursor, n *Node) bool {
	if !w.ki2 || !n.Illegal {
		return true
	}
	_, ok := ki2Text(&c.pos, n.Move, c.to)
	if !ok {
		w.drop(1, "illegal moves that do not follow the piece's way")
	}
	return ok
}

func (w *kakinokiWriter) node(c *cursor, parent, n *Node) {
	if w.ki2 {
		w.ki2Node(c, n)
	} else {
		w.kifNode(c, parent, n)
	}
	w.remarks(n)
}

func (w *kakinokiWriter) kifNode(c *cursor, parent, n *Node) {
	text := ""
	if n.End == NoEnd {
		text = kifText(&c.pos, n.Move, c.to)
	} else {
		text = w.endWord(n, isEndWord(n.EndText) && isOther(endOfKIF(n.EndText)))
	}
	w.printf("%4d %s", c.number, text)
	if n.Timed {
		w.printf("%s%s", strings.Repeat(" ", max(1, timeColumn-width(text))), clockText(n.Time, n.Total))
		if n.Time%time.Second != 0 || n.Total%time.Second != 0 {
			w.drop(1, "fractions of seconds")
		}
	}
	if len(parent.Children) > 1 && parent.Children[0] == n {
		w.printf("+")
	}
	w.printf("\n")
}

// timeColumn is where the times of KIF begin, counted from the move.
const timeColumn = 13

// width returns how many columns of a fixed-width font the text takes.
func width(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r > 127 {
			n++
		}
	}
	return n
}

// clockText returns the times of a move as KIF has them: minutes and seconds, and the total in hours, minutes and seconds.
func clockText(t, total time.Duration) string {
	s, sum := int64(t/time.Second), int64(total/time.Second)
	return fmt.Sprintf("(%2d:%02d/%02d:%02d:%02d)", s/60, s%60, sum/3600, sum/60%60, sum%60)
}

func (w *kakinokiWriter) ki2Node(c *cursor, n *Node) {
	if n.Timed {
		w.drop(1, "times")
	}
	if n.End != NoEnd {
		w.breakLine()
		w.ki2End(c, n)
		return
	}
	text, _ := ki2Text(&c.pos, n.Move, c.to)
	switch {
	case w.column == movesPerLine:
		w.breakLine()
	case w.column > 0:
		w.printf(" ")
	}
	w.column++
	mark := "▲"
	if c.side == shogi.White {
		mark = "△"
	}
	w.printf("%s%s", mark, text)
}

func (w *kakinokiWriter) ki2End(c *cursor, n *Node) {
	word := w.endWord(n, isEndWord(n.EndText) && isOther(endOfPhrase(n.EndText, c.side)))
	plain := &Node{End: n.End, EndText: word}
	w.printf("%s\n", closingText(plain, c.number-1, c.side, w.handicap))
}

// isOther reports whether an end is one without a name of its own.
func isOther(e End, _ string) bool { return e == OtherEnd }

// endWord returns KIF's word for a node's end. good says that a word of the file's own can be written.
func (w *kakinokiWriter) endWord(n *Node, good bool) string {
	if good && w.sjis {
		_, lost := encode(n.EndText)
		good = len(lost) == 0
	}
	switch {
	case n.End == OtherEnd && good:
		return n.EndText
	case n.End == OtherEnd:
		w.drop(1, "end words that KIF and KI2 cannot write")
		return Abort.String()
	case n.End == FoulLoss:
		w.drop(1, "difference of an illegal move and other faults")
	}
	return n.End.String()
}

// breakLine ends a line of KI2's moves.
func (w *kakinokiWriter) breakLine() {
	if w.column > 0 {
		w.printf("\n")
		w.column = 0
	}
}

// remarks writes the node's comments and bookmark.
func (w *kakinokiWriter) remarks(n *Node) {
	lines := commentLines(n)
	if len(lines) > 0 || n.Bookmark != "" {
		w.breakLine()
	}
	for _, text := range lines {
		w.printf("*%s\n", text)
	}
	if n.Bookmark != "" {
		w.printf("&%s\n", strings.NewReplacer("\n", " ", "\r", " ").Replace(n.Bookmark))
	}
}
