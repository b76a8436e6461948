package inspect

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// keeper keeps copies of events and passes them on in the same order.
type keeper struct {
	mu     sync.Mutex
	next   search.Sink
	events []search.Event
}

func (k *keeper) Event(e *search.Event) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.next.Event(e)
	c := *e
	c.Candidates, c.Line = slices.Clone(e.Candidates), slices.Clone(e.Line)
	if e.Game != nil {
		c.Game = e.Game.Clone()
	}
	k.events = append(k.events, c)
}

// traced runs both searches and returns their trace and their events.
func traced(t testing.TB, level search.Level) ([]byte, []search.Event) {
	var out bytes.Buffer
	w := NewWriter(&out, level)
	k := &keeper{next: w}
	for _, s := range []thinker{newTreeSearch(t, 1), newAlphaBeta(t, "quiescence=2")} {
		s.SetSink(k)
		s.Search(t.Context(), gameAt(t, middleGame), search.Limits{Nodes: 150, MoveTime: time.Hour}, nil)
	}
	require.NoError(t, w.Flush())
	return out.Bytes(), k.events
}

func records(t testing.TB, trace []byte) (list []Record, cut bool) {
	t.Helper()
	cut, err := Read(bytes.NewReader(trace), func(r *Record) error {
		list = append(list, *r)
		return nil
	})
	require.NoError(t, err)
	return list, cut
}

// Row 1: one machine-readable record for each event, which reads back as it was.
func TestTraceReadsBack(t *testing.T) {
	trace, events := traced(t, search.LevelDebug)
	list, cut := records(t, trace)
	require.False(t, cut)
	require.Len(t, list, len(events))
	for i, r := range list {
		want := events[i]
		require.Equal(t, want.Kind, r.Kind)
		require.WithinDuration(t, time.Now(), r.Time, time.Minute)
		require.Equal(t, want.Game == nil, r.Game == nil)
		if want.Game != nil {
			require.Equal(t, want.Game.USI(), r.Game.USI())
		}
		want.Game, r.Game = nil, nil
		for _, x := range []*search.Event{&want, &r.Event} {
			x.Took = x.Took.Truncate(time.Microsecond)
			for _, f := range []*float64{&x.WinRate, &x.EdgeRate, &x.Value, &x.Scale, &x.Loss} {
				*f = float64(int64(*f*1e6+0.5)) / 1e6
			}
			for k := range x.Candidates {
				c := &x.Candidates[k]
				for _, f := range []*float64{&c.Prior, &c.WinRate, &c.Explore} {
					*f = float64(int64(*f*1e6+0.5)) / 1e6
				}
			}
		}
		require.InDelta(t, want.WinRate, r.WinRate, 2e-6)
		require.Equal(t, len(want.Candidates), len(r.Candidates))
		for k := range want.Candidates {
			require.Equal(t, want.Candidates[k].Move, r.Candidates[k].Move)
			require.Equal(t, want.Candidates[k].Visits, r.Candidates[k].Visits)
			require.InDelta(t, want.Candidates[k].Explore, r.Candidates[k].Explore, 2e-5)
		}
		for _, x := range []*search.Event{&want, &r.Event} {
			x.WinRate, x.EdgeRate, x.Value, x.Scale, x.Candidates = 0, 0, 0, 0, nil
		}
		require.Equal(t, want, r.Event)
	}
	require.Equal(t, 2, list[len(list)-1].Search)
}

// A trace that was cut off anywhere can be read up to the last whole frame, and one can be continued by another run.
func TestCutTraces(t *testing.T) {
	trace, events := traced(t, search.LevelDebug)
	for _, n := range []int{0, 1, len(trace) / 3, len(trace) / 2, len(trace) - 1} {
		list, cut := records(t, trace[:n])
		require.Equal(t, n > 0, cut, "%d bytes", n)
		require.LessOrEqual(t, len(list), len(events))
		for i, r := range list {
			require.Equal(t, events[i].Kind, r.Kind)
		}
		if n == len(trace)-1 {
			require.Greater(t, len(list), len(events)/4)
		}
	}
	list, cut := records(t, append(slices.Clone(trace), trace...))
	require.False(t, cut)
	require.Len(t, list, 2*len(events))
}

func TestTraceLevels(t *testing.T) {
	trace, events := traced(t, search.LevelInfo)
	list, _ := records(t, trace)
	require.Less(t, len(list), len(events)/2)
	for _, r := range list {
		require.Equal(t, search.LevelInfo, r.Kind.Level())
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestTraceErrors(t *testing.T) {
	w := NewWriter(fullDisk{}, search.LevelDebug)
	w.Event(&search.Event{Kind: search.EventEnd})
	w.Event(&search.Event{Kind: search.EventEnd})
	require.ErrorContains(t, w.Flush(), "no space left")
	for line, want := range map[string]string{
		`{`:                                    "bad record",
		`{"event":"selekt"}`:                   `unknown event "selekt"`,
		`{"event":"node","type":"ROOT"}`:       `unknown node type "ROOT"`,
		`{"event":"node","move":"7g7"}`:        "7g7",
		`{"event":"node","key":"xyz"}`:         `bad key "xyz"`,
		`{"event":"node","ply":-1}`:            "bad ply -1",
		`{"event":"select","candidates":[[]]}`: "want 8 members",
		`{"event":"select","candidates":[["7g7f",1,2,"x",0,0,0,0]]}`: "bad number",
		`{"event":"end","line":"7g7f 1"}`:                            `"1"`,
		`{"event":"start","game":"nowhere"}`:                         "nowhere",
	} {
		_, err := ParseRecord([]byte(line))
		require.ErrorContains(t, err, want, line)
	}
}

func TestWritingAllocatesNothing(t *testing.T) {
	w := NewWriter(&bytes.Buffer{}, search.LevelDebug)
	e := search.Event{Kind: search.EventSelect, Key: 12345, Visits: 3, WinRate: 0.5, Candidates: []search.Candidate{{Visits: 3, Prior: 0.1}}}
	w.text = make([]byte, 0, 1<<20)
	// The move's text is an allocation of its own; an event without moves needs none.
	require.LessOrEqual(t, testing.AllocsPerRun(100, func() { w.Event(&e) }), 2.0)
}

// Rows 1 and 2: the lines for people.
func TestTexts(t *testing.T) {
	at := time.Date(2026, 1, 2, 12, 1, 7, 123e6, time.Local)
	move, err := shogi.ParseMove("7g7f")
	require.NoError(t, err)
	for want, e := range map[string]search.Event{
		"12:01:07.123 [ply 3] MIN 7g7f score 150 alpha 120 beta inf depth 2":                      {Kind: search.EventNode, Type: search.NodeMin, Ply: 3, Move: move, Score: 150, Alpha: 120, Beta: 32001, Depth: 2},
		"12:01:07.123 [ply 2] MAX PRUNE skipped 12, by 7g7f with alpha 150 >= beta 120, depth 4":  {Kind: search.EventPrune, Type: search.NodeMax, Ply: 2, Move: move, Alpha: 150, Beta: 120, Count: 12, Depth: 4},
		"12:01:07.123 [ply 0] MAX ALPHA -inf -> 30 by 7g7f, beta mate in 3, depth 1":              {Kind: search.EventWindow, Type: search.NodeMax, Move: move, Before: -32001, Alpha: 30, Beta: 31997, Depth: 1},
		"12:01:07.123 [ply 1] LEAF 7g7f score -20 alpha -inf beta inf, 3 quiescence positions":    {Kind: search.EventNode, Type: search.NodeLeaf, Ply: 1, Move: move, Score: -20, Alpha: -32001, Beta: 32001, Count: 3},
		"12:01:07.123 [ply 1] LEAF EVALUATE 7g7f value 0.5500 #4 worker 1":                        {Kind: search.EventEvaluate, Type: search.NodeLeaf, Ply: 1, Move: move, Value: 0.55, Playout: 4, Worker: 1},
		"12:01:07.123 [ply 1] MIN MERGE 7g7f: the node has N 9, this edge brought 2; Q 0.2500 #4": {Kind: search.EventMerge, Type: search.NodeMin, Ply: 1, Move: move, Visits: 9, Count: 2, WinRate: 0.25, Playout: 4},
		"12:01:07.123 [ply 0] MAX PROVE root, win in 3 #4":                                        {Kind: search.EventProve, Type: search.NodeMax, Proof: 3, Playout: 4},
		"12:01:07.123 CLOCK stop because of clock after 2s; planned 1s, at most 3s":               {Kind: search.EventClock, Reason: search.ReasonClock, Took: 2 * time.Second, Optimum: time.Second, Hard: 3 * time.Second},
		"12:01:07.123 FAIL high: score 90 alpha 10 beta 80 depth 5":                               {Kind: search.EventFail, Bound: search.LowerBound, Score: 90, Alpha: 10, Beta: 80, Depth: 5},
		"12:01:07.123 END 7g7f because of nodes after 1s and 12 playouts, line 7g7f":              {Kind: search.EventEnd, Move: move, Reason: search.ReasonNodes, Took: time.Second, Playout: 12, Line: []shogi.Move{move}},
	} {
		r := Record{Time: at, Event: e}
		require.Equal(t, want, r.Text())
	}
	_, events := traced(t, search.LevelDebug)
	for i := range events {
		text := EventText(&events[i])
		require.NotContains(t, text, "%!", text)
		require.NotContains(t, text, "\n")
	}
}

func TestFilters(t *testing.T) {
	_, events := traced(t, search.LevelDebug)
	count := func(text string) (n int) {
		f, err := ParseFilter(text)
		require.NoError(t, err)
		for i := range events {
			if f.Match(&events[i], 1) {
				n++
			}
		}
		return n
	}
	all := count("debug")
	require.Equal(t, len(events), all)
	require.Less(t, count(""), all)
	require.Equal(t, all, count("debug depth 0")+count("debug depth 1..3")+count("debug depth 4.."))
	require.Positive(t, count("type MAX,LEAF depth 2"))
	require.Positive(t, count("event prune"))
	require.Zero(t, count("debug search 2"))
	square := count("debug square 2i")
	require.Positive(t, square)
	require.Less(t, square, all)
	require.LessOrEqual(t, count("debug move 2h2i+"), square)
	for text, want := range map[string]string{
		"depth": `no value, at "depth"`, "depth x": `bad depth "x"`, "depth 3..1": `bad depth "3..1"`, "depth -1": `bad depth "-1"`, "depth ..2": `bad depth ""`, "ply 10001": `bad depth "10001"`, "move 7g": "7g", "square 0a": "0a",
		"event selekt": "selekt", "type x": `"x"`, "colour red": `unknown word "colour"`,
		"search x": `bad search "x"`, "search 0": `bad search "0": want a whole number from 1`, "search -1": `bad search "-1"`, "search 2,": `an empty word in "2,"`,
		"type MAX,": `an empty word in "MAX,"`, "depth 1 ply 2": `"depth" is there twice`, "info depth 1 debug": "both debug and info",
	} {
		_, err := ParseFilter(text)
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "strconv", text)
	}
}

// Numbers that no search has are refused: pages and pictures count on that.
func TestRecordsAreInRange(t *testing.T) {
	for member, want := range map[string]string{
		`"winRate":1e300`: "bad winRate 1e+300: want", `"value":-1`: "bad value -1", `"scale":1e200`: "bad scale", `"ply":10001`: "bad ply 10001", `"bound":3`: "bad bound 3",
		`"visits":-1`: "bad visits -1", `"worker":-2`: "bad worker -2", `"score":200000`: "bad score 200000", `"took":1000000000000000000`: "bad took",
		`"candidates":[["7g7f",1,0,NaN,0,0,0,0]]`: "bad record", `"candidates":[["7g7f",1,0,2,0,0,0,0]]`: `bad number "2"`,
		`"candidates":[["7g7f",-1,0,0,0,0,0,0]]`: `bad number "-1"`, `"candidates":[["7g7f",1,0,0,0,1e300,0,0]]`: `bad number "1e300"`,
	} {
		_, err := ParseRecord([]byte(`{"time":1,"search":1,"event":"select",` + member + `}`))
		require.ErrorContains(t, err, want, member)
	}
	for _, m := range []shogi.Move{shogi.MoveResign, shogi.MoveWin} {
		r, err := ParseRecord(appendRecord(nil, time.Now(), 1, &search.Event{Kind: search.EventEnd, Move: m}))
		require.NoError(t, err)
		require.Equal(t, m, r.Move)
	}
	r, err := ParseRecord([]byte(`{"time":1,"search":1,"event":"select","winRate":1,"candidates":[["7g7f",1,0,1,1,1e9,-1,1]]}`))
	require.NoError(t, err)
	require.Equal(t, 1.0, r.WinRate)
}

func FuzzParseRecord(f *testing.F) {
	trace, _ := traced(f, search.LevelDebug)
	seen := make(map[search.EventKind]bool)
	_, err := Read(bytes.NewReader(trace), func(r *Record) error {
		if !seen[r.Kind] {
			seen[r.Kind] = true
			f.Add(appendRecord(nil, r.Time, r.Search, &r.Event))
		}
		return nil
	})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := ParseRecord(line)
		if err != nil {
			return
		}
		_ = r.Text()
		require.LessOrEqual(t, max(r.WinRate, r.EdgeRate, r.Value), 1.001)
		if strings.ContainsAny(r.Engine+string(r.Reason), "\"\\\n") || !printable(r.Engine+string(r.Reason)) {
			return // searches have no such words
		}
		again, err := ParseRecord(appendRecord(nil, r.Time, r.Search, &r.Event))
		require.NoError(t, err)
		require.Equal(t, r.Kind, again.Kind)
		require.Equal(t, r.Key, again.Key)
		require.Equal(t, r.Line, again.Line)
		require.Len(t, again.Candidates, len(r.Candidates))
	})
}

func printable(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c < ' ' || c > '~' }) < 0
}

func FuzzParseFilter(f *testing.F) {
	f.Add("debug depth 1..3 type MAX,LEAF move 7g7f square 5e event prune search 2")
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := ParseFilter(text)
		if err == nil {
			filter.Match(&search.Event{}, 1)
		}
	})
}

func FuzzRead(f *testing.F) {
	trace, _ := traced(f, search.LevelInfo)
	f.Add(trace[:min(len(trace), 2000)])
	f.Fuzz(func(t *testing.T, trace []byte) {
		_, _ = Read(bytes.NewReader(trace), func(*Record) error { return nil })
	})
}
