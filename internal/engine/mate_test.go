package engine

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

func mateGame(t *testing.T, text string) *shogi.Game {
	t.Helper()
	g, err := shogi.ParsePosition(text)
	require.NoError(t, err)
	return g
}

func TestMateOnCommand(t *testing.T) {
	e := New()
	var infos []search.Info
	report := func(lines []search.Info) { infos = append(infos, lines...) }
	g := mateGame(t, "sfen 5+R1nl/7k1/5+R1p1/9/9/9/9/9/9 b 2b4g4s3n3l17p 1")
	got := e.Mate(context.Background(), g, 0, time.Now(), report)
	require.Equal(t, usi.MateFound, got.Outcome)
	require.Len(t, got.Moves, 3)
	require.Len(t, infos, 1)
	require.Equal(t, search.Score{Mate: true, Plies: 3, WinRate: 1}, infos[0].Score)
	require.Equal(t, got.Moves, infos[0].PV)
	p := *g.Position()
	for _, m := range got.Moves {
		require.True(t, p.IsLegal(m))
		p.Do(m)
	}
	require.False(t, p.HasLegalMove())

	require.Equal(t, usi.MateNone, e.Mate(context.Background(), mateGame(t, "startpos"), 0, time.Now(), report).Outcome)
	mated := mateGame(t, "sfen 4k4/9/9/9/9/9/4p4/4g4/4K4 b - 1")
	require.Equal(t, usi.MateNone, e.Mate(context.Background(), mated, 0, time.Now(), report).Outcome)

	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	hard := mateGame(t, "sfen 4+P+P+P+P1/+P1+P5+P/7kP/PP5pp/1+P2+P1pP1/6+P1+P/9/9/9 b 2r2b4g4s4n4l 1")
	require.Equal(t, usi.MateTimeout, e.Mate(stopped, hard, 0, time.Now(), report).Outcome)
	require.Equal(t, usi.MateTimeout, e.Mate(context.Background(), hard, time.Millisecond, time.Now().Add(-time.Second), report).Outcome)
	require.Len(t, infos, 1)
}

// A mate that runs into a fourfold repetition of the game is no mate.
func TestMateAndTheGame(t *testing.T) {
	g := mateGame(t, "sfen 5+R1nl/7k1/5+R1p1/9/9/9/9/9/9 b 2b4g4s3n3l17p 1")
	got := New().Mate(context.Background(), g, 0, time.Now(), func([]search.Info) {})
	require.NoError(t, playable(g, got.Moves))
	text := "sfen 8k/9/9/9/9/9/9/9/K8 b - 1 moves"
	for range 3 {
		text += " 9i9h 1a1b 9h9i 1b1a"
	}
	g = mateGame(t, text[:len(text)-len(" 1b1a")])
	back, err := shogi.ParseMove("1b1a")
	require.NoError(t, err)
	require.ErrorContains(t, playable(g, []shogi.Move{back}), "fourth time")
	require.Error(t, playable(g, []shogi.Move{shogi.MoveResign}))
}
