package uct

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
)

// sensible returns a searcher with the simple evaluators, which look at checks early.
func sensible(t *testing.T, mates bool) *Searcher {
	c := randomConfig(1)
	c.NewPolicy = func() Policy { return policy.NewHeuristic() }
	c.NewValue = func() Value { return value.NewMaterial() }
	c.HashMB = 4
	if mates {
		c.Params = DefaultParams()
		c.Params[LeafMateNodes], c.Params[LineMateNodes] = 40, 1000
	}
	return newSearcher(t, c)
}

// constructed returns a game from a board made by hand.
func constructed(t *testing.T, sfen string) *shogi.Game {
	t.Helper()
	p, err := shogi.ParseConstructedSFEN(sfen)
	require.NoError(t, err)
	return shogi.NewGame(p)
}

func TestProofNumbers(t *testing.T) {
	require.Equal(t, 0, lost(0).plies())
	require.Equal(t, 1, won(1).plies())
	require.Equal(t, won(1), lost(0).before())
	require.Equal(t, lost(2), won(1).before())
	require.Equal(t, 1.0, won(3).value())
	require.Equal(t, 0.0, lost(4).value())
	require.Equal(t, maxProof, won(1<<20).plies())
	var n node
	for _, p := range []proof{unproved, won(1), lost(0), won(maxProof), lost(maxProof)} {
		n.publish(0.5, stateLeaf, p)
		n.lock()
		require.Equal(t, p, n.proof())
		require.Equal(t, stateLeaf, n.stage())
		n.setStage(stateExpanded)
		n.unlock()
		require.Equal(t, p, n.proof())
		require.Equal(t, stateExpanded, n.stage())
	}
}

// winsWithin and losesWithin are the plain truth about mates, all moves tried.
func winsWithin(p *shogi.Position, plies int) bool {
	if plies < 1 {
		return false
	}
	for _, m := range p.AppendLegal(nil) {
		next := *p
		if next.Do(m); losesWithin(&next, plies-1) {
			return true
		}
	}
	return false
}

func losesWithin(p *shogi.Position, plies int) bool {
	moves := p.AppendLegal(nil)
	if len(moves) == 0 {
		return true
	}
	if plies < 2 || !p.InCheck() {
		return false // the problems here have mates by checks only
	}
	for _, m := range moves {
		next := *p
		if next.Do(m); !winsWithin(&next, plies-1) {
			return false
		}
	}
	return true
}

func TestMatesAreProved(t *testing.T) {
	for _, tc := range []struct {
		sfen, best string
		plies      int
	}{
		{"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", 1},
		{"1n5nl/lS5k1/1r2pg3/p1K3ppp/2P6/P2nSp3/1P+r1P3P/1s3s3/L7L w P2b3gn6p 1", "G*8d", 3},
		{"3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1", "9f5b", 3},
		{"5+R1nl/7k1/5+R1p1/9/9/9/9/9/9 b 2b4g4s3n3l17p 1", "4a3b", 3},
		{"6nk1/9/7p1/6R1+P/6L2/9/9/9/K8 b P 1", "3d3a", 5},
	} {
		g := constructed(t, tc.sfen)
		s := sensible(t, false)
		r := nodes(s, g, 200_000)
		require.Equal(t, search.ReasonProved, r.Reason, tc.sfen)
		score := r.Lines[0].Score
		require.True(t, score.Mate, tc.sfen)
		require.GreaterOrEqual(t, score.Plies, tc.plies, tc.sfen)
		require.EqualValues(t, 1, score.WinRate)
		require.Equal(t, score.Plies, s.Root().Proof)
		if tc.plies == 1 {
			require.Equal(t, move(t, tc.best), r.Best)
		}
		checkTree(t, s)
		checked := 0
		for slot := range s.table.Cap() {
			n, e := s.table.Node(slot), s.table.Entry(slot)
			if !e.Used || n.stage() != stateExpanded {
				continue
			}
			if p := n.proof(); p != unproved {
				require.Equal(t, p.value(), n.winRate())
				checked++
			}
		}
		if tc.plies > 1 {
			require.Greater(t, checked, 1)
		}
		replayProof(t, s, *g.Position(), score.Plies)
	}
}

// replayProof follows a proved win in the tree against every defence and verifies that it ends in mate in time.
func replayProof(t *testing.T, s *Searcher, p shogi.Position, plies int) {
	t.Helper()
	n := s.find(&p)
	require.NotNil(t, n, p.SFEN())
	require.Equal(t, won(plies), n.proof())
	require.True(t, plies > 5 || winsWithin(&p, plies), "no mate in %d: %s", plies, p.SFEN())
	p.Do(s.bestMove(n))
	for _, m := range p.AppendLegal(nil) {
		next := p
		next.Do(m)
		reply := s.find(&next)
		require.NotNil(t, reply, next.SFEN())
		require.Positive(t, reply.proof(), next.SFEN())
		require.LessOrEqual(t, reply.proof().plies(), plies-2)
		replayProof(t, s, next, reply.proof().plies())
	}
}

// The side that loses takes the longest way, and says how long.
func TestLossesAreProved(t *testing.T) {
	g := constructed(t, "6nk1/9/7p1/6R1+P/6L2/9/9/9/K8 b P 1")
	require.NoError(t, g.Do(move(t, "3d3a")))
	s := sensible(t, false)
	r := nodes(s, g, 200_000)
	require.Equal(t, search.ReasonProved, r.Reason)
	require.True(t, r.Lines[0].Score.Mate)
	require.Equal(t, 0.0, r.Lines[0].Score.WinRate)
	require.LessOrEqual(t, r.Lines[0].Score.Plies, -4)
	moves := s.RootMoves()
	for i := range moves {
		require.Negative(t, moves[i].Proof)
		require.LessOrEqual(t, moves[0].Proof, moves[i].Proof, "the first one loses latest")
	}
	require.True(t, r.Best.IsMove())

	o := s.Options()
	o.ResignThreshold = 0.01
	require.NoError(t, s.SetOptions(o))
	require.Equal(t, shogi.MoveResign, nodes(s, g, 100).Best)
}

// With several lines asked for, the others are searched on.
func TestProofsAndMultiPV(t *testing.T) {
	g := constructed(t, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
	s := sensible(t, false)
	o := s.Options()
	o.MultiPV = 3
	require.NoError(t, s.SetOptions(o))
	r := nodes(s, g, 500)
	require.Len(t, r.Lines, 3)
	require.Equal(t, 1, r.Lines[0].Score.Plies)
	require.Greater(t, r.Lines[0].Nodes, int64(100))
	checkTree(t, s)
}

// With several lines asked for, a search ends by itself when the results of all moves are proved.
func TestAllMovesProved(t *testing.T) {
	g := constructed(t, "6nk1/9/7p1/6R1+P/6L2/9/9/9/K8 b P 1")
	require.NoError(t, g.Do(move(t, "3d3a")))
	s := sensible(t, false)
	o := s.Options()
	o.MultiPV = 9
	require.NoError(t, s.SetOptions(o))
	r := nodes(s, g, 400_000)
	require.Equal(t, search.ReasonProved, r.Reason)
	for i, line := range r.Lines {
		require.True(t, line.Score.Mate)
		require.Negative(t, line.Score.Plies)
		require.True(t, i == 0 || line.Score.Plies >= r.Lines[i-1].Score.Plies, "the longest first")
	}
}

// With mate searches the same problems are solved with next to no playouts, and the line that is reported mates.
func TestMateSearchInTheTree(t *testing.T) {
	for _, row := range []struct {
		sfen  string
		plies int
	}{
		{"1n5nl/lS5k1/1r2pg3/p1K3ppp/2P6/P2nSp3/1P+r1P3P/1s3s3/L7L w P2b3gn6p 1", 3},
		{"6nk1/9/7p1/6R1+P/6L2/9/9/9/K8 b P 1", 5},
	} {
		g := constructed(t, row.sfen)
		s := sensible(t, true)
		r := nodes(s, g, 300)
		require.Equal(t, search.ReasonProved, r.Reason)
		requireMate(t, g, r, row.plies)

		// The answer is the same when the tree knows the mate from before.
		requireMate(t, g, nodes(s, g, 300), row.plies)

		// The mate must come before the game is drawn.
		o := s.Options()
		o.MaxMovesToDraw = row.plies - 1
		require.NoError(t, s.SetOptions(o))
		require.Less(t, nodes(s, g, 2000).Lines[0].Score.Plies, row.plies) // the second problem has a shorter win by a quiet move
		o.MaxMovesToDraw = row.plies
		require.NoError(t, s.SetOptions(o))
		requireMate(t, g, nodes(s, g, 300), row.plies)
	}
}

// requireMate verifies a won result: the line is legal, as long as the score says, and ends in mate.
func requireMate(t *testing.T, g *shogi.Game, r search.Result, plies int) {
	t.Helper()
	line := r.Lines[0]
	require.Equal(t, search.Score{Mate: true, Plies: plies, WinRate: 1}, line.Score)
	require.Len(t, line.PV, plies)
	p := *g.Position()
	for _, m := range line.PV {
		require.True(t, p.IsLegal(m))
		p.Do(m)
	}
	require.False(t, p.HasLegalMove())
	require.Equal(t, line.PV[0], r.Best)
}
