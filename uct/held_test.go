package uct

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// An analysis that has found its answer shows it before it is told to stop.
func TestHeldAnswersAreShown(t *testing.T) {
	for _, tc := range []struct {
		name, sfen string
		plies      int
	}{
		{"mate", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1},
		{"declaration", "+P+P+P+P1K+P+P+P/R1R1B1B2/9/9/9/9/9/9/4k4 b 9P 1", 0},
	} {
		for _, ponder := range []bool{false, true} {
			s := sensible(t, true)
			limits := search.Limits{Infinite: !ponder}
			if ponder {
				limits.PonderHit = make(chan struct{})
			}
			ctx, cancel := context.WithCancel(t.Context())
			seen, answer := make(chan []search.Info, 9), make(chan search.Result, 1)
			go func() {
				answer <- s.Search(ctx, constructed(t, tc.sfen), limits, func(lines []search.Info) { seen <- lines })
			}()
			select {
			case lines := <-seen:
				require.Equal(t, tc.plies, lines[0].Score.Plies, tc.name)
				require.EqualValues(t, 1, lines[0].Score.WinRate)
			case <-time.After(20 * time.Second):
				require.Fail(t, "nothing is shown", tc.name)
			}
			require.Empty(t, answer, "answered before it was told to")
			cancel()
			require.NotEmpty(t, (<-answer).Lines)
		}
	}
}

// Under TryRule a mate that lets the king reach the square that wins is none.
func TestMatesAndTries(t *testing.T) {
	for _, tc := range []struct {
		sfen, best string
		rule       shogi.DeclarationRule
	}{
		{"9/9/9/9/4K4/3R1R3/9/4k4/9 b 4G 1", "G*4h", shogi.CSARule27},
		{"9/9/9/9/4K4/3R1R3/9/4k4/9 b 4G 1", "G*4i", shogi.TryRule}, // after G*4h the only way out is the square that wins, 5i
		{"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", shogi.TryRule},
		{"6nk1/9/7p1/6R1+P/6L2/9/9/9/K8 b P 1", "3d3a", shogi.TryRule},
	} {
		s := sensible(t, true)
		o := s.Options()
		o.Declaration = tc.rule
		require.NoError(t, s.SetOptions(o))
		r := nodes(s, constructed(t, tc.sfen), 2000)
		require.Equal(t, tc.best, r.Best.String(), "%s %v", tc.sfen, tc.rule)
		require.Positive(t, r.Lines[0].Score.Plies)
		checkTree(t, s)
	}
	p := constructed(t, "9/9/9/9/4K4/3R1R3/9/4k4/9 b 4G 1").Position()
	far := constructed(t, "9/9/9/9/4k4/9/9/9/K8 b 4G 1").Position() // four steps to go
	for plies, want := range map[int]bool{1: true, 3: false} {
		require.Equal(t, want, (&facts{declaration: shogi.TryRule}).counts(p, plies))
		require.True(t, (&facts{declaration: shogi.CSARule27}).counts(p, plies))
	}
	require.True(t, (&facts{declaration: shogi.TryRule}).counts(far, 7))
	require.False(t, (&facts{declaration: shogi.TryRule}).counts(far, 9))
}

// The lines of mates that the tree does not hold, because it was a search for mate that found them, are searched to their end.
func TestLinesOfMatesEnd(t *testing.T) {
	const sfen = "1R1kg+R3/p1lppl2p/s1+p4ss/N1p2+pPpN/N1P1+B1pPB/4N+p1+p1/7G1/5pL2/4s+L3 w 2g3p 1"
	for _, text := range []string{
		"+N5snl/4+N1gp1/1b1p1pkP1/1s1l2pLp/4p+b3/P1P6/1P1PPPP1P/2+rSK2L1/2+r1S1GN1 w 2P2gp 1",
		"lnsgs2+Pl/3kg4/p1pppN2p/6pp1/9/7R1/P1PP1Sg1P/1S3+b3/LN5KL w Nrbg6p 1",
		"knS5K/llGp3G1/pp2+R2S1/2n6/9/6S2/P3+n3P/2P2P2L/6GNb b RBGSL11P 1",
		sfen,
	} {
		g := constructed(t, text)
		s := sensible(t, true)
		for _, multi := range []int{1, 2, 5, 1} {
			o := s.Options()
			o.MultiPV = multi
			require.NoError(t, s.SetOptions(o))
			for _, line := range nodes(s, g, 700).Lines {
				if line.Score.Mate {
					requireEnd(t, g, line)
				}
			}
		}
	}
}

// requireEnd verifies that a proved line ends in mate, just when the score says.
func requireEnd(t *testing.T, g *shogi.Game, line search.Info) {
	t.Helper()
	p := *g.Position()
	for _, m := range line.PV {
		require.True(t, p.IsLegal(m), "%s in %s", m, p.SFEN())
		p.Do(m)
	}
	require.False(t, p.HasLegalMove(), "%s: %+v", g.Position().SFEN(), line)
	require.Len(t, line.PV, max(line.Score.Plies, -line.Score.Plies))
}

// A search in full memory is the same after Clear, whatever was forgotten before.
func TestSameSearchInFullMemory(t *testing.T) {
	c := randomConfig(5)
	c.HashMB = 1
	s := newSearcher(t, c)
	search := func() []RootMove {
		s.Clear()
		nodes(s, game(t, "startpos moves 7g7f 3c3d"), 20_000)
		return s.RootMoves()
	}
	want := search()
	require.Positive(t, s.Stats().Recycled)
	nodes(s, game(t, "sfen 4k4/9/9/9/9/9/9/9/4K3R b G 1"), 7000)
	for range 2 {
		require.Equal(t, want, search())
	}
}
