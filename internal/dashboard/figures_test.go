package dashboard_test

import (
	"math"
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

// recorder keeps the events that it wants.
type recorder struct {
	mu     sync.Mutex
	level  search.Level
	events []search.Event
}

func (r *recorder) Event(e *search.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := *e
	kept.Line, kept.Candidates = slices.Clone(e.Line), slices.Clone(e.Candidates)
	r.events = append(r.events, kept)
}

func (r *recorder) Level() search.Level { return r.level }

// of returns the events of a kind.
func (r *recorder) of(k search.EventKind) (list []search.Event) {
	for i := range r.events {
		if r.events[i].Kind == k {
			list = append(list, r.events[i])
		}
	}
	return list
}

// counts returns how many events of each kind there were, those of the debug level only where so wanted.
func (r *recorder) counts(debug bool) map[string]int64 {
	counts := make(map[string]int64)
	for i := range r.events {
		if k := r.events[i].Kind; debug || k.Level() == search.LevelInfo {
			counts[k.String()]++
		}
	}
	return counts
}

// end returns the answer's event.
func (r *recorder) end() *search.Event { return &r.of(search.EventEnd)[0] }

func parse(t *testing.T, words []string) (moves []shogi.Move) {
	for _, w := range words {
		m, err := shogi.ParseMove(w)
		require.NoError(t, err)
		moves = append(moves, m)
	}
	return moves
}

func words(moves []shogi.Move) []string {
	var list []string
	for _, m := range moves {
		list = append(list, m.String())
	}
	return list
}

func milliseconds(d time.Duration) float32 { return float32(float64(d) / 1e6) }

// wilson is the lower end of the 95 % interval of a win rate, by the textbook's formula.
func wilson(p, n float64) float32 {
	const z = 1.959964
	return float32((p + z*z/(2*n) - z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))) / (1 + z*z/n))
}

// walks returns the figures of the tree search's walks: the deepest ply, the mean length, and the length of the last one.
func (r *recorder) walks() (deepest int, mean float32, last int) {
	ends, plies := 0, 0
	for i := range r.events {
		switch e := &r.events[i]; e.Kind {
		case search.EventSelect:
			deepest = max(deepest, e.Ply+1)
		case search.EventEvaluate, search.EventMerge, search.EventRevisit, search.EventRepeat:
			ends, plies, last = ends+1, plies+e.Ply, e.Ply
		}
	}
	return deepest, float32(float64(plies) / float64(ends)), last
}

// wantSearch returns what the page must show of the tree search at its end, every member from the engine or its events.
func wantSearch(t *testing.T, b *bench, r *recorder, result *search.Result, m *dashboard.Search) *dashboard.Search {
	root, stats, end := b.searcher.Root(), b.searcher.Stats(), r.end()
	deepest, mean, last := r.walks()
	speed := float32(float64(end.Playout) / float64(milliseconds(end.Took)) * 1000)
	want := &dashboard.Search{Type: "search", Seq: m.Seq, Number: 1, State: "done", Engine: "uct", Elapsed: milliseconds(end.Took), Playouts: end.Playout, Speed: speed,
		Visits: root.Visits, WinRate: float32(root.WinRate), Value: float32(root.Value), Proof: root.Proof, SelDepth: deepest, MeanDepth: mean,
		Best: result.Best.String(), Reason: string(result.Reason), Events: r.counts(true),
		Workers: []dashboard.Worker{{Playouts: end.Playout, Ply: last}},
		Memory: &dashboard.Memory{Full: stats.HashFull, Slots: stats.Slots, UsedSlots: stats.UsedSlots, Cells: stats.Cells, UsedCells: stats.UsedCells,
			UsedBytes: stats.UsedBytes(), Recycled: stats.Recycled, Pauses: stats.Pauses, LongestPause: milliseconds(stats.LongestPause), Evaluations: stats.Evaluations}}

	// Scale, loss and U are those of one of the root's last selections.
	selection := &search.Event{}
	for _, e := range r.of(search.EventSelect) {
		if e.Ply == 0 && float32(e.Scale) == m.Scale {
			selection = &e
		}
	}
	require.Greater(t, selection.Playout, end.Playout/2, "the selection is a late one")
	want.Scale, want.Loss = float32(selection.Scale), float32(selection.Loss)

	total := int64(0)
	moves := b.searcher.RootMoves()
	for _, x := range moves {
		total += x.Visits
	}
	want.MoreMoves = m.MoreMoves
	require.Len(t, b.gameNow.Position().AppendLegal(nil), len(m.Candidates)+m.MoreMoves)
	for i, x := range moves {
		if x.Visits == 0 {
			require.GreaterOrEqual(t, i, len(m.Candidates))
			continue
		}
		c := dashboard.Candidate{Move: x.Move.String(), Visits: x.Visits, Share: float32(float64(x.Visits) / float64(total)), Prior: float32(x.Prior), Q: float32(x.WinRate),
			U: float32(selection.Scale * x.Prior / float64(1+x.Visits)), LCB: m.Candidates[i].LCB, CP: uct.Centipawns(x.WinRate, 600), Proof: x.Proof, PV: m.Candidates[i].PV}
		if k := slices.IndexFunc(selection.Candidates, func(o search.Candidate) bool { return o.Move == x.Move }); k >= 0 {
			c.U, c.Flying = float32(selection.Candidates[k].Explore), selection.Candidates[k].Flying
		}
		require.InDelta(t, wilson(x.WinRate, float64(x.Visits)), c.LCB, 1e-6)
		require.Equal(t, c.Move, c.PV[0])
		line := *b.gameNow.Position()
		for _, move := range parse(t, c.PV) {
			require.True(t, line.IsLegal(move))
			line.Do(move)
		}
		want.Candidates = append(want.Candidates, c)
	}
	n := min(len(m.Candidates[0].PV), len(result.Lines[0].PV))
	require.Positive(t, n)
	require.Equal(t, words(result.Lines[0].PV[:n]), m.Candidates[0].PV[:n])

	clocks := r.of(search.EventClock)
	require.Len(t, clocks, 2)
	want.Clock = &dashboard.Clock{Optimum: milliseconds(clocks[0].Optimum), Hard: milliseconds(clocks[1].Hard), Zero: m.Clock.Zero,
		Decisions: []dashboard.Decision{{At: m.Clock.Decisions[0].At, What: "plan"}, {At: m.Clock.Decisions[1].At, What: "stop", Reason: string(result.Reason)}}}
	require.InDelta(t, 0, m.Clock.Zero, 50, "the clock began with the search")
	require.InDelta(t, milliseconds(clocks[1].Took), m.Clock.Decisions[1].At-m.Clock.Zero, 1)
	return want
}

// Row 7: every figure of the tree search on the page is the engine's own: the whole message is compared, so that a member cannot be forgotten.
func TestFiguresOfTheTreeSearch(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	p := dial(t, b.server, "")
	hello := new(dashboard.Hello)
	p.next(dashboard.TypeHello).into(t, hello)
	require.Equal(t, []any{"live", "uct", false, true, "startpos"}, []any{hello.Mode, hello.Engine, hello.CanControl, hello.HasToken, hello.Game.Start})
	require.Equal(t, dashboard.StateIdle, p.searched(dashboard.StateIdle).State)

	r := &recorder{level: search.LevelDebug}
	result := b.search(t.Context(), game(t, "7g7f 3c3d"), search.Limits{Clock: &search.ClockTimes{Byoyomi: 700 * time.Millisecond}}, inspect.Tee{r, b.live})
	m := p.searched(dashboard.StateDone)
	require.Equal(t, wantSearch(t, b, r, &result, m), m)

	hash, table := new(dashboard.Hash), b.searcher.TableStats()
	for hash.Used != table.Used {
		*hash = dashboard.Hash{}
		p.next(dashboard.TypeHash).into(t, hash)
	}
	require.Equal(t, &dashboard.Hash{Type: "hash", Cap: table.Cap, Used: table.Used, Deleted: table.Deleted, Load: float32(table.Load), ProbeLengths: table.ProbeLengths,
		MeanProbe: float32(table.MeanProbe), LongestRun: table.LongestRun, FirstPly: 3, PlyFill: table.PlyFill[3:]}, hash)

	late := dial(t, b.server, "")
	late.next(dashboard.TypeHello).into(t, hello)
	require.Equal(t, []string{"7g7f", "3c3d"}, hello.Game.Moves)
	require.Equal(t, []dashboard.HistoryPoint{{Ply: 3, Move: result.Best.String(), Reason: string(result.Reason), WinRate: float32(b.searcher.Root().WinRate),
		Playouts: r.end().Playout, Took: milliseconds(r.end().Took)}}, hello.Game.History)
	curves := new(dashboard.Curves)
	late.next(dashboard.TypeCurves).into(t, curves)
	require.NotEmpty(t, curves.Times)
	for _, c := range curves.Moves {
		at := slices.IndexFunc(m.Candidates, func(o dashboard.Candidate) bool { return o.Move == c.Move })
		last := len(c.Q) - 1
		if at >= 0 && at < 12 {
			require.Equal(t, []float32{m.Candidates[at].Q, m.Candidates[at].Share}, []float32{*c.Q[last], *c.Share[last]}, "curves end at the figures")
		}
	}
	log := new(dashboard.Log)
	late.next(dashboard.TypeLog).into(t, log)
	require.Equal(t, "start", log.Lines[0].Kind)
	require.Equal(t, "end", log.Lines[len(log.Lines)-1].Kind)
}

// Where nobody wanted the walks' own events, what was told of them by chance is not shown as if it were all.
func TestPartialCounts(t *testing.T) {
	b := newBench(t, search.EngineUCT, 1)
	p := dial(t, b.server, "")
	p.searched(dashboard.StateIdle)
	r := &recorder{level: search.LevelInfo}
	b.search(t.Context(), game(t, "7g7f"), search.Limits{Nodes: 3000}, inspect.Tee{r, b.live})
	m := p.searched(dashboard.StateDone)
	require.True(t, m.EventsPartial)
	require.Equal(t, r.counts(false), m.Events)
	require.EqualValues(t, 3000, m.Playouts)
	require.EqualValues(t, 3000, m.Workers[0].Playouts)
}

// line returns the path to where alpha-beta was last, and the window of the node entered last.
func (r *recorder) line() (path []shogi.Move, window search.Event) {
	for i := range r.events {
		switch e := &r.events[i]; e.Kind {
		case search.EventEnter, search.EventNode:
			if e.Kind == search.EventEnter {
				window = *e
			}
			if path = path[:min(len(path), max(0, e.Ply-1))]; e.Ply > 0 {
				path = append(path, e.Move)
			}
		}
	}
	return path, window
}

// rootPass returns the root move that was begun last, its number in the last pass over the root, the root's last window, and how many moves
// were made below each root move.
func (r *recorder) rootPass() (now shogi.Move, number int, window search.Event, made map[shogi.Move]int64) {
	made = make(map[shogi.Move]int64)
	var entered int64
	begin := func(e *search.Event) {
		if now != e.Move {
			number++
		}
		now, entered = e.Move, e.Playout
	}
	for i := range r.events {
		e := &r.events[i]
		switch {
		case e.Kind == search.EventEnter && e.Ply == 0:
			now, number, window = shogi.MoveNone, 0, *e
		case e.Ply == 0 && (e.Kind == search.EventWindow || e.Kind == search.EventPrune || e.Kind == search.EventIteration):
			window = *e
		case e.Kind == search.EventEnter && e.Ply == 1:
			begin(e)
		case e.Kind == search.EventNode && e.Ply == 1:
			if e.Cut || e.Type == search.NodeLeaf || e.Type == search.NodeTerminal {
				begin(e)
			}
			made[e.Move] += e.Playout - entered + 1
		}
	}
	return now, number, window, made
}

// wantScores returns what the page must show of alpha-beta at its end, every member from its answer and events.
func wantScores(r *recorder, result *search.Result, m *dashboard.Search) *dashboard.Search {
	end := r.end()
	path, node := r.line()
	now, number, root, made := r.rootPass()
	deepest, answers, skipped := 0, int64(0), int64(0)
	scores, total := make(map[string]*search.Event), int64(0)
	for i := range r.events {
		switch e := &r.events[i]; e.Kind {
		case search.EventEnter, search.EventNode:
			deepest = max(deepest, e.Ply)
			if e.Kind == search.EventNode && e.Cut {
				answers++
			}
			if e.Kind == search.EventNode && e.Ply == 1 {
				scores[e.Move.String()] = e
			}
		case search.EventPrune:
			skipped += e.Count
		}
	}
	for _, n := range made {
		total += n
	}
	rate := func(score int) float32 { return float32(1 / (1 + math.Exp(-float64(score)/600))) }
	line := words(result.Lines[0].PV)
	want := &dashboard.Search{Type: "search", Seq: m.Seq, Number: 1, State: "done", Engine: "alphabeta", Elapsed: milliseconds(end.Took), Playouts: end.Playout,
		Speed: float32(float64(end.Playout) / float64(milliseconds(end.Took)) * 1000), WinRate: rate(end.Score), SelDepth: deepest, Best: result.Best.String(),
		Reason: string(result.Reason), Events: r.counts(true), Workers: []dashboard.Worker{{Playouts: end.Playout, Ply: len(path)}},
		Memory: &dashboard.Memory{Full: result.Lines[0].HashFull},
		AlphaBeta: &dashboard.AlphaBeta{Depth: end.Depth, RootMove: now.String(), RootIndex: number, RootMoves: 30, Alpha: root.Alpha, Beta: root.Beta, Line: words(path),
			LineAlpha: node.Alpha, LineBeta: node.Beta, LineDepth: node.Depth, Cuts: int64(len(r.of(search.EventPrune))), Skipped: skipped, Answers: answers,
			Principal: line, Score: end.Score}}
	for _, got := range m.Candidates {
		e := scores[got.Move]
		n := made[e.Move]
		c := dashboard.Candidate{Move: e.Move.String(), Visits: n, Share: float32(float64(n) / float64(total)), Q: rate(-e.Score), CP: -e.Score}
		if inner := !e.Cut && (e.Type == search.NodeMax || e.Type == search.NodeMin); inner && e.Score >= e.Beta {
			c.Bound = "upper"
		} else if inner && e.Score <= e.Alpha {
			c.Bound = "lower"
		}
		if c.Move == line[0] {
			c.PV = line
		}
		want.Candidates = append(want.Candidates, c)
	}
	return want
}

// Every figure of alpha-beta on the page is the engine's own.
func TestFiguresOfAlphaBeta(t *testing.T) {
	b := newBench(t, search.EngineAlphaBeta, 1)
	p := dial(t, b.server, "")
	p.searched(dashboard.StateIdle)
	r := &recorder{level: search.LevelDebug}
	result := b.search(t.Context(), game(t, "7g7f"), search.Limits{Depth: 4}, inspect.Tee{r, b.live})
	m := p.searched(dashboard.StateDone)
	require.Equal(t, wantScores(r, &result, m), m)
	require.Len(t, m.Candidates, 30)
	require.Equal(t, result.Best.String(), m.Candidates[0].Move)
	hello := new(dashboard.Hello)
	dial(t, b.server, "").next(dashboard.TypeHello).into(t, hello)
	require.Equal(t, -r.end().Score, hello.Game.History[0].Score) // White was to move
}
