package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHashlabPreset(t *testing.T) {
	status, out, errs := yomi("hashlab", "--preset", "easyai")
	require.Zero(t, status, errs)
	require.Empty(t, errs)
	require.Contains(t, out, "19604")
	require.Contains(t, out, "Recommended: ")
}

func TestHashlabPositions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "report")
	status, out, errs := yomi("hashlab", "../../testdata/sample.psv.zst", "--limit", "1500", "--sizes", "512", "--loads", "0.5,0.9", "--modes", "32-bit", "-o", dir)
	require.Zero(t, status, errs)
	require.Contains(t, errs, "report.html")
	require.Contains(t, out, "1500 different positions")
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	require.Equal(t, []string{"birthday.csv", "freeing.csv", "grid.csv", "lengths.csv", "probes.csv", "quality.csv", "report.html", "report.json", "sweeps.csv", "uniformity.csv", "words.csv"}, names)
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	require.NoError(t, err)
	var report struct{ Command string }
	require.NoError(t, json.Unmarshal(text, &report))
	require.Equal(t, "yomi hashlab sample.psv.zst --limit 1500 --modes 32-bit --sizes 512 --loads 0.5,0.9 --seed 1", report.Command)
}

func TestHashlabSolvedKeepsTables(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector")
	}
	dir := t.TempDir()
	status, _, errs := yomi("hashlab", "--preset", "solved", "-o", dir)
	require.Zero(t, status, errs)
	require.FileExists(t, filepath.Join(dir, "nim-map.results"))
	require.FileExists(t, filepath.Join(dir, "mate-buckets.results"))
}

func TestHashlabRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"no records may be given":      {"--preset", "easyai", "../../testdata/sample.psv.zst"},
		"bad --limit 10":               {"--limit", "10"},
		"--limit 0 needs record files": {"--limit", "0"},
		"bad size 1000":                {"--sizes", "1000"},
		"bad load -1":                  {"--loads=-1"},
		`bad mode "16-bit"`:            {"--modes", "16-bit"},
		"bad --depth 0":                {"--preset", "chopsticks", "--depth", "0"},
		`"easy"`:                       {"--preset", "easy"},
	} {
		status, _, errs := yomi(append([]string{"hashlab"}, args...)...)
		require.NotZero(t, status, want)
		require.Contains(t, errs, want)
	}
}

func TestHashlabInterrupted(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	status, _, errs := yomiIn(stopped, "hashlab", "--limit", "2000")
	require.Equal(t, exitInterrupted, status)
	require.Contains(t, errs, "hashlab --limit 2000 --modes faithful,32-bit")
}
