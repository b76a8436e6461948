package learn

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/selfplay"
	"github.com/yomi-shogi/yomi/internal/train"
	"github.com/yomi-shogi/yomi/policy"
)

// TestLoop makes three generations, the first two by handed data too, and looks at everything that they leave.
func TestLoop(t *testing.T) {
	if testing.Short() {
		t.Skip("makes three generations")
	}
	c := tinyConfig()
	c.Handed.Train = []string{handed(t, 1500)}
	l := begin(t, c)
	var lines []string
	o := tinyOptions(3)
	o.Report = func(p Progress) {
		if p.Line != "" {
			lines = append(lines, p.Line)
		}
	}
	finish(t, l, o)
	require.Len(t, l.History, 3)
	require.Len(t, lines, 3*5)
	require.Contains(t, lines[0], "generation 1, self-play in ")
	require.Contains(t, lines[4], ": promoted")
	for i, g := range l.History {
		require.Equal(t, i+1, g.Number)
		require.Equal(t, i, g.Best, "the one before was promoted")
		require.True(t, g.Promoted)
		require.Equal(t, match.AcceptedH1, g.Gate.Verdict)
		require.EqualValues(t, 4, g.Games)
		require.EqualValues(t, 4, g.Black+g.White+g.Draws)
		require.Greater(t, g.Positions, g.Deep)
		require.Positive(t, g.Deep)
		require.Len(t, g.Seconds, 4)
		require.False(t, g.Ended.IsZero())
		for _, net := range []Net{g.Policy, g.Value} {
			require.GreaterOrEqual(t, net.HandedPositions, net.OwnPositions, "half of it, in whole games")
			require.Len(t, net.Sets, 2)
			require.Equal(t, "handed", net.Sets[0].Set)
			require.Equal(t, l.History[0].Policy.Sets[0].After.Positions, g.Policy.Sets[0].After.Positions)
			require.Equal(t, "self-play", net.Sets[1].Set)
			require.Positive(t, net.Sets[1].Before.Loss)
			require.NotEqual(t, net.Sets[0].Before.Loss, net.Sets[0].After.Loss)
		}
	}
	require.Equal(t, [][]int{{1}, {1, 2}, {2, 3}}, [][]int{l.History[0].Window, l.History[1].Window, l.History[2].Window})
	require.InDelta(t, l.History[0].Value.Sets[0].After.Loss, l.History[1].Value.Sets[0].Before.Loss, 1e-9, "the best net is measured on the same positions")

	require.Equal(t, []string{"policy.nn", "value.nn"}, files(t, l, 0))
	require.Equal(t, []string{"policy.nn", "value.nn"}, files(t, l, 1), "beyond the window")
	require.Equal(t, []string{"policy.nn", "value.nn"}, files(t, l, 2), "the next generation learns from the third and its own games")
	require.Equal(t, []string{"games.yomi", "gate/", "policy.checkpoint", "policy.log.jsonl", "policy.nn", "policy.svg",
		"value.checkpoint", "value.log.jsonl", "value.nn", "value.svg"}, files(t, l, 3), "the next training goes on from the checkpoints")
	_, err := selfplay.LoadNets(l.Files(3))
	require.NoError(t, err)
	file, err := os.ReadFile(l.net(3, train.Policy))
	require.NoError(t, err)
	net, err := policy.DecodeNet(file)
	require.NoError(t, err)
	require.Equal(t, tinyConstants(), net.About().Constants, "they are inherited")
	require.Contains(t, net.About().Provenance, "Generation 3 of a learning loop")
	requireReport(t, l)
	require.NoError(t, os.RemoveAll(l.dir))
}

// requireReport looks at table and picture.
func requireReport(t *testing.T, l *Loop) {
	table, err := os.ReadFile(filepath.Join(l.dir, tableName))
	require.NoError(t, err)
	rows := strings.Split(strings.TrimSpace(string(table)), "\n")
	require.Len(t, rows, 2+len(l.History))
	for _, row := range rows[1:] {
		require.Equal(t, strings.Count(rows[0], "|"), strings.Count(row, "|"))
	}
	g := &l.History[1]
	require.Contains(t, rows[3], fmt.Sprintf("| 2 | 4 | %d (%d) | games of 1–2: %d / %d, handed ", g.Positions, g.Deep, g.Policy.OwnPositions, g.Value.OwnPositions))
	require.Contains(t, rows[3], fmt.Sprintf("handed %.4f → %.4f; self-play ", g.Policy.Sets[0].Before.Loss, g.Policy.Sets[0].After.Loss))
	require.Contains(t, rows[3], "| promoted |")
	picture, err := os.ReadFile(filepath.Join(l.dir, chartName))
	require.NoError(t, err)
	d := xml.NewDecoder(strings.NewReader(string(picture)))
	for {
		if _, err := d.Token(); err != nil {
			require.ErrorIs(t, err, io.EOF)
			break
		}
	}
	require.Contains(t, string(picture), "policy: validation loss on handed")
	require.Contains(t, string(picture), fmt.Sprintf("<title>%.4f</title>", g.Value.Sets[0].After.Loss))
}

// TestInterrupted stops a loop in each of its stages and opens it anew each time; the end is that of a loop that was left alone, whatever
// the number of games at a time.
func TestInterrupted(t *testing.T) {
	generations := 2
	if testing.Short() {
		generations = 1
	}
	want := finish(t, begin(t, tinyConfig()), tinyOptions(generations))
	l := begin(t, tinyConfig())
	dir := l.dir
	stops := []Progress{{Stage: SelfPlay, Done: 1}, {Stage: SelfPlay, Done: 3}, {Stage: TrainPolicy, Done: 2}, {Stage: TrainValue, Done: 1}, {Stage: GateMatch, Done: 1}}
	for generation := 1; generation <= generations; generation++ {
		for _, stop := range stops {
			ctx, cancel := context.WithCancel(context.Background())
			o := tinyOptions(generations)
			o.Workers = 2
			o.Report = func(p Progress) {
				if p.Generation == generation && p.Stage == stop.Stage && p.Line == "" && p.Done >= stop.Done {
					cancel()
				}
			}
			err := l.Run(ctx, o)
			cancel()
			if len(l.History) < generation { // two games at a time may end the stage before it is stopped
				require.ErrorIs(t, err, context.Canceled)
			}
			require.NoError(t, l.Close())
			l, err = Resume(dir)
			require.NoError(t, err)
		}
	}
	require.Equal(t, want, finish(t, l, tinyOptions(generations)))
	require.Greater(t, l.History[0].Seconds[SelfPlay], 0.)
}

// TestRejected: rejected nets are removed and never play; their games are learnt from all the same.
func TestRejected(t *testing.T) {
	if testing.Short() {
		t.Skip("makes several generations")
	}
	c := tinyConfig()
	c.Gate.SPRT, c.Scratch, c.Policy.Hidden = hard, true, 2*tinyHidden
	l := begin(t, c)
	finish(t, l, tinyOptions(2))
	for _, g := range l.History {
		require.False(t, g.Promoted)
		require.Zero(t, g.Best)
		require.Contains(t, g.outcome(), "rejected")
	}
	require.Equal(t, []int{1, 2}, l.History[1].Window)
	require.Equal(t, []string{"games.yomi", "gate/", "policy.log.jsonl", "policy.svg", "value.log.jsonl", "value.svg"}, files(t, l, 2))
	require.Zero(t, l.Best())
}

// TestOpen: a loop goes on only with the settings and files that it was begun with, and in one program at a time.
func TestOpen(t *testing.T) {
	start, err := tinyNets(t.TempDir())
	require.NoError(t, err)
	c := tinyConfig()
	c.Handed.Train = []string{handed(t, 50)}
	dir := filepath.Join(t.TempDir(), "loop")
	l, err := Open(dir, c, start)
	require.NoError(t, err)
	_, err = Resume(dir)
	require.ErrorContains(t, err, "another program")
	require.NoError(t, l.Close())

	for want, change := range map[string]func(*Config){
		"config.gate.sprt.elo1 was 0, now it is 7":          func(c *Config) { c.Gate.SPRT.Elo1 = 7 },
		"config.self_play.deep_nodes was 8, now it is 9":    func(c *Config) { c.SelfPlay.DeepNodes = 9 },
		`config.self_play.declaration was "CSARule27", now`: func(c *Config) { c.SelfPlay.Declaration = 0 },
		"config.seed was 3, now it is 4":                    func(c *Config) { c.Seed = 4 },
		"config.policy.workers was 2, now it is 1":          func(c *Config) { c.Policy.Workers = 1 },
		"config.handed.train was [":                         func(c *Config) { c.Handed.Train = nil },
	} {
		other := c
		change(&other)
		_, err := Open(dir, other, start)
		require.ErrorContains(t, err, "cannot go on: "+want)
	}
	_, err = Open(dir, c, Start{})
	require.NoError(t, err, "without start nets those in the folder count")
	require.NoError(t, os.WriteFile(c.Handed.Train[0], make([]byte, 40), 0o600))
	_, err = Open(dir, c, start)
	require.ErrorContains(t, err, "handed_sha256."+c.Handed.Train[0]+" was ")
	_, err = Resume(t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestRefusals: settings that make no sense are refused before anything is made, by a message that names them.
func TestRefusals(t *testing.T) {
	start, err := tinyNets(t.TempDir())
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "loop")
	for want, change := range map[string]func(*Config){
		"bad games 0 of a generation":    func(c *Config) { c.Games = 0 },
		"bad window 0":                   func(c *Config) { c.Window = 0 },
		"bad handed share 1":             func(c *Config) { c.HandedShare = 1 },
		"bad validation share -1":        func(c *Config) { c.Handed.Share = -1 },
		"no handed files":                func(c *Config) { c.Handed.Last = []string{"x"} },
		"bad gate nodes 0":               func(c *Config) { c.Gate.Nodes = 0 },
		"bad gate hash 0":                func(c *Config) { c.Gate.HashMB = 0 },
		"needs the bounds":               func(c *Config) { c.Gate.SPRT = match.SPRT{} },
		"gate: bad SPRT bounds 9, 0":     func(c *Config) { c.Gate.SPRT.Elo0 = 9 },
		"gate: bad number of games 3":    func(c *Config) { c.Gate.Games = 3 },
		"self-play: bad deep-share 2":    func(c *Config) { c.SelfPlay.DeepShare = 2 },
		"policy net: 65 hidden units":    func(c *Config) { c.Policy.Hidden = 65 },
		"value net: 0 workers":           func(c *Config) { c.Value.Workers = 0 },
		"start policy net has 64 hidden": func(c *Config) { c.Policy.Hidden = 128 },
		"start value net gives scores":   func(c *Config) { c.Value.ScoreScale = 700 },
		"missing.psv: no such file":      func(c *Config) { c.Handed.Train = []string{"missing.psv"} },
		"missing.sfen: no such file":     func(c *Config) { c.Openings = "missing.sfen" },
		"but a game draws after 2":       func(c *Config) { c.Gate.Rules.MaxPlies = 2 },
	} {
		c := tinyConfig()
		change(&c)
		_, err := Open(dir, c, start)
		require.ErrorContains(t, err, want)
	}
	_, err = Open(dir, tinyConfig(), Start{Policy: start.Value})
	require.ErrorContains(t, err, "value net, not a policy net")
	require.NoFileExists(t, filepath.Join(dir, configName))
}

// TestConfigFile: every setting is in config.json, under its name.
func TestConfigFile(t *testing.T) {
	l := begin(t, tinyConfig())
	require.NoError(t, l.Close())
	s, err := readStored(filepath.Join(l.dir, configName))
	require.NoError(t, err)
	require.Equal(t, l.Config, s.Config)
	all, err := flatten(s)
	require.NoError(t, err)
	for name, want := range map[string]string{"config.games": "4", "config.window": "2", "config.handed.validate_share": "0.1",
		"config.self_play.temperature": "0.8", "config.gate.rules.max_plies": "30", "config.policy.rate": "0.0003", "config.from_scratch": "false"} {
		require.InDelta(t, number(t, want), number(t, all[name]), 1e-9, name)
	}
	bad := filepath.Join(t.TempDir(), configName)
	require.NoError(t, os.WriteFile(bad, []byte(`{"version":2}`), 0o600))
	_, err = readStored(bad)
	require.ErrorContains(t, err, "version 2, this program reads 1")
	require.NoError(t, os.WriteFile(bad, []byte("{"), 0o600))
	_, err = readStored(bad)
	require.ErrorContains(t, err, bad)
}

// number reads a JSON number, true as 1 and false as 0.
func number(t *testing.T, text string) float64 {
	var x any
	require.NoError(t, json.Unmarshal([]byte(text), &x))
	switch x := x.(type) {
	case bool:
		if x {
			return 1
		}
		return 0
	case float64:
		return x
	}
	require.Fail(t, "not a number", text)
	return 0
}

// TestJournal: what was cut is left out, what is wrong is named.
func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), historyName)
	j, history, err := openJournal(path)
	require.NoError(t, err)
	require.Empty(t, history)
	require.NoError(t, j.Append(&Generation{Number: 1, Promoted: true}))
	require.NoError(t, j.Append(&Generation{Number: 2, Best: 1}))
	require.NoError(t, j.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for cut, want := range map[int]int{1: 1, len(whole) - 1: 1, 5: 1} {
		require.NoError(t, os.WriteFile(path, whole[:len(whole)-cut], 0o600))
		j, history, err := openJournal(path)
		require.NoError(t, err)
		require.Len(t, history, min(want, strings.Count(string(whole[:len(whole)-cut]), "\n")))
		require.NoError(t, j.Close())
	}
	for text, want := range map[string]string{
		`{"generation":2}`:           "line 1: generation 2 after the best of 0, where 1 belongs",
		`{"generation":1,"best":1}`:  "line 1: generation 1 after the best of 1",
		`{"generation":1,"extra":1}`: `unknown field "extra"`,
		`nonsense`:                   "line 1: ",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text+"\n"), 0o600))
		_, _, err := openJournal(path)
		require.ErrorContains(t, err, want)
	}
}

// TestPairJudge: the verdict depends on the pairs in the order of their numbers, not on the order in which games end.
func TestPairJudge(t *testing.T) {
	var records []match.Record
	for game, result := range []match.Result{match.BlackWins, match.WhiteWins, match.BlackWins, match.BlackWins, match.WhiteWins, match.BlackWins,
		match.WhiteWins, match.BlackWins, match.WhiteWins, match.BlackWins} {
		r := match.Record{Game: game, Pair: game / 2, Black: match.PlayerA, Result: result}
		if game%2 == 1 {
			r.Black = match.PlayerB
		}
		records = append(records, r)
	}
	want := newPairJudge(hard, records)
	require.True(t, want.decided())
	require.Less(t, want.result.Pairs.Pairs(), 5, "the test ends before the last pair")
	for _, order := range [][]int{{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, {1, 0, 3, 2, 5, 4, 9, 8, 6, 7}} {
		j := newPairJudge(hard, nil)
		for _, i := range order {
			j.add(&records[i])
		}
		require.Equal(t, want.result, j.result)
		require.Contains(t, j.text(), "LLR")
	}
}

// TestElo writes ratings whose error is unknown or infinite without nonsense.
func TestElo(t *testing.T) {
	for want, pairs := range map[string]match.Pentanomial{
		"no pair yet":              {},
		"100 % of the points":      {4: 3},
		"0 % of the points":        {0: 3},
		"Elo +0, margin unknown":   {2: 5},
		"Elo +191, margin unknown": {2: 1, 4: 1},
		"Elo +64 ± 84":             {1: 2, 2: 3, 3: 6},
	} {
		m := Match{Pairs: pairs}
		require.Equal(t, want, m.elo())
	}
}

// TestReportError: a stage that fails says which one and leaves what is done.
func TestReportError(t *testing.T) {
	l := begin(t, tinyConfig())
	failed := errors.New("stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	o := tinyOptions(1)
	o.Report = func(p Progress) {
		if p.Stage == SelfPlay && p.Line != "" {
			cancel(failed)
		}
	}
	err := l.Run(ctx, o)
	require.ErrorIs(t, err, failed)
	require.ErrorContains(t, err, "generation 1, policy: ")
	require.Equal(t, []Stage{SelfPlay}, l.now.Done)
	require.NoError(t, l.Close())
}
