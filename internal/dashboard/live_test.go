package dashboard_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/dashboard"
	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
)

// recorder counts events by kind.
type recorder struct {
	mu     sync.Mutex
	counts map[string]int64
	end    search.Event
	clocks []search.Event
	nodes  map[shogi.Move]int // alpha-beta: last scores of root moves
	skips  int64
}

func (r *recorder) Event(e *search.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[e.Kind.String()]++
	switch e.Kind {
	case search.EventEnd:
		r.end = *e
		r.end.Line = slices.Clone(e.Line)
	case search.EventClock:
		r.clocks = append(r.clocks, *e)
	case search.EventNode:
		if e.Ply == 1 {
			r.nodes[e.Move] = -e.Score
		}
	case search.EventPrune:
		r.skips += e.Count
	}
}

func newRecorder() *recorder {
	return &recorder{counts: make(map[string]int64), nodes: make(map[shogi.Move]int)}
}

// Every figure of the tree search on the page is the engine's own.
func TestFiguresOfTheTreeSearch(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	p := dial(t, b.server, "")
	hello := new(dashboard.Hello)
	p.next(dashboard.TypeHello).into(t, hello)
	require.Equal(t, []any{"live", "uct", false, true, "startpos"}, []any{hello.Mode, hello.Engine, hello.CanControl, hello.HasToken, hello.Game.Start})
	require.Equal(t, dashboard.StateIdle, p.searched(dashboard.StateIdle).State)

	r := newRecorder()
	g := game(t, "7g7f 3c3d")
	result := b.search(t.Context(), g, search.Limits{Clock: &search.ClockTimes{Byoyomi: 700 * time.Millisecond}}, inspect.Tee{r, b.live})
	m := p.searched(dashboard.StateDone)

	require.Equal(t, []any{1, r.end.Playout, result.Best.String(), string(result.Reason)}, []any{m.Number, m.Playouts, m.Best, m.Reason})
	require.InDelta(t, float64(r.end.Took)/1e6, m.Elapsed, 0.01)
	require.Equal(t, r.counts, m.Events)
	root, stats := b.searcher.Root(), b.searcher.Stats()
	require.Equal(t, []any{root.Visits, float32(root.WinRate), float32(root.Value)}, []any{m.Visits, m.WinRate, m.Value})
	require.Equal(t, []any{stats.HashFull, stats.UsedSlots, stats.UsedCells, stats.UsedBytes(), stats.Evaluations},
		[]any{m.Memory.Full, m.Memory.UsedSlots, m.Memory.UsedCells, m.Memory.UsedBytes, m.Memory.Evaluations})
	require.Equal(t, result.Lines[0].PV[:min(3, len(result.Lines[0].PV))], parse(t, m.Candidates[0].PV)[:min(3, len(result.Lines[0].PV))])
	total := int64(0)
	moves := b.searcher.RootMoves()
	for _, x := range moves {
		total += x.Visits
	}
	for i, c := range m.Candidates {
		x := moves[i]
		require.Equal(t, []any{x.Move.String(), x.Visits, float32(x.Prior), float32(x.WinRate), float32(float64(x.Visits) / float64(total))},
			[]any{c.Move, c.Visits, c.Prior, c.Q, c.Share})
		require.Equal(t, uct.Centipawns(x.WinRate, 600), c.CP)
		require.LessOrEqual(t, c.LCB, c.Q)
	}
	require.Len(t, r.clocks, 2)
	require.InDelta(t, r.clocks[0].Optimum.Seconds()*1000, m.Clock.Optimum, 0.01)
	require.InDelta(t, r.clocks[1].Hard.Seconds()*1000, m.Clock.Hard, 0.01)
	require.Equal(t, []string{"plan", "stop"}, []string{m.Clock.Decisions[0].What, m.Clock.Decisions[1].What})
	require.Equal(t, string(result.Reason), m.Clock.Decisions[1].Reason)
	require.Len(t, m.Workers, 1)
	require.InDelta(t, float64(m.Playouts), float64(m.Workers[0].Playouts), float64(m.Playouts)/20) // walks that a proof ended are not among them

	hash, table := new(dashboard.Hash), b.searcher.TableStats()
	for hash.Used != table.Used {
		p.next(dashboard.TypeHash).into(t, hash)
	}
	require.Equal(t, table.ProbeLengths, hash.ProbeLengths)
	require.Equal(t, table.PlyFill[hash.FirstPly:], hash.PlyFill)
	require.Equal(t, 3, hash.FirstPly)

	late := dial(t, b.server, "")
	late.next(dashboard.TypeHello).into(t, hello)
	require.Equal(t, []string{"7g7f", "3c3d"}, hello.Game.Moves)
	require.Len(t, hello.Game.History, 1)
	require.Equal(t, []any{3, result.Best.String(), float32(root.WinRate)}, []any{hello.Game.History[0].Ply, hello.Game.History[0].Move, hello.Game.History[0].WinRate})
	curves := new(dashboard.Curves)
	late.next(dashboard.TypeCurves).into(t, curves)
	require.NotEmpty(t, curves.Times)
	log := new(dashboard.Log)
	late.next(dashboard.TypeLog).into(t, log)
	require.Equal(t, "start", log.Lines[0].Kind)
	require.Equal(t, "end", log.Lines[len(log.Lines)-1].Kind)
}

func parse(t *testing.T, words []string) (moves []shogi.Move) {
	for _, w := range words {
		m, err := shogi.ParseMove(w)
		require.NoError(t, err)
		moves = append(moves, m)
	}
	return moves
}

// Every figure of alpha-beta on the page is the engine's own.
func TestFiguresOfAlphaBeta(t *testing.T) {
	b := newBench(t, search.EngineAlphaBeta, 1)
	p := dial(t, b.server, "")
	p.searched(dashboard.StateIdle)
	r := newRecorder()
	result := b.search(t.Context(), game(t, "7g7f"), search.Limits{Depth: 4}, inspect.Tee{r, b.live})
	m := p.searched(dashboard.StateDone)
	require.Equal(t, r.counts, m.Events)
	require.Equal(t, []any{r.end.Playout, r.end.Depth, r.end.Score}, []any{m.Playouts, m.AlphaBeta.Depth, m.AlphaBeta.Score})
	require.Equal(t, result.Lines[0].PV, parse(t, m.AlphaBeta.Principal))
	require.Equal(t, []any{r.counts["prune"], r.skips, 30}, []any{m.AlphaBeta.Cuts, m.AlphaBeta.Skipped, m.AlphaBeta.RootMoves})
	require.Equal(t, result.Best.String(), m.Candidates[0].Move)
	require.Equal(t, m.Candidates[0].PV, m.AlphaBeta.Principal)
	require.Len(t, m.Candidates, 30)
	for _, c := range m.Candidates {
		require.Equal(t, r.nodes[parse(t, []string{c.Move})[0]], c.CP, c.Move)
	}
	hello := new(dashboard.Hello)
	dial(t, b.server, "").next(dashboard.TypeHello).into(t, hello)
	require.Equal(t, -r.end.Score, hello.Game.History[0].Score) // White was to move
}

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
		result := b.search(t.Context(), g, search.Limits{MoveTime: 150 * time.Millisecond}, nil)
		require.NoError(t, g.Do(result.Best))
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
