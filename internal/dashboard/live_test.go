package dashboard_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/dashboard"
	"github.com/yomi-shogi/yomi/internal/search"
)

// Each page's log shows what its filter shows.
func TestLogFilters(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	course, walks := dial(t, b.server, ""), dial(t, b.server, "")
	walks.say(`{"type":"filter","filter":"depth 0 event select"}`)
	walks.say(`{"type":"filter","filter":"nonsense"}`)
	walks.next(dashboard.TypeError)
	b.search(t.Context(), game(t, "7g7f"), search.Limits{MoveTime: 400 * time.Millisecond}, nil)
	var lines []dashboard.LogLine
	for len(lines) == 0 || lines[len(lines)-1].Kind != "end" {
		m := new(dashboard.Log)
		course.next(dashboard.TypeLog).into(t, m)
		lines = append(lines, m.Lines...)
	}
	for _, l := range lines {
		require.Contains(t, []string{"start", "clock", "best", "end"}, l.Kind)
	}
	m := new(dashboard.Log)
	walks.next(dashboard.TypeLog).into(t, m)
	require.NotEmpty(t, m.Lines)
	for _, l := range m.Lines {
		require.Equal(t, []any{"select", "debug", 0}, []any{l.Kind, l.Level, l.Ply})
	}
}

// A search that is stopped, stepped and let go on gives the answer of one that is not.
func TestBreakpoints(t *testing.T) {
	limits := search.Limits{Nodes: 400}
	plain := newBench(t, search.EngineUCT, 1)
	want := plain.search(t.Context(), game(t, "7g7f"), limits, nil)

	b := newBench(t, search.EngineUCT, 1)
	p := dial(t, b.server, "?token="+token)
	p.say(`{"type":"break","text":"playout 100"}`)
	p.say(`{"type":"break","text":"ply 2"}`)
	breakpoints := new(dashboard.Breakpoints)
	for len(breakpoints.List) < 2 {
		p.next(dashboard.TypeBreakpoints).into(t, breakpoints)
	}
	p.say(`{"type":"unbreak","id":2}`)
	p.next(dashboard.TypeBreakpoints)
	done := make(chan search.Result)
	go func() { done <- b.search(t.Context(), game(t, "7g7f"), limits, nil) }()
	stop := p.stopped()
	require.Equal(t, []any{1, "select", int64(100), 0}, []any{stop.Breakpoint, stop.Kind, stop.Playout, stop.Ply})
	require.NotEmpty(t, stop.Candidates)
	p.say(`{"type":"tree","id":7,"nodes":20}`)
	tree := new(dashboard.Tree)
	p.next(dashboard.TypeTree).into(t, tree)
	require.Equal(t, []any{7, 20, int64(100)}, []any{tree.ID, len(tree.Nodes), tree.Nodes[0].N})
	p.say(`{"type":"unbreak","id":0}`)
	p.say(`{"type":"step","what":"playout"}`)
	require.Equal(t, int64(101), p.stopped().Playout)
	p.say(`{"type":"step","what":"event","count":3}`)
	stop = p.stopped()
	require.Len(t, stop.Path, stop.Ply)
	p.say(`{"type":"continue"}`)
	got := <-done
	got.Lines[0].Time, want.Lines[0].Time, got.Lines[0].NPS, want.Lines[0].NPS = 0, 0, 0, 0
	require.Equal(t, want, got)
	require.Positive(t, b.live.Paused())
}

// A pause stops a search that runs without breakpoints; it goes on when the page leaves, or when the search is told to end.
func TestPauseAndRelease(t *testing.T) {
	for _, engine := range []string{search.EngineUCT, search.EngineAlphaBeta} {
		for _, leave := range []bool{true, false} {
			b := newBench(t, engine, 1)
			p := dial(t, b.server, "")
			p.say(`{"type":"pause"}`)
			p.next(dashboard.TypeError) // it did not give the token
			p.say(`{"type":"auth","token":"` + token + `"}`)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan search.Result)
			go func() { done <- b.search(ctx, game(t, "7g7f"), search.Limits{Infinite: true}, nil) }()
			p.searched(dashboard.StateThinking)
			p.say(`{"type":"pause"}`)
			stop := p.stopped()
			require.Len(t, stop.Path, stop.Ply)
			require.Equal(t, dashboard.StateStopped, p.searchedNow().State)
			if leave {
				require.NoError(t, p.conn.CloseNow())
				other := dial(t, b.server, "")
				before := other.searched(dashboard.StateThinking).Playouts
				require.Eventually(t, func() bool { return other.searched(dashboard.StateThinking).Playouts > before }, 10*time.Second, time.Millisecond)
			}
			cancel()
			<-done
		}
	}
}

// searchedNow returns the next state of the search.
func (p *page) searchedNow() *dashboard.Search {
	m := new(dashboard.Search)
	p.next(dashboard.TypeSearch).into(p.t, m)
	return m
}

// Several workers, pages that come and go, breakpoints: nothing hangs and no memory is shared without care.
func TestManyAtOnce(t *testing.T) {
	b := newBench(t, search.EngineUCT, 3)
	stopping, cancel := context.WithCancel(t.Context())
	var pages sync.WaitGroup
	for range 4 {
		pages.Go(func() {
			for stopping.Err() == nil {
				p := dial(t, b.server, "?token="+token)
				for _, c := range []string{`{"type":"tree","id":1,"path":[]}`, `{"type":"break","text":"playout 300"}`, `{"type":"filter","filter":"debug"}`, `{"type":"pause"}`,
					`{"type":"unbreak","id":0}`, `{"type":"step","what":"event"}`, `{"type":"continue"}`} {
					if p.conn.Write(p.ctx, 1, []byte(c)) != nil {
						break
					}
					_, _, _ = p.conn.Read(p.ctx)
				}
				_ = p.conn.CloseNow()
			}
		})
	}
	g := game(t, "7g7f")
	for range 6 {
		// The pages keep the search stopped most of the time, which does not count as thinking, so that it is cancelled at last.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		result := b.search(ctx, g, search.Limits{MoveTime: 150 * time.Millisecond}, nil)
		cancel()
		if result.Best.IsMove() {
			require.NoError(t, g.Do(result.Best))
		}
		b.live.Forget(b.searcher.Clear)
	}
	cancel()
	pages.Wait()
}

// What the tap does with an event takes no memory.
func TestTapAllocatesNothing(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	b.search(t.Context(), game(t, "7g7f"), search.Limits{Nodes: 50}, nil)
	candidates := []search.Candidate{{Visits: 3}}
	events := []search.Event{{Kind: search.EventSelect, Candidates: candidates}, {Kind: search.EventEvaluate, Ply: 3}, {Kind: search.EventBackup},
		{Kind: search.EventEnter, Ply: 1}, {Kind: search.EventNode, Ply: 2}, {Kind: search.EventPrune, Count: 3}, {Kind: search.EventWindow}}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for i := range events {
			b.live.Event(&events[i])
		}
	}))
}

// No page sees a search that has only begun as one that has ended.
func TestBeginningsAreNotEnds(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	p := dial(t, b.server, "")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 150 {
			b.search(t.Context(), game(t, "7g7f"), search.Limits{Nodes: 300}, nil)
			time.Sleep(7 * time.Millisecond) // so that looks meet beginnings
		}
		_ = p.conn.CloseNow()
	}()
	seen := 0
	for {
		_, text, err := p.conn.Read(p.ctx)
		if err != nil {
			break
		}
		m := new(dashboard.Search)
		(&message{text: text}).into(t, m)
		if m.Type == dashboard.TypeSearch && m.State == dashboard.StateDone {
			require.NotEqual(t, "none", m.Best)
			require.Positive(t, m.Elapsed)
			seen++
		}
	}
	<-done
	require.Positive(t, seen)
}
