package inspect

import "math"

// The layout is tidy: no two subtrees overlap, and equal distances from the root are on one line. A node stands straight above its first
// child, so the principal variation is the straight line on the left. A node with several parents hangs below the one with the
// most visits on the way; the other edges are drawn to it.
//
//	root
//	 │╲────╮
//	 a     b      each subtree is moved right until its left outline
//	 │╲    │      keeps clear of the right outline of all before it
//	 c d   e
//
// box is the room that a node takes around its middle, in pixels.
type box struct {
	left, right, height float64
}

// layout is where the nodes of a tree stand.
type layout struct {
	x, y []float64
	// parent is the index of the node that a node hangs below, -1 for the root.
	parent        []int
	width, height float64
}

const (
	siblingGap = 14
	margin     = 24
)

// outline is how far a subtree reaches to both sides of its root, by level.
type outline struct {
	left, right []float64
}

// newLayout places the nodes; boxes say how large they are and gap is the room between levels.
func newLayout(t *Tree, boxes []box, gap float64) *layout {
	l := &layout{x: make([]float64, len(t.Nodes)), y: make([]float64, len(t.Nodes)), parent: make([]int, len(t.Nodes))}
	if len(t.Nodes) == 0 {
		return l
	}
	children := l.hang(t)
	whole := l.place(children, boxes, 0)
	least, most := math.Inf(1), math.Inf(-1)
	for i := range whole.left {
		least, most = min(least, whole.left[i]), max(most, whole.right[i])
	}
	l.move(children, 0, margin-least)
	l.width = most - least + 2*margin
	l.levels(t, boxes, gap)
	return l
}

// hang decides which parent each node hangs below.
func (l *layout) hang(t *Tree) (children [][]int) {
	visits := make([]int64, len(t.Nodes))
	for i := range l.parent {
		l.parent[i], visits[i] = -1, -1
	}
	for i := range t.Nodes {
		for _, e := range t.Nodes[i].Edges {
			if c := e.Child; c > 0 && t.Nodes[c].Ply == t.Nodes[i].Ply+1 && e.Visits > visits[c] {
				l.parent[c], visits[c] = i, e.Visits
			}
		}
	}
	line := t.Principal()
	for i := 1; i < len(line); i++ {
		l.parent[line[i]] = line[i-1]
	}
	children = make([][]int, len(t.Nodes))
	for i := range t.Nodes {
		for _, e := range t.Nodes[i].Edges {
			if e.Child > 0 && l.parent[e.Child] == i {
				children[i] = append(children[i], e.Child)
			}
		}
	}
	return children
}

// place lays a subtree out with its root at 0 and returns its outline; x holds distances from the parent until move adds them up.
func (l *layout) place(children [][]int, boxes []box, i int) outline {
	out := outline{left: []float64{-boxes[i].left}, right: []float64{boxes[i].right}}
	var below outline
	for k, c := range children[i] {
		sub := l.place(children, boxes, c)
		shift := 0.0
		if k > 0 {
			shift = math.Inf(-1)
			for d := range min(len(below.right), len(sub.left)) {
				shift = max(shift, below.right[d]+siblingGap-sub.left[d])
			}
		}
		l.x[c] = shift
		for d := range sub.left {
			left, right := sub.left[d]+shift, sub.right[d]+shift
			if d < len(below.left) {
				below.left[d], below.right[d] = min(below.left[d], left), max(below.right[d], right)
			} else {
				below.left, below.right = append(below.left, left), append(below.right, right)
			}
		}
	}
	out.left, out.right = append(out.left, below.left...), append(out.right, below.right...)
	return out
}

// move adds the distances up.
func (l *layout) move(children [][]int, i int, by float64) {
	l.x[i] += by
	for _, c := range children[i] {
		l.move(children, c, l.x[i])
	}
}

// levels gives each level the height of its tallest node.
func (l *layout) levels(t *Tree, boxes []box, gap float64) {
	var tallest []float64
	for i := range t.Nodes {
		for len(tallest) <= t.Nodes[i].Ply {
			tallest = append(tallest, 0)
		}
		tallest[t.Nodes[i].Ply] = max(tallest[t.Nodes[i].Ply], boxes[i].height)
	}
	top := make([]float64, len(tallest)+1)
	for d, h := range tallest {
		top[d+1] = top[d] + h + gap
	}
	for i := range t.Nodes {
		l.y[i] = top[t.Nodes[i].Ply]
	}
	l.height = top[len(tallest)]
}
