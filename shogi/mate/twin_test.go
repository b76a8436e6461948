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
func requireLikeTwin(t *testing.T, s *Solver, p *shogi.Position, depth int) Result {
	t.Helper()
	want := slowMate(p, depth)
	r := s.Solve(p, Limits{Nodes: 300_000})
	switch {
	case want > 0:
		require.Equal(t, Mate, r.Outcome, "mate in %d of %s", want, p.SFEN())
		require.Equal(t, want, r.Plies, p.SFEN())
		require.True(t, r.Minimal, p.SFEN())
	case r.Outcome == Mate:
		require.Greater(t, r.Plies, depth, p.SFEN())
	}
	if r.Outcome == Mate {
		requireProved(t, s, p, &r)
	}
	within := s.Solve(p, Limits{Plies: depth})
	require.Equal(t, want > 0, within.Outcome == Mate, p.SFEN())
	require.Equal(t, want == 0, within.Outcome == NoMate, p.SFEN())
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
	require.Len(t, r.Line, r.Plies, p.SFEN())
	pos := *p
	for i, m := range r.Line {
		require.True(t, pos.IsLegal(m), "%s in %s", m, pos.SFEN())
		require.True(t, i%2 == 1 || pos.GivesCheck(m), "%s in %s", m, pos.SFEN())
		pos.Do(m)
	}
	require.False(t, pos.HasLegalMove(), p.SFEN())
	proof, err := s.Proof(p, 0)
	require.NoError(t, err)
	require.NoError(t, proof.Check())
	require.LessOrEqual(t, proof.Nodes[0].Plies, r.Plies, p.SFEN())
}

func TestRandomPositionsAgainstTwin(t *testing.T) {
	positions, depth := 600, 5
	if testing.Short() {
		positions = 150
	}
	s := NewSolver(1 << 20)
	lengths := map[int]int{}
	for seed := range uint64(positions) {
		p := randomPosition(rand.New(rand.NewPCG(seed, 2)))
		r := requireLikeTwin(t, s, &p, depth)
		lengths[r.Plies]++
	}
	t.Log(lengths)
	for _, plies := range []int{1, 3, 5} {
		require.NotZero(t, lengths[plies], "mates in %d must occur", plies)
	}
}
