package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
)

func priors(t *testing.T, sfen string, last shogi.Move) map[string]float32 {
	t.Helper()
	p, err := shogi.ParseSFEN(sfen)
	require.NoError(t, err)
	moves := p.AppendLegal(nil)
	out := make([]float32, len(moves))
	policy.NewHeuristic().Priors(&p, last, moves, out)
	var sum float32
	prior := map[string]float32{}
	for i, m := range moves {
		require.Positive(t, out[i], "%s in %s", m, sfen)
		sum += out[i]
		prior[m.String()] = out[i]
	}
	require.InDelta(t, 1, sum, 1e-4)
	return prior
}

// TestHeuristicPrefers holds pairs of moves of which the first must have the higher prior.
func TestHeuristicPrefers(t *testing.T) {
	for _, c := range []struct{ why, sfen, better, worse string }{
		{"a free rook is taken", "4k4/9/9/4r4/4P4/9/9/9/4K4 b - 1", "5e5d", "5i4i"},
		{"a guarded pawn is not taken with the rook", "4k4/9/4g4/4p4/9/9/9/4R4/3K5 b - 1", "5h5g", "5h5d"},
		{"a rook attacked by a pawn leaves", "4k4/9/9/4p4/4R4/9/9/9/3K5 b - 1", "5e4e", "6i7i"},
		{"a check goes before a quiet move", "4k4/9/9/9/9/9/9/1R7/3K5 b - 1", "8h5h", "8h7h"},
		{"promoting goes before not promoting", "k8/9/5R3/9/9/9/9/9/4K4 b - 1", "4c4b+", "4c4b"},
	} {
		prior := priors(t, c.sfen, shogi.MoveNone)
		require.Contains(t, prior, c.better, c.why)
		require.Contains(t, prior, c.worse, c.why)
		require.Greater(t, prior[c.better], prior[c.worse], "%s: %s before %s in %s", c.why, c.better, c.worse, c.sfen)
	}
}

func TestHeuristicTakesBack(t *testing.T) {
	sfen := "4k4/9/9/9/4s4/4G4/9/9/4K4 b - 1"
	take, err := shogi.ParseMove("5d5e")
	require.NoError(t, err)
	require.Greater(t, priors(t, sfen, take)["5f5e"], priors(t, sfen, shogi.MoveNone)["5f5e"])
}

func TestUniform(t *testing.T) {
	p := shogi.StartPosition()
	moves := p.AppendLegal(nil)
	out := make([]float32, len(moves))
	policy.NewUniform().Priors(&p, shogi.MoveNone, moves, out)
	for _, x := range out {
		require.InDelta(t, 1.0/30, x, 1e-6)
	}
}

func TestSoftmax(t *testing.T) {
	x := []float32{1000, 1000, -1000}
	policy.Softmax(x)
	require.Equal(t, []float32{.5, .5, 0}, x)
}

func TestHeuristicDoesNotAllocate(t *testing.T) {
	p := shogi.StartPosition()
	h := policy.NewHeuristic()
	moves := p.AppendLegal(nil)
	out := make([]float32, len(moves))
	require.Zero(t, testing.AllocsPerRun(100, func() { h.Priors(&p, shogi.MoveNone, moves, out) }))
}

func BenchmarkHeuristic(b *testing.B) {
	p := shogi.StartPosition()
	h := policy.NewHeuristic()
	moves := p.AppendLegal(nil)
	out := make([]float32, len(moves))
	for b.Loop() {
		h.Priors(&p, shogi.MoveNone, moves, out)
	}
}
