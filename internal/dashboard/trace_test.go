package dashboard_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/dashboard"
	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/value"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// writeTrace writes a trace of a search of each kind and returns its name and the searches' results.
func writeTrace(t *testing.T) (path string, results []search.Result) {
	path = filepath.Join(t.TempDir(), "think.trace")
	f, err := os.Create(path)
	require.NoError(t, err)
	w := inspect.NewWriter(f, search.LevelDebug)
	results = append(results, newBench(t, search.EngineUCT, 1).search(t.Context(), game(t, "7g7f 3c3d"), search.Limits{Nodes: 300}, w))
	results = append(results, newBench(t, search.EngineAlphaBeta, 1).search(t.Context(), game(t, "7g7f 3c3d 2g2f"), search.Limits{Depth: 3}, w))
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
	return path, results
}

func TestTrace(t *testing.T) {
	path, results := writeTrace(t)
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	replay, err := inspect.NewReplay(f)
	require.NoError(t, err)

	trace, err := dashboard.NewTrace(path)
	require.NoError(t, err)
	s, err := dashboard.Listen(dashboard.Config{Address: "127.0.0.1:0", Version: "test"}, trace)
	require.NoError(t, err)
	defer s.Close()
	p := dial(t, s, "")
	hello := new(dashboard.Hello)
	p.next(dashboard.TypeHello).into(t, hello)
	require.Equal(t, []any{"trace", "uct", false}, []any{hello.Mode, hello.Engine, hello.HasToken})
	require.Len(t, hello.Game.History, 2)
	require.Equal(t, []int{3, 4}, []int{hello.Game.History[0].Ply, hello.Game.History[1].Ply})

	m, place := p.searchedNow(), new(dashboard.Place)
	p.next(dashboard.TypeTrace).into(t, place)
	require.Equal(t, []any{replay.Len(), 2, 1}, []any{place.Records, len(place.Searches), place.Search})
	require.NoError(t, replay.GotoSearch(1))
	require.Equal(t, replay.At(), place.At)
	tree := replay.Tree()
	require.Equal(t, []any{results[0].Best.String(), dashboard.StateDone, tree.Nodes[0].Visits, float32(tree.Nodes[0].WinRate), int64(300)},
		[]any{m.Best, m.State, m.Visits, m.WinRate, m.Playouts})
	for i, c := range m.Candidates {
		e := tree.Nodes[0].Edges[i]
		require.Equal(t, []any{e.Move.String(), e.Visits, float32(e.WinRate)}, []any{c.Move, c.Visits, c.Q})
	}

	p.say(`{"type":"seek","search":2}`)
	m = p.searchedNow()
	require.Equal(t, []any{2, "alphabeta", results[1].Best.String(), results[1].Best.String(), 3},
		[]any{m.Number, m.Engine, m.Best, m.Candidates[0].Move, m.AlphaBeta.Depth})
	require.Equal(t, results[1].Lines[0].Score.CP, m.AlphaBeta.Score)

	p.say(`{"type":"seek","at":0}`)
	require.Equal(t, dashboard.StateIdle, p.searchedNow().State)
	p.say(`{"type":"next","filter":"debug event select depth 1"}`)
	stop := p.stopped()
	require.Equal(t, []any{"select", 1, 1}, []any{stop.Kind, stop.Ply, len(stop.Path)})
	require.NotEmpty(t, stop.Candidates)
	p.say(`{"type":"next"}`)
	next := p.stopped()
	require.NotEqual(t, stop.Kind, next.Kind)
	p.say(`{"type":"back"}`)
	require.Equal(t, stop, p.stopped())
	p.say(`{"type":"tree","id":3,"nodes":10}`)
	answer := new(dashboard.Tree)
	p.next(dashboard.TypeTree).into(t, answer)
	require.Equal(t, 3, answer.ID)
	p.say(`{"type":"pause"}`)
	p.next(dashboard.TypeError)

	p.say(`{"type":"play","on":true,"speed":1000}`)
	p.next(dashboard.TypeLog)
	for place = new(dashboard.Place); place.At == 0 || place.At < place.Records; {
		place = new(dashboard.Place)
		p.next(dashboard.TypeTrace).into(t, place)
	}
	require.False(t, place.Playing)
	for _, c := range []string{`{"type":"next","filter":"event start"}`, `{"type":"seek","at":-1}`, `{"type":"seek","search":9}`, `{"type":"back","filter":"x"}`} {
		p.say(c)
		p.next(dashboard.TypeError)
	}
}

func TestTraceErrors(t *testing.T) {
	_, err := dashboard.NewTrace(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	_, err = dashboard.NewTrace(empty)
	require.ErrorContains(t, err, "no search begins")
	require.NoError(t, os.WriteFile(empty, []byte("nonsense"), 0o600))
	_, err = dashboard.NewTrace(empty)
	require.ErrorContains(t, err, "empty: trace")
}

// Rows 12 and 14: evaluations are taken apart for any position that the page names.
func TestBreakdowns(t *testing.T) {
	b := newBench(t, search.EngineAlphaBeta, 1)
	b.search(t.Context(), game(t, "7g7f"), search.Limits{Depth: 1}, nil)
	p := dial(t, b.server, "")
	judges := inspect.NewJudges(value.Default(), policy.Default(), alphabeta.DefaultWeights())
	position := *game(t, "7g7f 3c3d").Position()
	ask := func(kind string) *dashboard.Breakdown {
		p.say(`{"type":"breakdown","id":4,"kind":"` + kind + `","path":["3c3d"],"a":"8h2b+ 3a2b","b":"2g2f"}`)
		m := new(dashboard.Breakdown)
		p.next(dashboard.TypeBreakdown).into(t, m)
		require.Equal(t, []any{4, kind, position.SFEN()}, []any{m.ID, m.Kind, m.Position})
		return m
	}
	occlusion, m := judges.Occlusion(&position), ask("occlusion")
	require.Len(t, m.Pieces, len(occlusion.Pieces))
	require.Equal(t, []any{float32(occlusion.WinRate), float32(occlusion.Pieces[0].Change)}, []any{m.WinRate, m.Pieces[0].Change})
	moves, m := judges.Moves(&position, parse(t, []string{"3c3d"})[0]), ask("policy")
	require.Len(t, m.Moves, len(moves))
	for i := range moves {
		require.Equal(t, []any{moves[i].Move, float32(moves[i].Prior)}, []any{m.Moves[i].Move, m.Moves[i].Prior})
		sum := m.Moves[i].Base
		for _, part := range m.Moves[i].Parts {
			sum += part.Product
		}
		require.InDelta(t, m.Moves[i].Logit, sum, 1e-3)
	}
	m = ask("features")
	sum := float32(0)
	for _, term := range m.Terms {
		sum += term.Product
	}
	require.Equal(t, []any{judges.Features(&position).Score, float32(m.Score)}, []any{m.Score, sum})
	m = ask("conflict")
	require.Len(t, m.Comparisons, 3)
	require.Equal(t, m.Comparisons[1].Terms, m.Terms)
	require.Contains(t, m.Text, "features: ")
}
