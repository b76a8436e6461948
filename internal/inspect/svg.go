package inspect

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// Picture says how to draw a tree.
type Picture struct {
	// Title stands above the tree.
	Title string
	// Boards draws a small board in each node, Japanese writes moves as Japanese players do.
	Boards, Japanese bool
}

// SVG draws the tree. Size is visits, fill is the win rate, the border is what the value evaluator said, the shape points to where the
// side to move plays, the width of an edge is the prior; the line on the left is the principal variation. Pruned moves are a dashed
// grey box with their number. All figures are as the root's side to move sees them.
func (t *Tree) SVG(w io.Writer, p Picture) error { return SideBySide(w, p, []*Tree{t}, nil) }

// SideBySide draws trees next to each other, each below its caption.
func SideBySide(w io.Writer, p Picture, trees []*Tree, captions []string) error {
	const head, foot, apart, lineHeight, letter = 34, 26, 30, 16, 6.2
	width, height := 0.0, 0.0
	var parts []*drawing
	for _, t := range trees {
		d := newDrawing(t, p)
		parts = append(parts, d)
		width += d.width() + apart
		height = max(height, d.layout.height)
	}
	width = max(width-apart, 640)
	var legend []string
	if len(trees) > 0 {
		legend = wrap(trees[0].legend(), int((width-2*margin)/letter))
	}
	whole := height + head + foot + 22 + float64(lineHeight*len(legend))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="'Noto Sans','Noto Sans CJK JP','Hiragino Sans','Yu Gothic',sans-serif">`+"\n",
		width, whole, width, whole)
	b.WriteString(style)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#fdfcf9"/><text x="%d" y="26" class="title">%s</text>`+"\n", margin, html.EscapeString(p.Title))
	x := 0.0
	for i, d := range parts {
		fmt.Fprintf(&b, `<g transform="translate(%.0f,%d)">`, x, head+22)
		if i < len(captions) {
			fmt.Fprintf(&b, `<text x="%d" y="-6" class="caption">%s</text>`, margin, html.EscapeString(captions[i]))
		}
		d.draw(&b)
		b.WriteString("</g>\n")
		x += d.width() + apart
	}
	for i, line := range legend {
		fmt.Fprintf(&b, `<text x="%d" y="%.0f" class="legend">%s</text>`, margin, height+head+foot+14+float64(lineHeight*i), line)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// wrap breaks a text into lines of about so many letters.
func wrap(text string, letters int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > letters {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// style is the sheet of every picture.
const style = `<style>text{fill:#222;font-size:11px;text-anchor:middle}.title{font-size:16px;font-weight:bold;text-anchor:start}.caption{font-size:13px;text-anchor:start}.legend{font-size:12px;fill:#555;text-anchor:start}` +
	`.move{font-weight:bold;font-size:13px}.tag{font-size:10px;fill:#666}.e{fill:none;stroke:#a9a69d}.pv{stroke:#3c3a36}.join{stroke-dasharray:2 3}.cut{fill:#f3f3f3;stroke:#9a9a9a;stroke-dasharray:4 3}` +
	`.cutline{fill:none;stroke:#9a9a9a;stroke-dasharray:4 3}.more{fill:#fff;stroke:#c9c6bd}.bd{fill:#f6e3b4;stroke:#8a7444;stroke-width:.6}.bl{stroke:#8a7444;stroke-width:.35}.pc{font-size:8.4px}</style>` + "\n"

func (t *Tree) legend() string {
	if t.Engine == search.EngineAlphaBeta {
		return "Scores in 1/100 pawn with window α..β, as the root’s side sees them. Size: moves made below. Fill: score. Piece points up: Black to move. Left line: principal variation. Dashed grey: pruned moves. “table”: known from the table."
	}
	return "N visits, win rate, P prior, as the root’s side sees them. Size: visits. Fill: win rate. Border: value of the net. Edge: prior. Piece points up: Black to move. Left line: principal variation. Dotted: another way to the same node."
}

// drawing is a tree with its places.
type drawing struct {
	tree    *Tree
	picture Picture
	layout  *layout
	boxes   []box
	scale   []float64
	line    map[int]bool       // the principal variation
	into    map[int]shogi.Move // the move with which a node is labelled, by node
	prior   map[int]float64
}

const (
	cardWidth, cardHeight = 88.0, 62.0
	boardSize             = 9 * 9.5
	tagWidth, tagHeight   = 90.0, 16.0
)

func newDrawing(t *Tree, p Picture) *drawing {
	d := &drawing{tree: t, picture: p, line: make(map[int]bool), into: make(map[int]shogi.Move), prior: make(map[int]float64)}
	for _, i := range t.Principal() {
		d.line[i] = true
	}
	gap := 34.0
	for i := range t.Nodes {
		n := &t.Nodes[i]
		s := t.scale(n)
		d.scale = append(d.scale, s)
		b := box{left: cardWidth / 2 * s, right: cardWidth / 2 * s, height: cardHeight * s}
		if p.Boards {
			half := (boardSize + 26) / 2
			b.left, b.right = max(b.left, half), max(b.right, half)
			b.height += boardSize + 18
		}
		if tags := n.tags(); tags > 0 {
			if n.drawsChildren() {
				b.right = max(b.right, 6+tagWidth)
			} else {
				b.left, b.right = max(b.left, tagWidth/2), max(b.right, tagWidth/2)
			}
			gap = max(gap, 26+float64(tags)*(tagHeight+2))
		}
		d.boxes = append(d.boxes, b)
	}
	d.layout = newLayout(t, d.boxes, gap)
	for i := range t.Nodes {
		for _, e := range t.Nodes[i].Edges {
			if e.Child > 0 && d.layout.parent[e.Child] == i {
				d.into[e.Child], d.prior[e.Child] = e.Move, e.Prior
			}
		}
	}
	return d
}

func (d *drawing) width() float64 { return max(d.layout.width, 200) }

// tags returns the number of boxes below a node that stand for moves without a node of their own.
func (n *Node) tags() (count int) {
	if n.Skipped > 0 {
		count++
	}
	if n.More > 0 {
		count++
	}
	return count
}

// drawsChildren reports whether a move of the node is drawn; what stands for others then stands beside its edge, else in the middle.
func (n *Node) drawsChildren() bool {
	for _, e := range n.Edges {
		if e.Child >= 0 {
			return true
		}
	}
	return false
}

// scale returns how large a node is: by the logarithm of its share of the root's visits.
func (t *Tree) scale(n *Node) float64 {
	root := float64(max(2, t.Nodes[0].Visits))
	return 0.85 + 0.4*math.Log(float64(max(1, n.Visits)))/math.Log(root)
}

// mirrored reports whether figures for the node's side to move must be turned round for the root's.
func (n *Node) mirrored() bool { return n.Ply&1 == 1 }

// rate returns the node's win rate for the root's side, from the score for alpha-beta.
func (t *Tree) rate(n *Node) float64 {
	rate := n.WinRate
	if t.Engine == search.EngineAlphaBeta {
		const scale = 600
		rate = 1 / (1 + math.Exp(-float64(n.Score)/scale))
	}
	if n.mirrored() {
		rate = 1 - rate
	}
	return rate
}

// colour goes from orange (lost) over cream (even) to teal (won).
func colour(rate float64) string {
	low, even, high := [3]float64{226, 124, 58}, [3]float64{250, 247, 236}, [3]float64{64, 160, 146}
	to, share := high, 2*rate-1
	if rate < 0.5 {
		to, share = low, 1-2*rate
	}
	share = math.Sqrt(max(0, min(1, share)))
	var c [3]int
	for i := range c {
		c[i] = int(even[i] + (to[i]-even[i])*share + 0.5)
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}

func (d *drawing) draw(b *strings.Builder) {
	for i := range d.tree.Nodes {
		for k := range d.tree.Nodes[i].Edges {
			d.edge(b, i, &d.tree.Nodes[i].Edges[k])
		}
	}
	for i := range d.tree.Nodes {
		d.tags(b, i)
	}
	for i := range d.tree.Nodes {
		d.node(b, i)
	}
}

// edge draws a curve from the bottom of a node to the top of its child.
func (d *drawing) edge(b *strings.Builder, i int, e *Edge) {
	if e.Child < 0 {
		return
	}
	l, c := d.layout, e.Child
	x0, y0 := l.x[i], l.y[i]+d.boxes[i].height
	x1, y1 := l.x[c], l.y[c]
	class := "e"
	if d.line[i] && d.line[c] && d.tree.Nodes[i].Edges[0].Child == c {
		class += " pv"
	}
	if l.parent[c] != i {
		class += " join"
	}
	width := 1 + 5*math.Sqrt(e.Prior)
	if d.tree.Engine == search.EngineAlphaBeta {
		width = 1.5
		if strings.Contains(class, "pv") {
			width = 3
		}
	}
	bend := (y1 - y0) * 0.55
	fmt.Fprintf(b, `<path class="%s" stroke-width="%.1f" d="M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f"/>`, class, width, x0, y0, x0, y0+bend, x1, y1-bend, x1, y1)
}

// tags draws the boxes for pruned moves and for those left out.
func (d *drawing) tags(b *strings.Builder, i int) {
	n := &d.tree.Nodes[i]
	x, y := d.layout.x[i]+6, d.layout.y[i]+d.boxes[i].height+8
	if !n.drawsChildren() {
		x -= 6 + tagWidth/2
	}
	if n.Skipped > 0 {
		fmt.Fprintf(b, `<path class="cutline" d="M%.0f %.0fV%.0fH%.0f"/><rect class="cut" x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="3"/><text class="tag" x="%.0f" y="%.0f">%d pruned</text>`,
			d.layout.x[i]+3, y-8, y+8, d.layout.x[i]+6, x, y, tagWidth, tagHeight, x+tagWidth/2, y+11.5, n.Skipped)
		y += tagHeight + 2
	}
	if n.More > 0 {
		text := fmt.Sprintf("+%d more", n.More)
		if n.MoreSkipped > 0 {
			text += fmt.Sprintf(" −%d", n.MoreSkipped)
		} else if n.MoreVisits > 0 {
			text += fmt.Sprintf(" (%s)", short(n.MoreVisits))
		}
		fmt.Fprintf(b, `<rect class="more" x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="3"><title>%s</title></rect><text class="tag" x="%.0f" y="%.0f">%s</text>`,
			x, y, tagWidth, tagHeight, fmt.Sprintf("%d moves searched, %d visits, %d pruned below", n.More, n.MoreVisits, n.MoreSkipped), x+tagWidth/2, y+11.5, text)
	}
}

// short writes a number in at most five characters.
func short(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprint(n)
	case n < 10_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%dM", n/1_000_000)
}
