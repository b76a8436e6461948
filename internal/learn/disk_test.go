package learn

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/train"
)

// TestRoom: what is needed least goes first, what is needed stays, and the error says how much is missing.
func TestRoom(t *testing.T) {
	l := &Loop{dir: t.TempDir(), History: []Generation{{Number: 1}, {Number: 2}}, now: Generation{Number: 3, Window: []int{2, 3}}}
	const mega = 1_000_000
	put := func(generation int, name string) {
		path := l.file(generation, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, make([]byte, mega), 0o600))
	}
	for n := 1; n <= 3; n++ {
		put(n, "games.yomi")
		put(n, "policy.nn")
		put(n, "gate/journal.jsonl")
	}
	there := func() (names string) {
		for n := 1; n <= 3; n++ {
			names += strings.Join(files(t, l, n), " ") + ";"
		}
		return names
	}
	l.options.Disk = 9*mega + slackBytes
	require.NoError(t, l.room(0))
	require.Equal(t, "games.yomi gate/ policy.nn;games.yomi gate/ policy.nn;games.yomi gate/ policy.nn;", there())
	require.NoError(t, l.room(mega))
	require.Equal(t, "games.yomi policy.nn;games.yomi gate/ policy.nn;games.yomi gate/ policy.nn;", there())
	require.NoError(t, l.room(3*mega))
	require.Equal(t, "policy.nn;games.yomi policy.nn;games.yomi gate/ policy.nn;", there())
	require.EqualError(t, l.room(4*mega), "the disk budget of 10.0 MB is too small: 6.0 MB are in use and cannot be spared, 5.0 MB more are needed")
	l.now.Done = []Stage{SelfPlay, TrainPolicy, TrainValue}
	require.NoError(t, l.room(4*mega), "the window has been learnt from")
	require.Equal(t, "policy.nn;policy.nn;games.yomi gate/ policy.nn;", there())
}

// TestDisk: a loop whose window does not fit into its budget keeps to it at all times and goes on with what fits.
func TestDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("makes several generations")
	}
	c := tinyConfig()
	c.Gate.SPRT, c.Window, c.Gate.Games = hard, 10, 2
	l := begin(t, c)
	finish(t, l, tinyOptions(2))
	require.Equal(t, []int{1, 2}, l.History[1].Window)
	const weight = 1 << 20
	for n := 1; n <= 2; n++ {
		require.NoError(t, os.WriteFile(l.file(n, "gate/weight"), make([]byte, weight), 0o600))
	}
	gates, err := sizeOf(l.file(1, "gate"))
	require.NoError(t, err)
	more, err := sizeOf(l.file(2, "gate"))
	require.NoError(t, err)
	used, err := usage(l.dir)
	require.NoError(t, err)
	l, err = Resume(l.dir)
	require.NoError(t, err)
	need, err := l.trainingNeed(train.Policy)
	require.NoError(t, err)

	o := tinyOptions(3)
	o.Disk = used + need + slackBytes - gates - more // the third generation's games take the place of the first one's
	var removed []string
	o.Report = func(p Progress) {
		used, err := usage(l.dir)
		require.NoError(t, err)
		require.LessOrEqual(t, used, o.Disk)
		if path, ok := strings.CutPrefix(p.Line, "disk budget: removed "); ok {
			removed = append(removed, path)
		}
	}
	require.NoError(t, l.Run(context.Background(), o))
	require.NotContains(t, l.History[2].Window, 1)
	require.Contains(t, l.History[2].Window, 3)
	require.Equal(t, []string{l.file(1, "gate"), l.file(2, "gate"), l.file(1, gamesName)}, removed[:3])

	// There is no room at all for the training: nothing is removed, and with more room it goes on.
	o.Generations, o.Disk = 4, need
	require.ErrorContains(t, l.Run(context.Background(), o), "generation 4, policy: the disk budget of")
	require.FileExists(t, l.file(3, gamesName))
	o.Disk = plenty
	require.NoError(t, l.Run(context.Background(), o))
	require.Contains(t, l.History[3].Window, 3)
	require.NoError(t, l.Close())
}
