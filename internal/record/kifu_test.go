package record

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// TestKifuRoundTrip: what records for people hold of a game comes back, directly and through a CSA file.
func TestKifuRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		g := randomGame(random, 60)
		g.Result = WinFor(g.Start.Side() ^ shogi.Color(len(g.Moves)+1)&1) // the side to move resigns
		g.Detail = ""
		r, dropped := g.Kifu()
		require.Empty(t, dropped)
		var file bytes.Buffer
		_, err := kifu.Write(&file, kifu.CSA, r)
		require.NoError(t, err)
		read, _, err := kifu.Read(file.Bytes())
		require.NoError(t, err)
		for i, r := range []*kifu.Record{r, read[0]} {
			again, dropped, err := FromKifu(r)
			require.NoError(t, err)
			require.Empty(t, dropped)
			require.Equal(t, [4]any{g.Start, g.Result, g.End, g.Comment}, [4]any{again.Start, again.Result, again.End, again.Comment})
			require.Equal(t, [2]string{g.Black.Name, g.White.Name}, [2]string{again.Black.Name, again.White.Name})
			require.Len(t, again.Moves, len(g.Moves))
			for j := range g.Moves {
				was, is := &g.Moves[j], &again.Moves[j]
				require.Equal(t, was.Move, is.Move)
				score, known := g.ScoreOf(j)
				require.Equal(t, known, is.Known&HasScore != 0)
				require.Equal(t, min(max(score, -maxCP), maxCP), is.Score)
				require.Equal(t, was.Known&HasTime, is.Known&HasTime)
				if i == 0 {
					require.Equal(t, was.Time, is.Time)
				} else {
					require.InDelta(t, was.Time, is.Time, float64(time.Millisecond))
				}
			}
		}
	}
}

// TestKifuEnds: each way to end a game, with each result that it can have, keeps both or says what is lost.
func TestKifuEnds(t *testing.T) {
	for _, tc := range []struct {
		end    End
		result Result // White is to move
		word   kifu.End
		back   End
		lost   bool
	}{
		{EndResign, BlackWins, kifu.Resign, EndResign, false},
		{EndResign, WhiteWins, kifu.Resign, EndResign, true},
		{EndMate, BlackWins, kifu.Mate, EndMate, false},
		{EndRepetition, Drawn, kifu.Repetition, EndRepetition, false},
		{EndPerpetualCheck, WhiteWins, kifu.IllegalWin, EndIllegalMove, false},
		{EndPerpetualCheck, BlackWins, kifu.FoulLoss, EndIllegalMove, false},
		{EndDeclaration, WhiteWins, kifu.Declaration, EndDeclaration, false},
		{EndDeclaration, Drawn, kifu.Impasse, EndImpasse, false},
		{EndImpasse, Drawn, kifu.Impasse, EndImpasse, false},
		{EndAgreed, Drawn, kifu.AgreedDraw, EndAgreed, false},
		{EndMaxPlies, Drawn, kifu.MaxMoves, EndMaxPlies, false},
		{EndAdjudicated, BlackWins, kifu.Resign, EndResign, false},
		{EndAdjudicated, Drawn, kifu.AgreedDraw, EndAgreed, false},
		{EndAdjudicated, WhiteWins, kifu.NoEnd, EndUnknown, true},
		{EndUnknown, BlackWins, kifu.Resign, EndResign, false},
		{EndUnknown, NoResult, kifu.NoEnd, EndUnknown, false},
		{EndIllegalMove, BlackWins, kifu.IllegalLoss, EndIllegalMove, false},
		{EndIllegalMove, WhiteWins, kifu.IllegalWin, EndIllegalMove, false},
		{EndTime, BlackWins, kifu.TimeUp, EndTime, false},
		{EndFault, BlackWins, kifu.ForfeitLoss, EndFault, false},
		{EndFault, WhiteWins, kifu.ForfeitWin, EndFault, false},
		{EndFault, NoResult, kifu.Abort, EndInterrupted, false},
		{EndInterrupted, NoResult, kifu.Abort, EndInterrupted, false},
		{"power cut", NoResult, kifu.OtherEnd, EndUnknown, false},
	} {
		g := &Game{Start: shogi.StartPosition(), Result: tc.result, End: tc.end}
		g.Moves = []GameMove{{Move: shogi.NewMove(shogi.NewSquare(7, 7), shogi.NewSquare(7, 6)), Deep: true}}
		r, dropped := g.Kifu()
		require.Equal(t, tc.lost, len(dropped) > 0, "%s, %s", tc.end, tc.result)
		last := r.Main()[len(r.Main())-1]
		require.Equal(t, tc.word, last.End, "%s, %s", tc.end, tc.result)
		again, _, err := FromKifu(r)
		require.NoError(t, err)
		require.Equal(t, tc.back, again.End, "%s, %s", tc.end, tc.result)
		if !tc.lost {
			require.Equal(t, tc.result, again.Result, "%s, %s", tc.end, tc.result)
		}
	}
}

// TestKifuIllegal: the illegal move that ended a game stands behind the moves, in Detail.
func TestKifuIllegal(t *testing.T) {
	read, _, err := kifu.Read([]byte("V2.2\nPI\n+\n+7776FU\n-2255KA\n%ILLEGAL_MOVE\n"))
	require.NoError(t, err)
	g, _, err := FromKifu(read[0])
	require.NoError(t, err)
	require.Len(t, g.Moves, 1)
	require.Equal(t, [3]any{EndIllegalMove, "2b5e", BlackWins}, [3]any{g.End, g.Detail, g.Result})
	r, dropped := g.Kifu()
	require.Empty(t, dropped)
	require.True(t, r.Main()[1].Illegal)
	again, _, err := FromKifu(r)
	require.NoError(t, err)
	require.Equal(t, g, again)
}

// TestKifuScores: "** " and a number is a score as Black sees it.
func TestKifuScores(t *testing.T) {
	read, _, err := kifu.Read([]byte("V2.2\nPI\n+\n+7776FU\n'** 120 -3334FU\n-3334FU\n'** 80 +2726FU\n+2726FU\n'** mate\n-8384FU\n'** 99999\n%TORYO\n"))
	require.NoError(t, err)
	g, _, err := FromKifu(read[0])
	require.NoError(t, err)
	require.Equal(t, [4]int16{120, -80, 0, -maxCP}, [4]int16{g.Moves[0].Score, g.Moves[1].Score, g.Moves[2].Score, g.Moves[3].Score})
	require.Zero(t, g.Moves[2].Known)
	require.Contains(t, g.Moves[0].Comment, "120 -3334FU", "the rest of the comment stays")
	r, _ := g.Kifu()
	require.Len(t, r.Main()[0].Comments, 1, "no second score")
}
