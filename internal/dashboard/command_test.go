package dashboard

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
)

// The examples are messages and commands as they are: none has a member that the types do not know.
func TestSamples(t *testing.T) {
	text, err := os.ReadFile("web/sample.json")
	require.NoError(t, err)
	var samples []json.RawMessage
	require.NoError(t, json.Unmarshal(text, &samples))
	messages := map[string]func() any{
		TypeHello: func() any { return new(Hello) }, TypeGame: func() any { return new(Game) }, TypeSearch: func() any { return new(Search) },
		TypeCurves: func() any { return new(Curves) }, TypeHash: func() any { return new(Hash) }, TypeLog: func() any { return new(Log) },
		TypeTree: func() any { return new(Tree) }, TypeBreakpoints: func() any { return new(Breakpoints) }, TypeStopped: func() any { return new(Stopped) },
		TypeTrace: func() any { return new(Place) }, TypeBreakdown: func() any { return new(Breakdown) }, TypeError: func() any { return new(Failure) },
	}
	seen := make(map[string]bool)
	for _, sample := range samples {
		var members map[string]any
		require.NoError(t, json.Unmarshal(sample, &members))
		name := members["type"].(string)
		isAnswer := members["root"] != nil || members["position"] != nil && members["path"] == nil // tree and breakdown are requests too
		to := newCommand(name)
		if to == nil || isAnswer {
			require.Contains(t, messages, name)
			to = messages[name]()
		} else {
			_, _, err := parseCommand(sample)
			require.NoError(t, err, "%s", sample)
		}
		require.NoError(t, json.Unmarshal(sample, to), "%s", sample)
		known := knownMembers(t, to)
		for member := range members {
			if member != "type" {
				require.Contains(t, known, member, "%s", sample)
			}
		}
		seen[name] = true
	}
	for name := range messages {
		require.True(t, seen[name], name)
	}
	for _, name := range []string{TypeAuth, TypeFilter, TypeBreak, TypeUnbreak, TypeStep, TypeContinue, TypePause, TypeSeek, TypeNext, TypeBack, TypePlay} {
		require.True(t, seen[name], name)
	}
}

// knownMembers returns the names of the members of a message's type.
func knownMembers(t *testing.T, message any) map[string]bool {
	names := make(map[string]bool)
	typ := reflect.TypeOf(message).Elem()
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		require.NotEmpty(t, name)
		names[name] = true
	}
	return names
}

// Whatever a page sends, it is a command within its bounds, or an error.
func FuzzParseCommand(f *testing.F) {
	text, err := os.ReadFile("web/sample.json")
	require.NoError(f, err)
	var samples []json.RawMessage
	require.NoError(f, json.Unmarshal(text, &samples))
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		command, h, err := parseCommand(text)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.LessOrEqual(t, len(text), maxCommand)
		require.IsType(t, newCommand(h.Type), command)
		switch c := command.(type) {
		case *TreeRequest:
			require.True(t, c.Nodes >= 0 && c.Nodes <= maxTreeNodes && len(c.Path) <= maxMoves)
		case *StepCommand:
			require.True(t, c.Count >= 0 && c.Count <= maxSteps)
		case *PlayCommand:
			require.False(t, c.Speed != c.Speed || c.Speed < 0)
		}
		again, err := json.Marshal(command)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(again, newCommand(h.Type)))
	})
}

func TestLowerBound(t *testing.T) {
	require.Zero(t, lowerBound(0.5, 0))
	require.InDelta(t, 0.4038, lowerBound(0.5, 100), 1e-4) // 50 of 100: Wilson's interval is 0.4038..0.5962
	require.InDelta(t, 0.7225, lowerBound(1, 10), 1e-4)
	require.Less(t, lowerBound(0.5, 100), lowerBound(0.5, 1000))
}

func TestRing(t *testing.T) {
	var r ring
	r.prepare()
	e := search.Event{Kind: search.EventBest}
	flood := search.Event{Kind: search.EventSelect}
	for range 2 * ringSize {
		r.offer(&e, 1)
		r.offer(&flood, 1) // no filter shows it
	}
	require.Equal(t, int64(ringSize), r.dropped.Swap(0))
	seen := 0
	r.drain(func(*inspect.Record) { seen++ })
	require.Equal(t, ringSize, seen)
	filter, err := inspect.ParseFilter("event select")
	require.NoError(t, err)
	r.show([]inspect.Filter{filter})
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 1000 {
				r.offer(&flood, 2)
			}
		})
	}
	writers.Wait()
	seen = 0
	r.drain(func(record *inspect.Record) {
		require.Equal(t, []any{search.EventSelect, 2}, []any{record.Kind, record.Search})
		seen++
	})
	require.Equal(t, burst, seen)
	require.Equal(t, int64(4000-burst), r.dropped.Load())
}

func TestCurves(t *testing.T) {
	var c curves
	for i := range 5000 {
		c.add(&Search{Elapsed: float32(i), Candidates: []Candidate{{Move: "7g7f", Q: float32(i)}, {Move: "2g2f"}}[:1+i%2]})
	}
	m := c.message(3)
	require.Less(t, len(m.Times), maxPoints)
	require.Greater(t, len(m.Times), maxPoints/3)
	require.True(t, slices.IsSorted(m.Times))
	for i, at := range m.Times {
		require.Equal(t, at, *m.Moves[0].Q[i])
	}
}
