package train

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/value"
)

// shortJob is a run of an epoch that leaves a checkpoint.
func shortJob(t *testing.T, kind Kind) *Job {
	job := smallJob(t, kind)
	job.Config.Epochs = 1
	job.Checkpoint = filepath.Join(t.TempDir(), "first.checkpoint")
	return job
}

// runToFile trains a net and writes its file.
func runToFile(t *testing.T, job *Job) (*Result, string) {
	r, err := Run(context.Background(), job)
	require.NoError(t, err)
	data, err := r.Encode("test", nil)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "net.nn")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return r, path
}

// TestStart: a run that begins with a checkpoint begins with its weights, bit for bit; one that begins with a net file, with the weights
// that are played, so that quantising them again changes nothing.
func TestStart(t *testing.T) {
	for _, kind := range kinds {
		job := shortJob(t, kind)
		result, path := runToFile(t, job)

		next := shortJob(t, kind)
		next.Start = job.Checkpoint
		r, err := newRun(next)
		require.NoError(t, err)
		require.Equal(t, result.Float[0], r.measure(next.Validate[0].Data, 0, nil))
		for _, table := range r.tables {
			require.Zero(t, table.m[len(table.m)-1]+table.v[len(table.v)-1])
			require.Zero(t, table.steps[0], "the optimiser begins anew")
		}

		next.Start = path
		r, err = newRun(next)
		require.NoError(t, err)
		played, err := Measure(path, &next.Config, next.Validate)
		require.NoError(t, err)
		require.Equal(t, result.Quantised[0], played[0])
		require.InDelta(t, played[0].Loss, r.measure(next.Validate[0].Data, 0, nil).Loss, 2e-3)
		q, err := r.net.quantise()
		require.NoError(t, err)
		again, err := q.file("test", nil).Encode()
		require.NoError(t, err)
		file, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, file, again)

		info, err := os.Stat(job.Checkpoint)
		require.NoError(t, err)
		require.InDelta(t, CheckpointBytes(&job.Config), info.Size(), 100_000, "but for the header")
	}
}

// TestStartContinues: a run that goes on from its checkpoint must have begun with the same weights.
func TestStartContinues(t *testing.T) {
	job := shortJob(t, Value)
	_, path := runToFile(t, job)
	next := shortJob(t, Value)
	next.Start = path
	want := mustRun(t, next)
	next.Resume = true
	require.Equal(t, want, mustRun(t, next), "it is finished")
	next.Start = job.Checkpoint
	_, err := Run(context.Background(), next)
	require.ErrorContains(t, err, "began with other weights")
	next.Resume = false
	require.NotEqual(t, want.net, mustRun(t, next).net)
}

// TestStartRefusals: a file that a run cannot begin with is named, with the reason.
func TestStartRefusals(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		return path
	}
	v, _, err := value.NewNet(value.NewRandomWeights(1, 2*tinyHidden))
	require.NoError(t, err)
	wide, err := v.File("test", nil).Encode()
	require.NoError(t, err)
	p, _, err := policy.NewNet(policy.NewRandomWeights(1, tinyHidden, policy.DefaultWidth))
	require.NoError(t, err)
	other, err := p.File("test", nil).Encode()
	require.NoError(t, err)
	for want, path := range map[string]string{
		"text: not a net file":                    put("text", []byte("x")),
		"policy net, not a value net":             put("other", other),
		"give its number of hidden units":         put("wide", wide),
		"cut: damaged checkpoint":                 put("cut", tinyCheckpoint(t)[:40]),
		"tables: the checkpoint has other tables": put("tables", tinyCheckpoint(t)),
		"missing: no such file":                   filepath.Join(dir, "missing"),
	} {
		job := shortJob(t, Value)
		job.Start = path
		_, err := Run(context.Background(), job)
		require.ErrorContains(t, err, want)
	}
	job := shortJob(t, Policy)
	job.Start = put("value", tinyCheckpoint(t))
	_, err = Run(context.Background(), job)
	require.ErrorContains(t, err, "is of a value net, not of a policy net")
	_, err = Measure(filepath.Join(dir, "text"), &job.Config, nil)
	require.ErrorContains(t, err, "text: not a net file")
}

// TestDraw: whole games, in their order, enough of them and no game more; other seeds draw others.
func TestDraw(t *testing.T) {
	_, d := loadSample(t).Split(20)
	for i := range d.records {
		d.records[i].fast = i%3 == 0
	}
	for _, kind := range kinds {
		drawn := d.Draw(kind, 300, 5)
		require.GreaterOrEqual(t, drawn.Teaching(kind), 300)
		require.Less(t, drawn.Games(), d.Games())
		head, _ := drawn.Split(1)
		require.Equal(t, drawn.fingerprint(), d.Draw(kind, 300, 5).fingerprint())
		require.NotEqual(t, drawn.fingerprint(), d.Draw(kind, 300, 6).fingerprint())
		require.Less(t, head.Positions(), drawn.Positions())
		at := 0
		for i := range drawn.games {
			game := drawn.game(i).fingerprint()
			for at < len(d.games) && d.game(at).fingerprint() != game {
				at++
			}
			require.Less(t, at, len(d.games), "a game of the data, behind the one before")
			at++
		}
	}
	require.Equal(t, d.fingerprint(), d.Draw(Value, d.Positions()+1, 1).fingerprint(), "there are no more")
	require.Zero(t, d.Draw(Value, 0, 1).Positions())
}

// TestDrawVisits: the visits of the games that are drawn are those that they had.
func TestDrawVisits(t *testing.T) {
	d := &Data{visits: []share{{1, 10}, {2, 20}, {3, 30}}, base: 0, games: []span{{0, 1}, {1, 2}, {2, 3}}}
	for i := range uint32(3) {
		d.records = append(d.records, packed{count: 1, first: i})
	}
	_, d = d.Split(2)
	for i, want := range []uint16{20, 30} {
		game := d.game(i)
		require.Len(t, game.visits, 1)
		require.Equal(t, want, game.visits[0].weight)
	}
	joined := Join(d.game(1), d.game(0))
	require.Equal(t, uint16(20), joined.visits[joined.records[1].first].weight)
}
