package match

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

const sfenAfter76 = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"

func TestParseOpening(t *testing.T) {
	for line, want := range map[string]string{
		"startpos":                                  "startpos",
		"startpos moves 7g7f":                       "startpos moves 7g7f",
		"position startpos moves 7g7f":              "startpos moves 7g7f",
		"\ufeffsfen " + sfenAfter76:                 "sfen " + sfenAfter76,
		"position sfen " + sfenAfter76:              "sfen " + sfenAfter76,
		sfenAfter76 + "\r\n":                        "sfen " + sfenAfter76,
		strings.TrimSuffix(sfenAfter76, " 2"):       "sfen " + strings.TrimSuffix(sfenAfter76, " 2") + " 1",
		sfenAfter76 + " ; eval 12":                  "sfen " + sfenAfter76,
		"sfen " + sfenAfter76 + " moves 3c3d":       "sfen " + sfenAfter76 + " moves 3c3d",
		"7g7f 3c3d":                                 "startpos moves 7g7f 3c3d",
		"startpos moves 7g7f 3c3d 2g2f ; a comment": "startpos moves 7g7f 3c3d 2g2f",
	} {
		o, err := ParseOpening(line)
		require.NoError(t, err, line)
		require.Equal(t, want, o.Text)
	}
	for line, part := range map[string]string{
		"startpos moves 7g7e": "7g7e", "startpos move 7g7f": `"move"`, "hello": "hello",
		"sfen 4k4/9/9/9/9/9/9/9/9 b - 1":     "king is missing",
		"sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w -": "no legal move",
		"7g7f 3c3x":                          "3c3x",
		"startpos moves" + strings.Repeat(" 2h3h 8b7b 3h2h 7b8b", 3): "fourfold",
	} {
		_, err := ParseOpening(line)
		require.ErrorContains(t, err, part, line)
	}
	for _, line := range []string{"", "  \n", "# comment", "\ufeff# YANEURAOU"} {
		_, err := ParseOpening(line)
		require.ErrorIs(t, err, ErrNoOpening)
	}
}

func FuzzParseOpening(f *testing.F) {
	for _, line := range []string{"startpos moves 7g7f", "sfen " + sfenAfter76, "7g7f 3c3d ; x", "# c", "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R 1 moves R*5b"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		o, err := ParseOpening(line)
		if err != nil {
			return
		}
		again, err := ParseOpening(o.Text)
		require.NoError(t, err)
		require.Equal(t, o, again)
		require.True(t, o.Game().Position().HasLegalMove())
	})
}

func TestReadOpenings(t *testing.T) {
	list, err := ReadOpenings("book.txt", strings.NewReader("# two lines\n\nstartpos\nstartpos moves 7g7f"))
	require.NoError(t, err)
	require.Equal(t, []Opening{{3, "startpos"}, {4, "startpos moves 7g7f"}}, list)
	_, err = ReadOpenings("book.txt", strings.NewReader("startpos\nstartpos moves 7g7f 7g7f\n"))
	require.ErrorContains(t, err, "book.txt, line 2: ")
	require.ErrorContains(t, err, "7g7f")
	_, err = ReadOpenings("book.txt", strings.NewReader("# nothing\n"))
	require.ErrorContains(t, err, "no opening")

	path := filepath.Join(t.TempDir(), "book.sfen.zst")
	z, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, z.EncodeAll([]byte("startpos\n"), nil), 0o644))
	list, err = LoadOpenings(path)
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func TestEmbeddedOpenings(t *testing.T) {
	list, err := LoadOpenings("")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(list), 500)
	require.Less(t, len(balanced), 150_000)
	seen := make(map[string]bool)
	for _, o := range list {
		p := o.Game().Position()
		text := positionText(p)
		require.False(t, seen[text], "twice: %s", text)
		seen[text] = true
		require.False(t, p.InCheck(), o.Text)
		require.True(t, p.Ply() >= 17 && p.Ply() <= 25, o.Text)
	}
	require.NotEqual(t, HashOpenings(list), HashOpenings(list[1:]))
}

func TestOpeningOrder(t *testing.T) {
	a, b, other := newOpeningOrder(1, 50), newOpeningOrder(1, 50), newOpeningOrder(2, 50)
	var first, second, different []int
	for pair := range 100 {
		require.Equal(t, a.index(pair), b.index(pair), "the seed decides")
		if pair < 50 {
			first = append(first, a.index(pair))
			different = append(different, other.index(pair))
		} else {
			second = append(second, a.index(pair))
		}
	}
	require.NotEqual(t, first, second, "another order when the list is used up")
	require.NotEqual(t, first, different)
	for _, lap := range [][]int{first, second} {
		slices.Sort(lap)
		for i, n := range lap {
			require.Equal(t, i, n, "every opening comes once in a lap")
		}
	}
}

func TestOpeningsFromRecords(t *testing.T) {
	sample := []string{"../../testdata/sample.psv.zst"}
	rules := OpeningRules{Count: 40, MinPly: 20, MaxPly: 60, MaxScore: 80, Seed: 3}
	lines, err := OpeningsFromRecords(context.Background(), sample, rules)
	require.NoError(t, err)
	require.Len(t, lines, 40)
	again, err := OpeningsFromRecords(context.Background(), sample, rules)
	require.NoError(t, err)
	require.Equal(t, lines, again)
	rules.Seed = 4
	other, err := OpeningsFromRecords(context.Background(), sample, rules)
	require.NoError(t, err)
	require.NotEqual(t, lines, other)
	for _, line := range lines {
		o, err := ParseOpening(line)
		require.NoError(t, err)
		p := o.Game().Position()
		require.False(t, p.InCheck())
		require.True(t, p.Ply()-1 >= 20 && p.Ply()-1 <= 60)
	}
	rules.Count = 100_000
	_, err = OpeningsFromRecords(context.Background(), sample, rules)
	require.ErrorContains(t, err, "positions fit")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = OpeningsFromRecords(cancelled, sample, rules)
	require.ErrorIs(t, err, context.Canceled)
}

func TestOpeningsByPlay(t *testing.T) {
	rules := PlayRules{OpeningRules: OpeningRules{Count: 3, MinPly: 6, MaxPly: 8, MaxScore: 300, Seed: 1}, Temperature: 0.5, Nodes: 50,
		Options: []usi.Setting{{Name: "USI_Hash", Value: "1", HasValue: true}}}
	lines, err := OpeningsByPlay(context.Background(), rules, nil)
	require.NoError(t, err)
	require.Len(t, lines, 3)
	again, err := OpeningsByPlay(context.Background(), rules, nil)
	require.NoError(t, err)
	require.Equal(t, lines, again)
	for _, line := range lines {
		o, err := ParseOpening(line)
		require.NoError(t, err)
		require.NotEqual(t, shogi.StartPosition(), *o.Game().Position())
	}
	rules.Temperature = 0
	_, err = OpeningsByPlay(context.Background(), rules, nil)
	require.Error(t, err)
}
