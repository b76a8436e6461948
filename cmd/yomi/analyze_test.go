package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// blunderGame is a game in which Black gives the rook away with the last move but one.
const blunderGame = "startpos moves 2g2f 8c8d 2f2e 8d8e 2h2f 4a3b 2f5f 9c9d 5f5c+ 6a5b 5c4c 3b4c"

// writeRecord writes the game as a file.
func writeRecord(t *testing.T, dir, name string, games ...string) string {
	var records []*kifu.Record
	for _, text := range games {
		g, err := shogi.ParsePosition(text)
		require.NoError(t, err)
		r := kifu.FromGame(g)
		r.Set(kifu.KeyBlack, "Taro <b>")
		r.Set(kifu.KeyWhite, "花子")
		records = append(records, r)
	}
	format, err := kifu.ParseFormat(strings.TrimPrefix(filepath.Ext(name), "."))
	require.NoError(t, err)
	var b bytes.Buffer
	_, err = kifu.Write(&b, format, records...)
	require.NoError(t, err)
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

func readKifu(t *testing.T, path string) ([]*kifu.Record, kifu.Format) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	records, format, err := kifu.Read(data)
	require.NoError(t, err)
	return records, format
}

// allComments are the comments of the main line.
func allComments(r *kifu.Record) string {
	lines := append([]string(nil), r.Root.Comments...)
	for _, n := range r.Main() {
		lines = append(lines, n.Comments...)
	}
	return strings.Join(lines, "\n")
}

func requireXML(t *testing.T, path string) string {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return string(data)
		} else {
			require.NoError(t, err, path)
		}
	}
}

// quickAnalysis is a command line that takes little time and memory.
func quickAnalysis(args ...string) []string {
	return append([]string{"analyze", "--nodes", "300", "--option", "USI_Hash=4"}, args...)
}

// TestAnalyze: each format comes back as it was, with comments in its own notation; the blunder is found.
func TestAnalyze(t *testing.T) {
	for _, c := range []struct {
		name, out    string
		format       kifu.Format
		blunder, pv  string
		continuation string
	}{
		{"x.kif", "x.analysed.kif", kifu.KIF, "悪手（勝率", "▲", "読み筋"},
		{"x.ki2u", "x.analysed.ki2u", kifu.KI2U, "悪手（勝率", "△", "読み筋"},
		{"x.csa", "x.analysed.csa", kifu.CSA, "Blunder (??): win rate", "+", "Black to move: win rate"},
		{"x.usi", "x.analysed.csa", kifu.CSA, "Blunder (??): win rate", "-", "White to move: win rate"},
	} {
		dir := t.TempDir()
		path := writeRecord(t, dir, c.name, blunderGame)
		before, _ := readKifu(t, path)
		status, out, errs := yomi(quickAnalysis(path)...)
		require.Zero(t, status, errs)
		require.Contains(t, out, "written: "+filepath.Join(dir, c.out))
		after, format := readKifu(t, filepath.Join(dir, c.out))
		require.Equal(t, c.format, format)
		require.Equal(t, usiMoves(movesIn(before[0])), usiMoves(movesIn(after[0])))
		comments := allComments(after[0])
		for _, want := range []string{c.blunder, c.pv, c.continuation} {
			require.Contains(t, comments, want, c.name)
		}
		require.Regexp(t, `(?m)^\* -?\d+ [+-]\d{4}[A-Z]{2}`, comments, "score and line as viewers read them")
		rook := after[0].Main()[10] // 5c4c
		require.Contains(t, strings.Join(rook.Comments, "\n"), c.blunder)

		svg := requireXML(t, filepath.Join(dir, "x.analysed.svg"))
		require.Contains(t, svg, `class="blunder"`)
		names := []string{"▲ Taro &lt;b&gt;", "△ 花子"}
		if c.name == "x.usi" { // which holds no names
			names = []string{"▲ Black", "△ White"}
		}
		for _, name := range names {
			require.Contains(t, svg, name)
		}
		page, err := os.ReadFile(filepath.Join(dir, "x.analysed.html"))
		require.NoError(t, err)
		require.Contains(t, string(page), names[0])
		require.NotContains(t, string(page), "<b>")

		// Nothing is overwritten unless told.
		status, _, errs = yomi(quickAnalysis(path)...)
		require.Equal(t, exitFailed, status)
		require.Contains(t, errs, "is there already; --force overwrites it")
		status, _, errs = yomi(quickAnalysis("--force", "--no-graph", path)...)
		require.Zero(t, status, errs)
	}
}

func movesIn(r *kifu.Record) []shogi.Move {
	g, err := r.Game()
	if err != nil {
		return nil
	}
	return g.Moves()
}

// TestAnalyzeGames: a file of games keeps all it holds; several games give several graphs; --game takes one.
func TestAnalyzeGames(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.yomi")
	status, _, errs := yomi(smallSelfplay(path, "--games", "2", "--max-moves", "30")...)
	require.Zero(t, status, errs)
	status, _, errs = yomi(quickAnalysis("--nodes", "30", "--language", "ja", path)...)
	require.Zero(t, status, errs)
	before, after := readGames(t, path), readGames(t, filepath.Join(dir, "x.analysed.yomi"))
	require.Len(t, after, 2)
	for i, g := range after {
		require.Contains(t, g.Comment, "番 勝率")
		g.Comment = ""
		for k := range g.Moves {
			g.Moves[k].Comment = ""
		}
		require.Equal(t, before[i], g)
	}
	requireXML(t, filepath.Join(dir, "x.analysed.1.svg"))
	requireXML(t, filepath.Join(dir, "x.analysed.2.svg"))

	other := t.TempDir()
	status, _, errs = yomi(quickAnalysis("--nodes", "30", "--game", "2", "-o", other, path)...)
	require.Zero(t, status, errs)
	one := readGames(t, filepath.Join(other, "x.analysed.yomi"))
	require.Len(t, one, 1)
	require.Equal(t, after[1].Number, one[0].Number)
	require.Contains(t, one[0].Comment, "to move: win rate")

	status, _, errs = yomi("convert", path, filepath.Join(dir, "y.psv"))
	require.Zero(t, status, errs)
	status, _, errs = yomi(quickAnalysis("--nodes", "30", filepath.Join(dir, "y.psv"))...)
	require.Zero(t, status, errs)
	records, _ := readKifu(t, filepath.Join(dir, "y.analysed.csa"))
	require.Len(t, records, 2)
}

func readGames(t *testing.T, path string) []*record.Game {
	r, err := record.OpenGames(path)
	require.NoError(t, err)
	defer r.Close()
	var games []*record.Game
	for {
		g := new(record.Game)
		if err := r.Next(g); errors.Is(err, io.EOF) {
			return games
		} else {
			require.NoError(t, err)
		}
		games = append(games, g)
	}
}

// TestAnalyzeInterrupted: Ctrl-C leaves no file.
func TestAnalyzeInterrupted(t *testing.T) {
	dir := t.TempDir()
	path := writeRecord(t, dir, "x.kif", blunderGame)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	status, _, errs := yomiIn(ctx, quickAnalysis(path)...)
	require.Equal(t, exitInterrupted, status)
	require.Contains(t, errs, "nothing was written of "+path)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestAnalyzeRefusals(t *testing.T) {
	dir := t.TempDir()
	kif, csa := writeRecord(t, dir, "x.kif", blunderGame), writeRecord(t, dir, "x.csa", blunderGame)
	mateProblem := writeRecord(t, dir, "mate.csa", "sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")
	nonsense := filepath.Join(dir, "nonsense.kif")
	require.NoError(t, os.WriteFile(nonsense, []byte("hello\n"), 0o600))
	for want, args := range map[string][]string{
		"would both write":           {kif, csa},
		"a king is missing":          {mateProblem},
		"nonsense.kif":               {nonsense},
		"there are only 1 games":     {kif, "--game", "2"},
		"--mistake 30":               {kif, "--mistake", "30"},
		"one of them must be more":   {kif, "--nodes", "0"},
		`unknown option "Thread"`:    {kif, "--option", "Thread=2"},
		"--line 0":                   {kif, "--line", "0"},
		`did you mean "--movetime"?`: {kif, "--movetim", "1s"},
		"games are counted from 1":   {kif, "--game=-1"},
		"bad option":                 {kif, "--option", "Threads"},
		"no such file or directory":  {filepath.Join(dir, "missing.kif")},
		"must be one of":             {kif, "--language", "fr"},
		"expected":                   {},
	} {
		status, _, errs := yomi(append([]string{"analyze"}, args...)...)
		require.NotZero(t, status, want)
		require.Contains(t, errs, want)
	}
}

// TestAnalyzePartly: of a record that is readable in part, that part is analysed, and the error is told.
func TestAnalyzePartly(t *testing.T) {
	dir := t.TempDir()
	path := writeRecord(t, dir, "x.csa", blunderGame)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, bytes.Replace(data, []byte("+2625FU"), []byte("+5524FU"), 1), 0o600))
	status, out, errs := yomi(quickAnalysis(path)...)
	require.Equal(t, exitFailed, status)
	require.Contains(t, out, "2 moves")
	require.Contains(t, errs, "5524FU")
	records, _ := readKifu(t, filepath.Join(dir, "x.analysed.csa"))
	require.Len(t, records[0].Main(), 2)
}

// TestAnalyzeWithoutKing: a game that cannot be analysed is named, the others of its file are analysed.
func TestAnalyzeWithoutKing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.usi")
	games := "position startpos moves 7g7f\nposition sfen 4k4/9/9/9/9/9/9/9/9 b R 1 moves R*5b\nposition startpos moves 2g2f 8c8d\n"
	require.NoError(t, os.WriteFile(path, []byte(games), 0o600))
	status, out, errs := yomi(quickAnalysis(path)...)
	require.Equal(t, exitFailed, status)
	require.Contains(t, errs, "x.usi, game 2: a king is missing")
	require.Contains(t, out, "game 1: 1 moves")
	require.Contains(t, out, "game 2: 2 moves")
	records, _ := readKifu(t, filepath.Join(dir, "x.analysed.csa"))
	require.Len(t, records, 2)
	require.FileExists(t, filepath.Join(dir, "x.analysed.2.svg"))
}

// TestJudge: losses are those of the mover; the searched move and the end of the game cost nothing.
func TestJudge(t *testing.T) {
	r := writeRecord(t, t.TempDir(), "x.csa", "startpos moves 7g7f 3c3d 2g2f 8c8d")
	records, _ := readKifu(t, r)
	g := &analysedGame{record: records[0]}
	require.NoError(t, g.prepare(&analysedFile{format: kifu.CSA}))
	best := g.moves[2]
	other := g.moves[0]
	see := func(rate float64, pv ...shogi.Move) verdict {
		return verdict{score: search.Score{WinRate: rate}, pv: pv}
	}
	g.verdicts = []verdict{see(.6, best), see(.55, other), see(.9, best), see(.5, other), {over: true}}
	(&analyst{mistake: .1, blunder: .3}).judge(g)
	require.InDeltaSlice(t, []float64{.15, .45, 0, 0}, g.losses, 1e-9)
	require.Equal(t, []mark{mistake, blunder, noMark, noMark}, g.marks)
	require.InDelta(t, .45, g.blackRate(1), 1e-9)
	black, white := g.tally(shogi.Black), g.tally(shogi.White)
	require.InDelta(t, 7.5, black.MeanLoss, 1e-9)
	require.InDelta(t, 22.5, white.MeanLoss, 1e-9)
	require.Equal(t, []int{2, 1, 0, 2, 0, 1}, []int{black.Moves, black.Mistakes, black.Blunders, white.Moves, white.Mistakes, white.Blunders})
}
