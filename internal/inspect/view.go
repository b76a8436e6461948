package inspect

import (
	"fmt"
	"strings"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// Formula writes the formula of a selection out with its numbers, the chosen move marked.
func Formula(e *search.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s node at ply %d, N %d, Q %.4f; U = %.5f·P/(1+N), each playout in flight counts as %g lost visits\n", e.Type, e.Ply, e.Visits, e.WinRate, e.Scale, e.Loss)
	for i := range e.Candidates {
		c := &e.Candidates[i]
		mark, remark := " ", ""
		if c.Move == e.Move {
			mark = ">"
		}
		if c.Fresh {
			remark = ", not visited yet: its Q is assumed"
		}
		fmt.Fprintf(&b, "%s %s%s\n", mark, c, remark)
	}
	return b.String()
}

// HasWindow reports whether events of the kind tell alpha-beta's window, its depth and a score.
func HasWindow(k search.EventKind) bool {
	switch k {
	case search.EventEnter, search.EventNode, search.EventTable, search.EventWindow, search.EventPrune, search.EventIteration, search.EventFail:
		return true
	}
	return false
}

// Window writes out what alpha-beta knows at an event, and of other events that they have no window.
func Window(e *search.Event) string {
	if !HasWindow(e.Kind) {
		return fmt.Sprintf("no window at this event (%s): only events of alpha-beta's nodes have one, and the tree search has none\n", e.Kind)
	}
	return fmt.Sprintf("%s node at ply %d: alpha %s, beta %s, depth %d\n", e.Type, e.Ply, scoreText(e.Alpha), scoreText(e.Beta), e.Depth)
}

// Board draws the position that a line leads to, with the line above it.
func Board(root shogi.Position, line []shogi.Move) string {
	var moves []string
	for _, m := range line {
		if !root.IsLegal(m) {
			break
		}
		moves = append(moves, fmt.Sprintf("%s %s", m, root.JapaneseMove(m)))
		root.Do(m)
	}
	path := "root"
	if len(moves) > 0 {
		path = strings.Join(moves, "  ")
	}
	return fmt.Sprintf("path: %s\n%ssfen %s\nkey %016x\n", path, root.String(), root.SFEN(), root.Key())
}

// Text writes the tree as an indented list; a node that has been written is referred to.
func (t *Tree) Text() string {
	var b strings.Builder
	if len(t.Nodes) == 0 {
		return "empty tree\n"
	}
	fmt.Fprintf(&b, "%s, %d searched\n", t.Engine, t.Searched)
	written := make([]bool, len(t.Nodes))
	var write func(i int, indent string, move shogi.Move, prior float64)
	write = func(i int, indent string, move shogi.Move, prior float64) {
		n := &t.Nodes[i]
		fmt.Fprintf(&b, "%s%s %s", indent, moveText(move), t.figures(n, prior))
		if written[i] {
			b.WriteString(" (see above)\n")
			return
		}
		written[i] = true
		if n.Skipped > 0 {
			fmt.Fprintf(&b, ", %d pruned", n.Skipped)
		}
		if n.More > 0 {
			fmt.Fprintf(&b, ", +%d more", n.More)
		}
		b.WriteByte('\n')
		for _, e := range n.Edges {
			if e.Child >= 0 {
				write(e.Child, indent+"  ", e.Move, e.Prior)
			}
		}
	}
	write(0, "", shogi.MoveNone, 0)
	return b.String()
}

// figures returns a node's figures, for the root's side.
func (t *Tree) figures(n *Node, prior float64) string {
	if t.Engine == search.EngineAlphaBeta {
		return strings.Join(n.scoreLines(), " ") + fmt.Sprintf(", %d moves made", n.Visits)
	}
	text := fmt.Sprintf("N %d, %.2f%%", n.Visits, 100*t.rate(n))
	if prior > 0 {
		text += fmt.Sprintf(", P %.2f%%", 100*prior)
	}
	if n.Proof != 0 {
		text += ", " + proofLabel(n)
	}
	return text
}
