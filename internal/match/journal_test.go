package match

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// sampleRecords returns games that show all that a journal can hold.
func sampleRecords() []Record {
	cp, mate := 35, -4
	return []Record{
		{Game: 0, Pair: 0, Opening: 5, Start: "startpos moves 7g7f", Black: PlayerA, Result: BlackWins, Outcome: OutcomeResign, Ended: "2026-11-30T18:00:00Z",
			Plies: []Ply{{Move: "3c3d", Wall: 1200, Engine: 1190, Score: &cp, Nodes: 800, Depth: 9}, {Move: "8h2b+", Wall: 3, Mate: &mate}, {Move: "3a2b"}, {Move: "B*5e"}}},
		{Game: 1, Pair: 0, Opening: 5, Start: "startpos moves 7g7f", Black: PlayerB, Result: BlackWins, Outcome: OutcomeCrash, Detail: "exit status 3 <&>",
			Lines: []string{"> go nodes 1"}, Stderr: "panic: \"x\"\n", Ended: "2026-11-30T18:01:00Z"},
		{Game: 2, Pair: 1, Start: "startpos", Black: PlayerA, Result: Drawn, Outcome: OutcomeMaxPlies, Plies: []Ply{{Move: "7g7f"}}, Ended: "2026-11-30T18:02:00Z"},
	}
}

func writeJournal(t *testing.T, path string, records []Record) {
	h := Header{A: Spec{Name: "new"}, B: Spec{Name: "old"}, Games: 4, Rules: DefaultRules(), SPRT: &SPRT{0, 5, 0.05, 0.05, Normalized}}
	j, err := CreateJournal(path, &h)
	require.NoError(t, err)
	for i := range records {
		require.NoError(t, j.Append(&records[i]))
	}
	require.NoError(t, j.Close())
}

func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), JournalName)
	writeJournal(t, path, sampleRecords())
	h, err := ReadJournal(path)
	require.NoError(t, err)
	require.Equal(t, "new", h.Header.A.Name)
	require.Equal(t, sampleRecords(), h.Records)

	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.EqualValues(t, len(data), h.Size)
	z, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path+".zst", z.EncodeAll(data, nil), 0o644))
	packed, err := ReadJournal(path + ".zst")
	require.NoError(t, err)
	require.Equal(t, h, packed)

	// A line that was cut is dropped, wherever it was cut, and the next game is written in its place.
	lines := strings.SplitAfter(string(data), "\n")
	whole := len(lines[0]) + len(lines[1])
	for _, cut := range []int{whole, whole + 1, whole + len(lines[2])/2, whole + len(lines[2]) - 1} {
		require.NoError(t, os.WriteFile(path, data[:cut], 0o644))
		j, h, err := OpenJournal(path)
		require.NoError(t, err)
		require.Len(t, h.Records, 1)
		require.NoError(t, j.Append(&sampleRecords()[1]))
		require.NoError(t, j.Close())
		h, err = ReadJournal(path)
		require.NoError(t, err)
		require.Equal(t, sampleRecords()[:2], h.Records)
	}
}

func TestBadJournals(t *testing.T) {
	path := filepath.Join(t.TempDir(), JournalName)
	writeJournal(t, path, sampleRecords())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(data), "\n")
	for want, text := range map[string]string{
		"line 3: ":                lines[0] + lines[1] + "garbage\n" + lines[2],
		"game 0 is there twice":   lines[0] + lines[1] + lines[1],
		"line 1: the header":      lines[1],
		"line 2: the header":      lines[0] + lines[0],
		"version 9":               strings.Replace(lines[0], `"version":1`, `"version":9`, 1),
		"neither a header":        lines[0] + "{}\n",
		`bad result "grey"`:       lines[0] + strings.Replace(lines[1], `"result":"black"`, `"result":"grey"`, 1),
		"no header":               "",
		"game 0 of pair 3":        lines[0] + strings.Replace(lines[1], `"pair":0`, `"pair":3`, 1),
		"bad start: bad position": lines[0] + strings.Replace(lines[1], "startpos moves 7g7f", "startpos x", 1),
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := ReadJournal(path)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, JournalName)
	}
}

func FuzzParseLine(f *testing.F) {
	for _, r := range sampleRecords() {
		data, err := json.Marshal(line{Game: &r})
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add([]byte(`{"match":{"version":1,"a":{"name":"x","time":"10+0.1"},"rules":{"margin_ns":1}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := parseLine(data)
		if err != nil {
			return
		}
		again, err := json.Marshal(l)
		require.NoError(t, err)
		l2, err := parseLine(again)
		require.NoError(t, err)
		third, err := json.Marshal(l2) // as text: an empty list and none are the same here
		require.NoError(t, err)
		require.JSONEq(t, string(again), string(third))
	})
}
