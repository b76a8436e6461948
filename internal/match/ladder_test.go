package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// pairsMatch is a match of two players with the given results of pairs, in A's half points.
func pairsMatch(a, b string, pairs Pentanomial) Journaled {
	m := Journaled{File: a + "-" + b}
	m.Header = Header{Started: "2026-12-01T00:00:00Z", A: Spec{Name: a, Time: TimeControl{Nodes: 1}}, B: Spec{Name: b, Time: TimeControl{Nodes: 1}}}
	for points, count := range pairs {
		for range count {
			first := points / 2
			m.addPair(first, points-first)
		}
	}
	return m
}

// addPair adds a pair by A's half points in its games; a 1 is a draw, a 2 a win.
func (m *Journaled) addPair(points ...int) {
	pair := len(m.Records) / 2
	for i, p := range points {
		r := Record{Game: 2*pair + i, Pair: pair, Start: "startpos", Black: []string{PlayerA, PlayerB}[i], Result: Drawn}
		if p == 2 && i == 0 || p == 0 && i == 1 {
			r.Result = BlackWins
		} else if p != 1 {
			r.Result = WhiteWins
		}
		m.Records = append(m.Records, r)
	}
}

func mustLadder(t *testing.T, anchor string, matches ...Journaled) map[string]Rung {
	l, err := NewLadder(matches, anchor)
	require.NoError(t, err)
	rungs := make(map[string]Rung)
	for _, r := range l.Rungs {
		rungs[r.Player] = r
	}
	return rungs
}

// For two players the maximum is known: the Elo of the mean score, as in the standings of a match.
func TestLadderOfTwo(t *testing.T) {
	for _, pairs := range []Pentanomial{{1, 2, 3, 4, 5}, {0, 0, 0, 1, 1}, {30, 2, 5, 1, 1}, {0, 0, 1, 0, 400}, {1, 0, 0, 0, 1}} {
		want := Rate(pairs)
		got := mustLadder(t, "b", pairsMatch("a", "b", pairs))
		require.InDelta(t, want.Elo.Value, got["a"].Rating, 1e-6, pairs)
		require.Zero(t, got["b"].Rating)
		require.Zero(t, got["b"].Margin)
		mean, variance := pairs.moments()
		slope := 400 / math.Ln10 / (mean * (1 - mean))
		require.InDelta(t, confidence*math.Sqrt(variance/float64(pairs.Pairs()))*slope, got["a"].Margin, 1e-6, "the error of the score over the slope of the curve")
	}
	// With many pairs this is the interval of the standings, too.
	pairs := Pentanomial{200, 400, 900, 500, 300}
	require.InDelta(t, Rate(pairs).Elo.Margin(), mustLadder(t, "b", pairsMatch("a", "b", pairs))["a"].Margin, 0.05)
}

// Pairs that are all alike: their spread is not known, that of independent games is taken.
func TestLadderOfEqualPairs(t *testing.T) {
	got := mustLadder(t, "b", pairsMatch("a", "b", Pentanomial{0, 0, 50, 0, 0}))
	require.InDelta(t, 0, got["a"].Rating, 1e-9)
	require.InDelta(t, confidence*math.Sqrt(0.25/100)*1600/math.Ln10, got["a"].Margin, 1e-6)
}

// simulate plays pairs between players of known strength. A pair shares half of its luck.
func simulate(dice *rand.Rand, strength map[string]float64, a, b string, pairs int) Journaled {
	m := pairsMatch(a, b, Pentanomial{})
	for range pairs {
		opening := 60 * dice.NormFloat64() // favours one colour
		game := func(tilt float64) int {
			p := Score(strength[a] - strength[b] + tilt)
			return 2 * btoi(dice.Float64() < p)
		}
		m.addPair(game(opening), game(-opening))
	}
	return m
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestLadderOfSimulatedGames(t *testing.T) {
	strength := map[string]float64{"a": 0, "b": 90, "c": -140, "d": 60}
	const trials = 200
	inside, sum := 0, make(map[string]float64)
	for trial := range trials {
		dice := rand.New(rand.NewPCG(7, uint64(trial)))
		got := mustLadder(t, "a", simulate(dice, strength, "a", "b", 60), simulate(dice, strength, "c", "b", 60),
			simulate(dice, strength, "a", "c", 30), simulate(dice, strength, "d", "c", 80))
		for name, r := range got {
			sum[name] += r.Rating / trials
			if math.Abs(r.Rating-strength[name]) <= r.Margin && name != "a" {
				inside++
			}
		}
	}
	for name, want := range strength {
		require.InDelta(t, want, sum[name], 6)
	}
	share := float64(inside) / (3 * trials)
	require.Greater(t, share, 0.90, "share of the 95 %% intervals that hold the true rating; 0.9375 in 1500 trials")
	require.Less(t, share, 0.98)
}

// Without a finite maximum there are bounds, and the other ratings are what they are without those games.
func TestLadderOfCleanScores(t *testing.T) {
	ab := pairsMatch("a", "b", Pentanomial{1, 2, 3, 4, 5})
	alone := mustLadder(t, "b", ab)
	got := mustLadder(t, "b", ab, pairsMatch("top", "a", Pentanomial{0, 0, 0, 0, 20}), pairsMatch("b", "low", Pentanomial{0, 0, 0, 0, 10}),
		pairsMatch("top", "low", Pentanomial{0, 0, 0, 0, 30}))
	require.InDelta(t, alone["a"].Rating, got["a"].Rating, 1e-9)
	require.InDelta(t, alone["a"].Margin, got["a"].Margin, 1e-9)
	require.Equal(t, AtLeast, got["top"].Bound)
	require.Equal(t, AtMost, got["low"].Bound)
	require.Greater(t, got["top"].Rating, got["a"].Rating)

	one := mustLadder(t, "b", pairsMatch("a", "b", Pentanomial{0, 0, 0, 0, 50}))["a"]
	require.Equal(t, AtLeast, one.Bound)
	require.InDelta(t, Elo(math.Pow(0.05, 1.0/50)), one.Rating, 1e-6)
	require.InDelta(t, -one.Rating, mustLadder(t, "a", pairsMatch("a", "b", Pentanomial{0, 0, 0, 0, 50}))["b"].Rating, 1e-6)

	open := mustLadder(t, "x", pairsMatch("x", "y", Pentanomial{0, 0, 0, 0, 5}), pairsMatch("z", "y", Pentanomial{0, 0, 0, 0, 5}))
	require.Equal(t, Open, open["z"].Bound, "both beat y, nothing is known between them")
	require.Equal(t, AtMost, open["y"].Bound)
}

func TestLadderOfTwoGroups(t *testing.T) {
	l, err := NewLadder([]Journaled{pairsMatch("a", "b", Pentanomial{1, 2, 3, 4, 5}), pairsMatch("x", "y", Pentanomial{5, 2, 2, 1, 1})}, "b")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "x", "y"}[:2], []string{l.Rungs[0].Player, l.Rungs[1].Player})
	require.Empty(t, l.Rungs[1].Reference)
	require.Equal(t, "y", l.Rungs[2].Player)
	require.Equal(t, "x", l.Rungs[2].Reference)
	require.Equal(t, "x", l.Rungs[3].Player)
	require.Contains(t, l.Text(), "above x: no games lead to b")
	var page bytes.Buffer
	require.NoError(t, l.WriteMarkdown(&page, "yomi match --ladder x"))
	require.Contains(t, page.String(), "No chain of games leads from these players to b; their ratings are above x:")
}

func TestLadderCounts(t *testing.T) {
	m := pairsMatch("b", "a", Pentanomial{0, 0, 1, 2, 0})
	half := m
	half.Records = m.Records[:3]
	l, err := NewLadder([]Journaled{half, m, m}, "")
	require.NoError(t, err)
	require.Len(t, l.Sources, 1, "a copy and an earlier state count once")
	require.Equal(t, "a", l.Anchor, "as many games as b, and the first by name")
	require.Equal(t, Tally{3, 2, 1}.plus(Tally{0, 0, 0}).Games(), l.Rungs[0].Tally.Games())

	later := half
	later.Header.Started = "2026-12-02T00:00:00Z"
	l, err = NewLadder([]Journaled{later, m}, "")
	require.NoError(t, err)
	require.Equal(t, 8, l.Rungs[0].Tally.Games(), "the half played pair of the second match is not counted")
	require.Len(t, l.Pairings, 1)
	require.Equal(t, 4, l.Pairings[0].Pairs.Pairs())
	require.Equal(t, "b", l.Pairings[0].A, "the stronger one stands first")

	_, err = NewLadder([]Journaled{m}, "aa")
	require.ErrorContains(t, err, `no player "aa" to be the anchor, did you mean "a"?`)
	_, err = NewLadder(nil, "")
	require.ErrorContains(t, err, "no finished pair")
	_, err = NewLadder([]Journaled{pairsMatch("a", "a", Pentanomial{1, 0, 0, 0, 1})}, "")
	require.ErrorContains(t, err, "no finished pair", "a player's games against itself say nothing")
}

func TestLadderPages(t *testing.T) {
	m := pairsMatch("a|b", "c", Pentanomial{0, 1, 2, 3, 4})
	l, err := NewLadder([]Journaled{m, pairsMatch("top", "c", Pentanomial{0, 0, 0, 0, 9})}, "c")
	require.NoError(t, err)
	var page, lines bytes.Buffer
	require.NoError(t, l.WriteMarkdown(&page, "yomi match --ladder dir"))
	require.Contains(t, page.String(), `| a\|b | +191 ± `)
	require.Contains(t, page.String(), "| top | ≥ +")
	require.Contains(t, page.String(), "| c | 0 | ")
	require.NoError(t, l.WriteJSON(&lines))
	kinds := make(map[string]int)
	for line := range strings.Lines(lines.String()) {
		var entry map[string]map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		for kind := range entry {
			kinds[kind]++
		}
	}
	require.Equal(t, map[string]int{"rung": 3, "pairing": 2, "match": 2}, kinds)
}

// Large ladders and lopsided scores end with finite numbers.
func TestLadderOfMany(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	var matches []Journaled
	for i := range 40 {
		for range 3 {
			pairs := Pentanomial{dice.IntN(2), dice.IntN(2), dice.IntN(2), dice.IntN(2), dice.IntN(400)}
			pairs[dice.IntN(5)]++
			matches = append(matches, pairsMatch(fmt.Sprint("p", i), fmt.Sprint("p", dice.IntN(40)), pairs))
		}
	}
	l, err := NewLadder(matches, "p0")
	require.NoError(t, err)
	require.NotEmpty(t, l.Rungs)
	for _, r := range l.Rungs {
		require.False(t, math.IsNaN(r.Rating) || math.IsInf(r.Rating, 0) || math.IsNaN(r.Margin), "%+v", r)
	}
}

func TestReadJournalsOf(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, pack bool) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		m := pairsMatch("a", "b", Pentanomial{0, 1, 0, 0, 1})
		m.Header.Version = journalVersion
		var data bytes.Buffer
		require.NoError(t, json.NewEncoder(&data).Encode(line{Match: &m.Header}))
		for i := range m.Records {
			require.NoError(t, json.NewEncoder(&data).Encode(line{Game: &m.Records[i]}))
		}
		text := data.Bytes()
		if pack {
			z, err := zstd.NewWriter(nil)
			require.NoError(t, err)
			text = z.EncodeAll(text, nil)
		}
		require.NoError(t, os.WriteFile(path, text, 0o644))
	}
	write("one.jsonl.zst", true)
	write("two.jsonl", false)
	write("m/journal.jsonl", false)
	require.NoError(t, os.WriteFile(filepath.Join(dir, LadderJSON), []byte("{}\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.md"), []byte("notes"), 0o644))
	write("m/games.jsonl", false)
	found, err := ReadJournals(filepath.Join(dir, "m"))
	require.NoError(t, err)
	require.Len(t, found, 1, "the journal, not the reports beside it")
	found, err = ReadJournals(dir)
	require.NoError(t, err)
	var files []string
	for _, m := range found {
		files = append(files, filepath.Base(m.File))
		require.Len(t, m.Records, 4)
	}
	require.Equal(t, []string{"journal.jsonl", "one.jsonl.zst", "two.jsonl"}, files)
	found, err = ReadJournals(filepath.Join(dir, "two.jsonl"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	_, err = ReadJournals(filepath.Join(dir, "nothing"))
	require.ErrorContains(t, err, "nothing")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.jsonl"), []byte("{\"x\":1}\n"), 0o644))
	_, err = ReadJournals(dir)
	require.ErrorContains(t, err, "bad.jsonl, line 1")
}
