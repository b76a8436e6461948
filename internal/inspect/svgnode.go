package inspect

import (
	"fmt"
	"html"
	"strings"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// node draws a piece: it points up when Black is to move.
func (d *drawing) node(b *strings.Builder, i int) {
	n := &d.tree.Nodes[i]
	s := d.scale[i]
	border, thick := "#55524a", 1.2
	if n.HasValue && d.tree.Engine == search.EngineUCT {
		value := n.Value
		if n.mirrored() {
			value = 1 - value
		}
		border, thick = colour(value), 4
	}
	if d.line[i] {
		thick++
	}
	fill := "#ffffff"
	if n.Scored || d.tree.Engine == search.EngineUCT {
		fill = colour(d.tree.rate(n))
	}
	shape := "M-44 11L0 0L44 11V62H-44Z"
	if n.Position.Side() == shogi.White {
		shape = "M-44 0H44V51L0 62L-44 51Z"
	}
	fmt.Fprintf(b, `<g transform="translate(%.0f,%.0f)"><title>%s</title><g transform="scale(%.2f)"><path d="%s" fill="#44413a" stroke="#44413a" stroke-width="%.1f" stroke-linejoin="round"/><path d="%s" fill="%s" stroke="%s" stroke-width="%.1f" stroke-linejoin="round"/>`,
		d.layout.x[i], d.layout.y[i], html.EscapeString(d.hover(i)), s, shape, thick+1.6, shape, fill, border, thick)
	for k, line := range d.lines(i) {
		class := ""
		if k == 0 {
			class = ` class="move"`
		}
		fmt.Fprintf(b, `<text%s y="%d">%s</text>`, class, 23+13*k, html.EscapeString(line))
	}
	b.WriteString("</g>")
	if d.picture.Boards {
		fmt.Fprintf(b, `<g transform="translate(%.1f,%.1f)">`, -boardSize/2, cardHeight*s+6)
		drawBoard(b, &n.Position, d.into[i])
		b.WriteString("</g>")
	}
	b.WriteString("</g>\n")
}

// label returns a node's move.
func (d *drawing) label(i int) string {
	m := d.into[i]
	if m == shogi.MoveNone {
		return "root"
	}
	if p := d.layout.parent[i]; d.picture.Japanese && p >= 0 {
		return d.tree.Nodes[p].Position.JapaneseMove(m)
	}
	return m.String()
}

// lines returns what is written in a node.
func (d *drawing) lines(i int) []string {
	n := &d.tree.Nodes[i]
	if d.tree.Engine == search.EngineAlphaBeta {
		return append([]string{d.label(i)}, n.scoreLines()...)
	}
	rate := fmt.Sprintf("%.1f%%", 100*d.tree.rate(n))
	if n.Proof != 0 {
		rate = proofLabel(n)
	} else if n.Type == search.NodeTerminal {
		rate += " end"
	}
	lines := []string{d.label(i), "N " + short(n.Visits), rate}
	if d.prior[i] > 0 {
		lines[2] += fmt.Sprintf(" P %.0f%%", 100*d.prior[i])
	}
	return lines
}

// proofLabel says what is proved, for the root's side.
func proofLabel(n *Node) string {
	plies, wins := n.Proof, n.Proof > 0
	if !wins {
		plies = -n.Proof - 1
	}
	if wins != n.mirrored() {
		return fmt.Sprintf("✓ win %d", plies)
	}
	return fmt.Sprintf("✗ loss %d", plies)
}

// scoreLines returns score and window for the root's side.
func (n *Node) scoreLines() []string {
	if !n.Scored {
		return []string{"broken off"}
	}
	score, alpha, beta := n.Score, n.Alpha, n.Beta
	if n.mirrored() {
		score, alpha, beta = -score, -beta, -alpha
	}
	text := scoreText(score)
	switch {
	case n.FromTable:
		text += " table"
	case n.Score <= n.Alpha && n.mirrored(), n.Score >= n.Beta && !n.mirrored():
		text = "≥ " + text
	case n.Score <= n.Alpha, n.Score >= n.Beta:
		text = "≤ " + text
	}
	return []string{text, "α " + scoreText(alpha) + " β " + scoreText(beta)}
}

// hover returns what a viewer shows when the pointer is on the node.
func (d *drawing) hover(i int) string {
	n := &d.tree.Nodes[i]
	var b strings.Builder
	if p := d.layout.parent[i]; p >= 0 {
		m := d.into[i]
		fmt.Fprintf(&b, "%s %s, ply %d %s\n", m, d.tree.Nodes[p].Position.JapaneseMove(m), n.Ply, n.Type)
	}
	if d.tree.Engine == search.EngineAlphaBeta {
		fmt.Fprintf(&b, "moves made %d, depth %d, %s\n", n.Visits, n.Depth, strings.Join(n.scoreLines(), ", "))
	} else {
		fmt.Fprintf(&b, "N %d, Q %.4f, net %.4f, P %.4f", n.Visits, n.WinRate, n.Value, d.prior[i])
		if n.Unvisited > 0 {
			fmt.Fprintf(&b, ", %d moves not tried", n.Unvisited)
		}
		b.WriteByte('\n')
	}
	b.WriteString(n.Position.SFEN())
	return b.String()
}

// drawBoard draws a position, White's pieces upside down, and the square that the last move went to.
func drawBoard(b *strings.Builder, p *shogi.Position, last shogi.Move) {
	const cell = boardSize / 9
	at := func(s shogi.Square) (x, y float64) { return float64(9-s.File()) * cell, float64(s.Rank()-1) * cell }
	fmt.Fprintf(b, `<rect class="bd" width="%.1f" height="%.1f"/>`, boardSize, boardSize)
	if last.IsMove() {
		x, y := at(last.To())
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#e9a23b"/>`, x, y, cell, cell)
	}
	for i := 1; i < 9; i++ {
		fmt.Fprintf(b, `<path class="bl" d="M%.1f 0V%.1fM0 %.1fH%.1f"/>`, float64(i)*cell, boardSize, float64(i)*cell, boardSize)
	}
	for s := range shogi.Square(shogi.NumSquares) {
		piece := p.PieceAt(s)
		if piece == shogi.Empty {
			continue
		}
		x, y := at(s)
		turn := ""
		if piece.Color() == shogi.White {
			turn = ` transform="rotate(180)"`
		}
		fmt.Fprintf(b, `<g transform="translate(%.1f,%.1f)"><text class="pc" y="3"%s>%s</text></g>`, x+cell/2, y+cell/2, turn, kanji[piece.Type()])
	}
	fmt.Fprintf(b, `<text class="tag" x="%.1f" y="%.1f">%s</text>`, boardSize/2, boardSize+10, handsText(p))
}

var kanji = [shogi.NumPieceTypes]string{"", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "杏", "圭", "全", "馬", "龍"}

// handsText returns both hands in the letters of SFEN.
func handsText(p *shogi.Position) string {
	fields := strings.Fields(p.SFEN())
	return "hand " + fields[2]
}
