package mate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

// slowChecks is the plain twin of appendChecks.
func slowChecks(p *shogi.Position) []shogi.Move {
	var checks []shogi.Move
	for _, m := range p.AppendLegal(nil) {
		next := *p
		next.Do(m)
		if next.InCheck() {
			checks = append(checks, m)
		}
	}
	return checks
}

// pawnDropMates reports whether the move is a pawn drop that mates, which appendChecks leaves in.
func pawnDropMates(p *shogi.Position, m shogi.Move) bool {
	if !m.IsDrop() || m.DropType() != shogi.Pawn {
		return false
	}
	next := *p
	next.Do(m)
	return !next.HasLegalMove()
}

func requireSameChecks(t *testing.T, p *shogi.Position) {
	t.Helper()
	got := slices.DeleteFunc(appendChecks(p, nil), func(m shogi.Move) bool { return pawnDropMates(p, m) })
	want := slowChecks(p)
	slices.Sort(got)
	slices.Sort(want)
	require.True(t, slices.Equal(want, got), "want %v, got %v in %s", want, got, p.SFEN())
}

// randomPosition plays random moves, checks more often than others, and may take a king off the board.
func randomPosition(rng *rand.Rand) shogi.Position {
	p := shogi.StartPosition()
	for range rng.IntN(160) {
		moves := p.AppendLegal(nil)
		if len(moves) == 0 {
			break
		}
		if checks := slowChecks(&p); len(checks) > 0 && rng.IntN(2) == 0 {
			moves = checks
		}
		next := p
		next.Do(moves[rng.IntN(len(moves))])
		if !next.HasLegalMove() {
			break
		}
		p = next
	}
	setup := p.Setup()
	if s := p.KingSquare(p.Side()); s != shogi.NoSquare && rng.IntN(8) == 0 {
		setup.Board[s] = shogi.Empty
		if bare, err := setup.Position(); err == nil {
			return bare
		}
	}
	return p
}

func TestChecksOfRandomPositions(t *testing.T) {
	found := 0
	for seed := range uint64(2000) {
		p := randomPosition(rand.New(rand.NewPCG(seed, 1)))
		requireSameChecks(t, &p)
		found += len(appendChecks(&p, nil))
	}
	require.Greater(t, found, 3000, "the positions must have checks to list")
}

func FuzzChecks(f *testing.F) {
	f.Add(shogi.StartSFEN)
	f.Add("lnk1p1+R1l/1rsg3+P1/p1ppG2p1/4N3p/3S5/P7P/2+lPP4/2G1KP3/L1S4+b1 b N2Pbgsn4p 1")
	f.Add("pk7/9/G8/2LKP4/9/9/9/9/9 b Bn 1")
	f.Add("9/9/9/9/9/9/4K4/9/4k1+P1R b - 1")
	f.Add("7lk/7p1/9/+P+PL3r2/+P+P+PN1b3/+P+P+P+P+P+P2p/1L+pNNN3/+R+bgss+P+P2/gggss+P+P1L b - 1")
	f.Fuzz(func(t *testing.T, sfen string) {
		p, err := shogi.ParseSFEN(sfen)
		if err != nil {
			return
		}
		requireSameChecks(t, &p)
	})
}
