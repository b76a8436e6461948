package alphabeta

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
)

func newEngine(t testing.TB, change func(o *Options)) *Engine {
	t.Helper()
	o := DefaultOptions()
	o.HashMB = 4
	if change != nil {
		change(&o)
	}
	e, err := NewEngine(o)
	require.NoError(t, err)
	return e
}

const (
	mateInOne = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
)

func TestEngineAnswers(t *testing.T) {
	for _, tc := range []struct {
		name, position string
		limits         search.Limits
		change         func(o *Options)
		best           string
		reason         search.Reason
	}{
		{"mate", "sfen " + mateInOne, search.Limits{Depth: 5}, nil, "G*5b", search.ReasonProved},
		{"no move", "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", search.Limits{}, nil, "resign", search.ReasonNoMove},
		{"declaration", "sfen +P+P+P+P1K+P+P+P/R1R1B1B2/9/9/9/9/9/9/4k4 b 9P 1", search.Limits{Nodes: 10}, nil, "win", search.ReasonDeclare},
		{"no declaration rule", "sfen +P+P+P+P1K+P+P+P/R1R1B1B2/9/9/9/9/9/9/4k4 b 9P 1", search.Limits{Nodes: 2000}, func(o *Options) { o.Declaration = shogi.NoEnteringKing }, "", search.ReasonNodes},
		{"one node", "startpos", search.Limits{Nodes: 1}, nil, "", search.ReasonNodes},
		{"search moves", "startpos", search.Limits{Depth: 2, SearchMoves: []shogi.Move{move(t, "9g9f")}}, nil, "9g9f", search.ReasonDepth},
		{"only move", "sfen 4k4/9/9/9/9/9/9/7r1/8K b - 1", search.Limits{Clock: &search.ClockTimes{Main: [2]time.Duration{time.Hour, time.Hour}}}, nil, "1i2h", search.ReasonOnlyMove},
		{"resigns", "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l 1", search.Limits{Depth: 1}, func(o *Options) { o.ResignThreshold = 0.1 }, "resign", search.ReasonResign},
		{"net", "startpos", search.Limits{Depth: 2}, func(o *Options) { o.NewValue = func() Value { return value.NewNetEvaluator(value.Default()) } }, "", search.ReasonDepth},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEngine(t, tc.change)
			var last []search.Info
			result := e.Search(t.Context(), gameAt(t, tc.position), tc.limits, func(lines []search.Info) { last = lines })
			if tc.best != "" {
				require.Equal(t, tc.best, result.Best.String())
			} else {
				require.True(t, gameAt(t, tc.position).Position().IsLegal(result.Best))
			}
			if tc.reason != "" {
				require.Equal(t, tc.reason, result.Reason)
			}
			require.Equal(t, result.Lines, last, "the last report is the answer's lines")
		})
	}
}

func move(t testing.TB, text string) shogi.Move {
	t.Helper()
	m, err := shogi.ParseMove(text)
	require.NoError(t, err)
	return m
}

func TestEngineMateScore(t *testing.T) {
	result := newEngine(t, nil).Search(t.Context(), gameAt(t, mateInOne), search.Limits{Depth: 6}, nil)
	require.Equal(t, search.Score{Mate: true, Plies: 1, WinRate: 1}, result.Lines[0].Score)
	p := gameAt(t, mateInOne).Position()
	lost := newEngine(t, nil).Search(t.Context(), gameAt(t, "sfen 4k4/9/4PG3/9/9/9/9/9/4K4 w RG 1"), search.Limits{Depth: 4}, nil)
	require.True(t, lost.Lines[0].Score.Mate, p.SFEN())
	require.Negative(t, lost.Lines[0].Score.Plies)
}

func TestEngineRepeats(t *testing.T) {
	e := newEngine(t, nil)
	limits := search.Limits{Nodes: 20_000}
	first := e.Search(t.Context(), gameAt(t, shogi.StartSFEN), limits, nil)
	e.Clear()
	again := e.Search(t.Context(), gameAt(t, shogi.StartSFEN), limits, nil)
	for _, r := range []*search.Result{&first, &again} {
		for i := range r.Lines {
			r.Lines[i].Time, r.Lines[i].NPS = 0, 0
		}
	}
	require.Equal(t, first, again)
	require.LessOrEqual(t, first.Lines[0].Nodes, limits.Nodes)
}

func TestEngineMultiPV(t *testing.T) {
	e := newEngine(t, func(o *Options) { o.MultiPV = 4 })
	result := e.Search(t.Context(), gameAt(t, shogi.StartSFEN), search.Limits{Depth: 3}, nil)
	require.Len(t, result.Lines, 4)
	seen := make(map[shogi.Move]bool)
	for i, l := range result.Lines {
		require.Equal(t, i+1, l.MultiPV)
		require.False(t, seen[l.PV[0]])
		seen[l.PV[0]] = true
		if i > 0 {
			require.LessOrEqual(t, l.Score.CP, result.Lines[i-1].Score.CP)
		}
	}
	o := e.options
	o.MultiPV = 1
	require.NoError(t, e.SetOptions(o))
	require.Len(t, e.Search(t.Context(), gameAt(t, shogi.StartSFEN), search.Limits{Depth: 3}, nil).Lines, 1)
}

// TestEngineAvoidsRepetition has Black far ahead: moving back and forth would be a draw.
func TestEngineAvoidsRepetition(t *testing.T) {
	text := "sfen 4k4/9/9/9/9/9/9/9/4K3R b G 1 moves 1i1h 5a5b 1h1i 5b5a 1i1h 5a5b 1h1i 5b5a"
	result := newEngine(t, nil).Search(t.Context(), gameAt(t, text), search.Limits{Depth: 4}, nil)
	require.NotEqual(t, "1i1h", result.Best.String())
	require.Greater(t, result.Lines[0].Score.WinRate, 0.8)
}

func TestEngineDrawsByMoves(t *testing.T) {
	e := newEngine(t, func(o *Options) { o.MaxMovesToDraw = 1 })
	result := e.Search(t.Context(), gameAt(t, "sfen 4k4/9/9/9/9/9/9/9/4K3R b G 1"), search.Limits{Depth: 4}, nil)
	require.Zero(t, result.Lines[0].Score.CP)
	o := e.options
	o.DrawValue = [2]float32{0.75, 0.75}
	require.NoError(t, e.SetOptions(o))
	result = e.Search(t.Context(), gameAt(t, "sfen 4k4/9/9/9/9/9/9/9/4K3R b G 1"), search.Limits{Depth: 4}, nil)
	require.InDelta(t, 0.75, result.Lines[0].Score.WinRate, 0.001)
}

func TestEngineEndsByTime(t *testing.T) {
	for _, limits := range []search.Limits{
		{MoveTime: 200 * time.Millisecond},
		{Clock: &search.ClockTimes{Byoyomi: 300 * time.Millisecond}},
		{Clock: &search.ClockTimes{Main: [2]time.Duration{time.Second, time.Second}}},
	} {
		result := newEngine(t, nil).Search(t.Context(), gameAt(t, shogi.StartSFEN), limits, nil)
		require.Contains(t, []search.Reason{search.ReasonMoveTime, search.ReasonClock}, result.Reason)
	}
}

func TestEngineStopsAndWaits(t *testing.T) {
	e := newEngine(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	answer := make(chan search.Result, 1)
	go func() { answer <- e.Search(ctx, gameAt(t, "sfen "+mateInOne), search.Limits{Infinite: true}, nil) }()
	select {
	case <-answer:
		require.Fail(t, "an infinite search answered before it was stopped")
	case <-time.After(50 * time.Millisecond):
	}
	cancel()
	require.Equal(t, "G*5b", (<-answer).Best.String())

	hit := make(chan struct{})
	times := &search.ClockTimes{Byoyomi: 100 * time.Millisecond}
	limits := search.Limits{Clock: times, PonderHit: hit, HitTimes: func() *search.ClockTimes { return times }}
	go func() { answer <- e.Search(t.Context(), gameAt(t, shogi.StartSFEN), limits, nil) }()
	select {
	case <-answer:
		require.Fail(t, "a pondering search answered before the hit")
	case <-time.After(200 * time.Millisecond):
	}
	close(hit)
	require.Equal(t, search.ReasonClock, (<-answer).Reason)
}

func TestEngineRefusesBadOptions(t *testing.T) {
	for _, change := range []func(o *Options){
		func(o *Options) { o.HashMB = -1 }, func(o *Options) { o.EvalCoef = -1 }, func(o *Options) { o.DrawValue[0] = 2 },
		func(o *Options) { o.MaxMovesToDraw = -1 }, func(o *Options) { o.Config.KeyBits = 70 },
	} {
		o := DefaultOptions()
		change(&o)
		_, err := NewEngine(o)
		require.Error(t, err)
	}
}

func TestOpenListDriversFindOneLineOfMany(t *testing.T) {
	for _, driver := range []Driver{SSSOpen, DualOpen} {
		o := DefaultOptions()
		o.Config.Driver, o.HashMB, o.MultiPV = driver, 1, 5
		e, err := NewEngine(o)
		require.NoError(t, err, driver)
		o.MultiPV = 3
		require.NoError(t, e.SetOptions(o), driver)
		r := e.Search(context.Background(), shogi.NewGame(shogi.StartPosition()), search.Limits{Depth: 1}, nil)
		require.Len(t, r.Lines, 1, driver)
		require.NotEqual(t, shogi.MoveNone, r.Best, driver)
	}
}

func TestEngineSearchesWithoutATable(t *testing.T) {
	o := DefaultOptions()
	o.Config.TableSize = 0
	e, err := NewEngine(o)
	require.NoError(t, err)
	r := e.Search(context.Background(), shogi.NewGame(shogi.StartPosition()), search.Limits{Depth: 3}, nil)
	require.Zero(t, e.search.stats.Probes+e.search.stats.Stores)
	require.Equal(t, 3, r.Lines[0].Depth)
	require.Zero(t, r.Lines[0].HashFull)
}
