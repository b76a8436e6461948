package dashboard_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/dashboard"
	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// serveTrace opens a page of a trace that has the events of the function's searches; each call of it is another run that appends to the file.
func serveTrace(t *testing.T, level search.Level, runs ...func(w search.Sink)) *page {
	path := filepath.Join(t.TempDir(), "x.trace")
	f, err := os.Create(path)
	require.NoError(t, err)
	for _, run := range runs {
		w := inspect.NewWriter(f, level)
		run(w)
		require.NoError(t, w.Flush())
	}
	require.NoError(t, f.Close())
	trace, err := dashboard.NewTrace(path)
	require.NoError(t, err)
	s, err := dashboard.Listen(dashboard.Config{Address: "127.0.0.1:0", Version: "test"}, trace)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return dial(t, s, "")
}

// A trace shows at the end of each search what the live page showed there, and curves that go back to the search's start.
func TestTraceFigures(t *testing.T) {
	for _, engine := range []string{search.EngineUCT, search.EngineAlphaBeta} {
		b := newBench(t, engine, 1)
		live := dial(t, b.server, "")
		live.searched(dashboard.StateIdle)
		limits := search.Limits{Nodes: 8000}
		if engine == search.EngineAlphaBeta {
			limits = search.Limits{Depth: 4}
		}
		p := serveTrace(t, search.LevelDebug, func(w search.Sink) { b.search(t.Context(), game(t, "7g7f"), limits, inspect.Tee{w, b.live}) })
		want, curves := live.searched(dashboard.StateDone), new(dashboard.Curves)
		p.next(dashboard.TypeCurves).into(t, curves)
		m, place := p.searchedNow(), new(dashboard.Place)
		p.next(dashboard.TypeTrace).into(t, place)

		require.Greater(t, len(curves.Times), 20)
		require.Greater(t, len(curves.Moves), 3)
		require.NotNil(t, m.Workers)
		require.InDelta(t, m.Speed, m.Workers[0].Speed, 1)
		require.InDelta(t, want.Elapsed, m.Elapsed, 0.01)
		// What a trace cannot know, or knows to five digits only.
		m.Seq, m.Memory, m.Elapsed, m.Workers[0].Speed, m.Speed = want.Seq, want.Memory, want.Elapsed, want.Workers[0].Speed, want.Speed
		if engine == search.EngineUCT {
			require.InDelta(t, want.WinRate, m.WinRate, 1e-5)
			m.Scale, m.Loss, m.WinRate, m.Value = want.Scale, want.Loss, want.WinRate, want.Value
			require.Len(t, m.Candidates, len(want.Candidates))
			for i := range m.Candidates {
				c, w := &m.Candidates[i], &want.Candidates[i]
				require.InDelta(t, w.Q, c.Q, 1e-5)
				require.InDelta(t, w.U, c.U, 0.04, "of another late selection")
				c.Q, c.U, c.LCB, c.Prior, c.CP, c.PV, c.Flying = w.Q, w.U, w.LCB, w.Prior, w.CP, w.PV, w.Flying
			}
		} else {
			require.Equal(t, want.AlphaBeta.Cuts, m.AlphaBeta.Cuts)
			m.AlphaBeta.Line, m.AlphaBeta.LineAlpha, m.AlphaBeta.LineBeta, m.AlphaBeta.LineDepth = want.AlphaBeta.Line, want.AlphaBeta.LineAlpha, want.AlphaBeta.LineBeta, want.AlphaBeta.LineDepth
		}
		require.Equal(t, want, m)

		p.say(`{"type":"seek","at":` + number(place.Records/2) + `}`)
		p.next(dashboard.TypeCurves).into(t, curves)
		half := p.searchedNow()
		require.Less(t, half.Playouts, m.Playouts)
		require.Greater(t, len(curves.Times), 5)
		require.LessOrEqual(t, curves.Times[len(curves.Times)-1], half.Elapsed)
		sum := int64(0)
		for _, n := range half.Events {
			sum += n
		}
		require.EqualValues(t, place.Records/2, sum, "the events so far")
	}
}

func number(n int) string { return strconv.Itoa(n) }

// told tells the events of a short search.
func told(w search.Sink, position string, rate float64) {
	g, err := shogi.ParsePosition(position)
	if err != nil {
		panic(err)
	}
	w.Event(&search.Event{Kind: search.EventStart, Engine: search.EngineUCT, Game: g, Visits: 1, WinRate: 0.5, Worker: -1})
	w.Event(&search.Event{Kind: search.EventEnd, Move: shogi.MoveResign, WinRate: rate, Playout: 1, Took: time.Millisecond, Worker: -1})
}

// The graph has the searches of one game, for Black, whatever the numbers of moves are; the numbers of several runs' searches go on.
func TestTraceGames(t *testing.T) {
	p := serveTrace(t, search.LevelInfo, func(w search.Sink) {
		told(w, "startpos", 0.6)
		told(w, "startpos moves 7g7f 3c3d", 0.7)
	}, func(w search.Sink) {
		told(w, "startpos", 0.1)
		told(w, "startpos moves 2g2f 3c3d", 0.2)
		told(w, "sfen 4k4/9/9/9/9/9/9/9/4K4 w R 1", 0.9)
	})
	rates := func(search string) (list []float32, number int) {
		p.say(`{"type":"seek","search":` + search + `}`)
		g := new(dashboard.Game)
		p.next(dashboard.TypeGame).into(t, g)
		for _, point := range g.History {
			list = append(list, point.WinRate)
		}
		return list, p.searchedNow().Number
	}
	p.next(dashboard.TypeTrace) // the last message that a page gets which comes
	for i, want := range [][]float32{{0.6, 0.7}, {0.6, 0.7}, {0.1, 0.2}, {0.1, 0.2}, {0.1}} {
		got, n := rates(number(i + 1))
		require.InDeltaSlice(t, want, got, 1e-6, i)
		require.Equal(t, i+1, n)
	}
}

// A broken trace cannot make the server compute without end or send what is no number.
func TestHostileTraces(t *testing.T) {
	p := serveTrace(t, search.LevelDebug, func(w search.Sink) {
		told(w, "startpos", 0.5)
		for _, e := range []search.Event{{Kind: search.EventBackup, Worker: 60000, Ply: 9000}, {Kind: search.EventSelect, Ply: 5, Candidates: []search.Candidate{{Move: shogi.NewMove(0, 1), Visits: 3}}},
			{Kind: search.EventNode, Ply: 1}, {Kind: search.EventEnter, Ply: 3}, {Kind: search.EventPrune, Ply: 9999}, {Kind: search.EventStart}, {Kind: search.EventBackup, EdgeVisits: 1}} {
			w.Event(&e)
		}
	})
	place := new(dashboard.Place)
	p.next(dashboard.TypeTrace).into(t, place)
	for at := 0; at <= place.Records; at++ {
		p.say(`{"type":"seek","at":` + number(at) + `}`)
		p.next(dashboard.TypeTrace).into(t, place)
		require.Equal(t, at, place.At)
	}
	p.say(`{"type":"tree","id":1}`)
	require.Contains(t, []string{dashboard.TypeTree, dashboard.TypeError}, p.next(dashboard.TypeTree, dashboard.TypeError).Type)
}
