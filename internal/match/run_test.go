package match

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var long = flag.Bool("long", false, "play the long matches too")

func fake(t testing.TB, habit string) Spec {
	self, err := os.Executable()
	require.NoError(t, err)
	return Spec{Name: habit, Command: []string{self, "fake-engine", habit}, Time: TimeControl{MoveTime: 100 * time.Millisecond}}
}

func testRules() Rules {
	r := DefaultRules()
	r.MaxPlies, r.Margin, r.Hang, r.Startup = 32, time.Second, 3*time.Second, 20*time.Second
	return r
}

// playFakes plays a match without asking first whether the players work, as a match does when one breaks on the way.
func playFakes(t *testing.T, a, b Spec, games int, rules Rules) []Record {
	openings, err := LoadOpenings("")
	require.NoError(t, err)
	h := Header{A: a, B: b, Seed: 1, Games: games, Rules: rules}
	j, err := CreateJournal(filepath.Join(t.TempDir(), JournalName), &h)
	require.NoError(t, err)
	m := &Match{Header: h, openings: openings, journal: j, games: games}
	defer m.Close()
	_, err = m.Run(context.Background(), RunOptions{Concurrency: 2})
	require.NoError(t, err)
	require.Len(t, m.Records, games)
	return m.Records
}

func TestFaults(t *testing.T) {
	for habit, want := range map[string]struct {
		outcome        Outcome
		detail, stderr string
	}{
		"crashes":               {OutcomeCrash, "exit status 3", "out of cheese"},
		"leaves":                {OutcomeDisconnect, "ended by itself", ""},
		"closes its output":     {OutcomeDisconnect, "still runs", ""},
		"hangs":                 {OutcomeNoBestMove, "no answer to \"go movetime 100\"", ""},
		"is late":               {OutcomeTimeLoss, "allowed 100ms and 1s margin", ""},
		"plays an illegal move": {OutcomeIllegalMove, `"5i5a"`, ""},
		"talks nonsense":        {OutcomeIllegalMove, `"(none)"`, ""},
		"declares":              {OutcomeIllegalDeclaration, "in the camp under CSARule27", ""},
	} {
		t.Run(habit, func(t *testing.T) {
			t.Parallel()
			for _, r := range playFakes(t, fake(t, habit), fake(t, "plays well"), 4, testRules()) {
				if r.Black == PlayerA {
					require.Equal(t, want.outcome, r.Outcome, "%+v", r)
					require.Equal(t, WhiteWins, r.Result)
					require.Contains(t, r.Detail, want.detail)
					require.Contains(t, r.Stderr, want.stderr)
					require.Contains(t, strings.Join(r.Lines, "\n"), "> go movetime 100")
				} else {
					require.False(t, r.Outcome.IsFault(), "%+v", r)
					require.NotEmpty(t, r.Plies)
				}
			}
		})
	}
}

func TestFaultsAtStart(t *testing.T) {
	for habit, want := range map[string]Outcome{"dies at start": OutcomeCrash, "stalls": OutcomeStall} {
		t.Run(habit, func(t *testing.T) {
			t.Parallel()
			rules := testRules()
			rules.Startup = 2 * time.Second
			for _, r := range playFakes(t, fake(t, "plays well"), fake(t, habit), 2, rules) {
				require.Equal(t, want, r.Outcome)
				require.Equal(t, PlayerA, r.Winner())
				require.Empty(t, r.Plies)
				if habit == "dies at start" {
					require.Contains(t, r.Stderr, "cannot load the network")
					require.Contains(t, r.Detail, "exit status 7")
				}
			}
			_, err := Identify(t.Context(), fake(t, habit), rules)
			require.ErrorContains(t, err, string(want), "a match does not even begin with such a player")
		})
	}
}

func TestFloods(t *testing.T) {
	for _, habit := range []string{"floods stdout", "floods stderr", "never quits"} {
		t.Run(habit, func(t *testing.T) {
			t.Parallel()
			a := fake(t, habit)
			a.Time = TimeControl{Nodes: 1} // floods take their time when many tests run
			rules := testRules()
			rules.Hang = time.Minute
			for _, r := range playFakes(t, a, fake(t, "plays well"), 2, rules) {
				require.False(t, r.Outcome.IsFault(), "%s: %s", r.Outcome, r.Detail)
			}
		})
	}
}

// selfConfig is a match of yomi against itself in this process.
func selfConfig(games int, control TimeControl) Config {
	rules := DefaultRules()
	rules.MaxPlies = 60
	player := Spec{Name: InProcess, Options: []Setting{{"USI_Hash", "1"}}, Time: control}
	other := player
	other.Options = []Setting{{"USI_Hash", "1"}, {"PolicyEvaluator", "uniform"}}
	return Config{A: player, B: other, Seed: 7, Games: games, Rules: rules}
}

// playMatch plays the match that killed matches and the undisturbed one share. dir ends in the number of games and the time control.
func playMatch(dir string) int {
	var games int
	var control TimeControl
	fields := strings.Split(filepath.Base(dir), "_")
	if _, err := fmt.Sscan(fields[1], &games); err != nil {
		panic(err)
	}
	if err := control.UnmarshalText([]byte(fields[2])); err != nil {
		panic(err)
	}
	m, err := Resume(context.Background(), dir, 0)
	if os.IsNotExist(err) {
		m, err = Create(context.Background(), dir, selfConfig(games, control))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if _, err := m.Run(context.Background(), RunOptions{Concurrency: 2}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// killed plays the match in processes that are killed at random moments spread over the match, then to its end, and returns
// its games by number.
func killed(t *testing.T, dir string, games, kills int) map[int]*Record {
	self, err := os.Executable()
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	for kill := 0; kill <= kills; kill++ {
		command := exec.Command(self, "play-match", dir)
		command.Stderr = os.Stderr
		require.NoError(t, command.Start())
		if kill == kills {
			require.NoError(t, command.Wait())
			break
		}
		// Wait until its share of the games is there, then for a moment more.
		wanted := games * (kill + 1) / (kills + 2)
		require.Eventually(t, func() bool {
			data, _ := os.ReadFile(filepath.Join(dir, JournalName)) // not there at first
			return bytes.Count(data, []byte{'\n'}) > wanted
		}, 10*time.Minute, time.Millisecond)
		time.Sleep(time.Duration(random.Int64N(int64(60 * time.Millisecond))))
		require.NoError(t, command.Process.Kill())
		_ = command.Wait() // killed
		data, err := os.ReadFile(filepath.Join(dir, JournalName))
		require.NoError(t, err)
		t.Logf("killed with %d of %d games finished, last byte %q", bytes.Count(data, []byte{'\n'})-1, games, data[len(data)-1])
	}
	return journalled(t, dir)
}

func journalled(t *testing.T, dir string) map[int]*Record {
	h, err := ReadJournal(filepath.Join(dir, JournalName))
	require.NoError(t, err)
	games := make(map[int]*Record)
	for i := range h.Records {
		games[h.Records[i].Game] = &h.Records[i]
	}
	return games
}

// A match that was killed three times has move for move the games of an undisturbed one.
func TestKilledMatch(t *testing.T) {
	games, nodes := 16, 100
	switch {
	case *long:
		games, nodes = 100, 400
	case testing.Short():
		games, nodes = 8, 20
	}
	root := t.TempDir()
	name := fmt.Sprintf("_%d_nodes=%d", games, nodes)
	undisturbed := filepath.Join(root, "whole"+name)
	began := time.Now()
	require.Zero(t, playMatch(undisturbed))
	t.Logf("undisturbed: %s", time.Since(began))
	want := journalled(t, undisturbed)
	require.Len(t, want, games)
	got := killed(t, filepath.Join(root, "killed"+name), games, 3)
	require.Len(t, got, games)
	for n, r := range want {
		require.Equal(t, r.Moves(), got[n].Moves(), "game %d", n)
		require.Equal(t, r.Outcome, got[n].Outcome)
		require.Equal(t, r.Result, got[n].Result)
		require.Equal(t, r.Start, got[n].Start)
	}
	for n := 0; n < games; n += 2 {
		require.Equal(t, want[n].Start, want[n+1].Start, "both games of a pair begin alike")
		require.NotEqual(t, want[n].Black, want[n+1].Black)
	}
}

// With clocks the moves differ, but each pairing is played once.
func TestKilledMatchOnTheClock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "clock_6_0,0.01")
	got := killed(t, dir, 6, 3)
	require.Len(t, got, 6)
	order := newOpeningOrder(7, 500)
	for n, r := range got {
		require.Equal(t, n/2, r.Pair)
		require.Equal(t, order.index(n/2), r.Opening)
		require.Equal(t, []string{PlayerA, PlayerB}[n%2], r.Black)
	}
}

func TestResumeRefuses(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "openings.txt")
	require.NoError(t, os.WriteFile(list, []byte("startpos moves 7g7f\n"), 0o644))
	c := selfConfig(2, TimeControl{Nodes: 5})
	c.Openings = list
	m, err := Create(t.Context(), filepath.Join(dir, "match"), c)
	require.NoError(t, err)
	_, err = m.Run(context.Background(), RunOptions{})
	require.NoError(t, err)
	_, err = Resume(t.Context(), filepath.Join(dir, "match"), 0)
	require.ErrorContains(t, err, "another program", "two programs must not write to one journal")
	require.NoError(t, m.Close())

	_, err = Create(t.Context(), filepath.Join(dir, "match"), c)
	require.ErrorIs(t, err, os.ErrExist)
	m, err = Resume(t.Context(), filepath.Join(dir, "match"), 4)
	require.NoError(t, err)
	_, err = m.Run(context.Background(), RunOptions{})
	require.NoError(t, err)
	require.Equal(t, 4, m.Standings().All.Games(), "a match can be made longer")
	require.NoError(t, m.Close())

	require.NoError(t, os.WriteFile(list, []byte("startpos moves 2g2f\n"), 0o644))
	_, err = Resume(t.Context(), filepath.Join(dir, "match"), 0)
	require.ErrorContains(t, err, "the openings")

	now := m.Header
	now.A.Options = []Setting{{"USI_Hash", "2"}}
	require.Contains(t, m.Header.Changed(&now), "player A")
	now = m.Header
	now.Identities[1].SHA256 = "other"
	require.Contains(t, m.Header.Changed(&now), "the program of player B")
	now = m.Header
	require.Empty(t, m.Header.Changed(&now))
}

func TestInterrupt(t *testing.T) {
	m, err := Create(t.Context(), t.TempDir(), selfConfig(20, TimeControl{Nodes: 50}))
	require.NoError(t, err)
	defer m.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err = m.Run(ctx, RunOptions{Progress: func(*Record, *Standings) { cancel() }})
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, len(m.Records), 20)
	_, err = m.Run(context.Background(), RunOptions{Concurrency: 2})
	require.NoError(t, err)
	require.Len(t, m.Records, 20)
	_, err = m.Run(ctx, RunOptions{})
	require.NoError(t, err, "a match that is over cannot be interrupted")
}

// The SPRT stops the feeding of new pairs; games that have begun are finished, so that no half pair is left.
func TestSPRTStops(t *testing.T) {
	c := selfConfig(400, TimeControl{Nodes: 2})
	c.B.Options = []Setting{{"USI_Hash", "1"}, {"ValueEvaluator", "even"}, {"PolicyEvaluator", "uniform"}}
	c.Rules.MaxPlies = 200
	c.SPRT = SPRT{Elo0: 0, Elo1: 200, Alpha: 0.05, Beta: 0.05, Model: Normalized}
	m, err := Create(t.Context(), t.TempDir(), c)
	require.NoError(t, err)
	defer m.Close()
	s, err := m.Run(context.Background(), RunOptions{Concurrency: 2})
	require.NoError(t, err)
	require.True(t, s.Decided(), s.Text("a", "b"))
	require.Less(t, s.All.Games(), 400)
	require.Zero(t, s.Half)
	require.GreaterOrEqual(t, s.Pairs.Pairs(), s.AtStop.Pairs.Pairs())
	require.Contains(t, s.Text("a", "b"), "accepted at LLR")
	again, err := m.Run(context.Background(), RunOptions{})
	require.NoError(t, err)
	require.Equal(t, s.All, again.All, "a decided match does not go on")
}
