package mate

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

// slowMate is the plain twin of the solver: it returns the length of the shortest mate by checks within the plies, 0 for none.
func slowMate(p *shogi.Position, plies int) int {
	shortest := 0
	for _, m := range slowChecks(p) {
		if shortest > 0 {
			plies = shortest - 2
		}
		if plies < 1 {
			break
		}
		next := *p
		next.Do(m)
		if n, lost := slowLoss(&next, plies-1); lost {
			shortest = n + 1
		}
	}
	return shortest
}

// slowLoss reports whether the side in check is mated within the plies, and the length when it holds out longest.
func slowLoss(p *shogi.Position, plies int) (longest int, lost bool) {
	for _, m := range p.AppendLegal(nil) {
		if plies < 2 {
			return 0, false
		}
		next := *p
		next.Do(m)
		n := slowMate(&next, plies-1)
		if n == 0 {
			return 0, false
		}
		longest = max(longest, n+1)
	}
	return longest, true
}

// requireLikeTwin compares everything that the solver says of the position with the twin at the depth.
func requireLikeTwin(t *testing.T, s *Solver, p *shogi.Position, depth int, nodes int64) Result {
	t.Helper()
	want := slowMate(p, depth)
	r := s.Solve(p, Limits{Nodes: nodes})
	switch {
	case want == 0:
		require.True(t, r.Outcome != Mate || r.Plies > depth, p.SFEN())
	case r.Outcome == Mate:
		require.Equal(t, r.Minimal, r.Plies == want, "mate in %d, got %v in %s", want, r, p.SFEN())
	default:
		require.Equal(t, Unknown, r.Outcome, "mate in %d of %s", want, p.SFEN())
	}
	if r.Outcome == Mate {
		requireProved(t, s, p, &r)
	}
	within := s.Solve(p, Limits{Plies: depth})
	require.Equal(t, want > 0, within.Outcome == Mate, p.SFEN())
	require.Equal(t, want == 0, within.Outcome == NoMate, p.SFEN())
	require.Equal(t, want, within.Plies, p.SFEN())
	require.Equal(t, want > 0, within.Minimal, p.SFEN())
	outcome, move, plies := s.Quick(p, 1000)
	if outcome == Mate {
		requireQuickProved(t, s, p, move, plies)
	}
	if want > 0 {
		require.NotEqual(t, NoMate, outcome, p.SFEN())
	}
	if want == 1 {
		require.Equal(t, Mate, outcome, p.SFEN())
		require.Equal(t, 1, plies, p.SFEN())
	}
	return r
}

func requireQuickProved(t *testing.T, s *Solver, p *shogi.Position, move shogi.Move, plies int) {
	t.Helper()
	proof, err := s.Proof(p, 0)
	require.NoError(t, err)
	require.NoError(t, proof.Check())
	require.Equal(t, move, proof.Nodes[0].Move, p.SFEN())
	require.Equal(t, plies, proof.Nodes[0].Plies, p.SFEN())
}

// requireProved replays the line and the proof of a mate against every defence.
func requireProved(t *testing.T, s *Solver, p *shogi.Position, r *Result) {
	t.Helper()
	require.True(t, len(r.Line) == r.Plies || len(r.Line) < r.Plies && (!r.Minimal || r.Reason != 0), "%v in %s", r, p.SFEN())
	require.NotEmpty(t, r.Line, p.SFEN())
	pos := *p
	for i, m := range r.Line {
		require.True(t, pos.IsLegal(m), "%s in %s", m, pos.SFEN())
		require.True(t, i%2 == 1 || pos.GivesCheck(m), "%s in %s", m, pos.SFEN())
		pos.Do(m)
	}
	require.True(t, r.Reason != 0 || !pos.HasLegalMove(), p.SFEN())
	proof, err := s.Proof(p, 0)
	require.NoError(t, err)
	require.NoError(t, proof.Check())
	require.LessOrEqual(t, proof.Nodes[0].Plies, r.Plies, p.SFEN())
}

func TestRandomPositionsAgainstTwin(t *testing.T) {
	positions, depth := 400, 5
	if testing.Short() {
		positions = 100
	}
	s := NewSolver(1 << 20)
	lengths := map[int]int{}
	for seed := range uint64(positions) {
		p := randomPosition(rand.New(rand.NewPCG(seed, 2)))
		r := requireLikeTwin(t, s, &p, depth, 100_000)
		lengths[r.Plies]++
	}
	t.Log(lengths)
	for _, plies := range []int{1, 3, 5} {
		require.NotZero(t, lengths[plies], "mates in %d must occur", plies)
	}
}

// FuzzSolve compares the solver with the twin on any position.
func FuzzSolve(f *testing.F) {
	f.Add("ln3kp1+R/3grp3/3p1sGSp/p1N1p1bp1/9/PP2L2K1/1s+pS1P2P/3b1+n3/L+p5NL w 2g5p 1")
	f.Add("pk7/9/G8/2LKP4/9/9/9/9/9 b Bn 1")
	f.Add("7pk/7n1/6r1g/7NL/9/9/9/9/9 b Pr2b3g4s2n3l16p 1")
	f.Add("7+P1/5R1s1/6ks1/9/5L1p1/9/9/9/9 b R2b4g2s4n3l16p 1")
	f.Add("3lkl3/3p1p3/9/5N3/9/9/9/9/4K4 b P 1")
	s := NewSolver(1 << 20)
	f.Fuzz(func(t *testing.T, sfen string) {
		p, err := shogi.ParseSFEN(sfen)
		if err != nil || len(slowChecks(&p)) > 30 {
			return // the twin would take too long
		}
		requireLikeTwin(t, s, &p, 3, 5000)
	})
}
