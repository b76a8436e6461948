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
func (t *Tree) DOT(w io.Writer, p Picture) error { return SideBySideDOT(w, p, []*Tree{t}, nil) }

// SideBySideDOT writes trees in Graphviz's language, each in a frame of its own with its caption where there are captions.
func SideBySideDOT(w io.Writer, p Picture, trees []*Tree, captions []string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "digraph search {\n\tlabel=%q; labelloc=t; ordering=out;\n\tnode [shape=box, style=filled, fontsize=10];\n", p.Title)
	for i, t := range trees {
		if i >= len(captions) {
			t.dotNodes(out, newDrawing(t, p), "")
			continue
		}
		fmt.Fprintf(out, "\tsubgraph cluster_%d {\n\tlabel=%q;\n", i, captions[i])
		t.dotNodes(out, newDrawing(t, p), fmt.Sprintf("t%d", i))
		fmt.Fprintln(out, "\t}")
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}

// dotNodes writes the nodes and edges. Names begin with the prefix, so that several trees keep apart.
func (t *Tree) dotNodes(out io.Writer, d *drawing, prefix string) {
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
		fmt.Fprintf(out, "\t%sn%d [label=\"%s\", fillcolor=%q, shape=%s, penwidth=%d, tooltip=%q];\n", prefix, i, strings.Join(d.lines(i), `\n`), fill, shape, pen, d.hover(i))
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
			fmt.Fprintf(out, "\t%sn%d -> %sn%d [label=\"%s\", penwidth=%.1f%s];\n", prefix, i, prefix, e.Child, e.Move, 1+4*math.Sqrt(e.Prior), style)
		}
		if n.Skipped > 0 {
			fmt.Fprintf(out, "\t%sp%d [label=\"%d pruned\", style=dashed, color=gray60, fontcolor=gray40];\n\t%sn%d -> %sp%d [style=dashed, color=gray60];\n",
				prefix, i, n.Skipped, prefix, i, prefix, i)
		}
		if n.More > 0 {
			fmt.Fprintf(out, "\t%sm%d [label=\"+%d more\", style=solid, color=gray80, fontcolor=gray40, tooltip=\"%d visits, %d pruned below\"];\n\t%sn%d -> %sm%d [color=gray80];\n",
				prefix, i, n.More, n.MoreVisits, n.MoreSkipped, prefix, i, prefix, i)
		}
	}
}
