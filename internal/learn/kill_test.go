package learn

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// victimFolder is the environment variable with which this test program runs a loop to be killed, instead of testing.
const victimFolder = "YOMI_LEARN_VICTIM"

// killedGenerations is what the loop that is killed is to make.
const killedGenerations = 2

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimFolder); dir != "" {
		os.Exit(victim(dir))
	}
	os.Exit(m.Run())
}

// victim begins the loop in the folder or goes on with it, and says each step.
func victim(dir string) int {
	start := Start{filepath.Join(dir, "..", "policy.nn"), filepath.Join(dir, "..", "value.nn")}
	l, err := Open(dir, tinyConfig(), start)
	if err == nil {
		o := tinyOptions(killedGenerations)
		o.Report = func(p Progress) { fmt.Println(p.Generation, p.Stage, p.Done) }
		err = l.Run(context.Background(), o)
	}
	if err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	return 0
}

// TestKill kills a loop with a signal that cannot be caught, at steps and moments of all its stages, and lets it go on each time. In the
// end it has made the same as a loop that was left alone.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("makes and kills loops for half a minute")
	}
	folder := t.TempDir()
	_, err := tinyNets(folder)
	require.NoError(t, err)
	dir := filepath.Join(folder, "loop")
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	const most = 8
	kills := 0
	for kills < most {
		if !killed(t, dir, 1+random.IntN(6), time.Duration(random.Int64N(int64(150*time.Millisecond)))) {
			break // it came to its end
		}
		kills++
	}
	require.Positive(t, kills)
	l, err := Open(dir, tinyConfig(), Start{})
	require.NoError(t, err)
	got := finish(t, l, tinyOptions(killedGenerations))
	require.Equal(t, finish(t, begin(t, tinyConfig()), tinyOptions(killedGenerations)), got)
	left, err := filepath.Glob(filepath.Join(dir, "*", "*.new"))
	require.NoError(t, err)
	require.Empty(t, left, "nothing half written stays")
}

// killed starts the loop, lets it make so many steps, and kills it a moment later. It reports whether the loop was killed before its end.
func killed(t *testing.T, dir string, steps int, wait time.Duration) bool {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), victimFolder+"="+dir)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for said := 0; lines.Scan(); {
		require.NotContains(t, lines.Text(), "failed", "it goes on after each kill")
		if said++; said == steps {
			time.AfterFunc(wait, func() { cmd.Process.Kill() })
		}
	}
	err = cmd.Wait()
	if err == nil {
		return false
	}
	require.False(t, cmd.ProcessState.Exited(), "it ended by itself: %v", err)
	return true
}
