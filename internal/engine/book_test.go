package engine_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/book"
)

const bookText = book.Header + `
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 50 12 60
2g2f 8c8d 45 10 30
5g5f none 30 8 10
1g1f none 10 8 0
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d 2g2f -40 12 7
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3
2g2f none none none 3
`

// bookFile writes a book and returns its path.
func bookFile(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// bookEngine returns an engine that has read the book.
func bookEngine(t *testing.T, text string, options ...string) *engine.Engine {
	e := newEngine(t, append([]string{"BookFile", bookFile(t, "small.db", text)}, options...)...)
	messages := e.Ready()
	require.Len(t, messages, 1)
	require.Contains(t, messages[0], "small.db")
	require.Empty(t, e.Ready(), "it is read once")
	return e
}

func set(t *testing.T, e *engine.Engine, name, value string) {
	require.NoError(t, e.Set(usi.Setting{Name: name, Value: value, HasValue: true}))
}

// texts returns the messages among reports.
func texts(reports [][]search.Info) (out []string) {
	for _, block := range reports {
		for _, info := range block {
			if info.Text != "" {
				out = append(out, info.Text)
			}
		}
	}
	return out
}

func TestBookMove(t *testing.T) {
	e := bookEngine(t, bookText, "Best_Book_Move", "true", "MultiPV", "2", "USI_Ponder", "true", "DebugMessage", "true")
	r, reports := think(e, game(t, "startpos"), search.Limits{Nodes: 100, Start: time.Now()})
	require.Equal(t, "7g7f", r.Best.String())
	require.Equal(t, "3c3d", r.Ponder.String())
	require.Equal(t, search.ReasonBook, r.Reason)
	require.Equal(t, []string{"book 7g7f: small.db, count 60 of 100, value 50, depth 12", "decision: 7g7f because of book"}, texts(reports))
	require.Equal(t, r.Lines, reports[len(reports)-1])
	require.Len(t, r.Lines, 2)
	first := usi.FormatInfo(&r.Lines[0])
	require.Contains(t, first, "multipv 1 score cp 50 ")
	require.Contains(t, first, "depth 3 seldepth 3")
	require.True(t, strings.HasSuffix(first, " pv 7g7f 3c3d 2g2f"), first)
	require.Contains(t, usi.FormatInfo(&r.Lines[1]), "multipv 2 score cp 45 ")
	require.InDelta(t, 0.52, r.Lines[0].Score.WinRate, 0.01)

	set(t, e, "USI_Ponder", "false")
	set(t, e, "DebugMessage", "false")
	r, reports = think(e, game(t, "startpos"), search.Limits{Nodes: 100})
	require.Equal(t, shogi.MoveNone, r.Ponder)
	require.Len(t, texts(reports), 1)
}

// Where the book has no value the value net judges, and a position is found by another move order and at another move number.
func TestBookTransposition(t *testing.T) {
	e := bookEngine(t, bookText)
	r, reports := think(e, game(t, "sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 9"), search.Limits{Nodes: 50})
	require.Equal(t, "2g2f", r.Best.String())
	require.Equal(t, []string{"book 2g2f: small.db, count 3 of 3"}, texts(reports))
	require.NotZero(t, r.Lines[0].Score.WinRate)
	require.InDelta(t, 0.5, r.Lines[0].Score.WinRate, 0.2)
}

func TestBookFlipped(t *testing.T) {
	e := bookEngine(t, bookText, "Best_Book_Move", "true")
	white := game(t, "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2")
	r, reports := think(e, white, search.Limits{Nodes: 50})
	require.Equal(t, "3c3d", r.Best.String())
	require.Contains(t, texts(reports)[0], "with the colours swapped")
	set(t, e, "FlippedBook", "false")
	r, _ = think(e, white, search.Limits{Nodes: 50})
	require.Equal(t, search.ReasonNodes, r.Reason)
}

func TestBookIsNotUsed(t *testing.T) {
	for name, tc := range map[string]struct {
		position string
		limits   search.Limits
		options  []string
	}{
		"unknown position": {position: "startpos moves 9g9f"},
		"searchmoves":      {limits: search.Limits{SearchMoves: []shogi.Move{shogi.NewMove(60, 59)}}},
		"BookMoves 0":      {options: []string{"BookMoves", "0"}},
		"late":             {position: "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 17"},
		"no own book":      {options: []string{"OwnBook", "false"}},
		"no_book":          {options: []string{"BookFile", "no_book"}},
		"count":            {options: []string{"Book_Min_Count", "61"}},
		"score":            {options: []string{"Min_Book_Score", "51"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t, append([]string{"BookFile", bookFile(t, "small.db", bookText)}, tc.options...)...)
			position := tc.position
			if position == "" {
				position = "startpos"
			}
			tc.limits.Nodes = 30
			r, _ := think(e, game(t, position), tc.limits)
			require.Equal(t, search.ReasonNodes, r.Reason)
		})
	}
	e := bookEngine(t, bookText)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	r := e.Search(ctx, game(t, "startpos"), search.Limits{Infinite: true}, func([]search.Info) {})
	require.Equal(t, search.ReasonCancelled, r.Reason)
	require.Positive(t, r.Lines[0].Nodes)
}

// A move that brings back a position of the game is left to the search.
func TestBookDoesNotReturn(t *testing.T) {
	const there, back = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n2h3h none 1 1 1\n",
		"sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B4R2/LNSGKGSNL b - 3\n3h2h none 1 1 1\n"
	e := bookEngine(t, book.Header+"\n"+there+back)
	r, _ := think(e, game(t, "startpos"), search.Limits{Nodes: 30})
	require.Equal(t, search.ReasonBook, r.Reason)
	r, _ = think(e, game(t, "startpos moves 2h3h 8b7b 3h2h 7b8b"), search.Limits{Nodes: 30})
	require.Equal(t, search.ReasonNodes, r.Reason)
}

func TestBookWhilePondering(t *testing.T) {
	for _, how := range []string{"hit", "stop"} {
		e := bookEngine(t, bookText)
		hit := make(chan struct{})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan search.Result, 1)
		go func() {
			done <- e.Search(ctx, game(t, "startpos"), search.Limits{PonderHit: hit, MoveTime: time.Millisecond}, func([]search.Info) {})
		}()
		select {
		case <-done:
			require.Fail(t, "an answer before "+how)
		case <-time.After(50 * time.Millisecond):
		}
		if how == "hit" {
			close(hit)
		} else {
			cancel()
		}
		require.Equal(t, search.ReasonBook, (<-done).Reason, how)
		cancel()
	}
}

// counts plays the first move often and returns how often each was chosen.
func counts(e *engine.Engine, g *shogi.Game, n int) map[string]int {
	out := make(map[string]int)
	for range n {
		r, _ := think(e, g, search.Limits{Nodes: 1})
		out[r.Best.String()]++
	}
	return out
}

func TestBookChoice(t *testing.T) {
	g, n := game(t, "startpos"), 2000
	got := counts(bookEngine(t, bookText), g, n)
	require.Len(t, got, 3, "1g1f is worse than BookEvalDiff allows")
	require.InDelta(t, 0.6, float64(got["7g7f"])/float64(n), 0.05)
	require.InDelta(t, 0.3, float64(got["2g2f"])/float64(n), 0.05)
	require.InDelta(t, 0.1, float64(got["5g5f"])/float64(n), 0.03)
	require.Equal(t, got, counts(bookEngine(t, bookText), g, n), "the same seed, the same moves")
	require.Equal(t, map[string]int{"7g7f": 50}, counts(bookEngine(t, bookText, "Best_Book_Move", "true"), g, 50))
	require.Len(t, counts(bookEngine(t, bookText, "BookEvalDiff", "5"), g, 200), 2)
	require.Len(t, counts(bookEngine(t, bookText, "BookEvalDiff", "40", "Book_Min_Count", "30"), g, 200), 2)

	// A later move with a higher value does not push the first one out.
	require.Len(t, counts(bookEngine(t, strings.Replace(bookText, "5g5f none 30", "5g5f none 99", 1), "BookEvalDiff", "6"), g, 200), 3)
	_, reports := think(bookEngine(t, bookText, "BookEvalDiff", "0"), g, search.Limits{Nodes: 1})
	require.Equal(t, []string{"book 7g7f: small.db, count 60 of 100, value 50, depth 12"}, texts(reports), "all moves of the book are counted")

	even := strings.NewReplacer(" 12 60", " 12 0", " 10 30", " 10 0", " 8 10", " 8 0").Replace(bookText)
	got = counts(bookEngine(t, even, "BookEvalDiff", "99999"), g, n)
	require.Len(t, got, 4)
	for m, c := range got {
		require.InDelta(t, 0.25, float64(c)/float64(n), 0.05, m)
	}
}

func TestBookAtLowStrength(t *testing.T) {
	r, _ := think(bookEngine(t, bookText, "Strength", "0"), game(t, "startpos"), search.Limits{Nodes: 1})
	require.Equal(t, search.ReasonBook, r.Reason)
}

func TestBookFileTroubles(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.db")
	e := newEngine(t, "BookFile", missing)
	messages := e.Ready()
	require.Len(t, messages, 1)
	require.True(t, strings.HasPrefix(messages[0], "Error: book: "), messages)
	require.Contains(t, messages[0], "missing.db")
	require.Empty(t, e.Ready(), "said once")
	r, _ := think(e, game(t, "startpos"), search.Limits{Nodes: 20})
	require.Equal(t, search.ReasonNodes, r.Reason)

	set(t, e, "BookFile", bookFile(t, "bad.db", bookText+"7g7x none 1 1 1\n7g7e none 1 1 1\n"))
	messages = e.Ready()
	require.Len(t, messages, 1)
	require.Regexp(t, `^book .*bad.db: 3 positions, 6 moves; left out: .*line 11: "7g7x": no move; and 1 more`, messages[0])
	r, _ = think(e, game(t, "startpos"), search.Limits{Nodes: 20})
	require.Equal(t, search.ReasonBook, r.Reason)
}

// A book of Apery's format shows an illegal move only when its position is on the board. It is named once.
func TestAperyBook(t *testing.T) {
	b, start := book.New(), shogi.StartPosition()
	b.Put(&start, []book.Move{
		{Move: shogi.NewMove(60, 59), Value: 35, HasValue: true, Count: 3}, // 7g7f
		{Move: shogi.NewMove(60, 0), Value: 35, HasValue: true, Count: 9},
	})
	var data bytes.Buffer
	require.NoError(t, book.WriteApery(&data, b))
	e := newEngine(t, "BookFile", bookFile(t, "book.bin", data.String()))
	r, reports := think(e, game(t, "startpos"), search.Limits{Nodes: 20})
	require.Equal(t, "7g7f", r.Best.String())
	require.Len(t, texts(reports), 3)
	require.Contains(t, texts(reports)[1], "book book.bin: the move 7g1a is illegal in "+shogi.StartSFEN)
	_, reports = think(e, game(t, "startpos"), search.Limits{Nodes: 20})
	require.Equal(t, []string{"book 7g7f: book.bin, count 3 of 3, value 35"}, texts(reports))
}
