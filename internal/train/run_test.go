package train

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/value"
)

// smallJob is a run of some seconds.
func smallJob(t testing.TB, kind Kind) *Job {
	games := 16
	if testing.Short() {
		games = 6
	}
	_, d := loadSample(t).Split(games)
	head, tail := d.Split(2)
	c := DefaultConfig(kind)
	c.Hidden, c.Batch, c.Workers, c.WarmUp = tinyHidden, 32, 2, 10
	return &Job{Config: c, Train: head, Validate: []Set{{"sample", tail}}}
}

// outcome is what must be the same in runs that do the same.
type outcome struct {
	net    []byte
	points []Point
	float  []Metrics
}

func mustRun(t testing.TB, job *Job) outcome {
	t.Helper()
	r, err := Run(context.Background(), job)
	require.NoError(t, err)
	file, err := r.Encode("test", nil)
	require.NoError(t, err)
	return outcome{file, r.Points, r.Float}
}

var kinds = []Kind{Policy, Value}

func TestDeterministic(t *testing.T) {
	for _, kind := range kinds {
		job := smallJob(t, kind)
		job.Config.Every = 3
		first := mustRun(t, job)
		require.Equal(t, first, mustRun(t, job))
		job.Config.Seed++
		require.NotEqual(t, first.net, mustRun(t, job).net, "another seed gives another net")
	}
}

// TestInterrupted: a run that is interrupted by its context, and one that continues from an older checkpoint as after a crash,
// end as an undisturbed one.
func TestInterrupted(t *testing.T) {
	for _, kind := range kinds {
		if kind == Policy && testing.Short() {
			continue // its tables are large, and nothing is different
		}
		want := mustRun(t, smallJob(t, kind))
		path := filepath.Join(t.TempDir(), "x.checkpoint")
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		job := smallJob(t, kind)
		job.Checkpoint, job.CheckpointBatches = path, 10
		var old []byte
		job.Report = func(p Progress) {
			switch p.Batch {
			case 12: // the checkpoint is two batches old
				old, _ = os.ReadFile(path)
			case p.Batches*3/4 + 1:
				cancel()
			}
		}
		_, err := Run(ctx, job)
		require.ErrorIs(t, err, context.Canceled)
		done, err := Finished(path)
		require.NoError(t, err)
		require.False(t, done)

		for _, state := range [][]byte{nil, old} {
			if state != nil {
				require.NoError(t, os.WriteFile(path, state, 0o600))
			}
			var log bytes.Buffer
			again := smallJob(t, kind)
			again.Checkpoint, again.Resume, again.Log = path, true, &log
			require.Equal(t, want, mustRun(t, again))
			requireLog(t, want.points, &log)
			done, err = Finished(path)
			require.NoError(t, err)
			require.True(t, done)
		}
		other := smallJob(t, kind)
		other.Checkpoint, other.Resume = path, true
		other.Config.Rate *= 2
		_, err = Run(context.Background(), other)
		require.ErrorContains(t, err, "other settings")
		other = smallJob(t, kind)
		other.Checkpoint, other.Resume = path, true
		other.Train, _ = other.Train.Split(1)
		_, err = Run(context.Background(), other)
		require.ErrorContains(t, err, "other positions")
	}
}

// requireLog: the log is the points, one JSON line each.
func requireLog(t *testing.T, points []Point, log io.Reader) {
	decoder := json.NewDecoder(log)
	for _, want := range points {
		var p Point
		require.NoError(t, decoder.Decode(&p))
		require.Equal(t, want, p)
	}
	require.False(t, decoder.More())
}

// childEnv names the folder in which TestChild trains.
const childEnv = "YOMI_TRAIN_TEST_CHILD"

// TestChild is not a test of its own: TestKilled starts it as a process.
func TestChild(t *testing.T) {
	folder := os.Getenv(childEnv)
	if folder == "" {
		t.Skip("only as a child of TestKilled")
	}
	job := smallJob(t, Policy)
	job.Checkpoint, job.CheckpointBatches, job.Resume = filepath.Join(folder, "checkpoint"), 7, true
	job.Report = func(Progress) { time.Sleep(40 * time.Millisecond) }
	require.NoError(t, os.WriteFile(filepath.Join(folder, "net"), mustRun(t, job).net, 0o600))
}

// TestKilled: a run that is killed three times gives the net of an undisturbed one.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	want := mustRun(t, smallJob(t, Policy)).net
	folder := t.TempDir()
	child := func() *exec.Cmd {
		c := exec.Command(os.Args[0], "-test.run=^TestChild$")
		c.Env = append(os.Environ(), childEnv+"="+folder)
		return c
	}
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	for range 3 {
		c := child()
		require.NoError(t, c.Start())
		time.Sleep(time.Duration(300+random.IntN(700)) * time.Millisecond)
		require.NoError(t, c.Process.Kill())
		var exit *exec.ExitError
		require.True(t, errors.As(c.Wait(), &exit), "the run ended before it was killed")
	}
	out, err := child().CombinedOutput()
	require.NoError(t, err, "%s", out)
	got, err := os.ReadFile(filepath.Join(folder, "net"))
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// The bounds that training on the sample of 20,000 positions must reach on its last 10 % of games. Measured: cross entropy
// 2.653 and squared error .0897.
const (
	policyBound = 2.75
	valueBound  = .096
)

// TestLearns trains both nets on the sample; the validation loss falls below the bounds, and quantising costs little.
func TestLearns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	l, err := LoadSources(Sources{Train: []string{samplePath}, Share: .1})
	require.NoError(t, err)
	for _, kind := range kinds {
		c := DefaultConfig(kind)
		c.Batch, c.Hidden = 32, 128
		r, err := Run(context.Background(), &Job{Config: c, Train: l.Train, Validate: l.Validate})
		require.NoError(t, err)
		t.Logf("float %s\nquantised %s\n%s", r.Float[0], r.Quantised[0], r.Costs)
		require.InDelta(t, r.Float[0].Loss, r.Quantised[0].Loss, .01)
		file, err := r.Encode("test", nil)
		require.NoError(t, err)
		if kind == Policy {
			require.Less(t, r.Quantised[0].Loss, policyBound)
			net, err := policy.DecodeNet(file)
			require.NoError(t, err)
			require.Equal(t, "test", net.About().Provenance)
			continue
		}
		require.Less(t, r.Quantised[0].MSE, valueBound)
		net, err := value.DecodeNet(file)
		require.NoError(t, err)
		require.Equal(t, c.ScoreScale, net.About().EvalCoef)
	}
}

func TestBadJobs(t *testing.T) {
	for want, spoil := range map[string]func(*Job){
		"unknown kind":             func(j *Job) { j.Config.Kind = "both" },
		"65 hidden units":          func(j *Job) { j.Config.Hidden = 65 },
		"0 workers":                func(j *Job) { j.Config.Workers = 0 },
		"learning rate 0":          func(j *Job) { j.Config.Rate = 0 },
		"score scale 0":            func(j *Job) { j.Config.ScoreScale = 0 },
		"no positions":             func(j *Job) { j.Train = new(Data) },
		"score weight 2":           func(j *Job) { j.Config.ScoreWeight = 2 },
		"checkpoint: no such file": func(j *Job) { j.Checkpoint, j.CheckpointBatches = "missing/folder/checkpoint", 1 },
	} {
		job := smallJob(t, Value)
		spoil(job)
		_, err := Run(context.Background(), job)
		require.Error(t, err, want)
		require.Contains(t, strings.ReplaceAll(err.Error(), ".new", ""), want)
	}
}

// TestCurve: the picture is well-formed XML with a dot for each validation, also when there is little to draw.
func TestCurve(t *testing.T) {
	m := Metrics{Loss: 2}
	for _, points := range [][]Point{nil, {{Epoch: 1, Loss: 3}}, {{Epoch: .5, Loss: 3}, {Epoch: 1, Loss: 2.5, Validation: &m}}} {
		var b bytes.Buffer
		require.NoError(t, WriteCurve(&b, points))
		require.NotContains(t, b.String(), "NaN")
		require.NotContains(t, b.String(), "Inf")
		decoder := xml.NewDecoder(&b)
		dots, want := 0, 0
		for {
			token, err := decoder.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "circle" {
				dots++
			}
		}
		for _, p := range points {
			if p.Validation != nil {
				want++
			}
		}
		require.Equal(t, want, dots)
	}
}

// TestCharts: charts stand one above the other; margins have bars, whole axes whole numbers, and names cannot break the picture.
func TestCharts(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteCharts(&b,
		Chart{Title: "a < b", Whole: true, Series: []Series{{Name: "c & d", Colour: Blue, Loose: true, Points: []ChartPoint{{1, 10, 5}, {3, 20, 0}}}}},
		Chart{Title: "second", Whole: true, Series: []Series{{Name: "e", Colour: Orange, Points: []ChartPoint{{1, 1.2345, 0}, {2, 1.2346, 0}}}}}))
	text := b.String()
	require.NoError(t, xml.Unmarshal(b.Bytes(), new(struct{})))
	require.Contains(t, text, "a &lt; b")
	require.Contains(t, text, "c &amp; d")
	require.Contains(t, text, `height="840"`)
	require.Contains(t, text, `translate(0 420)`)
	require.Equal(t, 1, strings.Count(text, "stroke-opacity"), "one bar")
	require.Equal(t, 1, strings.Count(text, "<polyline"), "one line")
	for _, number := range []string{">0<", ">1<", ">2<", ">3<", ">5<", ">20<", ">1.23450<", ">1.23452<"} { // 5 and 20 are the ends of the range
		require.Contains(t, text, number)
	}
	require.NotContains(t, text, `middle">0.6<`, "of six steps")
}
