package selfplay

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
)

// TestSort: all games are there in the order of their numbers, and nothing else of them has changed.
func TestSort(t *testing.T) {
	dir := t.TempDir()
	mixed := filepath.Join(dir, "mixed.yomi")
	play(t, quickJob(t, mixed, 4))
	games := gamesOf(t, mixed)
	w, err := record.AppendGames(filepath.Join(dir, "reversed.yomi"))
	require.NoError(t, err)
	for n := int64(4); n >= 1; n-- {
		require.NoError(t, w.Write(games[n]))
	}
	require.NoError(t, w.Close())

	var out bytes.Buffer
	require.NoError(t, Sort(filepath.Join(dir, "reversed.yomi"), &out))
	sorted := filepath.Join(dir, "sorted.yomi")
	require.NoError(t, os.WriteFile(sorted, out.Bytes(), 0o600))
	require.Equal(t, games, gamesOf(t, sorted))
	in, err := record.OpenGames(sorted)
	require.NoError(t, err)
	defer in.Close()
	for n := int64(1); n <= 4; n++ {
		var g record.Game
		require.NoError(t, in.Next(&g))
		require.Equal(t, n, g.Number)
	}
	require.Error(t, Sort(filepath.Join(dir, "missing.yomi"), &out))
}

// TestConfigJSON: a configuration survives JSON, its rule by name.
func TestConfigJSON(t *testing.T) {
	c := quickConfig()
	c.Declaration = shogi.TryRule
	data, err := json.Marshal(c)
	require.NoError(t, err)
	require.Contains(t, string(data), `"declaration":"TryRule"`)
	require.Contains(t, string(data), `"deep_nodes":12`)
	var back Config
	require.NoError(t, json.Unmarshal(data, &back))
	require.Equal(t, c, back)
	require.ErrorContains(t, json.Unmarshal([]byte(`{"declaration":"none"}`), &back), `"none"`)
}

// TestEncode: nets that are written and read again are the same nets.
func TestEncode(t *testing.T) {
	nets, err := ownNets()
	require.NoError(t, err)
	p, v, err := nets.Encode()
	require.NoError(t, err)
	dir := t.TempDir()
	for name, data := range map[string][]byte{"p.nn": p, "v.nn": v} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	again, err := LoadNets(filepath.Join(dir, "p.nn"), filepath.Join(dir, "v.nn"))
	require.NoError(t, err)
	require.Equal(t, nets.Hash(), again.Hash())
	require.Equal(t, nets.EvalCoef(), again.EvalCoef())
	ofPolicy, ofValue := again.Hidden()
	require.Equal(t, []int{256, 256}, []int{ofPolicy, ofValue})
}
