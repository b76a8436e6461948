package uct

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

// A mate whose way leads through a position that was there three times is none: the game would be drawn. Another one is found.
func TestMatesAndThreefold(t *testing.T) {
	const sfen = "l5+R1l/4kS3/p4pnpp/2Pppb3/6p1P/P2s5/NP2+nPPR1/2+bS2GK1/L6NL b 3GSP4p 1"
	s := sensible(t, true)
	start := constructed(t, sfen)
	r := nodes(s, start, 2000)
	first, p := r.Best, *start.Position()
	require.Equal(t, "3a5a", first.String())
	require.Equal(t, 3, r.Lines[0].Score.Plies)

	// The king goes to 6b and back, so that it comes there for the fourth time after another 3a5a.
	p.Do(first)
	p.Do(move(t, "5b6c"))
	g := shogi.NewGame(p)
	play := func(moves ...string) {
		for _, m := range moves {
			require.NoError(t, g.Do(move(t, m)))
		}
	}
	play("5a3a", "6c5b")
	require.Empty(t, firstOf(thrice(g)))
	for range 2 {
		play("3a5a", "5b6c", "5a3a", "6c5b")
	}
	found := firstOf(thrice(g))
	require.Len(t, found, 3)
	require.Equal(t, p.Key(), found[0].Key())
	require.True(t, mayReturn(found, g.Position(), 3))
	even := shogi.StartPosition()
	require.False(t, mayReturn(found, &even, 9))
	r = nodes(s, g, 2000)
	require.NotEqual(t, first, r.Best)
	checkTree(t, s)
}

func firstOf(positions []shogi.Position, _ uint64) []shogi.Position { return positions }
