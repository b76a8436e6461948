package selfplay

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
)

// victimFile is the environment variable with which this test program plays a run to be killed, instead of testing.
const victimFile = "YOMI_SELFPLAY_VICTIM"

// endless is more games than a victim lives to see.
const endless = 1_000_000

func TestMain(m *testing.M) {
	if path := os.Getenv(victimFile); path != "" {
		os.Exit(victim(path))
	}
	os.Exit(m.Run())
}

// victim plays a run and says how many games are finished after each.
func victim(path string) int {
	nets, err := LoadNets("", "")
	if err == nil {
		var r *Run
		if r, err = Open(Job{Config: quickConfig(), Nets: nets, Path: path, Games: endless, Workers: 2}); err == nil {
			err = r.Play(context.Background(), func(s *Summary) { fmt.Println(s.Games) })
		}
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// TestKill kills a run at random moments with a signal that cannot be caught, and lets it go on each time. No game that was finished
// is lost, none is there twice, and they are those of a run that was left alone.
func TestKill(t *testing.T) {
	kills := 10
	if testing.Short() {
		kills = 3
	}
	path := filepath.Join(t.TempDir(), "killed.yomi")
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	finished := 0
	for kill := range kills {
		// Some are killed while they start, the others at any point of a game or a write.
		said := runVictim(t, path, kill%3 == 1, time.Duration(random.Int64N(int64(400*time.Millisecond))))
		if said > 0 {
			finished = said
		}
		there := 0
		if _, err := os.Stat(path); err == nil {
			there = len(gamesOf(t, path)) // fails for a game that is there twice
		}
		require.GreaterOrEqual(t, there, finished, "kill %d", kill)
		require.LessOrEqual(t, there, finished+1, "kill %d: a game may have been written but not reported yet", kill)
		finished = there
	}
	require.GreaterOrEqual(t, finished, kills/2)

	job := quickJob(t, path, int64(finished)+4)
	job.Openings, job.Program = nil, ""
	play(t, job)
	games := gamesOf(t, path)
	for n := range job.Games {
		require.Contains(t, games, n+1)
	}
	w := newTestWorker(t, job)
	for n := job.Games; n > max(0, job.Games-10); n-- {
		want, err := w.play(t.Context(), n)
		require.NoError(t, err)
		require.Equal(t, movesOf(want), movesOf(games[n]))
	}
}

func movesOf(g *record.Game) []shogi.Move {
	var moves []shogi.Move
	for i := range g.Moves {
		moves = append(moves, g.Moves[i].Move)
	}
	return moves
}

// runVictim starts the run and kills it after a time, counted from its first report unless at once is set. It returns the last number of
// games that it reported.
func runVictim(t *testing.T, path string, atOnce bool, wait time.Duration) (said int) {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), victimFile+"="+path)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	kill := func() { cmd.Process.Kill() }
	if atOnce {
		time.AfterFunc(wait, kill)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		require.NoError(t, err, "the run says")
		if said == 0 && !atOnce {
			time.AfterFunc(wait, kill)
		}
		said = n
	}
	require.Error(t, cmd.Wait())
	require.False(t, cmd.ProcessState.Exited(), "it ended by itself")
	return said
}
