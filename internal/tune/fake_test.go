package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/journal"
	"github.com/yomi-shogi/yomi/internal/match"
)

// victimFolder is the environment variable with which this test program plays a run to be killed, instead of testing.
const victimFolder = "YOMI_TUNE_VICTIM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimFolder); dir != "" {
		os.Exit(victim(dir))
	}
	os.Exit(m.Run())
}

// victim begins a run or goes on with it, and says how many iterations are finished after each.
func victim(dir string) int {
	r, err := victimRun(dir)
	if err == nil {
		err = r.Play(context.Background(), Options{NewOpponents: func() Opponents { return &fake{logits: hill, pause: 2 * time.Millisecond} },
			Progress: func(it *Iteration) { fmt.Println(it.Number) }})
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// victimRun opens the run in the folder or begins it, without the engine: starting that many times would take long.
func victimRun(dir string) (*Run, error) {
	path := filepath.Join(dir, JournalName)
	plan := hillPlan(150)
	plan.Pairs = 2
	r := &Run{openings: []match.Opening{{Text: "startpos"}}}
	r.Header = Header{Version: journalVersion, Plan: plan, Time: match.TimeControl{Nodes: 1}, Rules: match.DefaultRules()}
	var err error
	if r.journal, err = journal.Create(path, line{Tune: &r.Header}); errors.Is(err, os.ErrExist) {
		var history *History
		if r.journal, history, err = openJournal(path); err == nil {
			r.Iterations = history.Iterations
		}
	}
	return r, err
}

// quickConfig is a run of the real engine that takes little time and memory.
func quickConfig() Config {
	rules := match.DefaultRules()
	rules.MaxPlies = 40
	rules.Resign = match.ResignRule{Score: 150, Count: 1, OneSided: true} // so that some games are won
	node, err := match.ParseTimeControl("nodes=50")
	if err != nil {
		panic(err)
	}
	return Config{Requests: []Request{{Name: "C_puct"}, {Name: "c_puct_ROOT"}}, Iterations: 100, Pairs: 2, R: DefaultR, Seed: 7, Time: node,
		Options: []match.Setting{{Name: "USI_Hash", Value: "1"}, {Name: "PolicyEvaluator", Value: "heuristic"}, {Name: "ValueEvaluator", Value: "material"}},
		Rules:   rules}
}

// fake are opponents whose chances follow from a function of their values: the difference of logits is the logarithm of the odds.
// A tenth of the games is drawn. Chance comes from the game's seeds alone.
type fake struct {
	logits func(values []float64) float64
	pause  time.Duration
	closed *bool
	seen   func(g *Game)
}

func (f *fake) Play(ctx context.Context, g *Game) (Result, error) {
	if f.seen != nil {
		f.seen(g)
	}
	time.Sleep(f.pause)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	chance := 1 / (1 + math.Exp(f.logits(numbers(g.Minus))-f.logits(numbers(g.Plus))))
	random := rand.New(rand.NewPCG(g.Seeds[0], g.Seeds[1]))
	switch {
	case random.Float64() < 0.1:
		return Result{Points: 1}, nil
	case random.Float64() < chance:
		return Result{Points: 2}, nil
	}
	return Result{Points: 0, Fault: ""}, nil
}

func (f *fake) Close() {
	if f.closed != nil {
		*f.closed = true
	}
}

func numbers(settings []match.Setting) []float64 {
	var out []float64
	for _, o := range settings {
		n, err := strconv.ParseInt(o.Value, 10, 64)
		if err != nil {
			panic(err)
		}
		out = append(out, float64(n))
	}
	return out
}

// hill is best at the places of hillTop, one unit of logits (174 Elo) worse for each hillWidth away in one direction, growing
// with the square.
func hill(values []float64) float64 {
	sum := 0.0
	for i, v := range values {
		d := (v - hillTop[i%len(hillTop)]) / hillWidth[i%len(hillWidth)]
		sum -= d * d
	}
	return sum
}

var (
	hillTop   = []float64{6000, 40, 0.0}
	hillWidth = []float64{2000, 20, 500}
)

// hillPlan is a plan that begins far from the top.
func hillPlan(iterations int) Plan {
	return Plan{Iterations: iterations, Pairs: 8, R: 0.03, Seed: 1, Params: []Param{
		{Name: "C_puct", Start: 2000, Min: 500, Max: 20000, Step: 400},
		{Name: "SlowMover", Start: 80, Min: 10, Max: 100, Step: 4},
		{Name: "Value", Start: -700, Min: -1000, Max: 1000, Step: 100},
	}}
}

// embeddedOpenings are read once: that takes a while under the race detector.
var embeddedOpenings = sync.OnceValues(func() ([]match.Opening, error) { return match.LoadOpenings("") })

// fakeRun begins a run in a new folder without looking at the engine.
func fakeRun(t *testing.T, plan Plan) (*Run, string) {
	t.Helper()
	openings, err := embeddedOpenings()
	require.NoError(t, err)
	dir := t.TempDir()
	h := Header{Version: journalVersion, Started: "2026-01-02T03:04:05Z", Plan: plan, Time: match.TimeControl{Nodes: 1}, Rules: match.DefaultRules(),
		OpeningsCount: len(openings), OpeningsSHA256: match.HashOpenings(openings)}
	require.NoError(t, h.check())
	j, err := journal.Create(filepath.Join(dir, JournalName), line{Tune: &h})
	require.NoError(t, err)
	t.Cleanup(func() { j.Close() })
	return &Run{Header: h, openings: openings, journal: j}, dir
}

// fakes makes opponents on a hill.
func fakes() Opponents { return &fake{logits: hill} }

// timeless returns the iterations without the times at which they ended.
func timeless(iterations []Iteration) []Iteration {
	out := append([]Iteration(nil), iterations...)
	for i := range out {
		out[i].Ended = ""
	}
	return out
}
