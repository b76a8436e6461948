package selfplay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
)

// quickConfig makes games in about a hundredth of a second, most of them unfinished.
func quickConfig() Config {
	c := DefaultConfig()
	c.Seed, c.DeepNodes, c.FastNodes, c.MaxMoves, c.HashMB = 7, 12, 4, 50, 1
	c.Resign, c.PlayOn = 0.1, 0.5
	return c
}

var ownNets = sync.OnceValues(func() (*Nets, error) { return LoadNets("", "") })

func quickJob(t testing.TB, path string, games int64) Job {
	nets, err := ownNets()
	require.NoError(t, err)
	openings, err := match.LoadOpenings("")
	require.NoError(t, err)
	return Job{Config: quickConfig(), Nets: nets, Openings: openings, Path: path, Games: games, Workers: 2, Program: "program test"}
}

// play runs a job to its end.
func play(t testing.TB, job Job) *Summary {
	r, err := Open(job)
	require.NoError(t, err)
	require.NoError(t, r.Play(context.Background(), nil))
	require.NoError(t, r.Close())
	return r.Summary()
}

// gamesOf reads a file's games by number, without what the clock decides.
func gamesOf(t testing.TB, path string) map[int64]*record.Game {
	in, err := record.OpenGames(path)
	require.NoError(t, err)
	defer in.Close()
	games := make(map[int64]*record.Game)
	for {
		g := new(record.Game)
		if err := in.Next(g); errors.Is(err, io.EOF) {
			return games
		} else {
			require.NoError(t, err)
		}
		require.NotContains(t, games, g.Number, "a game is there twice")
		games[g.Number] = g
		g.Ended = time.Time{}
		for i := range g.Moves {
			g.Moves[i].Time = 0
		}
	}
}

// TestReproducible: a game depends on its number only, not on the worker or on what that worker played before.
func TestReproducible(t *testing.T) {
	games := int64(12)
	if testing.Short() {
		games = 4
	}
	dir := t.TempDir()
	job := quickJob(t, filepath.Join(dir, "two.yomi"), games)
	play(t, job)
	want := gamesOf(t, job.Path)
	require.Len(t, want, int(games))

	job.Path, job.Workers = filepath.Join(dir, "one.yomi"), 1
	play(t, job)
	require.Equal(t, want, gamesOf(t, job.Path))

	w := newTestWorker(t, job)
	for _, n := range []int64{games, 3, games} {
		g, err := w.play(context.Background(), n)
		require.NoError(t, err)
		require.Len(t, g.Moves, len(want[n].Moves))
		for i := range g.Moves {
			require.Equal(t, want[n].Moves[i].Move, g.Moves[i].Move)
			require.Equal(t, want[n].Moves[i].Candidates, g.Moves[i].Candidates)
		}
	}

	job.Seed, job.Path = job.Seed+1, filepath.Join(dir, "other.yomi")
	play(t, job)
	for n, g := range gamesOf(t, job.Path) {
		require.NotEqual(t, want[n].Seed, g.Seed)
	}
}

func newTestWorker(t testing.TB, job Job) *worker {
	r := &Run{job: job, settings: job.settings(job.Openings)}
	w, err := r.newWorker()
	require.NoError(t, err)
	return w
}

// TestGames looks at what the records say.
func TestGames(t *testing.T) {
	games := int64(40)
	if testing.Short() {
		games = 12
	}
	job := quickJob(t, filepath.Join(t.TempDir(), "x.yomi"), games)
	if !testing.Short() {
		job.DeepNodes, job.FastNodes, job.MaxMoves = 24, 6, 200
	}
	s := play(t, job)
	require.Equal(t, games, s.Games)
	require.Equal(t, s.Games, s.Black+s.White+s.Draws)
	require.Positive(t, s.Session.GamesPerHour)
	fromList, moved := 0, 0
	again := Summary{Wanted: s.Wanted, Session: s.Session}
	for _, g := range gamesOf(t, job.Path) {
		require.NoError(t, g.Check())
		require.NotEqual(t, record.NoResult, g.Result)
		require.NotEqual(t, record.EndUnknown, g.End)
		again.add(g, &job.Config)
		if g.Start.Ply() > 1 {
			fromList++
		}
		for i := range g.Moves {
			m := &g.Moves[i]
			if i < g.OpeningPlies {
				require.Equal(t, record.GameMove{Move: m.Move}, *m)
				continue
			}
			moved++
			require.NotEmpty(t, m.Reason)
			if m.Reason != "declare" && m.Mate >= 0 {
				require.NotEmpty(t, m.Candidates)
			}
		}
		if g.End == record.EndResign {
			require.False(t, isPlayedOn(g))
		}
	}
	require.Equal(t, s, &again, "the summary follows from the file")
	require.EqualValues(t, moved, s.Positions)
	require.Contains(t, s.String(), fmt.Sprintf("%d of %d", games, games))
	require.InDelta(t, 0.25*float64(s.Positions), s.Deep, 0.07*float64(s.Positions))
	if !testing.Short() {
		require.InDelta(t, 20, fromList, 12)
		require.InDelta(t, 20, s.PlayedOn, 12)
		require.Positive(t, s.WouldResign)
		require.Positive(t, s.Ends[record.EndResign])
	}
}

// TestVisits: a deep search has its whole budget and no more; a fast one keeps what the tree knew.
func TestVisits(t *testing.T) {
	job := quickJob(t, filepath.Join(t.TempDir(), "x.yomi"), 4)
	play(t, job)
	more := false
	for _, g := range gamesOf(t, job.Path) {
		for i := range g.Moves {
			m := &g.Moves[i]
			sum := 0
			for _, c := range m.Candidates {
				sum += int(c.Visits)
			}
			switch {
			case m.Deep && m.Mate == 0:
				require.EqualValues(t, job.DeepNodes, sum)
			case i >= g.OpeningPlies && m.Mate == 0 && m.Reason == "nodes":
				require.GreaterOrEqual(t, sum, int(job.FastNodes))
				more = more || sum > int(job.FastNodes)
			}
		}
	}
	require.True(t, more)
}

func TestChoose(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	moves := []uct.RootMove{{Visits: 60}, {Visits: 30}, {Visits: 10}, {Visits: 2}, {Visits: 9, Proof: -4}}
	count := func(moves []uct.RootMove, temperature float64) []int {
		counts := make([]int, len(moves))
		for range 10000 {
			counts[choose(moves, temperature, random)]++
		}
		return counts
	}
	require.Equal(t, []int{10000, 0, 0, 0, 0}, count(moves, 0))
	got := count(moves, 1)
	require.InDeltaSlice(t, []float64{6000, 3000, 1000, 0, 0}, toFloats(got), 200)
	require.Zero(t, got[3], "hardly visited")
	require.Zero(t, got[4], "proved lost")
	require.InDeltaSlice(t, []float64{36. / 46 * 10000, 9. / 46 * 10000, 1. / 46 * 10000, 0, 0}, toFloats(count(moves, .5)), 200)
	require.Equal(t, []int{10000, 0}, count([]uct.RootMove{{Visits: 1, Proof: 3}, {Visits: 50}}, 1), "a proved win is played")
	require.Equal(t, []int{10000, 0}, count([]uct.RootMove{{Visits: 1, Proof: -9}, {Visits: 5, Proof: -3}}, 1), "the longest loss")
	require.Equal(t, []int{10000, 0}, count([]uct.RootMove{{}, {}}, 1), "nothing searched")
}

func toFloats(x []int) []float64 {
	var out []float64
	for _, n := range x {
		out = append(out, float64(n))
	}
	return out
}

func TestTemperature(t *testing.T) {
	c := DefaultConfig()
	require.InDelta(t, 0.8, c.temperatureAt(1), 1e-9)
	require.InDelta(t, 0.5, c.temperatureAt(21), 1e-9)
	require.InDelta(t, 0.2, c.temperatureAt(10000), 1e-9)
}

func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		name, position string
		result         record.Result
		end            record.End
	}{
		{"start", "startpos", record.NoResult, record.EndUnknown},
		{"mate", "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 2", record.BlackWins, record.EndMate},
		{"limit", "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 202", record.Drawn, record.EndMaxPlies},
		{"repetition", "startpos moves 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a", record.Drawn, record.EndRepetition},
		{"perpetual check", "sfen 4k4/9/9/9/9/9/9/9/K4R3 b r2b4g4s4n4l18p 1 moves 4i5i 5a4a 5i4i 4a5a 4i5i 5a4a 5i4i 4a5a 4i5i 5a4a 5i4i 4a5a", record.WhiteWins, record.EndPerpetualCheck},
	} {
		g, err := shogi.ParsePosition(c.position)
		require.NoError(t, err, c.name)
		result, end, _ := outcome(g, 200)
		require.Equal(t, c.result, result, c.name)
		require.Equal(t, c.end, end, c.name)
	}
}

// TestPlayedOn: who would have resigned and what came of it is found out from the record.
func TestPlayedOn(t *testing.T) {
	low, high := record.GameMove{Known: record.HasRootValue, RootValue: .01}, record.GameMove{Known: record.HasRootValue, RootValue: .5}
	c := DefaultConfig()
	c.ResignMoves = 2
	for _, tc := range []struct {
		name   string
		moves  []record.GameMove
		result record.Result
		want   [3]int64
	}{
		{"nobody", []record.GameMove{low, high, high, low, low, high}, record.BlackWins, [3]int64{0, 0, 0}},
		{"rightly", []record.GameMove{low, high, low}, record.WhiteWins, [3]int64{1, 0, 0}},
		{"wrongly", []record.GameMove{low, high, low, low, high, low, high, low}, record.BlackWins, [3]int64{1, 1, 0}},
		{"drawn", []record.GameMove{high, low, high, low}, record.Drawn, [3]int64{1, 0, 1}},
		{"the first one counts", []record.GameMove{high, low, low, low, low}, record.WhiteWins, [3]int64{1, 1, 0}},
	} {
		g := record.Game{Start: shogi.StartPosition(), Moves: tc.moves, Result: tc.result, Tags: []record.Setting{playedOn}}
		var s Summary
		s.add(&g, &c)
		require.Equal(t, tc.want, [3]int64{s.WouldResign, s.FalseResigns, s.FalseDraws}, tc.name)
	}
}

func TestNets(t *testing.T) {
	own, err := ownNets()
	require.NoError(t, err)
	policyFile, valueFile := "../../policy/default.nn", "../../value/default.nn"
	same, err := LoadNets(policyFile, valueFile)
	require.NoError(t, err)
	require.Equal(t, own.Hash(), same.Hash())
	require.Len(t, own.Hash(), netsHashLength)
	require.Equal(t, own.Hash(), netsOf(identity("program abc", own)))

	w := policy.NewRandomWeights(1, 64, policy.DefaultWidth)
	net, _, err := policy.NewNet(w)
	require.NoError(t, err)
	data, err := net.File("random", nil).Encode()
	require.NoError(t, err)
	random := filepath.Join(t.TempDir(), "random.nn")
	require.NoError(t, os.WriteFile(random, data, 0o600))
	other, err := LoadNets(random, "")
	require.NoError(t, err)
	require.NotEqual(t, own.Hash(), other.Hash())

	_, err = LoadNets(valueFile, "")
	require.ErrorContains(t, err, valueFile)
	_, err = LoadNets("", "missing.nn")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestCheck(t *testing.T) {
	c := DefaultConfig()
	require.NoError(t, c.Check())
	for want, change := range map[string]func(*Config){
		"deep-share 2":             func(c *Config) { c.DeepShare = 2 },
		"noise -1":                 func(c *Config) { c.NoiseShare = -1 },
		"noise-concentration 0":    func(c *Config) { c.NoiseConcentration = 0 },
		"noise-concentration +Inf": func(c *Config) { c.NoiseConcentration = math.Inf(1) },
		"fast-nodes 0":             func(c *Config) { c.FastNodes = 0 },
		"temperature -1":           func(c *Config) { c.Temperature = -1 },
		"half-life 0":              func(c *Config) { c.HalfLife = 0 },
		"random-plies":             func(c *Config) { c.RandomPlies = -1 },
		"resign-moves":             func(c *Config) { c.ResignMoves = 0 },
		"max-moves 0":              func(c *Config) { c.MaxMoves = 0 },
		"hash 0":                   func(c *Config) { c.HashMB = 0 },
		"hash 100000":              func(c *Config) { c.HashMB = 100_000 },
	} {
		c := DefaultConfig()
		change(&c)
		require.ErrorContains(t, c.Check(), want)
	}
}

// TestOpen: a file goes on only with the settings and nets that it began with.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yomi")
	job := quickJob(t, path, 3)
	r, err := Open(job)
	require.NoError(t, err)
	_, err = Open(job)
	require.Error(t, err, "it is open")
	ctx, cancel := context.WithCancel(context.Background())
	err = r.Play(ctx, func(s *Summary) { cancel() })
	if err != nil {
		require.ErrorIs(t, err, context.Canceled)
	}
	require.NoError(t, r.Close())
	there := r.Summary().Games
	require.Positive(t, there)

	other := job
	other.DeepNodes++
	_, err = Open(other)
	require.ErrorContains(t, err, "it was played with deep-nodes 12, now 13")
	other = job
	other.Seed++
	_, err = Open(other)
	require.ErrorContains(t, err, "seed 7, now 8")
	other.AnySeed = true
	r, err = Open(other)
	require.NoError(t, err)
	require.EqualValues(t, 7, r.Seed())
	require.NoError(t, r.Close())
	other = job
	other.Nets = &Nets{policy: job.Nets.policy, value: job.Nets.value, hash: job.Nets.hash[:len(job.Nets.hash)-1] + "x"}
	_, err = Open(other)
	require.ErrorContains(t, err, "other nets")
	other = job
	other.Workers = 1_000_000
	_, err = Open(other)
	require.ErrorContains(t, err, "at most 512 workers")
	other = job
	other.Path = "x.psv"
	_, err = Open(other)
	require.ErrorContains(t, err, ".yomi")

	job.Games = math.MaxInt64
	r, err = Open(job)
	require.NoError(t, err)
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, r.Play(ctx, nil), context.Canceled, "so many numbers are not listed first")
	require.NoError(t, r.Close())

	job.Games, job.Program = 4, "program other"
	s := play(t, job)
	require.EqualValues(t, 4, s.Games)
	require.EqualValues(t, 4-there, s.Session.Games)
	require.Len(t, gamesOf(t, path), 4)

	foreign := filepath.Join(t.TempDir(), "foreign.yomi")
	w, err := record.AppendGames(foreign)
	require.NoError(t, err)
	require.NoError(t, w.Write(&record.Game{Start: shogi.StartPosition()}))
	require.NoError(t, w.Close())
	job.Path = foreign
	_, err = Open(job)
	require.ErrorContains(t, err, fmt.Sprintf("%s: game 1: it is no game of self-play", foreign))
}
