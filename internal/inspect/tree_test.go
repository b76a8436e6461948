package inspect

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/uct"
)

// Row 4: the tree that is put together from events is the search's own.
func TestBuilderIsTheTree(t *testing.T) {
	for _, threads := range []int{1, 3} {
		s := newTreeSearch(t, threads)
		b := NewBuilder(0)
		s.SetSink(b)
		g := gameAt(t, middleGame)
		for range 2 {
			s.Search(t.Context(), g, search.Limits{Nodes: 400}, nil)
		}
		snapshot := s.Snapshot(uct.SnapshotLimits{Nodes: 1 << 20})
		want, got := FromSnapshot(&snapshot), b.Tree()
		require.Equal(t, want.Game.USI(), got.Game.USI())
		require.Equal(t, len(want.Nodes), len(got.Nodes))
		require.Equal(t, want.Nodes[0].Visits, got.Nodes[0].Visits)
		if threads > 1 {
			continue // the order of events of one node by different workers may differ from that of its changes
		}
		positions := make(map[string]*Node)
		for i := range got.Nodes {
			positions[got.Nodes[i].Position.SFEN()] = &got.Nodes[i]
		}
		for i := range want.Nodes {
			w := &want.Nodes[i]
			n := positions[w.Position.SFEN()]
			require.NotNil(t, n, w.Position.SFEN())
			require.Equal(t, w.Visits, n.Visits, w.Position.SFEN())
			require.InDelta(t, w.WinRate, n.WinRate, 1e-9)
			require.Equal(t, w.Value, n.Value)
			require.Equal(t, w.Proof, n.Proof)
			require.Equal(t, w.Unvisited, n.Unvisited)
			edges := make(map[string]Edge)
			for _, e := range n.Edges {
				edges[e.Move.String()] = e
			}
			for _, e := range w.Edges {
				require.Equal(t, e.Visits, edges[e.Move.String()].Visits)
				require.InDelta(t, e.Prior, edges[e.Move.String()].Prior, 1e-9)
			}
		}
	}
}

// Row 5: as many pruned moves are drawn as were logged, whatever is left out, and the principal variation is on the left.
func TestPrunedMovesAreDrawn(t *testing.T) {
	for _, driver := range []string{"pvs", "alphabeta", "mtdf", "scout"} {
		e := newAlphaBeta(t, "quiescence=1,driver="+driver)
		b, c := NewBuilder(0), &counter{}
		e.SetSink(Tee{b, c})
		result := e.Search(t.Context(), gameAt(t, middleGame), search.Limits{Depth: 3}, nil)
		whole := b.Tree()
		require.Positive(t, c.skipped, driver)
		require.Equal(t, c.skipped, whole.Skipped(), driver)
		part := whole.Cut(Limits{Nodes: 60, Width: 4, Depth: 3})
		require.LessOrEqual(t, len(part.Nodes), 60)
		require.Equal(t, c.skipped, part.Skipped(), driver)
		require.Equal(t, c.skipped, drawnSkipped(t, &part), driver)
		line := part.Principal()
		for i, m := range result.Lines[0].PV[:min(len(line)-1, len(result.Lines[0].PV))] {
			require.Equal(t, m, part.Nodes[line[i]].Edges[0].Move, "%s: move %d of the line", driver, i+1)
		}
		l := newDrawing(&part, Picture{}).layout
		for _, i := range line {
			require.InDelta(t, l.x[0], l.x[i], 1e-9)
		}
	}
}

// drawnSkipped adds up the numbers in the picture's boxes.
func drawnSkipped(t *testing.T, tree *Tree) (sum int64) {
	t.Helper()
	var svg bytes.Buffer
	require.NoError(t, tree.SVG(&svg, Picture{}))
	for _, find := range []string{`>(\d+) pruned</text>`, `> ?[^<]* −(\d+)</text>`} {
		for _, m := range regexp.MustCompile(find).FindAllStringSubmatch(svg.String(), -1) {
			n, err := strconv.ParseInt(m[1], 10, 64)
			require.NoError(t, err)
			sum += n
		}
	}
	return sum
}

// pictures are the trees that the tests draw.
func pictures(t *testing.T) map[string]Tree {
	s := newTreeSearch(t, 1)
	s.Search(t.Context(), gameAt(t, "startpos"), search.Limits{Nodes: 600}, nil)
	snapshot := s.Snapshot(uct.SnapshotLimits{Nodes: 60, Width: 5})
	e := newAlphaBeta(t, "quiescence=2")
	b := NewBuilder(0)
	e.SetSink(b)
	e.Search(t.Context(), gameAt(t, middleGame), search.Limits{Depth: 3}, nil)
	whole := b.Tree()
	return map[string]Tree{"walks": FromSnapshot(&snapshot), "lines": whole.Cut(Limits{Nodes: 50, Width: 4}), "empty": {}}
}

func TestPictures(t *testing.T) {
	for name, tree := range pictures(t) {
		for _, p := range []Picture{{Title: name + " <&>"}, {Title: name, Boards: true, Japanese: true}} {
			var svg bytes.Buffer
			require.NoError(t, tree.SVG(&svg, p))
			for d := xml.NewDecoder(&svg); ; {
				_, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				require.NoError(t, err)
			}
		}
		var dot bytes.Buffer
		require.NoError(t, tree.DOT(&dot, Picture{Title: name}))
		require.Equal(t, len(tree.Nodes), strings.Count(dot.String(), "fillcolor="))
		if graphviz, err := exec.LookPath("dot"); err == nil {
			c := exec.Command(graphviz, "-Tsvg", "-o", os.DevNull)
			c.Stdin = &dot
			out, err := c.CombinedOutput()
			require.NoError(t, err, string(out))
		}
	}
}

// Nodes do not overlap, and each level is on one line.
func TestLayout(t *testing.T) {
	for name, tree := range pictures(t) {
		for _, p := range []Picture{{}, {Boards: true}} {
			d := newDrawing(&tree, p)
			l := d.layout
			for i := range tree.Nodes {
				require.GreaterOrEqual(t, l.x[i]-d.boxes[i].left, 0.0)
				require.LessOrEqual(t, l.x[i]+d.boxes[i].right, l.width+1e-9)
				for j := range i {
					if tree.Nodes[i].Ply != tree.Nodes[j].Ply {
						continue
					}
					require.InDelta(t, l.y[i], l.y[j], 1e-9)
					a, b := i, j
					if l.x[a] > l.x[b] {
						a, b = b, a
					}
					require.LessOrEqual(t, l.x[a]+d.boxes[a].right, l.x[b]-d.boxes[b].left+1e-9, "%s: nodes %d and %d", name, i, j)
				}
			}
			require.False(t, math.IsNaN(l.height))
		}
	}
}

// A node that several moves lead to is drawn once, with all its edges.
func TestMergedNodes(t *testing.T) {
	s := newTreeSearch(t, 1)
	s.Search(t.Context(), gameAt(t, "startpos"), search.Limits{Nodes: 1500}, nil)
	snapshot := s.Snapshot(uct.SnapshotLimits{Nodes: 400})
	tree := FromSnapshot(&snapshot)
	parents := make([]int, len(tree.Nodes))
	edges := 0
	for i := range tree.Nodes {
		for _, e := range tree.Nodes[i].Edges {
			if e.Child >= 0 {
				parents[e.Child]++
				edges++
			}
		}
	}
	merged := edges - (len(tree.Nodes) - 1)
	require.Positive(t, merged)
	var svg bytes.Buffer
	require.NoError(t, tree.SVG(&svg, Picture{}))
	require.Equal(t, merged, strings.Count(svg.String(), ` join"`))
	require.Equal(t, len(tree.Nodes), strings.Count(svg.String(), "<g transform=\"scale("))
}
