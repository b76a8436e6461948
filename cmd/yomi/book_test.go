package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/book"
)

func bookPosition(t *testing.T, position string) shogi.Position {
	g, err := shogi.ParsePosition(position)
	require.NoError(t, err)
	return *g.Position()
}

func readBook(t *testing.T, path string) *book.Book {
	b, err := book.Open(path)
	require.NoError(t, err)
	return b
}

// lines returns the moves of a position as a DB2016 file has them.
func bookLines(t *testing.T, b *book.Book, position string) (out []string) {
	p := bookPosition(t, position)
	one := book.New()
	require.NotNil(t, b.Get(&p), position)
	one.Put(&p, b.Get(&p).Moves)
	var text strings.Builder
	require.NoError(t, book.WriteDB2016(&text, one))
	return strings.Split(strings.TrimSpace(text.String()), "\n")[2:]
}

// playedGames is a file of four games: Black wins two of three that begin 7g7f 3c3d; one begins 2g2f and is drawn.
func playedGames(t *testing.T) string {
	var games []*record.Game
	for _, g := range []struct {
		result record.Result
		moves  string
	}{
		{record.BlackWins, "7g7f 3c3d 2g2f"},
		{record.BlackWins, "7g7f 3c3d 6g6f"},
		{record.WhiteWins, "7g7f 3c3d 2g2f"},
		{record.Drawn, "2g2f 8c8d"},
	} {
		game := convertGame(t, strings.Fields(g.moves)...)
		game.Result, game.End = g.result, record.EndAgreed
		games = append(games, game)
	}
	return yomiFile(t, games...)
}

func TestBookMake(t *testing.T) {
	in, out := playedGames(t), filepath.Join(t.TempDir(), "own.db")
	status, said, errs := yomi("book", "make", in, "-o", out, "--min-games", "1")
	require.Zero(t, status, errs)
	require.Contains(t, said, "4 games, 4 positions, 6 moves")
	b := readBook(t, out)
	// By Laplace's rule 2 of 3 is 3/5, worth 600·ln(1.5) = 243; half of 1 is 1/2; 0 of 3 for White, who won one, is 2/5.
	require.Equal(t, []string{"7g7f 3c3d 243 0 3", "2g2f 8c8d 0 0 1"}, bookLines(t, b, "startpos"))
	require.Equal(t, []string{"3c3d 2g2f -243 0 3"}, bookLines(t, b, "startpos moves 7g7f"))
	require.Equal(t, []string{"2g2f none 0 0 2", "6g6f none 416 0 1"}, bookLines(t, b, "startpos moves 7g7f 3c3d"))

	for name, tc := range map[string]struct {
		flags []string
		start []string
	}{
		"min-games": {nil, []string{"7g7f 3c3d 243 0 3"}},
		"winners":   {[]string{"--winners", "--min-games", "1"}, []string{"7g7f 3c3d 659 0 2"}},
		"max-moves": {[]string{"--max-moves", "1", "--min-games", "1"}, []string{"7g7f 3c3d 243 0 3"}},
		"scores":    {[]string{"--value", "scores"}, []string{"7g7f 3c3d 243 0 3"}}, // a win rate of 0.6 is 243 as well
	} {
		status, _, errs := yomi(append([]string{"book", "make", in, "-o", out, "--force"}, tc.flags...)...)
		require.Zero(t, status, errs)
		require.Equal(t, tc.start, bookLines(t, readBook(t, out), "startpos"), name)
	}
	status, _, _ = yomi("book", "make", in, "-o", out, "--force", "--plies", "1")
	require.Zero(t, status)
	require.Equal(t, 1, readBook(t, out).Len())
}

func TestBookMakeFromGameRecords(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "games.usi"), filepath.Join(dir, "own.bin")
	require.NoError(t, os.WriteFile(in, []byte("startpos moves 7g7f 3c3d\nstartpos moves 7g7f 8c8d\nstartpos moves 7g7e\n"), 0o600))
	status, _, errs := yomi("book", "make", in, "-o", out)
	require.Equal(t, exitFailed, status)
	require.Contains(t, errs, "left out")
	require.Contains(t, errs, "was written, but 1 records")
	b := readBook(t, out)
	require.Equal(t, book.Apery, b.Format())
	require.Equal(t, 1, b.Len())
}

func TestBookMakeRefuses(t *testing.T) {
	in, dir := playedGames(t), t.TempDir()
	there := filepath.Join(dir, "there.db")
	require.NoError(t, os.WriteFile(there, []byte("mine"), 0o600))
	for want, args := range map[string][]string{
		"--force overwrites it":            {"-o", there},
		"want a name ending in .db":        {"-o", filepath.Join(dir, "x.txt")},
		"must be 1 or more":                {"-o", filepath.Join(dir, "x.db"), "--plies", "0"},
		"must be one of":                   {"-o", filepath.Join(dir, "x.db"), "--value", "luck"},
		`unknown flag --plie`:              {"-o", filepath.Join(dir, "x.db"), "--plie", "3"},
		"no move up to move 30 was played": {"-o", filepath.Join(dir, "y.db"), "--min-games", "9"},
	} {
		_, _, errs := yomi(append([]string{"book", "make", in}, args...)...)
		require.Contains(t, errs, want)
	}
	text, err := os.ReadFile(there)
	require.NoError(t, err)
	require.Equal(t, "mine", string(text))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	status, _, errs := yomiIn(ctx, "book", "make", in, "-o", filepath.Join(dir, "z.db"))
	require.Equal(t, exitInterrupted, status)
	require.Contains(t, errs, "was not written")
	require.NoFileExists(t, filepath.Join(dir, "z.db"))
}

func TestBookShowAndConvert(t *testing.T) {
	dir := t.TempDir()
	db, bin, back := filepath.Join(dir, "a.db"), filepath.Join(dir, "a.bin"), filepath.Join(dir, "back.db")
	status, _, errs := yomi("book", "make", playedGames(t), "-o", db, "--min-games", "1")
	require.Zero(t, status, errs)
	status, out, _ := yomi("book", "show", db, "startpos", "moves", "7g7f", "3c3d")
	require.Zero(t, status)
	require.Regexp(t, `(?m)^ +2g2f +0 +- +2 +66.7 % +none +no$`, out)
	require.Regexp(t, `(?m)^ +6g6f +416 +- +1 +33.3 % +none +no$`, out)
	_, out, _ = yomi("book", "show", db, "startpos moves 9g9f")
	require.Contains(t, out, "no move here")
	_, out, _ = yomi("book", "show", db, "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2")
	require.Contains(t, out, "colours swapped")
	require.Regexp(t, `(?m)^ +3c3d +243 +- +3 +75.0 % +7g7f +yes$`, out)

	status, out, errs = yomi("book", "convert", db, bin)
	require.Zero(t, status, errs)
	require.Contains(t, out, "4 positions, 6 moves")
	status, out, errs = yomi("book", "convert", bin, back)
	require.Zero(t, status, errs)
	require.NotContains(t, out, "left out")
	require.Equal(t, []string{"7g7f 3c3d 243 0 3", "2g2f 8c8d 0 0 1"}, bookLines(t, readBook(t, back), "startpos"))

	apart := book.New()
	p := bookPosition(t, "startpos moves 9g9f")
	apart.Put(&p, []book.Move{{Move: shogi.NewMove(20, 21), Count: 1}}) // 3c3d
	require.NoError(t, writeBook(filepath.Join(dir, "apart.db"), apart))
	status, _, errs = yomi("book", "convert", filepath.Join(dir, "apart.db"), filepath.Join(dir, "apart.bin"))
	require.Zero(t, status, errs)
	_, out, _ = yomi("book", "convert", filepath.Join(dir, "apart.bin"), filepath.Join(dir, "lost.db"))
	require.Contains(t, out, "1 positions are left out")
	_, out, _ = yomi("book", "convert", filepath.Join(dir, "apart.bin"), filepath.Join(dir, "found.db"), "--start", "startpos moves 9g9f")
	require.Contains(t, out, "1 positions, 1 moves")
	require.NotContains(t, out, "left out")
}

func writeBook(path string, b *book.Book) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return book.WriteDB2016(f, b)
}

// growBook runs yomi book search and returns its status and what it says on the error stream.
func growBook(ctx context.Context, path string, more ...string) (int, string) {
	status, _, errs := yomiIn(ctx, append([]string{"book", "search", "-o", path, "--nodes", "60", "--option", "USI_Hash=1"}, more...)...)
	return status, errs
}

// A book that is grown in parts, one of them interrupted, is the same as one that is grown at once.
func TestBookSearchGoesOn(t *testing.T) {
	dir := t.TempDir()
	once, parts := filepath.Join(dir, "once.db"), filepath.Join(dir, "parts.db")
	status, errs := growBook(context.Background(), parts, "--positions", "3")
	require.Zero(t, status, errs)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { // the book is saved after each position
		for {
			if b, err := book.Open(parts); err == nil && b.Len() >= 6 {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	status, errs = growBook(ctx, parts, "--positions", "100000", "--save", "1ns")
	require.Equal(t, exitInterrupted, status)
	require.Contains(t, errs, "To go on:\n")
	require.Contains(t, errs, "book search --out "+parts)
	require.Contains(t, errs, "--option 'USI_Hash=1'")
	require.NoFileExists(t, parts+".partial")
	grown := readBook(t, parts).Len()
	require.GreaterOrEqual(t, grown, 6)
	for _, path := range []string{parts, once} {
		status, errs = growBook(context.Background(), path, "--positions", strconv.Itoa(grown+3))
		require.Zero(t, status, errs)
	}
	want, err := os.ReadFile(once)
	require.NoError(t, err)
	got, err := os.ReadFile(parts)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	require.Equal(t, grown+3, readBook(t, once).Len())
}

func TestBookSearchRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	for want, flags := range map[string][]string{
		`unknown option "Thread", did you mean "Threads"?`: {"--option", "Thread=2"},
		"must be uct":       {"--option", "SearchEngine=alphabeta"},
		"bad --min-share":   {"--min-share", "2"},
		"give --nodes or":   {"--nodes", "0"},
		"must be 1 or":      {"--max-moves", "0"},
		"--start: bad":      {"--start", "nowhere"},
		"want NAME=VALUE":   {"--option", "Threads"},
		"grows in DB2016":   {"-o", filepath.Join(t.TempDir(), "x.bin")},
		"no more positions": {"--plies", "1", "--positions", "2"},
	} {
		_, errs := growBook(context.Background(), path, flags...)
		require.Contains(t, errs, want)
	}
}

// The grower asks for positions in the order of their likelihood.
func TestBookGrowerOrder(t *testing.T) {
	b := book.New()
	g := newBookGrower(b, []shogi.Position{shogi.StartPosition()}, 3)
	m := func(text string, count int64) book.Move {
		move, err := shogi.ParseMove(text)
		require.NoError(t, err)
		return book.Move{Move: move, Count: count}
	}
	var order []string
	names := map[uint64]string{}
	for _, position := range []string{"startpos", "startpos moves 7g7f", "startpos moves 2g2f", "startpos moves 7g7f 3c3d", "startpos moves 7g7f 8c8d", "startpos moves 2g2f 8c8d"} {
		p := bookPosition(t, position)
		names[p.Key()] = strings.TrimPrefix(position, "startpos")
	}
	moves := map[string][]book.Move{
		"":                 {m("7g7f", 6), m("2g2f", 4)},
		" moves 7g7f":      {m("3c3d", 3), m("8c8d", 1)},
		" moves 2g2f":      {m("8c8d", 2)},
		" moves 7g7f 3c3d": {m("9g9f", 1)}, // behind move 3
		" moves 7g7f 8c8d": nil,            // over
		" moves 2g2f 8c8d": {m("9g9f", 1)},
	}
	for {
		at, ok := g.next()
		if !ok {
			break
		}
		name, known := names[at.position.Key()]
		require.True(t, known, at.position.SFEN())
		order = append(order, name)
		g.put(at, moves[name])
	}
	require.Equal(t, []string{"", " moves 7g7f", " moves 7g7f 3c3d", " moves 2g2f", " moves 2g2f 8c8d", " moves 7g7f 8c8d"}, order)
	require.Equal(t, 5, b.Len())
}

func TestBookBackUp(t *testing.T) {
	b, err := book.Read([]byte(book.Header + `
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f none 50 9 60
2g2f none 45 9 30
5g5f none 99 9 10
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d 2g2f -20 7 5
8c8d 2g2f 30 7 5
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3
2g2f 8c8d -70 4 8
6g6f none 200 4 1
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2
8c8d 7g7f -10 6 5
`))
	require.NoError(t, err)
	for range 2 { // a second time nothing changes
		require.NoError(t, backUp(b))
		// After 3c3d only the move counts that was searched most, with -70, so 3c3d is worth 70 and comes first. 7g7f is then worth -70 and
		// 2g2f, after which the best is -10, 10. 5g5f was hardly searched.
		require.Equal(t, []string{"2g2f 8c8d -70 4 8", "6g6f none 200 4 1"}, bookLines(t, b, "startpos moves 7g7f 3c3d"))
		require.Equal(t, []string{"3c3d 2g2f 70 5 5", "8c8d 2g2f 30 7 5"}, bookLines(t, b, "startpos moves 7g7f"))
		require.Equal(t, []string{"2g2f 8c8d 10 7 30", "7g7f 3c3d -70 6 60", "5g5f none 99 9 10"}, bookLines(t, b, "startpos"))
	}
}

// A transposition back to a position with a smaller move number keeps its own value, so values cannot go round in circles.
func TestBookBackUpWithoutCircles(t *testing.T) {
	b := book.New()
	for position, text := range map[string]string{
		"startpos":                      "2h3h none 5 1 9",
		"startpos moves 2h3h":           "8b7b none 6 1 9",
		"startpos moves 2h3h 8b7b":      "3h2h none 7 1 9",
		"startpos moves 2h3h 8b7b 3h2h": "7b8b none 8 1 9",
	} {
		p := bookPosition(t, position)
		one, err := book.Read([]byte("sfen " + p.SFEN() + "\n" + text))
		require.NoError(t, err)
		b.Put(&p, slices.Clone(one.Get(&p).Moves))
	}
	require.NoError(t, backUp(b))
	require.Equal(t, []string{"7b8b none 8 1 9"}, bookLines(t, b, "startpos moves 2h3h 8b7b 3h2h"), "back to the start position")
	require.Equal(t, []string{"3h2h 7b8b -8 2 9"}, bookLines(t, b, "startpos moves 2h3h 8b7b"))
	require.Equal(t, []string{"2h3h 8b7b -8 4 9"}, bookLines(t, b, "startpos"))
}
