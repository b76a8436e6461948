package inspect

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/uct"
)

// stopped runs a search under a stepper and calls at for each stop, which must let it go on.
func stopped(t *testing.T, s *Stepper, search func(), at func(*Stop)) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		search()
	}()
	for {
		select {
		case stop := <-s.Stops():
			at(&stop)
		case <-done:
			return
		}
	}
}

// Row 6: with breakpoints, stepping and tracing on, a search has the same result.
func TestSteppingKeepsTheSearch(t *testing.T) {
	limits := search.Limits{Nodes: 500}
	g := gameAt(t, middleGame)
	plain, watched := newTreeSearch(t, 1), newTreeSearch(t, 1)
	want := plain.Search(t.Context(), g, limits, nil)

	s := NewStepper()
	var trace bytes.Buffer
	watched.SetSink(Tee{NewWriter(&trace, search.LevelDebug), s})
	for _, text := range []string{"ply 4", "merge", "proof", "jump 0.3", "playout 480"} {
		b, err := ParseBreakpoint(text)
		require.NoError(t, err)
		s.Add(b)
	}
	stops, hits := 0, make(map[int]int)
	var got search.Result
	stopped(t, s, func() { got = watched.Search(t.Context(), g, limits, nil) }, func(stop *Stop) {
		stops++
		hits[stop.Breakpoint]++
		p := stop.Root
		for _, m := range stop.Line {
			require.True(t, p.IsLegal(m))
			p.Do(m)
		}
		if stop.Event.Worker >= 0 {
			require.Equal(t, stop.Event.Key, p.Key(), "the line leads to the event's node: %s", EventText(&stop.Event))
		}
		switch {
		case stops > 150:
			s.Detach(true)
		case stops%5 == 0:
			s.StepPlayout(stop.Event.Playout)
		case stops%3 == 0:
			s.Step(7)
		default:
			s.Continue()
		}
	})
	require.Greater(t, stops, 100)
	require.Positive(t, hits[0])
	require.Greater(t, len(hits), 2, "several breakpoints are hit")
	require.Equal(t, plain.RootMoves(), watched.RootMoves())
	require.Equal(t, plain.Stats().Steps, watched.Stats().Steps)
	require.Equal(t, plain.Stats().UsedCells, watched.Stats().UsedCells)
	for _, r := range []*search.Result{&want, &got} {
		for i := range r.Lines {
			r.Lines[i].Time, r.Lines[i].NPS = 0, 0
		}
	}
	require.Equal(t, want, got)
}

func TestSteppingKeepsAlphaBeta(t *testing.T) {
	limits := search.Limits{Depth: 2}
	g := gameAt(t, middleGame)
	want := newAlphaBeta(t, "").Search(t.Context(), g, limits, nil)
	e, s := newAlphaBeta(t, ""), NewStepper()
	e.SetSink(s)
	prune, err := ParseBreakpoint("prune")
	require.NoError(t, err)
	jump, err := ParseBreakpoint("jump 100")
	require.NoError(t, err)
	jumping := s.Add(jump)
	number := s.Add(prune)
	var got search.Result
	stops, removed := make(map[search.EventKind]int), false
	stopped(t, s, func() { got = e.Search(t.Context(), g, limits, nil) }, func(stop *Stop) {
		stops[stop.Event.Kind]++
		if stop.Event.Kind == search.EventPrune {
			require.GreaterOrEqual(t, stop.Event.Alpha, stop.Event.Beta)
			p := stop.Root
			for _, m := range stop.Line {
				require.True(t, p.IsLegal(m))
				p.Do(m)
			}
			require.Equal(t, stop.Event.Key, p.Key())
			require.True(t, p.IsLegal(stop.Event.Move))
		}
		require.False(t, removed && stop.Breakpoint == number)
		if stops[search.EventPrune] == 60 && !removed {
			removed = true
			require.True(t, s.Remove(number))
			require.False(t, s.Remove(number))
			require.True(t, s.Remove(jumping))
			require.Empty(t, s.Breakpoints())
			s.Add(Breakpoint{Text: "end", hit: func(e *search.Event, _ float64) bool { return e.Kind == search.EventEnd }})
		}
		s.Continue()
	})
	require.GreaterOrEqual(t, stops[search.EventPrune], 60)
	require.Equal(t, 1, stops[search.EventEnd])
	require.True(t, removed)
	for _, r := range []*search.Result{&want, &got} {
		for i := range r.Lines {
			r.Lines[i].Time, r.Lines[i].NPS = 0, 0
		}
	}
	require.Equal(t, want, got)
}

// A stop does not use up the time for the move.
func TestStopsAreNotCharged(t *testing.T) {
	for _, searcher := range []thinker{newTreeSearch(t, 2), newAlphaBeta(t, "")} {
		s := NewStepper()
		searcher.SetSink(s)
		began := time.Now()
		var result search.Result
		stopped(t, s, func() {
			result = searcher.Search(context.Background(), gameAt(t, middleGame), search.Limits{MoveTime: 150 * time.Millisecond}, nil)
		}, func(*Stop) {
			time.Sleep(250 * time.Millisecond)
			s.Detach(true)
		})
		require.Greater(t, time.Since(began), 300*time.Millisecond)
		require.GreaterOrEqual(t, s.Paused(), 250*time.Millisecond)
		require.Equal(t, search.ReasonMoveTime, result.Reason)
	}
}

func TestParseBreakpoint(t *testing.T) {
	for text, want := range map[string]string{
		"": "want move 7g7f", "move": "bad breakpoint", "move x": `"x"`, "square 99": "99", "sneeze 3": "want move", "merge 3": "want move", "event x": `"x"`,
		"ply x": `bad ply "x": want a whole number from 0 to 10000`, "ply -1": `bad ply "-1"`, "ply 10001": `bad ply "10001"`, "ply 1.5": `bad ply "1.5"`,
		"playout x": `bad playout "x": want a whole number from 0`, "playout -5": `bad playout "-5"`, "playout 9223372036854775808": `bad playout "9223372036854775808"`,
		"key zz": `bad key "zz": want up to 16 hexadecimal digits`, "key 00": `bad key "00"`, "key 0123456789abcdef0": `bad key "0123456789abcdef0"`,
		"jump -1": `bad jump "-1": want more than 0`, "jump inf": `bad jump "inf"`, "jump nan": `bad jump "nan"`, "jump 64001": `bad jump "64001"`, "jump x": `bad jump "x"`,
	} {
		_, err := ParseBreakpoint(text)
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "strconv", text)
	}
	for _, text := range []string{"move 7g7f", "square 5e", "ply 3", "jump 0.2", "jump 150", "key 0123456789abcdef", "merge", "prune", "proof", "event clock", "playout 3"} {
		b, err := ParseBreakpoint(" " + text)
		require.NoError(t, err)
		require.Equal(t, text, b.Text)
	}
}

func FuzzParseBreakpoint(f *testing.F) {
	f.Add("move 7g7f")
	f.Add("jump 0.2")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseBreakpoint(text)
		if err == nil {
			b.hit(&search.Event{}, 0.5)
		}
	})
}

// Row 22: a game's thinking, forwards and backwards, with tree and formula.
func TestReplay(t *testing.T) {
	s := newTreeSearch(t, 1)
	var out bytes.Buffer
	w := NewWriter(&out, search.LevelDebug)
	s.SetSink(w)
	g := gameAt(t, "startpos")
	var roots []int64
	for range 3 {
		result := s.Search(t.Context(), g, search.Limits{Nodes: 300}, nil)
		roots = append(roots, s.Root().Visits)
		require.NoError(t, g.Do(result.Best))
	}
	snapshot := s.Snapshot(uct.SnapshotLimits{Nodes: 1 << 20})
	require.NoError(t, w.Flush())

	p, err := NewReplay(bytes.NewReader(out.Bytes()))
	require.NoError(t, err)
	require.Equal(t, 3, p.Searches())
	require.Nil(t, p.Record())
	_, _, ok := p.Position()
	require.False(t, ok)
	for i, want := range roots {
		require.NoError(t, p.GotoSearch(i+1))
		require.Equal(t, search.EventEnd, p.Record().Kind)
		tree := p.Tree()
		require.Equal(t, want, tree.Nodes[0].Visits)
		require.Equal(t, i, len(tree.Game.Moves()))
	}
	tree := p.Tree()
	require.Len(t, tree.Nodes, len(snapshot.Nodes))
	require.ErrorContains(t, p.GotoSearch(9), "searches 1 to 3")

	p.Goto(p.Len() / 2)
	before, record := p.Tree(), *p.Record()
	p.Goto(p.At() + 1)
	p.Goto(p.At() - 1)
	require.Equal(t, before, p.Tree(), "a step forward and back")
	require.Equal(t, record, *p.Record())

	f, err := ParseFilter("event select depth 1")
	require.NoError(t, err)
	require.True(t, p.Find(&f, false))
	require.Equal(t, search.EventSelect, p.Record().Kind)
	root, line, ok := p.Position()
	require.True(t, ok)
	require.Len(t, line, 1)
	root.Do(line[0])
	require.Equal(t, p.Record().Key, root.Key())
	require.Contains(t, Formula(&p.Record().Event), "> "+p.Record().Move.String())
	at := p.At()
	require.True(t, p.Find(&f, true))
	require.Less(t, p.At(), at)
	require.NotNil(t, p.Latest(func(e *search.Event) bool { return e.Kind == search.EventStart }))
	p.Goto(0)
	require.False(t, p.Find(&f, true))
	require.Empty(t, p.Tree().Nodes)
}
