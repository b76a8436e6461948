package alphabeta

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of leaves in docs/alphabeta.md anew")

const (
	docsFile   = "../../docs/alphabeta.md"
	tableStart = "<!-- leaves:start -->\n"
	tableEnd   = "<!-- leaves:end -->"
)

// meanLeaves returns the mean number of different leaves over some trees with values that hardly ever repeat.
func meanLeaves(t *testing.T, width, depth int, order string, d Driver) int64 {
	const trees = 10
	sum := int64(0)
	for seed := range uint64(trees) {
		shape := TreeShape{Seed: seed, Width: width, Depth: depth, Spread: 15_000}
		leaves := make(map[uint64]bool)
		var g Game[TreeMove] = visited{NewRandomTree(shape), leaves}
		if order != "random" {
			g = newOrdered(shape, order == "worst", leaves)
		}
		s, err := New(g, testMode(d, 1<<14), nil)
		require.NoError(t, err)
		s.Run(Goal[TreeMove]{Depth: depth})
		sum += int64(len(leaves))
	}
	return sum / trees
}

func TestLeavesTable(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test")
	}
	var b strings.Builder
	b.WriteString("| width, depth | order | formula | alpha-beta | PVS | MTD(f) | SSS* |\n|---|---|---|---|---|---|---|\n")
	for _, shape := range [][2]int{{4, 6}, {8, 4}, {8, 5}} {
		width, depth := shape[0], shape[1]
		best := math.Pow(float64(width), math.Ceil(float64(depth)/2)) + math.Pow(float64(width), math.Floor(float64(depth)/2)) - 1
		random, worst := math.Pow(float64(width), 0.75*float64(depth)), math.Pow(float64(width), float64(depth))
		for _, row := range []struct {
			order, formula string
			value          float64
		}{{"best", "b^⌈d/2⌉+b^⌊d/2⌋−1", best}, {"random", "b^(3d/4)", random}, {"worst", "b^d", worst}} {
			fmt.Fprintf(&b, "| %d, %d | %s | %s = %.0f", width, depth, row.order, row.formula, row.value)
			for _, d := range []Driver{AlphaBeta, PVS, MTDF, SSSOpen} {
				leaves := meanLeaves(t, width, depth, row.order, d)
				fmt.Fprintf(&b, " | %d", leaves)
				if row.order == "best" {
					require.InDelta(t, row.value, leaves, 0.01*row.value+1, "%s visits the minimal tree in the best order", d)
				}
				if row.order == "worst" && d == AlphaBeta {
					require.Greater(t, float64(leaves), 0.5*row.value, "alpha-beta visits most leaves in the worst order")
				}
			}
			b.WriteString(" |\n")
		}
	}
	text, err := os.ReadFile(docsFile)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), tableStart)
	require.True(t, found)
	table, after, found := strings.Cut(rest, tableEnd)
	require.True(t, found)
	if *update {
		require.NoError(t, os.WriteFile(docsFile, []byte(before+tableStart+b.String()+tableEnd+after), 0o644))
		return
	}
	require.Equal(t, b.String(), table, "go test ./value/alphabeta -run LeavesTable -update")
}
