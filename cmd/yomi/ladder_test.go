package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/engine"
)

func TestVersion(t *testing.T) {
	status, out, _ := yomi("--version")
	require.Zero(t, status)
	require.Equal(t, "yomi "+engine.Version()+"\n", out)
}

// newLadder is a ladder that takes little time.
func newLadder(dir string, more ...string) []string {
	return append([]string{"match", "--ladder", dir, "--time", "nodes=5", "--games", "2", "--max-plies", "30"}, more...)
}

func TestLadder(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a dozen engines with their full memory")
	}
	dir := filepath.Join(t.TempDir(), "a ladder")
	status, out, errs := yomi(newLadder(dir, "x=yomi", "y=yomi", "z=yomi", "--anchor", "y")...)
	require.Zero(t, status, errs)
	require.Contains(t, errs, "match 1 of 2: x – y\n")
	require.Contains(t, errs, "match 2 of 2: x – z\n")
	require.Contains(t, out, "the table is in "+filepath.Join(dir, "ladder.md"))
	for _, name := range []string{"ladder.md", "ladder.jsonl", "x-y/journal.jsonl", "x-y/report.html", "x-z/journal.jsonl"} {
		require.FileExists(t, filepath.Join(dir, name))
	}
	page, err := os.ReadFile(filepath.Join(dir, "ladder.md"))
	require.NoError(t, err)
	require.Contains(t, string(page), "yomi match --ladder '"+dir+"' --time 'nodes=5' --games 2")
	require.Contains(t, string(page), "y has 0;")

	// Everyone against everyone, and more games: what was played stays.
	status, out, errs = yomi(newLadder(dir, "x=yomi", "y=yomi", "z=yomi", "--all-pairs", "--games", "4")...)
	require.Zero(t, status, errs)
	require.Contains(t, errs, "4 games (2 finished)")
	require.Contains(t, errs, "match 3 of 3: y – z\n")
	require.Equal(t, 3, strings.Count(out, "       8 "), "each has two opponents and eight games: %s", out)

	// Nothing is left to play; without players that goes without saying.
	status, again, errs := yomi("match", "--ladder", dir)
	require.Zero(t, status, errs)
	require.Equal(t, out, again)
	require.NotContains(t, errs, "match 1 of")

	status, _, errs = yomi(newLadder(dir, "x=yomi", "y=yomi", "--time", "nodes=6")...)
	require.NotZero(t, status)
	require.Contains(t, errs, "x-y was begun otherwise: player A")

	// The table alone, with other names and from elsewhere.
	other := filepath.Join(t.TempDir(), "table")
	status, out, errs = yomi("match", "--ladder", filepath.Join(dir, "x-y"), "--no-play", "--journals", dir, "--rename", "x=the first", "-o", other)
	require.Zero(t, status, errs)
	require.Contains(t, out, "the first ")
	require.Contains(t, out, filepath.Join(other, "ladder.md"))
}

// A ladder goes on with matches that were interrupted, and can itself be interrupted.
func TestLadderGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector")
	}
	dir := t.TempDir()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	status, _, errs := yomiIn(cancelled, smallMatch(filepath.Join(dir, "begun"), "--a-name", "p", "--b-name", "q")...)
	require.Equal(t, exitInterrupted, status, errs)
	status, out, errs := yomi("match", "--ladder", dir)
	require.Zero(t, status, errs)
	require.Contains(t, errs, "match 1 of 1: p – q\n")
	require.Contains(t, out, "p ")

	// A match that cannot go on, as its program is another one now, does not stop the others; its games count.
	stale := filepath.Join(dir, "stale")
	status, _, errs = yomiIn(cancelled, smallMatch(stale)...)
	require.Equal(t, exitInterrupted, status, errs)
	journal := filepath.Join(stale, "journal.jsonl")
	data, err := os.ReadFile(journal)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(journal, bytes.ReplaceAll(data, []byte(`"sha256":"`), []byte(`"sha256":"0`)), 0o644))
	status, again, errs := yomi("match", "--ladder", dir)
	require.Zero(t, status, errs)
	require.Contains(t, errs, "left as it is: the match in "+stale+" cannot go on: the program of player A")
	require.Equal(t, out, again)

	dir = t.TempDir()
	soon, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Second, cancel)
	status, _, errs = yomiIn(soon, newLadder(dir, "x=yomi", "y=yomi", "--games", "20000")...)
	require.Equal(t, exitInterrupted, status, errs)
	require.Contains(t, errs, "Interrupted. To go on:\n  "+os.Args[0]+" match --ladder "+dir+" --time ")
}

// The kept table can be made from the kept journals.
func TestLadderOfTheRepository(t *testing.T) {
	status, out, errs := yomi("match", "--ladder", "../../docs/matches", "--no-play", "-o", t.TempDir())
	require.Zero(t, status, errs)
	require.Regexp(t, `(?m)^fairy-stockfish +0 `, out)
	require.Regexp(t, `(?m)^yomi +\+372 ± `, out, "as in the README's table of this match")
}

func TestLadderRefusals(t *testing.T) {
	empty := t.TempDir()
	for want, args := range map[string][]string{
		`a third player "yomi" needs --ladder`:     {"match", "yomi", "yomi", "yomi"},
		"--anchor needs --ladder":                  {"match", "yomi", "yomi", "--anchor", "yomi"},
		"--a-option cannot be given with --ladder": newLadder(empty, "x=yomi", "y=yomi", "--a-option", "USI_Hash=1"),
		"--games needs players":                    {"match", "--ladder", empty, "--games", "4"},
		"needs two players or more":                newLadder(empty, "yomi"),
		"without players":                          newLadder(empty, "x=yomi", "y=yomi", "--no-play"),
		`two players are called "x"`:               newLadder(empty, "x=yomi", "x=yomi"),
		`two players are called "yomi `:            newLadder(empty, "yomi", "yomi"),
		`did you mean "gnushogi"?`:                 newLadder(empty, "yomi", "gnushog"),
		"gnushogi plays only with whole seconds":   newLadder(empty, "x=yomi", "gnushogi"),
		`bad --rename "x"`:                         {"match", "--ladder", empty, "--rename", "x"},
		"no finished pair of games":                {"match", "--ladder", empty},
		"nowhere: no such file":                    {"match", "--ladder", filepath.Join(empty, "nowhere")},
		`no player "yomy" to be the anchor`:        {"match", "--ladder", "../../docs/matches", "--no-play", "--anchor", "yomy", "-o", empty},
		"--journals":                               {"match", "--ladder", empty, "--journals"},
		"bad --concurrency 0":                      {"match", "--ladder", empty, "--concurrency", "0"},
	} {
		if _, err := os.Stat("/usr/games/gnushogi"); err != nil && strings.Contains(want, "gnushogi") {
			continue // without the program it is refused for not being there
		}
		status, out, errs := yomi(args...)
		require.NotZero(t, status, args)
		require.Contains(t, errs+out, want, args)
	}
	entries, err := os.ReadDir(empty)
	require.NoError(t, err)
	require.Empty(t, entries, "nothing is written by a refused command")
}
