package kifu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// output is a text being written and the list of what it cannot hold.
type output struct {
	text      strings.Builder
	omissions []omission
}

// omission is one kind of thing that was left out, and how often.
type omission struct {
	what  string
	count int
}

func (o *output) printf(format string, args ...any) { fmt.Fprintf(&o.text, format, args...) }

// drop notes n things that were left out.
func (o *output) drop(n int, what string) {
	if n == 0 {
		return
	}
	i := slices.IndexFunc(o.omissions, func(l omission) bool { return l.what == what })
	if i < 0 {
		i = len(o.omissions)
		o.omissions = append(o.omissions, omission{what: what})
	}
	o.omissions[i].count += n
}

func (o *output) dropped() []string {
	var list []string
	for _, l := range o.omissions {
		list = append(list, fmt.Sprintf("%s: %d", l.what, l.count))
	}
	return list
}

// encode returns the text in Shift_JIS.
func (o *output) encode() []byte {
	data, lost := encode(o.text.String())
	if len(lost) > 0 {
		count := len(lost)
		slices.Sort(lost)
		lost = slices.Compact(lost)
		o.drop(count, fmt.Sprintf("characters that Shift_JIS lacks (%s)", string(lost[:min(len(lost), maxLostShown)])))
	}
	return data
}

const maxLostShown = 10

// cursor is the state before a node while a line is written.
type cursor struct {
	pos  shogi.Position
	side shogi.Color
	// number counts the moves from the start position, whatever its move number: not all readers of KIF take numbers that
	// begin later.
	number int
	// to is where the move before went, NoSquare at the start.
	to shogi.Square
}

func newCursor(r *Record) cursor {
	return cursor{pos: r.Start, side: r.Start.Side(), number: 1, to: shogi.NoSquare}
}

// after moves the cursor behind the node. An illegal move does not change the position.
func (c *cursor) after(n *Node) {
	if n.End != NoEnd {
		return
	}
	if !n.Illegal {
		c.pos.Do(n.Move)
	}
	c.side = c.side.Opponent()
	c.number++
	c.to = n.Move.To()
}

// check returns an error when the record's tree is not one that can be written.
func check(r *Record) error {
	if r == nil || r.Root == nil {
		return fmt.Errorf("the record has no root")
	}
	if r.Start.Ply() == 0 {
		return fmt.Errorf("the record has no start position")
	}
	if r.Root.Move != shogi.MoveNone || r.Root.End != NoEnd {
		return fmt.Errorf("the record's root has a move or an end")
	}
	return checkChildren(newCursor(r), r.Root)
}

func checkChildren(c cursor, n *Node) error {
	for len(n.Children) > 0 {
		for i, child := range n.Children {
			if err := checkNode(&c, n, child); err != nil {
				return err
			}
			if i == 0 {
				continue
			}
			next := c
			next.after(child)
			if err := checkChildren(next, child); err != nil {
				return err
			}
		}
		n = n.Children[0]
		c.after(n)
	}
	return nil
}

func checkNode(c *cursor, parent, n *Node) error {
	switch {
	case n == nil:
		return fmt.Errorf("move %d: a node is missing", c.number)
	case parent.End != NoEnd:
		return fmt.Errorf("move %d: something follows the end %s", c.number, parent.End)
	case n.End > OtherEnd:
		return fmt.Errorf("move %d: unknown end %d", c.number, n.End)
	case n.End != NoEnd && (n.Move != shogi.MoveNone || n.Illegal):
		return fmt.Errorf("move %d: a node has both the move %s and the end %s", c.number, n.Move, n.End)
	case n.End != NoEnd:
		return nil
	case parent.Illegal:
		return fmt.Errorf("move %d: the move %s follows an illegal one", c.number, n.Move)
	}
	legal := c.pos.IsLegal(n.Move)
	switch {
	case n.Illegal && legal:
		return fmt.Errorf("move %d: %s is marked illegal and is legal in %s", c.number, n.Move, c.pos.SFEN())
	case !n.Illegal && !legal, n.Illegal && !describable(&c.pos, n.Move):
		return fmt.Errorf("move %d: illegal move %s in %s", c.number, n.Move, c.pos.SFEN())
	}
	return nil
}
