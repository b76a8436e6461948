package dashboard

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

// The graph keeps the points of the line that is followed, back and forth, and forgets those of lines and games that were left.
func TestHistoryFollowsTheGame(t *testing.T) {
	h := &history{}
	visit := func(position string) (plies []int) {
		g, err := shogi.ParsePosition(position)
		require.NoError(t, err)
		h.follow(g)
		h.add(HistoryPoint{Ply: g.Position().Ply()})
		for _, p := range h.points {
			plies = append(plies, p.Ply)
		}
		return plies
	}
	require.Equal(t, []int{1}, visit("startpos"))
	require.Equal(t, []int{1, 3}, visit("startpos moves 7g7f 3c3d"))
	require.Equal(t, []int{1, 3, 5}, visit("startpos moves 7g7f 3c3d 2g2f 8c8d"))
	require.Equal(t, []int{1, 2, 3, 5}, visit("startpos moves 7g7f"), "back in the same line")
	require.Equal(t, []int{1, 2, 3, 5}, visit("startpos moves 7g7f 3c3d"), "and on")
	require.Equal(t, []int{1, 2, 3, 4}, visit("startpos moves 7g7f 3c3d 6g6f"), "another move")
	require.Equal(t, []int{3}, visit("startpos moves 2g2f 3c3d"), "another game")
	require.Equal(t, []int{2}, visit("sfen 4k4/9/9/9/9/9/9/9/4K4 w R 2"), "another start")
	h.forget()
	require.Equal(t, []int{2}, visit("sfen 4k4/9/9/9/9/9/9/9/4K4 w R 2"))
}
