package mate_test

import (
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/mate"
)

// samples returns each step-th position of the sample of game positions.
func samples(tb testing.TB, step int) []shogi.Position {
	tb.Helper()
	r, err := record.Open("../../testdata/sample.psv.zst")
	require.NoError(tb, err)
	defer r.Close()
	var positions []shogi.Position
	for i := 0; ; i++ {
		x, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(tb, err)
		if i%step == 0 {
			positions = append(positions, x.Position)
		}
	}
	require.NotEmpty(tb, positions)
	return positions
}

func TestSamplesAgainstTwin(t *testing.T) {
	step := 150
	if testing.Short() {
		step = 400
	}
	s := mate.NewSolver(1 << 20)
	mates := map[int]int{}
	for _, p := range samples(t, step) {
		mates[mate.RequireLikeTwin(t, s, &p, 5, 100_000).Plies]++
		mate.RequireSameCheck(t, &p)
	}
	t.Log(mates)
	require.NotZero(t, mates[1]+mates[3]+mates[5])
}

// BenchmarkQuick reports the cost of a look at the leaves of a search, on middle-game positions, and the share in which a mate
// was found.
func BenchmarkQuick(b *testing.B) {
	var middle []shogi.Position
	for _, p := range samples(b, 7) {
		if p.Ply() >= 40 && p.Ply() <= 100 {
			middle = append(middle, p)
		}
	}
	s := mate.NewSolver(256 << 10)
	for _, bm := range []struct {
		name  string
		nodes int
	}{{"1", 1}, {"20", 20}, {"40", 40}, {"100", 100}, {"300", 300}, {"1000", 1000}} {
		b.Run(bm.name, func(b *testing.B) {
			found, i := 0, 0
			for b.Loop() {
				if outcome, _, _ := s.Quick(&middle[i%len(middle)], bm.nodes); outcome == mate.Mate {
					found++
				}
				i++
			}
			b.ReportMetric(100*float64(found)/float64(i), "%mate")
		})
	}
}
