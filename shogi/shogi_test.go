package shogi

import (
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func parse(t testing.TB, sfen string) Position {
	t.Helper()
	p, err := ParseSFEN(sfen)
	require.NoError(t, err)
	return p
}

// TestErrorsNameTheToken: a refused text is answered with the part that is wrong.
func TestErrorsNameTheToken(t *testing.T) {
	const rest = "/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
	for _, c := range []struct{ text, names string }{
		{"lnsgkgsnx" + rest + " b - 1", `"nx"`},
		{"lnsgkgsn" + rest + " b - 1", "rank 1"},
		{"lnsgkgsnll" + rest + " b - 1", "more than 9"},
		{"lnsgkgs1l" + rest + " x - 1", `"x"`},
		{StartSFEN + " extra", "5 fields"},
		{"4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "19P"},
		{"4k4/9/9/9/9/9/9/9/4K4 b 3R 1", `"R"`},
		{"4k4/9/9/9/9/9/9/9/4K4 b K 1", `"K"`},
		{"4k4/9/9/9/9/9/9/9/4K4 b P 1x", `"1x"`},
		{"4k4/9/9/9/9/9/9/9/4K4 b P -3", `"-3"`},
		{"4k4/9/9/9/9/9/9/9/4K4 b P 99999999999999999999", "move number"},
		{"4kr3/4r4/9/9/9/9/9/9/4K4 b R 1", "type R"},
		{"P3k4/9/9/9/9/9/9/9/4K4 b - 1", "9a could never move"},
		{"4k4/9/9/9/9/9/9/4n4/4K4 b - 1", "5h could never move"},
		{"4k4/9/4P4/4P4/9/9/9/9/4K4 b - 1", "file 5"},
		{"4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "take the king"},
		{"4k4/4K4/9/9/9/9/9/9/9 b - 1", "take the king"},
		{"++R3k4/9/9/9/9/9/9/9/4K4 b - 1", `"++"`},
	} {
		_, err := ParseSFEN(c.text)
		require.ErrorContains(t, err, c.names, c.text)
	}
	for _, c := range []struct{ text, names string }{
		{"startpos moves 7g7f 7g7f", "move 2"},
		{"startpos moves 7g7f 9z9y", `"9z9y"`},
		{"startpos moves 2b8h+", "2b8h+"},
		{"startpos junk moves 7g7f", `"junk"`},
		{"", "startpos"},
		{"sfen", "0 fields"},
		{"moves 7g7f", "0 fields"},
	} {
		_, err := ParsePosition(c.text)
		require.ErrorContains(t, err, c.names, c.text)
	}
}

func TestMoveText(t *testing.T) {
	for _, text := range []string{"7g7f", "4e3c+", "P*3d", "G*5b", "1a9i"} {
		m, err := ParseMove(text)
		require.NoError(t, err)
		require.Equal(t, text, m.String())
		require.True(t, m.IsMove())
	}
	for _, text := range []string{"", "7g", "7g7", "7g7f-", "K*5e", "p*5e", "P*0e", "7j7f", "7g7f++", "5e5e", "resign"} {
		_, err := ParseMove(text)
		require.Error(t, err, text)
	}
	for m, text := range map[Move]string{MoveNone: "none", MoveNull: "null", MoveResign: "resign", MoveWin: "win"} {
		require.Equal(t, text, m.String())
		require.False(t, m.IsMove())
	}
}

// TestParsePositionForms: what GUIs and engines really send.
func TestParsePositionForms(t *testing.T) {
	want := parse(t, "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2")
	for _, text := range []string{
		"startpos moves 7g7f", "position startpos moves 7g7f", " startpos  moves\t7g7f ", "startpos moves 7g7f resign",
		"sfen " + StartSFEN + " moves 7g7f", StartSFEN + " moves 7g7f",
		"sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - moves 7g7f",
	} {
		g, err := ParsePosition(text)
		require.NoError(t, err, text)
		require.Equal(t, want, *g.Position(), text)
		require.Equal(t, "startpos moves 7g7f", g.USI())
	}
	g, err := ParsePosition("startpos moves ")
	require.NoError(t, err)
	require.Equal(t, "startpos", g.USI())
}

func TestHand(t *testing.T) {
	var h Hand
	for _, pt := range handOrder {
		h = h.Add(pt, 2)
		require.Equal(t, 2, h.Count(pt))
	}
	require.Equal(t, 14, h.Total())
	more := h.Add(Pawn, 16)
	require.Equal(t, 18, more.Count(Pawn))
	require.True(t, more.Covers(h))
	require.True(t, h.Covers(h))
	require.False(t, h.Covers(more))
	require.False(t, more.Covers(h.Add(Lance, 1)))
	require.False(t, h.Add(Lance, 1).Covers(more))
	require.True(t, h.Has(Rook))
	require.False(t, h.Add(Rook, -2).Has(Rook))
}

func TestGameKeepsItsStateOnAnIllegalMove(t *testing.T) {
	g := NewGame(StartPosition())
	require.NoError(t, g.Do(NewMove(NewSquare(7, 7), NewSquare(7, 6))))
	before := *g.Position()
	require.ErrorContains(t, g.Do(NewMove(NewSquare(7, 7), NewSquare(7, 6))), "7g7f")
	require.Equal(t, before, *g.Position())
	require.Len(t, g.Moves(), 1)
	c := g.Clone()
	require.NoError(t, c.Do(NewMove(NewSquare(3, 3), NewSquare(3, 4))))
	require.Len(t, g.Moves(), 1)
	require.Equal(t, 2, g.History().Len())
	require.Equal(t, StartPosition(), g.Start())
}

// TestFirstRecurrence: inside a search a position's first return counts, with the right loser of a perpetual check.
func TestFirstRecurrence(t *testing.T) {
	for _, c := range []struct {
		why, position string
		want          Repetition
		occurrences   int
	}{
		{"no return", "startpos moves 2h3h 8b7b 3h2h", NoRepetition, 1},
		{"a quiet return", "startpos moves 2h3h 8b7b 3h2h 7b8b", RepetitionDraw, 2},
		{"the checked side is to move", "sfen k2K5/2R6/9/9/9/9/9/9/9 b - 1 moves 7b7a 9a9b 7a7b 9b9a 7b7a", RepetitionWin, 2},
		{"the checking side is to move", "sfen k2K5/2R6/9/9/9/9/9/9/9 b - 1 moves 7b7a 9a9b 7a7b 9b9a", RepetitionLoss, 2},
		{"a quiet move in between", "sfen k2K5/2R6/9/9/9/9/9/9/9 b - 1 moves 7b7e 9a8a 7e7b 8a9a 7b7a 9a9b 7a7b 9b9a", RepetitionLoss, 3},
		{"a quiet move in the cycle", "sfen k2K5/2R6/9/9/9/9/9/9/9 b - 1 moves 7b7e 9a8a 7e7b 8a9a", RepetitionDraw, 2},
	} {
		g, err := ParsePosition(c.position)
		require.NoError(t, err, c.why)
		require.Equal(t, c.want, g.History().Recurrence(), c.why)
		require.Equal(t, c.occurrences, g.History().Occurrences(), c.why)
	}
}

func TestHistoryTruncate(t *testing.T) {
	g, err := ParsePosition("startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b")
	require.NoError(t, err)
	var h History
	h.CopyFrom(g.History())
	require.Equal(t, RepetitionDraw, h.Fourfold())
	h.Truncate(9)
	require.Equal(t, 3, h.Occurrences())
	require.Equal(t, NoRepetition, h.Fourfold())
	h.Truncate(1)
	require.Equal(t, NoRepetition, h.Recurrence())
	require.Equal(t, 13, g.History().Len(), "the copy is independent")
}

// TestTryRule: the king's step to 5a (White's to 5i) wins when it is legal.
func TestTryRule(t *testing.T) {
	for _, c := range []struct {
		sfen string
		want string
	}{
		{"9/3K5/9/9/9/9/9/8k/9 b - 1", "6b5a"},
		{"9/9/3K5/9/9/9/9/8k/9 b - 1", "none"},
		{"4G4/3K5/9/9/9/9/9/8k/9 b - 1", "none"},
		{"r8/3K5/9/9/9/9/9/8k/9 b - 1", "none"},
		{"8K/9/9/9/9/9/9/5k3/9 w - 1", "4h5i"},
	} {
		p := parse(t, c.sfen)
		m, ok := p.CanDeclare(TryRule)
		require.Equal(t, c.want, m.String(), c.sfen)
		require.Equal(t, c.want != "none", ok)
		_, ok = p.CanDeclare(NoEnteringKing)
		require.False(t, ok)
	}
	for _, name := range DeclarationRuleNames() {
		r, err := ParseDeclarationRule(name)
		require.NoError(t, err)
		require.Equal(t, name, r.String())
	}
	_, err := ParseDeclarationRule("CSARule28")
	require.ErrorContains(t, err, "CSARule28")
}

func TestDisplay(t *testing.T) {
	p := parse(t, "ln1g3nl/1ks2r3/1pppp1ppp/p4s3/5P+B2/P1P6/1P1PP1PPP/1BK2S1R1/LNSG1G1NL b GP 35")
	var got strings.Builder
	got.WriteString(p.String() + "\n" + p.Japanese())
	m, err := ParseMove("3e2f")
	require.NoError(t, err)
	got.WriteString(p.JapaneseMove(m) + " " + p.JapaneseMove(NewDrop(Gold, NewSquare(4, 3))) + "\n")
	want, err := os.ReadFile("testdata/display.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}

// TestSEE holds exchanges counted by hand (pawn 90, capture = board + hand value).
func TestSEE(t *testing.T) {
	for _, c := range []struct {
		sfen, move string
		want       int
	}{
		{"8k/9/9/4p4/9/9/9/4R4/3K5 b - 1", "5h5d", 180},
		{"4k4/9/4g4/4p4/9/9/9/4R4/3K5 b - 1", "5h5d", 180 - 1980},
		{"4k4/9/4g4/4p4/4P4/9/9/4R4/3K5 b - 1", "5e5d", 180}, // gold takes, rook takes gold: the gold stays home
		{"3k5/9/9/9/9/9/9/4R4/3K5 b - 1", "5h5b+", -1395 - 990 + 405},
		{"3k5/9/9/9/9/9/9/4R4/3K5 b - 1", "5h4h", 0},
		{"3k5/9/9/4p4/9/9/9/9/3K5 b G 1", "G*5e", -1080},
	} {
		p := parse(t, c.sfen)
		m, err := ParseMove(c.move)
		require.NoError(t, err)
		require.True(t, p.IsLegal(m), c.move)
		require.Equal(t, c.want, p.SEE(m), "%s in %s", c.move, c.sfen)
	}
}

func TestNothingAllocates(t *testing.T) {
	p := parse(t, "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1")
	moves := make([]Move, 0, MaxMoves)
	var m AttackMap
	h := NewGame(p).History()
	for range 64 {
		h.Push(&p)
	}
	h.Truncate(1)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		moves = p.AppendLegal(moves[:0])
		next := p
		next.Do(moves[0])
		h.Push(&next)
		h.Recurrence()
		h.Truncate(1)
		next.HasLegalMove()
		p.SEE(moves[3])
		p.GivesCheck(moves[3])
		p.AttackMap(&m)
		p.CanDeclare(CSARule27)
	}))
}

func TestMostMoves(t *testing.T) {
	p := parse(t, "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1")
	require.Len(t, p.AppendLegal(nil), MaxMoves)
}

// TestPositionSize: copying positions is the price of having no undo.
func TestPositionSize(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(Position{}), uintptr(448))
}

func FuzzParseSFEN(f *testing.F) {
	f.Add(StartSFEN)
	f.Add("4k4/9/9/9/9/9/9/9/4K4 b PPPpp 1")
	f.Add("4+Rrkn1/4S4/6+S2/4gppp1/4N4/9/9/9/9 b L2b3g2s2n3l15p 1")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseConstructedSFEN(text)
		if err != nil {
			return
		}
		again, err := ParseConstructedSFEN(p.SFEN())
		require.NoError(t, err)
		require.Equal(t, p, again)
		for _, m := range p.AppendLegal(nil) {
			next := p
			next.Do(m)
			boardKey, handKey := next.keyFromScratch()
			require.Equal(t, boardKey^handKey, next.Key())
		}
	})
}

func FuzzParsePosition(f *testing.F) {
	f.Add("startpos moves 7g7f 3c3d")
	f.Add("sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1 moves P*5e")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ParsePosition(text)
		if err != nil {
			return
		}
		again, err := ParsePosition(g.USI())
		require.NoError(t, err)
		require.Equal(t, *g.Position(), *again.Position())
	})
}
