package usi_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// clock makes times from milliseconds.
func clock(btime, wtime, binc, winc, byoyomi int) *search.ClockTimes {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	return &search.ClockTimes{
		Main: [2]time.Duration{ms(btime), ms(wtime)}, Increment: [2]time.Duration{ms(binc), ms(winc)}, Byoyomi: ms(byoyomi),
	}
}

func moves(t *testing.T, text ...string) []shogi.Move {
	t.Helper()
	var out []shogi.Move
	for _, s := range text {
		m, err := shogi.ParseMove(s)
		require.NoError(t, err)
		out = append(out, m)
	}
	return out
}

func TestParseGo(t *testing.T) {
	infinite := usi.Go{Limits: search.Limits{Infinite: true}}
	for args, want := range map[string]usi.Go{
		"":                    infinite,
		"infinite":            infinite,
		"foo bar":             infinite,
		"movestogo 20":        infinite,
		"nodes 0":             infinite,
		"ponder":              {Ponder: true},
		"nodes 100":           {Limits: search.Limits{Nodes: 100}},
		"depth 5":             {Limits: search.Limits{Depth: 5}},
		"movetime 700":        {Limits: search.Limits{MoveTime: 700 * time.Millisecond}},
		"movetime 0":          {Limits: search.Limits{MoveTime: time.Millisecond}},
		"btime 1000":          {Limits: search.Limits{Clock: clock(1000, 0, 0, 0, 0)}},
		"btime 0 wtime 0 foo": {Limits: search.Limits{Clock: clock(0, 0, 0, 0, 0)}},
		"ponder btime 1 wtime 2 byoyomi 3": {
			Ponder: true, Limits: search.Limits{Clock: clock(1, 2, 0, 0, 3)}},
		"btime -2000 wtime 1 binc 5000 winc 6": {Limits: search.Limits{Clock: clock(-2000, 1, 5000, 6, 0)}},
		"movetime 700 depth 60 nodes 9 btime 6 wtime 7 byoyomi 8 binc 1 winc 2": {
			Limits: search.Limits{MoveTime: 700 * time.Millisecond, Depth: 60, Nodes: 9, Clock: clock(6, 7, 1, 2, 8)}},
		"searchmoves 7g7f P*5e nodes 3": {Limits: search.Limits{Nodes: 3, SearchMoves: moves(t, "7g7f", "P*5e")}},
		"infinite\tsearchmoves 9g9f":    {Limits: search.Limits{Infinite: true, SearchMoves: moves(t, "9g9f")}},
		"mate":                          {Mate: true},
		"mate infinite":                 {Mate: true},
		"mate 5000":                     {Mate: true, MateTime: 5 * time.Second},
		"perft 4":                       {Perft: 4},
	} {
		got, err := usi.ParseGo(args)
		require.NoError(t, err, args)
		require.Equal(t, want, got, args)
	}
}

// A bad go must still be answered, so a bad limit counts as the smallest one, and the error names the token.
func TestParseGoBad(t *testing.T) {
	for args, want := range map[string]struct {
		go_  usi.Go
		text string
	}{
		"btime abc wtime 5":             {usi.Go{Limits: search.Limits{Clock: clock(0, 5, 0, 0, 0)}}, `"abc"`},
		"byoyomi 1.5":                   {usi.Go{Limits: search.Limits{Clock: clock(0, 0, 0, 0, 0)}}, `"1.5"`},
		"binc -1":                       {usi.Go{Limits: search.Limits{Clock: clock(0, 0, 0, 0, 0)}}, `"-1"`},
		"nodes x":                       {usi.Go{Limits: search.Limits{Nodes: 1}}, `"x"`},
		"nodes 99999999999999999999":    {usi.Go{Limits: search.Limits{Nodes: 1}}, `"99999999999999999999"`},
		"depth -3":                      {usi.Go{Limits: search.Limits{Depth: 1}}, `"-3"`},
		"movetime":                      {usi.Go{Limits: search.Limits{MoveTime: time.Millisecond}}, "movetime: the number is missing"},
		"nodes depth 2":                 {usi.Go{Limits: search.Limits{Nodes: 1, Depth: 2}}, "nodes: the number is missing"},
		"nodes 2 searchmoves 7g7x 2g2f": {usi.Go{Limits: search.Limits{Nodes: 2, SearchMoves: moves(t, "2g2f")}}, `"7g7x"`},
		"perft many":                    {usi.Go{Perft: -1}, `"many"`},
		"perft 99":                      {usi.Go{Perft: -1}, "99"},
	} {
		got, err := usi.ParseGo(args)
		require.ErrorContains(t, err, want.text, args)
		require.Equal(t, want.go_, got, args)
	}
}

func TestParseClock(t *testing.T) {
	got, err := usi.ParseClock("btime 0 wtime 10 byoyomi 500")
	require.NoError(t, err)
	require.Equal(t, clock(0, 10, 0, 0, 500), got)
	got, err = usi.ParseClock("")
	require.NoError(t, err)
	require.Nil(t, got)
}

// Times beyond the range must not overflow when they are added up.
func TestHugeTimes(t *testing.T) {
	g, err := usi.ParseGo("btime 9223372036854775807 binc 9223372036854775807 byoyomi 9223372036854775807")
	require.NoError(t, err)
	require.Greater(t, g.Limits.Clock.Usable(shogi.Black), 24*time.Hour)
}

func FuzzParseGo(f *testing.F) {
	f.Add("btime -2000 wtime 0 byoyomi 1000 searchmoves 7g7f P*5e nodes 5 mate 10 perft 3")
	f.Add("ponder infinite depth 99999999999999999999")
	f.Fuzz(func(t *testing.T, args string) {
		g, _ := usi.ParseGo(args)
		l := g.Limits
		limited := l.Clock != nil || l.MoveTime > 0 || l.Nodes > 0 || l.Depth > 0 || l.Infinite
		require.True(t, limited || g.Ponder || g.Mate || g.Perft != 0, "an answer that never comes")
		require.False(t, l.MoveTime < 0 || l.Nodes < 0 || l.Depth < 0)
		if l.Clock != nil {
			require.GreaterOrEqual(t, l.Clock.Usable(shogi.Black), time.Duration(0))
			require.GreaterOrEqual(t, l.Clock.Usable(shogi.White), time.Duration(0))
		}
	})
}
