package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
)

const sampleFile = "../../testdata/sample.psv.zst"

// convertGame returns a game of the moves.
func convertGame(t *testing.T, moves ...string) *record.Game {
	g := &record.Game{Start: shogi.StartPosition(), Result: record.WhiteWins, End: record.EndResign, Black: record.Player{Name: "yomi"}}
	p := g.Start
	for i, text := range moves {
		m, err := shogi.ParseMove(text)
		require.NoError(t, err)
		require.True(t, p.IsLegal(m))
		g.Moves = append(g.Moves, record.GameMove{Move: m, Known: record.HasRootValue, RootValue: 0.6, Deep: i%2 == 0,
			Candidates: []record.Candidate{{Move: m, Visits: 5}}})
		p.Do(m)
	}
	return g
}

func yomiFile(t *testing.T, games ...*record.Game) string {
	path := filepath.Join(t.TempDir(), "in.yomi")
	w, err := record.AppendGames(path)
	require.NoError(t, err)
	for _, g := range games {
		require.NoError(t, w.Write(g))
	}
	require.NoError(t, w.Close())
	return path
}

// facts are what every format holds of the positions of a file.
func facts(t *testing.T, path string) (list [][4]any) {
	r, err := record.Open(path)
	require.NoError(t, err)
	defer r.Close()
	for {
		s, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		require.NoError(t, err)
		setup := s.Position.Setup()
		setup.Ply = 0
		list = append(list, [4]any{setup, s.Move, s.Score, s.Result})
	}
}

// TestConvertChain leads the sample through all formats that hold scores: positions, moves, scores and results stay.
func TestConvertChain(t *testing.T) {
	dir := t.TempDir()
	in := sampleFile
	var want [][4]any
	for _, name := range []string{"a.yomi", "b.hcpe3.zst", "c.yomi", "d.psv.zst", "e.hcpe", "f.csa", "g.psv"} {
		out := filepath.Join(dir, name)
		status, text, errs := yomi("convert", in, out)
		require.Zero(t, status, errs)
		require.Contains(t, text, " 0 records that make no sense")
		require.Contains(t, text, " 0 records with an illegal move")
		require.NoFileExists(t, out+".partial")
		in = out
		switch {
		case want == nil:
			want = facts(t, out)
			require.Len(t, want, 20000)
		case name != "f.csa":
			require.Equal(t, want, facts(t, out), name)
		}
	}
	copied := filepath.Join(dir, "copy.psv")
	status, _, errs := yomi("convert", sampleFile, copied)
	require.Zero(t, status, errs)
	require.Equal(t, unpacked(t, sampleFile), unpacked(t, copied), "the same bytes")
}

func unpacked(t *testing.T, path string) []byte {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	if strings.HasSuffix(path, ".zst") {
		z, err := zstd.NewReader(nil)
		require.NoError(t, err)
		defer z.Close()
		data, err = z.DecodeAll(data, nil)
		require.NoError(t, err)
	}
	return data
}

// TestConvertReport: what is lost, left out and counted is said.
func TestConvertReport(t *testing.T) {
	game, other := convertGame(t, "7g7f", "3c3d", "2g2f"), convertGame(t, "2g2f", "3c3d")
	open := convertGame(t, "5g5f")
	open.Result, open.End = record.NoResult, record.EndInterrupted
	open.Moves[0].Known = 0
	for name, tc := range map[string]struct {
		out  string
		args []string
		want []string
		not  string
	}{
		"psv":       {"x.psv", nil, []string{"read 4 games (9 moves), wrote 8 positions", " 3 duplicates, kept", " 1 games without a result", "psv does not hold: visits", "win rates"}, "move numbers"},
		"unique":    {"x.psv", []string{"--drop-duplicates"}, []string{"wrote 5 positions", " 3 duplicates, left out"}, "kept"},
		"deep":      {"x.hcpe", []string{"--deep-only"}, []string{"wrote 5 positions", " 3 moves of fast searches"}, "kept: "},
		"hcpe3":     {"x.hcpe3", nil, []string{"wrote 3 games", " 1 duplicates, kept", "hcpe3 does not hold: how the game ended"}, "visits"},
		"yomi":      {"x.yomi", []string{"--drop-duplicates"}, []string{"wrote 3 games", " 1 duplicates, left out"}, "does not hold"},
		"csa":       {"x.csa", nil, []string{"wrote 4 games", "csa does not hold: visits"}, "comments"},
		"kif":       {"x.kif", []string{"--game", "2"}, []string{"wrote 1 games", "kif does not hold: visits"}, "without a result"},
		"eval coef": {"x.psv", []string{"--eval-coef", "756"}, []string{"wrote 8 positions"}, "not known"},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), tc.out)
			status, text, errs := yomi(append(append([]string{"convert"}, tc.args...), yomiFile(t, game, other, game, open), out)...)
			require.Zero(t, status, errs)
			for _, want := range tc.want {
				require.Contains(t, text, want)
			}
			require.NotContains(t, text, tc.not)
			require.FileExists(t, out)
			if name == "eval coef" {
				require.EqualValues(t, 307, facts(t, out)[0][2], "756·ln(0.6/0.4)")
			}
		})
	}
}

// TestConvertBad: bad records are named by file and number and left out; the exit status tells.
func TestConvertBad(t *testing.T) {
	samples := convertGame(t, "7g7f", "3c3d", "2g2f").AppendSamples(nil)
	illegal := samples[1]
	illegal.Move = shogi.NewMove(0, 80)
	var data []byte
	for _, s := range []record.Sample{samples[0], illegal, samples[2]} {
		var err error
		data, err = record.AppendSample(data, record.PSV, &s)
		require.NoError(t, err)
	}
	data = append(data, make([]byte, record.PSVSize)...)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.psv")
	require.NoError(t, os.WriteFile(in, data, 0o600))
	for _, out := range []string{"x.hcpe", "x.yomi"} {
		status, text, errs := yomi("convert", in, filepath.Join(dir, out))
		require.Equal(t, exitFailed, status)
		require.Contains(t, text, " wrote 2 ")
		require.Contains(t, text, " 1 records that make no sense")
		require.Contains(t, text, " 1 records with an illegal move")
		require.Contains(t, errs, "in.psv: record 2: illegal move 1a9i in ")
		require.Contains(t, errs, "in.psv: record 4: packed position: both kings")
		require.Contains(t, errs, "2 records that make no sense were left out")
		require.FileExists(t, filepath.Join(dir, out))
	}
	require.NoError(t, os.WriteFile(in, data[:50], 0o600))
	status, _, errs := yomi("convert", in, filepath.Join(dir, "y.hcpe"))
	require.Equal(t, exitFailed, status)
	require.Contains(t, errs, "in.psv: record 2: it is cut")
	require.NoFileExists(t, filepath.Join(dir, "y.hcpe"))
	require.NoFileExists(t, filepath.Join(dir, "y.hcpe.partial"))

	broken := filepath.Join(dir, "in.csa")
	require.NoError(t, os.WriteFile(broken, []byte("V2.2\nPI\n+\n+7776FU\n-9998FU\n%TORYO\n"), 0o600))
	status, text, errs := yomi("convert", broken, filepath.Join(dir, "z.yomi"))
	require.Equal(t, exitFailed, status)
	require.Contains(t, text, "wrote 0 games")
	require.Contains(t, errs, "in.csa: record 1: ")

	against := filepath.Join(dir, "against.csa")
	require.NoError(t, os.WriteFile(against, []byte("V2.2\nPI\n+\n+7775FU\n-3334FU\n%TORYO\n"), 0o600))
	status, text, _ = yomi("convert", broken, against, filepath.Join(dir, "against.yomi"))
	require.Equal(t, exitFailed, status)
	require.Contains(t, text, " 1 records that make no sense")
	require.Contains(t, text, " 1 records with an illegal move", "of a game record too")
}

// TestConvertCut: a file whose last game was being written is converted up to it.
func TestConvertCut(t *testing.T) {
	in := yomiFile(t, convertGame(t, "7g7f"), convertGame(t, "2g2f"))
	require.NoError(t, os.Truncate(in, int64(len(unpacked(t, in))-5)))
	status, text, errs := yomi("convert", in, filepath.Join(t.TempDir(), "x.hcpe3"))
	require.Zero(t, status)
	require.Contains(t, text, "wrote 1 games")
	require.Contains(t, errs, "its last game was cut")
}

func TestConvertRefusals(t *testing.T) {
	dir := t.TempDir()
	in := yomiFile(t, convertGame(t, "7g7f"), convertGame(t, "2g2f"))
	there := filepath.Join(dir, "there.psv")
	require.NoError(t, os.WriteFile(there, []byte("precious"), 0o600))
	for want, args := range map[string][]string{
		"--force overwrites it":   {in, there},
		"last the one to write":   {in},
		"unknown format":          {in, filepath.Join(dir, "x.pgn")},
		"hcpe2 is only read":      {in, filepath.Join(dir, "x.hcpe2")},
		"is for positions":        {"--deep-only", in, filepath.Join(dir, "x.yomi")},
		"--game is for games":     {"--game", "1", in, filepath.Join(dir, "x.psv")},
		"there are only 2 games":  {"--game", "3", in, filepath.Join(dir, "x.kif")},
		"bad --game":              {"--game=-1", in, filepath.Join(dir, "x.kif")},
		"bad --eval-coef":         {"--eval-coef=-1", in, filepath.Join(dir, "x.psv")},
		"holds one game, not 2":   {in, filepath.Join(dir, "x.kif")},
		"no such file":            {filepath.Join(dir, "missing.psv"), filepath.Join(dir, "x.psv")},
		`did you mean "--force"?`: {"--forse", in, there},
	} {
		status, _, errs := yomi(append([]string{"convert"}, args...)...)
		require.NotZero(t, status, want)
		require.Contains(t, errs, want)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing is left behind")
	require.Equal(t, "precious", string(unpacked(t, there)))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	status, _, errs := yomiIn(ctx, "convert", "--force", in, there)
	require.Equal(t, exitInterrupted, status)
	require.Contains(t, errs, "was not written")
	require.Equal(t, "precious", string(unpacked(t, there)))
	text := filepath.Join(t.TempDir(), "in.csa")
	require.NoError(t, os.WriteFile(text, []byte("V2.2\nPI\n+\n+7776FU\n%TORYO\n"), 0o600))
	status, _, errs = yomiIn(ctx, "convert", "--force", text, there)
	require.Equal(t, exitInterrupted, status, "game records end for Ctrl-C too")
	require.Contains(t, errs, "was not written")
	status, _, errs = yomi("convert", "--force", in, there)
	require.Zero(t, status, errs)
	require.Len(t, facts(t, there), 2)
}
