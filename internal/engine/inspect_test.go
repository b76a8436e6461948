package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// setAll sets options, given in pairs of name and value.
func setAll(t *testing.T, e *engine.Engine, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		require.NoError(t, e.Set(usi.Setting{Name: pairs[i], Value: pairs[i+1], HasValue: true}))
	}
}

// Rows 4 and 22: after every go there is a picture, and the trace holds all searches of a game.
func TestInspectFiles(t *testing.T) {
	for _, kind := range []string{"uct", "alphabeta"} {
		for _, form := range []string{".svg", ".dot"} {
			dir := t.TempDir()
			trace, picture := filepath.Join(dir, "game.trace"), filepath.Join(dir, "tree"+form)
			e := engine.New()
			setAll(t, e, "USI_Hash", "16", "SearchEngine", kind, "PolicyEvaluator", "heuristic", "ValueEvaluator", "material",
				"Inspect_TraceFile", trace, "Inspect_TreeFile", picture)
			g := shogi.NewGame(shogi.StartPosition())
			var pictures []string
			for range 2 {
				var messages []string
				r := e.Search(t.Context(), g, search.Limits{Nodes: 300}, func(infos []search.Info) {
					for _, i := range infos {
						if strings.HasPrefix(i.Text, "Error") {
							messages = append(messages, i.Text)
						}
					}
				})
				require.Empty(t, messages)
				text, err := os.ReadFile(picture)
				require.NoError(t, err)
				require.Contains(t, string(text), r.Best.String())
				pictures = append(pictures, string(text))
				require.NoError(t, g.Do(r.Best))
			}
			require.NotEqual(t, pictures[0], pictures[1])
			f, err := os.Open(trace)
			require.NoError(t, err)
			defer f.Close()
			replay, err := inspect.NewReplay(f)
			require.NoError(t, err)
			require.False(t, replay.Cut)
			require.Equal(t, 2, replay.Searches())
			require.NoError(t, e.Close())
			require.NoError(t, e.Close())
		}
	}
}

func TestInspectErrors(t *testing.T) {
	e := engine.New()
	err := e.Set(usi.Setting{Name: "Inspect_TreeFile", Value: "tree.png", HasValue: true})
	require.ErrorContains(t, err, ".svg or .dot")
	setAll(t, e, "USI_Hash", "16", "PolicyEvaluator", "heuristic", "ValueEvaluator", "material",
		"Inspect_TraceFile", filepath.Join(t.TempDir(), "none", "x"), "Inspect_TreeFile", filepath.Join(t.TempDir(), "none", "x.svg"))
	var messages []string
	e.Search(t.Context(), shogi.NewGame(shogi.StartPosition()), search.Limits{Nodes: 10}, func(infos []search.Info) {
		for _, i := range infos {
			if i.Text != "" {
				messages = append(messages, i.Text)
			}
		}
	})
	require.Len(t, messages, 2)
	require.Contains(t, messages[0], "Error: Inspect_TraceFile: ")
	require.Contains(t, messages[1], "Error: Inspect_TreeFile: ")
}

// Row 3: live messages, filtered.
func TestLiveEvents(t *testing.T) {
	e := engine.New()
	setAll(t, e, "USI_Hash", "16", "PolicyEvaluator", "heuristic", "ValueEvaluator", "material", "Threads", "2")
	filter, err := inspect.ParseFilter("event start,select,end depth 0")
	require.NoError(t, err)
	e.SetLive(&filter)
	var mu sync.Mutex
	var lines []string
	listen := func(infos []search.Info) {
		mu.Lock()
		defer mu.Unlock()
		for _, i := range infos {
			if i.Text != "" {
				lines = append(lines, i.Text)
			}
		}
	}
	e.Search(t.Context(), shogi.NewGame(shogi.StartPosition()), search.Limits{Nodes: 60}, listen)
	require.GreaterOrEqual(t, len(lines), 62)
	require.Contains(t, lines[0], "START uct, 30 legal moves")
	require.Contains(t, lines[1], "[ply 0] MAX SELECT ")
	require.Contains(t, lines[len(lines)-1], "END ")
	e.SetLive(nil)
	lines = nil
	e.Search(t.Context(), shogi.NewGame(shogi.StartPosition()), search.Limits{Nodes: 60}, listen)
	require.Empty(t, lines)
}

// The tree can be asked for while the search runs.
func TestTreeOfTheEngine(t *testing.T) {
	e := engine.New()
	setAll(t, e, "USI_Hash", "16", "PolicyEvaluator", "heuristic", "ValueEvaluator", "material")
	require.Empty(t, e.Tree(inspect.Limits{}).Nodes)
	e.Search(t.Context(), shogi.NewGame(shogi.StartPosition()), search.Limits{Nodes: 200}, func([]search.Info) {})
	tree := e.Tree(inspect.Limits{Nodes: 20})
	require.Len(t, tree.Nodes, 20)
	require.Equal(t, int64(201), tree.Nodes[0].Visits)
}
