package tune

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/shogi"
)

// TestSchedule looks at the games that are played: colours, openings, seeds.
func TestSchedule(t *testing.T) {
	r, _ := fakeRun(t, hillPlan(40))
	seen := make(map[string]int)
	numbers := make(map[int]bool)
	for number := 1; number <= 40; number++ {
		it := &Iteration{Number: number}
		it.Plus, it.Minus = r.Header.players(number, r.Header.start())
		games := r.games(it)
		require.Len(t, games, 16)
		for i := 0; i < len(games); i += 2 {
			first, second := &games[i], &games[i+1]
			require.Equal(t, first.Opening, second.Opening)
			require.Equal(t, []shogi.Color{shogi.Black, shogi.White}, []shogi.Color{first.PlusColor, second.PlusColor})
			require.NotEqual(t, first.Seeds, second.Seeds)
			seen[first.Opening.Text]++
			numbers[first.Number], numbers[second.Number] = true, true
		}
	}
	require.Len(t, numbers, 640)
	n := len(r.openings)
	for _, times := range seen {
		require.LessOrEqual(t, times, 320/n+1, "openings take turns")
	}
}

// TestConcurrency plays with one and with several games at a time, and cut short by hand: the iterations are the same.
func TestConcurrency(t *testing.T) {
	want, _ := fakeRun(t, hillPlan(30))
	closed := false
	require.NoError(t, want.Play(context.Background(), Options{NewOpponents: func() Opponents { return &fake{logits: hill, closed: &closed} }}))
	require.True(t, closed)
	require.Len(t, want.Iterations, 30)

	many, _ := fakeRun(t, hillPlan(30))
	require.NoError(t, many.Play(context.Background(), Options{Concurrency: 50, NewOpponents: fakes}))
	require.Equal(t, timeless(want.Iterations), timeless(many.Iterations))

	cut, dir := fakeRun(t, hillPlan(30))
	for stop := 7; stop < 30; stop += 7 {
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		err := cut.Play(ctx, Options{NewOpponents: func() Opponents {
			return &fake{logits: hill, seen: func(*Game) {
				if calls++; calls == 50 {
					cancel() // in the middle of an iteration
				}
			}}
		}})
		require.ErrorIs(t, err, context.Canceled)
	}
	require.NoError(t, cut.Play(context.Background(), Options{NewOpponents: fakes}))
	require.Equal(t, timeless(want.Iterations), timeless(cut.Iterations))
	h, err := ReadJournal(filepath.Join(dir, JournalName))
	require.NoError(t, err)
	require.Equal(t, cut.Iterations, h.Iterations, "values survive the journal to the last bit")
}

// TestCut cuts a journal at any place, as a killed writer or a full disk would, and goes on from it.
func TestCut(t *testing.T) {
	want, dir := fakeRun(t, hillPlan(12))
	require.NoError(t, want.Play(context.Background(), Options{NewOpponents: fakes}))
	data, err := os.ReadFile(filepath.Join(dir, JournalName))
	require.NoError(t, err)
	header := bytes.IndexByte(data, '\n') + 1
	for size := 0; size <= len(data); size += 1 + (len(data)-size)%97 {
		path := filepath.Join(t.TempDir(), JournalName)
		require.NoError(t, os.WriteFile(path, data[:size], 0o644))
		j, history, err := openJournal(path)
		if size < header {
			require.ErrorContains(t, err, "nothing was begun")
			continue
		}
		require.NoError(t, err)
		r := &Run{Header: history.Header, Iterations: history.Iterations, openings: want.openings, journal: j}
		require.NoError(t, r.Play(context.Background(), Options{NewOpponents: fakes}))
		require.NoError(t, r.Close())
		again, err := ReadJournal(path)
		require.NoError(t, err)
		require.Equal(t, timeless(want.Iterations), timeless(again.Iterations), "cut at %d", size)
	}
}

// TestKill kills a run at random moments with a signal that cannot be caught, and lets it go on each time.
func TestKill(t *testing.T) {
	kills := 4
	if testing.Short() {
		kills = 2
	}
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	finished := 0
	for kill := range kills {
		said := runVictim(t, dir, time.Duration(random.Int64N(int64(60*time.Millisecond))))
		h, err := ReadJournal(filepath.Join(dir, JournalName))
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(h.Iterations), said, "kill %d: nothing that was finished is lost", kill)
		require.GreaterOrEqual(t, len(h.Iterations), finished)
		finished = len(h.Iterations)
	}
	require.Positive(t, finished)
	var runs [2]*Run
	for i, folder := range []string{dir, t.TempDir()} {
		r, err := victimRun(folder)
		require.NoError(t, err)
		defer r.Close()
		require.NoError(t, r.Play(context.Background(), Options{NewOpponents: fakes}))
		runs[i] = r
	}
	require.Len(t, runs[0].Iterations, 150)
	require.Equal(t, timeless(runs[1].Iterations), timeless(runs[0].Iterations))
}

// runVictim runs the victim until some time after its first iteration, and returns the last one that it told of.
func runVictim(t *testing.T, dir string, lifetime time.Duration) (finished int) {
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.Command(self)
	command.Env = append(os.Environ(), victimFolder+"="+dir)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if finished == 0 {
			time.AfterFunc(lifetime, func() { command.Process.Kill() })
		}
		finished, err = strconv.Atoi(lines.Text())
		require.NoError(t, err, lines.Text())
	}
	command.Wait() // it was killed
	return finished
}

// TestEngine plays two iterations with the engine itself, at once and with a pause, and once more with two games at a time.
func TestEngine(t *testing.T) {
	ctx := context.Background()
	c := quickConfig()
	c.Iterations, c.Pairs = 2, 1
	whole, err := Create(ctx, t.TempDir(), c)
	require.NoError(t, err)
	defer whole.Close()
	require.NoError(t, whole.Play(ctx, Options{}))
	require.Len(t, whole.Iterations, 2)
	for _, it := range whole.Iterations {
		require.Zero(t, it.Faults, it.Fault)
	}
	require.Contains(t, whole.Header.Identity.Options, match.Setting{Name: "Threads", Value: "1"})
	require.Less(t, whole.Iterations[0].Draws+whole.Iterations[1].Draws, 4, "some games are won, so the values move")

	dir := t.TempDir()
	begun, err := Create(ctx, dir, c)
	require.NoError(t, err)
	stopped, stop := context.WithCancel(ctx)
	err = begun.Play(stopped, Options{Concurrency: 2, Progress: func(*Iteration) { stop() }})
	require.ErrorIs(t, err, context.Canceled)
	_, err = Resume(ctx, dir)
	require.ErrorContains(t, err, "another program")
	require.NoError(t, begun.Close())
	resumed, err := Resume(ctx, dir)
	require.NoError(t, err)
	defer resumed.Close()
	require.Len(t, resumed.Iterations, 1)
	require.NoError(t, resumed.Play(ctx, Options{Concurrency: 1}))
	require.Equal(t, timeless(whole.Iterations), timeless(resumed.Iterations))

	_, err = Create(ctx, dir, c)
	require.ErrorIs(t, err, os.ErrExist)
}

// TestStartFromOptions tunes an option that was set for both players: it starts there, and is a parameter only.
func TestStartFromOptions(t *testing.T) {
	c := quickConfig()
	c.Options = append(c.Options, match.Setting{Name: "c_puct", Value: "3333"}, match.Setting{Name: "SlowMover", Value: "90"})
	r, err := Create(context.Background(), t.TempDir(), c)
	require.NoError(t, err)
	defer r.Close()
	require.Equal(t, Param{"C_puct", 3333, 500, 20000, 200}, r.Header.Params[0])
	names := make(map[string]bool)
	for _, o := range r.Header.Identity.Options {
		names[o.Name] = true
	}
	require.True(t, names["SlowMover"])
	require.False(t, names["C_puct"])
	require.Len(t, r.Header.Options, len(c.Options)-1)
}

// TestFault lets both engines fail: the games count, and the iteration tells why.
func TestFault(t *testing.T) {
	r, _ := fakeRun(t, hillPlan(1))
	e := newEngines(&r.Header)
	e.plus.fixed = []match.Setting{{Name: "USI_Hash", Value: "none"}}
	g := r.games(&Iteration{Number: 1, Plus: []int64{1, 2, 3}, Minus: []int64{4, 5, 6}})[0]
	result, err := e.Play(context.Background(), &g)
	require.NoError(t, err)
	require.Zero(t, result.Points)
	require.Equal(t, `game 0: crash of plus (C_puct=1 SlowMover=2 Value=3): bad value "none" for USI_Hash: want a whole number 1..65536`, result.Fault)

	broken := errors.New("broken")
	err = r.Play(context.Background(), Options{Concurrency: 3, NewOpponents: func() Opponents { return failing{broken} }})
	require.ErrorIs(t, err, broken)
	require.Empty(t, r.Iterations)
	require.NoError(t, r.Play(context.Background(), Options{Concurrency: 3, NewOpponents: func() Opponents { return failing{nil} }}))
	require.Equal(t, 16, r.Iterations[0].Faults)
	require.Contains(t, r.Header.Text(r.Iterations), "16 games were spoiled; the first, game 0: stumbled")
}

// failing are opponents that fail, or whose every game is spoiled.
type failing struct{ err error }

func (f failing) Play(_ context.Context, g *Game) (Result, error) {
	return Result{Points: 1, Fault: fmt.Sprintf("game %d: stumbled", g.Number)}, f.err
}

func (failing) Close() {}

// TestChanged goes on after the surroundings have changed.
func TestChanged(t *testing.T) {
	openings := filepath.Join(t.TempDir(), "openings")
	require.NoError(t, os.WriteFile(openings, []byte("startpos moves 7g7f\n"), 0o644))
	c := quickConfig()
	c.Openings = openings
	dir := t.TempDir()
	r, err := Create(context.Background(), dir, c)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.NoError(t, os.WriteFile(openings, []byte("startpos moves 2g2f\n"), 0o644))
	_, err = Resume(context.Background(), dir)
	require.ErrorContains(t, err, "cannot go on: the openings")

	h := r.Header
	h.Identity.SHA256 = "other"
	require.Contains(t, r.Header.changed(&h), "the program")
	h = r.Header
	h.Identity.Options = h.Identity.Options[1:]
	require.Contains(t, r.Header.changed(&h), "the options")
}

func TestBadJournals(t *testing.T) {
	r, dir := fakeRun(t, hillPlan(3))
	require.NoError(t, r.Play(context.Background(), Options{NewOpponents: fakes}))
	data, err := os.ReadFile(filepath.Join(dir, JournalName))
	require.NoError(t, err)
	text := string(data)
	lines := strings.SplitAfter(text, "\n")
	for want, bad := range map[string]string{
		"no header, so nothing was begun":      "",
		"line 1: invalid character":            "x\n",
		"line 1: neither a header":             "{}\n",
		"line 1: the header must be the first": lines[1],
		"line 2: the header must be the first": lines[0] + lines[0],
		"line 2: iteration 2 where 1 belongs":  lines[0] + lines[2],
		"line 1: version 2":                    strings.Replace(text, `"version":1`, `"version":2`, 1),
		"line 1: bad rate 7":                   strings.Replace(text, `"r":0.03`, `"r":7`, 1),
		"line 2: json: unknown field":          lines[0] + strings.Replace(lines[1], `"number"`, `"nummer"`, 1),
		"line 2: iteration 1: not 3 values":    lines[0] + strings.Replace(lines[1], `"plus":[`, `"plus":[1,`, 1),
		"line 2: iteration 1: C_puct is":       lines[0] + badValue(t, lines[1]),
	} {
		_, err := readJournal("it", strings.NewReader(bad))
		require.ErrorContains(t, err, want)
	}
	wins := strings.Replace(lines[1], `"draws":`, `"draws":1`, 1)
	_, err = readJournal("it", strings.NewReader(lines[0]+wins))
	require.ErrorContains(t, err, "in 16 games")
}

// badValue returns the iteration's line with a value out of its range.
func badValue(t *testing.T, text string) string {
	var l line
	require.NoError(t, json.Unmarshal([]byte(text), &l))
	l.Iteration.Values[0] = 20001
	data, err := json.Marshal(l)
	require.NoError(t, err)
	return string(data) + "\n"
}

func FuzzReadJournal(f *testing.F) {
	h := Header{Version: journalVersion, Plan: hillPlan(2), Time: match.TimeControl{Nodes: 1}, Rules: match.DefaultRules()}
	it := Iteration{Number: 1, Wins: 16, Ended: "x", Values: h.start()}
	it.Plus, it.Minus = h.players(1, h.start())
	var seed bytes.Buffer
	for _, l := range []line{{Tune: &h}, {Iteration: &it}} {
		data, err := json.Marshal(l)
		if err != nil {
			f.Fatal(err)
		}
		seed.Write(append(data, '\n'))
	}
	f.Add(seed.Bytes())
	f.Add(seed.Bytes()[:seed.Len()-2])
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		history, err := readJournal("it", bytes.NewReader(data))
		if err != nil {
			return
		}
		require.LessOrEqual(t, history.Size, int64(len(data)))
		require.Len(t, history.Header.Tuned(history.Iterations), len(history.Header.Params))
		require.NotEmpty(t, history.Header.Text(history.Iterations))
		require.NoError(t, WriteReport(new(bytes.Buffer), &history.Header, history.Iterations, true, "x"))
		if len(history.Iterations) < history.Header.Iterations {
			history.Header.players(len(history.Iterations)+1, values(&history.Header, history.Iterations))
		}
	})
}
