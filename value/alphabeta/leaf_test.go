package alphabeta

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
)

// counting counts how often a value is asked.
type counting struct {
	Value
	asked int
}

func (c *counting) WinRate(p *shogi.Position) float32 {
	c.asked++
	return c.Value.WinRate(p)
}

// pieces judges by material on the board and in hand alone: the search must see what hangs.
type pieces struct{ features *Features }

func (v pieces) WinRate(p *shogi.Position) float32 {
	s := v.features.Sum(p)
	return float32(winRateOf(int(signOf(p.Side())*(s.Material+s.Hand)), defaultEvalCoef))
}

func TestCaptureSearchTakesWhatHangs(t *testing.T) {
	v := pieces{NewFeatures(DefaultWeights())}
	hangs := gameAt(t, "sfen 4k4/9/9/4r4/9/9/9/4R4/4K4 b - 1").Position()
	require.Greater(t, NewCaptureSearch(v, DefaultCaptureOptions()).WinRate(hangs), v.WinRate(hangs)+0.3)
	quiet := gameAt(t, shogi.StartSFEN).Position()
	require.Equal(t, v.WinRate(quiet), NewCaptureSearch(v, DefaultCaptureOptions()).WinRate(quiet))
	defended := gameAt(t, "sfen 4k4/4g4/4p4/9/9/9/9/4R4/4K4 b - 1").Position()
	require.Equal(t, v.WinRate(defended), NewCaptureSearch(v, DefaultCaptureOptions()).WinRate(defended), "a rook for a pawn")
}

func TestCaptureSearchIsBounded(t *testing.T) {
	for _, nodes := range []int{-1, 1, 2, 5, 50} {
		for _, sfen := range positions(t) {
			c := &counting{Value: value.NewMaterial()}
			s := NewCaptureSearch(c, CaptureOptions{Nodes: nodes, Depth: 100})
			p := gameAt(t, sfen).Position()
			before := *p
			rate := s.WinRate(p)
			require.Equal(t, before, *p)
			require.LessOrEqual(t, c.asked, max(nodes, 1))
			require.GreaterOrEqual(t, rate, c.Value.WinRate(p), "standing pat is always allowed")
			require.LessOrEqual(t, rate, float32(1))
		}
	}
}

func TestCaptureSearchDoesNotAllocate(t *testing.T) {
	s := NewCaptureSearch(value.NewNetEvaluator(value.Default()), CaptureOptions{Nodes: 20, Depth: 8})
	for _, sfen := range positions(t) {
		p := gameAt(t, sfen).Position()
		require.Zero(t, testing.AllocsPerRun(10, func() { s.WinRate(p) }), sfen)
	}
}

func BenchmarkCaptureSearch(b *testing.B) {
	s := NewCaptureSearch(value.NewNetEvaluator(value.Default()), DefaultCaptureOptions())
	p := gameAt(b, everyPosition(b)[1]).Position()
	for b.Loop() {
		s.WinRate(p)
	}
}
