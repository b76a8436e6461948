package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/selfplay"
)

// smallSelfplay is a run that takes little time.
func smallSelfplay(path string, more ...string) []string {
	return append([]string{"selfplay", "-o", path, "--games", "4", "--workers", "2", "--deep-nodes", "16", "--fast-nodes", "4", "--hash", "1",
		"--max-moves", "80"}, more...)
}

func summaryOf(t *testing.T, path string) (s selfplay.Summary) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &s))
	return s
}

func TestSelfplay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yomi")
	status, out, errs := yomi(smallSelfplay(path, "--seed", "3")...)
	require.Zero(t, status, errs)
	require.Contains(t, out, "games            4 of 4")
	require.Contains(t, errs, "seed 3; nets: policy ")
	s := summaryOf(t, path+".summary.json")
	require.EqualValues(t, 4, s.Games)
	require.Positive(t, s.Session.PositionsPerHour)

	// More games go on with the file, and with its seed.
	status, out, errs = yomi(smallSelfplay(path, "--games", "6", "--summary", path+".json")...)
	require.Zero(t, status, errs)
	require.Contains(t, errs, "6 games (4 finished), 2 at a time; seed 3;")
	require.Contains(t, out, "games            6 of 6")
	require.EqualValues(t, 2, summaryOf(t, path+".json").Session.Games)

	// The file can be converted and learned from.
	status, _, errs = yomi("convert", path, filepath.Join(t.TempDir(), "x.hcpe3"))
	require.Zero(t, status, errs)

	for want, args := range map[string][]string{
		"it was played with deep-nodes 16, now 17": smallSelfplay(path, "--deep-nodes", "17"),
		"seed 3, now 4":                smallSelfplay(path, "--seed", "4"),
		`bad --seed "x"`:               smallSelfplay(path, "--seed", "x"),
		"bad deep-share 3":             smallSelfplay(path, "--deep-share", "3"),
		`bad declaration rule`:         smallSelfplay(path, "--declaration", "none"),
		`did you mean "--deep-nodes"?`: {"selfplay", "-o", path, "--deep-node", "3"},
		"main.go":                      smallSelfplay(path, "--policy-file", "main.go"),
		".yomi":                        smallSelfplay("x.psv"),
		"no such file":                 smallSelfplay(path, "--openings", "missing.sfen"),
	} {
		status, _, errs := yomi(args...)
		require.NotZero(t, status, want)
		require.Contains(t, errs, want)
	}
}

// TestSelfplayInterrupted: Ctrl-C leaves the finished games and prints the command that goes on; that command works.
func TestSelfplayInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "x y.yomi")
	status, out, errs := yomiIn(ctx, smallSelfplay(path, "--openings", "none")...)
	require.Equal(t, exitInterrupted, status, errs)
	require.Contains(t, out, "games            0 of 4")
	require.Contains(t, errs, "Interrupted after 0 of 4 games")
	lines := strings.Split(strings.TrimSpace(errs), "\n")
	_, command, found := strings.Cut(lines[len(lines)-1], " selfplay ")
	require.True(t, found)
	require.Contains(t, command, "'"+path+"'")
	words := []string{"selfplay"}
	for _, word := range strings.Fields(strings.ReplaceAll(command, "'"+path+"'", "PATH")) {
		words = append(words, strings.ReplaceAll(word, "PATH", path))
	}
	status, out, errs = yomi(words...)
	require.Zero(t, status, errs)
	require.Contains(t, out, "games            4 of 4")
}

// TestSelfplaySignal interrupts a program as a user does.
func TestSelfplaySignal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := filepath.Join(t.TempDir(), "yomi")
	require.NoError(t, exec.Command("go", "build", "-o", program, ".").Run())
	path := filepath.Join(t.TempDir(), "x.yomi")
	cmd := exec.Command(program, smallSelfplay(path, "--games", "100000")...)
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > 20000
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	require.Error(t, cmd.Wait())
	require.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
	require.Positive(t, summaryOf(t, path+".summary.json").Games)
}
