package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// yomiStudy runs yomi study and returns the exit status and what it wrote.
func yomiStudy(args ...string) (status int, out, errs string) {
	return yomi(append([]string{"study"}, args...)...)
}

const studyDir = "../../testdata/study"

func TestStudySuiteFiles(t *testing.T) {
	suite, err := readSuite(studyDir)
	require.NoError(t, err)
	total := 0
	var names []string
	for _, k := range suite {
		require.NotEmpty(t, k.cases, k.name)
		names = append(names, k.name)
		total += len(k.cases)
	}
	require.Equal(t, []string{"defence", "entering", "mates", "mutual", "repetition"}, names)
	require.GreaterOrEqual(t, total, 100)
}

func TestParseCase(t *testing.T) {
	c, err := parseCase(`sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 bm G*5b 5c5b+; c0 "a mate"; id "m 1";`)
	require.NoError(t, err)
	require.Equal(t, "m 1", c.id)
	require.True(t, c.passes(c.best[0]))
	require.True(t, c.passes(c.best[1]))
	require.False(t, c.passes(shogi.MoveWin))
	c, err = parseCase(`startpos moves 7g7f am 3c3d win; id "x"`)
	require.NoError(t, err)
	require.False(t, c.passes(shogi.MoveWin))
	require.True(t, c.passes(shogi.MoveResign))
	for line, want := range map[string]string{
		`startpos; id "x"`:         `no "bm" or "am"`,
		`startpos bm; id "x"`:      `no move after "bm"`,
		`startpos bm 7g7e; id "x"`: `"7g7e" is illegal`,
		`startpos bm 7g7; id "x"`:  `7g7`,
		`startpos bm 7g7f; c "x"`:  `no id`,
		`startpod bm 7g7f; id "x"`: `startpod`,
	} {
		_, err := parseCase(line)
		require.ErrorContains(t, err, want)
	}
}

func FuzzParseCase(f *testing.F) {
	f.Add(`sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 bm G*5b; id "m 1";`)
	f.Add(`startpos moves 7g7f am 3c3d win; id "x"`)
	f.Fuzz(func(t *testing.T, line string) {
		c, err := parseCase(line)
		if err != nil {
			return
		}
		for _, m := range append(c.best, c.avoid...) {
			require.True(t, m == shogi.MoveWin || c.game.Position().IsLegal(m))
		}
	})
}

// Row 21: pass and fail by best and avoid moves, with a history over runs.
func TestStudySuite(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mates.txt"), []byte("# a comment\n\n"+
		`sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 bm G*5b; id "right";`+"\n"+
		`sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 am G*5b; id "wrong";`+"\n"), 0o644))
	for i := 1; i <= 2; i++ {
		status, out, errs := yomiStudy("--suite", dir, "--uct-nodes", "50", "--alphabeta-nodes", "500", "--label", "v1", "--failures")
		require.Zero(t, status, errs)
		require.Contains(t, out, "1 (50 %)")
		require.Contains(t, out, "wrong: uct plays G*5b")
		require.Contains(t, out, "wrong: alphabeta plays G*5b")
		history, err := os.ReadFile(filepath.Join(dir, "history.jsonl"))
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(history)), "\n")
		require.Len(t, lines, 2*i, "a line for each engine and run")
		var rate passRate
		require.NoError(t, json.Unmarshal([]byte(lines[0]), &rate))
		require.Equal(t, "v1", rate.Version)
		require.Equal(t, map[string]int{"mates": 1, "all": 1}, rate.Passed)
		require.Equal(t, map[string]int{"mates": 2, "all": 2}, rate.Cases)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.txt"), []byte("\nx\n"), 0o644))
	status, _, errs := yomiStudy("--suite", dir)
	require.Equal(t, exitFailed, status)
	require.Contains(t, errs, "bad.txt, line 2")
}

func TestStudyConfigs(t *testing.T) {
	status, out, errs := yomiStudy("--depth", "2", "--count", "2", "--config", "driver=minimax,quiescence=0", "--config", "quiescence=0", "--counters")
	require.Zero(t, status, errs)
	require.Contains(t, out, "driver=minimax,quiescence=0")
	require.Contains(t, out, "table collisions")
	require.Contains(t, out, "All positions together")
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--config", "kilers=off"}, `unknown setting "kilers", did you mean "killers"?`},
		{[]string{"--config", "killers=maybe"}, `bad value "maybe" for killers`},
		{[]string{"--weight", "king_safty=1"}, `unknown weight "king_safty", did you mean "king_safety"?`},
		{[]string{"--match", "3"}, "even number"},
		{[]string{"--match", "2"}, "--match needs"},
		{[]string{"--depth", "0"}, "--depth"},
		{[]string{"--evaluator", "net", "--weight", "hand=1"}, "no effect"},
	} {
		status, _, errs := yomiStudy(tc.args...)
		require.Equal(t, exitFailed, status)
		require.Contains(t, errs, tc.want)
	}
}

// Row 13: a changed weight, the best moves that it changes and the feature that decided.
func TestStudyWeights(t *testing.T) {
	status, out, errs := yomiStudy("--depth", "1", "--count", "10", "--weight", "king_safety=20000")
	require.Zero(t, status, errs)
	require.Contains(t, out, "decided by king_safety")
	require.Regexp(t, `[1-9]\d* of 10 best moves changed`, out)
	status, out, _ = yomiStudy("--depth", "1", "--count", "3", "--weight", "mobility=500")
	require.Zero(t, status)
	require.Contains(t, out, "0 of 3 best moves changed", "the default weight changes nothing")
	status, out, _ = yomiStudy("--print")
	require.Zero(t, status)
	require.Equal(t, alphabeta.WeightsText(), out)
}

// Row 19: plays two games, cuts the file in the middle of the second, and goes on to four.
func TestStudyMatchGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.jsonl")
	args := []string{"--weight", "material=0", "--time", "nodes=60", "-o", path}
	status, out, errs := yomiStudy(append(args, "--match", "2")...)
	require.Zero(t, status, errs)
	require.Contains(t, out, "games       2")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, whole[:len(whole)-100], 0o644))
	status, out, errs = yomiStudy(append(args, "--match", "4")...)
	require.Zero(t, status, errs)
	require.Contains(t, out, "games       4")
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Len(t, strings.Split(strings.TrimSpace(string(again)), "\n"), 5, "the header and four games")
	status, _, errs = yomiStudy("--weight", "material=0", "--time", "nodes=60", "-o", os.DevNull, "--match", "2")
	require.Equal(t, exitFailed, status)
	require.Contains(t, errs, "not a file that games can be kept in")
	status, _, errs = yomiStudy("--weight", "material=1", "--time", "nodes=60", "-o", path, "--match", "2")
	require.Equal(t, exitFailed, status)
	require.Contains(t, errs, "another match")
}

func TestStudyRefusesFlagsWithoutEffect(t *testing.T) {
	for flags, want := range map[string]string{
		"--config=table=4294967296":                            "a table of 4294967296 entries takes 65536 MB; this machine has ",
		"--suite=" + studyDir + " --config=killers=off":        "--config has no effect with --suite",
		"--suite=" + studyDir + " --weight=king_safety=1500":   "--weight has no effect with --suite",
		"--suite=" + studyDir + " --depth=3":                   "--depth has no effect with --suite",
		"--suite=" + studyDir + " study_test.go":               "study_test.go has no effect with --suite, which takes no files of positions",
		"--match=2 --weight=king_safety=1500 study_test.go":    "study_test.go has no effect with --match, which takes no files of positions",
		"--match=2 --weight=king_safety=1500 --failures":       "--failures has no effect with --match",
		"--weight=king_safety=1500 --config=killers=off":       "--config has no effect with a comparison of weights",
		"--count=1 --depth=1 --history=-":                      "--history has no effect with a comparison of configurations",
		"--print --depth=1":                                    "--depth has no effect with --print",
		"--match=-2 --weight=king_safety=1500":                 "--match -2",
		"--suite=" + studyDir + " --uct-nodes=0":               "--uct-nodes",
		"--suite=" + studyDir + " --alphabeta-nodes=-1":        "--alphabeta-nodes",
		"--suite=" + studyDir + " --match=2":                   "--suite does not go with --match",
		"--match=2 --evaluator=net --weight=king_safety=1500":  "--evaluator net",
		"--suite=" + studyDir + " --evaluator=net --history=-": "--evaluator net",
	} {
		status, _, errs := yomiStudy(strings.Fields(flags)...)
		require.NotZero(t, status, flags)
		require.Contains(t, errs, want, flags)
	}
}

// A history that cannot be written is one error, and no time is spent where it cannot be opened.
func TestStudyHistoryErrors(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "one.txt"), []byte(`sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 bm G*5b; id "one";`+"\n"), 0o644))
	status, _, errs := yomiStudy("--suite", dir, "--uct-nodes", "10", "--alphabeta-nodes", "10", "--history", filepath.Join(dir, "none", "h"))
	require.NotZero(t, status)
	require.Contains(t, errs, "no such file")
	require.NotContains(t, errs, "cases")
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	status, _, errs = yomiStudy("--suite", dir, "--uct-nodes", "10", "--alphabeta-nodes", "10", "--history", "/dev/full")
	require.NotZero(t, status)
	require.Equal(t, 1, strings.Count(errs, "no space left"), errs)
}
