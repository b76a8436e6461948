package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// treeEngine returns an engine with the simple evaluators and a tree file.
func treeEngine(t *testing.T, path, hash string) *Engine {
	t.Helper()
	e := New()
	set(t, e, "USI_Hash", hash)
	set(t, e, "PolicyEvaluator", "heuristic")
	set(t, e, "ValueEvaluator", "material")
	set(t, e, "TreeFile", path)
	return e
}

func press(e *Engine, name string) error { return e.Set(usi.Setting{Name: name}) }

// reload presses LoadTree and returns what Ready says.
func reload(t *testing.T, e *Engine) string {
	t.Helper()
	require.NoError(t, press(e, "LoadTree"))
	require.NotEmpty(t, e.Said())
	return strings.Join(e.Ready(), "\n")
}

func TestTreeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tree")
	ignore := func([]search.Info) {}
	start := shogi.NewGame(shogi.StartPosition())
	e := treeEngine(t, path, "8")
	require.ErrorContains(t, press(e, "SaveTree"), "no tree yet")
	e.Search(context.Background(), start, search.Limits{Nodes: 3000}, ignore)
	require.NoError(t, press(e, "SaveTree"))
	require.Contains(t, strings.Join(e.Said(), ""), "nodes saved")
	require.Empty(t, e.Said())
	require.NoFileExists(t, path+".partial")
	want := e.searcher.RootMoves()

	other := treeEngine(t, path, "16")
	require.Contains(t, reload(t, other), "nodes loaded")
	require.Empty(t, other.Ready(), "once")
	a := e.Search(context.Background(), start, search.Limits{Nodes: 500}, ignore)
	b := other.Search(context.Background(), start, search.Limits{Nodes: 500}, ignore)
	require.Equal(t, a.Best, b.Best)
	require.Equal(t, e.searcher.RootMoves(), other.searcher.RootMoves(), "the analysis goes on as if it had never stopped")
	require.NotEqual(t, want, other.searcher.RootMoves())

	small := treeEngine(t, path, "1")
	require.Contains(t, reload(t, small), "nodes loaded")
	small.Search(context.Background(), start, search.Limits{Nodes: 1}, ignore)
	require.Greater(t, small.searcher.Root().Visits, int64(2900), "what is visited most is kept")
}

func TestTreeFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tree")
	e := treeEngine(t, path, "8")
	require.Contains(t, reload(t, e), "Error: LoadTree")
	e.Search(context.Background(), shogi.NewGame(shogi.StartPosition()), search.Limits{Nodes: 300}, func([]search.Info) {})
	require.NoError(t, press(e, "SaveTree"))
	data, err := os.ReadFile(path)
	require.NoError(t, err)

	damaged := map[string][]byte{
		"empty": nil, "text": []byte("hello"), "cut": data[:len(data)/2], "without its end": data[:len(data)-1],
	}
	for _, at := range []int{len(data) / 3, len(data) - 2} {
		flipped := append([]byte(nil), data...)
		flipped[at] ^= 4
		damaged["bit "+string(rune('a'+at%26))] = flipped
	}
	for name, content := range damaged {
		require.NoError(t, os.WriteFile(path, content, 0o600))
		require.Contains(t, reload(t, e), "Error: LoadTree", name)
	}
	require.NoError(t, os.WriteFile(path, data, 0o600))
	require.Contains(t, reload(t, e), "nodes loaded")

	set(t, e, "ValueEvaluator", "even")
	require.Contains(t, reload(t, e), "made with other evaluators")
	set(t, e, "ValueEvaluator", "net")
	require.Contains(t, reload(t, e), "made with other evaluators")
	require.NotContains(t, e.makers(), "0000000000000000", "nets are told apart by their weights")
	set(t, e, "SearchEngine", "alphabeta")
	require.Contains(t, reload(t, e), "only the tree search")

	e = treeEngine(t, "", "8")
	require.ErrorContains(t, press(e, "SaveTree"), "TreeFile")
	e = treeEngine(t, filepath.Join(t.TempDir(), "no", "folder"), "8")
	e.Ready()
	require.Error(t, press(e, "SaveTree"))

	folder := filepath.Join(t.TempDir(), "folder")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "full"), 0o700))
	set(t, e, "TreeFile", folder)
	require.Error(t, press(e, "SaveTree"))
	require.NoFileExists(t, folder+".partial", "nothing is left behind")
}
