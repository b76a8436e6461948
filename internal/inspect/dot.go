package inspect

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/yomi-shogi/yomi/internal/search"
)

// DOT writes the tree in Graphviz's language, with the same figures as SVG.
func (t *Tree) DOT(w io.Writer, p Picture) error {
	d := newDrawing(t, p)
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "digraph search {\n\tlabel=%q; labelloc=t; ordering=out;\n\tnode [shape=box, style=filled, fontsize=10];\n", p.Title)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		fill := "#ffffff"
		if n.Scored || t.Engine == search.EngineUCT {
			fill = colour(t.rate(n))
		}
		shape := "house"
		if n.Position.Side() != t.Nodes[0].Position.Side() {
			shape = "invhouse"
		}
		pen := 1
		if d.line[i] {
			pen = 3
		}
		fmt.Fprintf(out, "\tn%d [label=\"%s\", fillcolor=%q, shape=%s, penwidth=%d, tooltip=%q];\n", i, strings.Join(d.lines(i), `\n`), fill, shape, pen, d.hover(i))
		for k, e := range n.Edges {
			if e.Child < 0 {
				continue
			}
			style := ", color=gray60"
			if d.line[i] && k == 0 {
				style = ", color=black"
			}
			if d.layout.parent[e.Child] != i {
				style += ", style=dotted, constraint=false"
			}
			fmt.Fprintf(out, "\tn%d -> n%d [label=\"%s\", penwidth=%.1f%s];\n", i, e.Child, e.Move, 1+4*math.Sqrt(e.Prior), style)
		}
		if n.Skipped > 0 {
			fmt.Fprintf(out, "\tp%d [label=\"%d pruned\", style=dashed, color=gray60, fontcolor=gray40];\n\tn%d -> p%d [style=dashed, color=gray60];\n", i, n.Skipped, i, i)
		}
		if n.More > 0 {
			fmt.Fprintf(out, "\tm%d [label=\"+%d more\", style=solid, color=gray80, fontcolor=gray40, tooltip=\"%d visits, %d pruned below\"];\n\tn%d -> m%d [color=gray80];\n",
				i, n.More, n.MoreVisits, n.MoreSkipped, i, i)
		}
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}
