package book_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/book"
)

const data = "../../testdata/book/"

func parse(t testing.TB, sfen string) shogi.Position {
	p, err := shogi.ParseSFEN(sfen)
	require.NoError(t, err, sfen)
	return p
}

func move(t testing.TB, text string) shogi.Move {
	m, err := shogi.ParseMove(text)
	require.NoError(t, err)
	return m
}

// rows returns the lines of a data file without comments.
func rows(t testing.TB, name string) []string {
	text, err := os.ReadFile(data + name)
	require.NoError(t, err)
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(text)), "\n"), func(s string) bool { return strings.HasPrefix(s, "#") })
}

func TestAperyKey(t *testing.T) {
	list := rows(t, "apery_keys.txt")
	require.Len(t, list, 6)
	for _, row := range list {
		key, sfen, _ := strings.Cut(row, " ")
		p := parse(t, sfen)
		require.Equal(t, key, hex.EncodeToString(littleEndian(book.AperyKey(&p))), sfen)
	}
}

func littleEndian(x uint64) []byte {
	var b []byte
	for range 8 {
		b = append(b, byte(x))
		x >>= 8
	}
	return b
}

// aperyFile returns the bytes of the hand-written book.
func aperyFile(t testing.TB) []byte {
	var out []byte
	for _, row := range rows(t, "apery.txt") {
		b, err := hex.DecodeString(strings.Join(strings.Fields(row)[:4], ""))
		require.NoError(t, err)
		out = append(out, b...)
	}
	return out
}

func TestReadApery(t *testing.T) {
	b, err := book.Read(aperyFile(t))
	require.NoError(t, err)
	require.Equal(t, book.Apery, b.Format())
	require.Equal(t, 3, b.Len())
	require.Equal(t, 6, b.Moves())

	start := shogi.StartPosition()
	found, ok := b.Find(&start, true)
	require.True(t, ok)
	require.Equal(t, book.Found{
		Moves: []book.Move{
			{Move: move(t, "2g2f"), Value: -30, HasValue: true, Count: 5},
			{Move: move(t, "7g7f"), Value: 35, HasValue: true, Count: 3},
		},
		Illegal: []shogi.Move{move(t, "2g1a")},
	}, found, "by count")

	second := start
	second.Do(move(t, "7g7f"))
	found, ok = b.Find(&second, false)
	require.True(t, ok)
	require.Equal(t, []shogi.Move{move(t, "1b2b")}, found.Illegal)
	require.Equal(t, []book.Move{{Move: move(t, "3c3d"), Value: -15, HasValue: true}}, found.Moves)

	third := parse(t, "lnsgk1snl/1r4g2/pppppp1pp/6p2/7P1/2P6/PP1PPPP1P/1+b5R1/LNSGKGSNL b b 7")
	found, ok = b.Find(&third, true)
	require.False(t, ok)
	require.Equal(t, []shogi.Move{move(t, "B*4e")}, found.Illegal)
}

func TestReadAperyFaults(t *testing.T) {
	whole := aperyFile(t)
	_, err := book.Read(whole[:len(whole)-1])
	require.ErrorContains(t, err, "95 bytes are 15 more than whole entries")
	bad := slices.Clone(whole)
	copy(bad[8:], []byte{0xff, 0xff})
	bad[16+8], bad[16+9] = 0xbb, 0x1d // from 7f to 7f
	b, err := book.Read(bad)
	var faults *book.Faults
	require.ErrorAs(t, err, &faults)
	require.Equal(t, 2, faults.Count)
	require.ErrorContains(t, err, "entry 1: 0xffff is no move; and 1 more")
	require.Equal(t, 4, b.Moves())
}

func TestReadDB2016(t *testing.T) {
	b, err := book.Open(data + "crlf_bom.db")
	require.NoError(t, err)
	require.Equal(t, 2, b.Len())
	p := parse(t, strings.Replace(shogi.StartSFEN, " 1", " 77", 1))
	found, ok := b.Find(&p, false)
	require.True(t, ok, "the move number plays no part")
	require.Equal(t, []book.Move{
		{Move: move(t, "7g7f"), Ponder: move(t, "3c3d"), HasValue: true, Value: 35, Depth: 12, Count: 240},
		{Move: move(t, "2g2f"), Ponder: move(t, "8c8d"), HasValue: true, Value: 30, Depth: 12, Count: 1},
		{Move: move(t, "5g5f"), Count: 1},
	}, found.Moves)
	p.Do(move(t, "7g7f"))
	require.Equal(t, []book.Move{{Move: move(t, "3c3d"), Ponder: move(t, "2g2f"), Count: 7}}, b.Get(&p).Moves, "the least move number is kept")
	require.Equal(t, 2, b.Get(&p).Ply)
}

func TestBadLines(t *testing.T) {
	b, err := book.Open(data + "bad_lines.db")
	var faults *book.Faults
	require.ErrorAs(t, err, &faults)
	require.Equal(t, 8, faults.Count)
	require.ErrorContains(t, err, `bad_lines.db: line 1: "7g7f": a move before the first position; and 7 more`)
	start := shogi.StartPosition()
	require.Equal(t, []book.Move{
		{Move: move(t, "7g7f"), Ponder: move(t, "3c3d"), HasValue: true, Value: 35, Depth: 12, Count: 240},
		{Move: move(t, "5g5f"), HasValue: true, Value: 9, Depth: 9, Count: 2},
	}, b.Get(&start).Moves)
	require.Equal(t, 2, b.Len())
}

func TestFaultsNameLineAndToken(t *testing.T) {
	const head = book.Header + "\nsfen " + shogi.StartSFEN + "\n"
	for text, want := range map[string]string{
		head + "7g7x none 1":                                  `line 3: "7g7x": no move`,
		head + "7g7e none 1":                                  `line 3: "7g7e": illegal in ` + shogi.StartSFEN,
		head + "7g7f 3c":                                      `line 3: "3c": no move`,
		head + "7g7f none x":                                  `line 3: "x": no number`,
		head + "7g7f none 99999999999":                        `line 3: "99999999999": no number`,
		head + "7g7f none 1 1 -1":                             `line 3: "-1": no number`,
		head + "7g7f none\n7g7f none":                         `line 4: "7g7f": the move is there twice`,
		book.Header + "\n7g7f none":                           `line 2: "7g7f": a move before the first position`,
		book.Header + "\nsfen 9/9 b - 1\n7g7f none\n2g2f":     `line 2: bad sfen board "9/9"`,
		strings.Replace(head, "DB2016", "DB2999", 1) + "7g7f": `line 1: "#YANEURAOU-DB2999 1.00": unknown version`,
		book.Header + "\n# " + strings.Repeat("x", 2<<20):     "line 2 is longer than",
		"YANE-BINBOOK-V1\x00":                                 "YBB",
		"some text":                                           `line 1: "some": a move before the first position`,
	} {
		_, err := book.Read([]byte(text))
		require.ErrorContains(t, err, want)
	}
}

func TestOpenRefuses(t *testing.T) {
	_, err := book.Open(t.TempDir())
	require.ErrorContains(t, err, "is no file")
	_, err = book.Open(filepath.Join(t.TempDir(), "missing.db"))
	require.ErrorIs(t, err, os.ErrNotExist)
	empty := filepath.Join(t.TempDir(), "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	b, err := book.Open(empty)
	require.NoError(t, err)
	require.Zero(t, b.Len())
}

// randomBook makes a book from games of random moves, one of whose moves is in the book at each position.
func randomBook(seed uint64, games, plies int) *book.Book {
	random := rand.New(rand.NewPCG(seed, 1))
	b := book.New()
	for range games {
		p := shogi.StartPosition()
		for range plies {
			legal := p.AppendLegal(nil)
			if len(legal) == 0 {
				break
			}
			var moves []book.Move
			if e := b.Get(&p); e != nil {
				moves = e.Moves
			}
			m := legal[random.IntN(len(legal))]
			if !slices.ContainsFunc(moves, func(o book.Move) bool { return o.Move == m }) {
				moves = append(moves, book.Move{Move: m, HasValue: true, Value: int32(random.IntN(400) - 200), Depth: int32(random.IntN(9)), Count: random.Int64N(1000)})
			}
			b.Put(&p, moves)
			p.Do(m)
		}
	}
	return b
}

func written(t testing.TB, b *book.Book, remarks ...string) []byte {
	var out bytes.Buffer
	require.NoError(t, book.WriteDB2016(&out, b, remarks...))
	return out.Bytes()
}

func TestDB2016RoundTrip(t *testing.T) {
	b := randomBook(1, 50, 60)
	text := written(t, b, "made by a test,\nin one line")
	again, err := book.Read(text)
	require.NoError(t, err)
	require.Equal(t, b.Len(), again.Len())
	for e := range b.All() {
		p := parse(t, e.SFEN)
		require.Equal(t, e.Moves, again.Get(&p).Moves, e.SFEN)
		require.Equal(t, e.Ply, again.Get(&p).Ply)
	}
	require.Equal(t, text, written(t, again, "made by a test, in one line"))
	var positions []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "sfen ") {
			positions = append(positions, line)
		}
	}
	require.Len(t, positions, b.Len())
	require.True(t, slices.IsSorted(positions))
}

// A book goes to Apery's format and back: its positions are found again by walking from the start.
func TestAperyRoundTrip(t *testing.T) {
	b := randomBook(2, 40, 40)
	var out bytes.Buffer
	require.NoError(t, book.WriteApery(&out, b))
	require.Equal(t, b.Moves()*16, out.Len())
	apery, err := book.Read(out.Bytes())
	require.NoError(t, err)
	require.Equal(t, b.Len(), apery.Len())
	require.ErrorContains(t, book.WriteDB2016(&bytes.Buffer{}, apery), "no positions")

	var again bytes.Buffer
	require.NoError(t, book.WriteApery(&again, apery))
	require.ElementsMatch(t, chunks(out.Bytes()), chunks(again.Bytes()))

	walked, missed := apery.Walk(shogi.StartPosition())
	require.Zero(t, missed)
	require.Equal(t, b.Len(), walked.Len())
	for e := range b.All() {
		p := parse(t, e.SFEN)
		plain := func(moves []book.Move) (out []book.Move) {
			for _, m := range moves {
				m.Ponder, m.Depth = shogi.MoveNone, 0
				out = append(out, m)
			}
			return out
		}
		require.ElementsMatch(t, plain(e.Moves), plain(walked.Get(&p).Moves))
	}
	start := shogi.StartPosition()
	best := walked.Get(&start).Moves[0]
	start.Do(best.Move)
	require.Equal(t, walked.Get(&start).Moves[0].Move, best.Ponder, "the reply is the book's")

	lost, missed := apery.Walk(start)
	require.Positive(t, missed)
	require.Equal(t, b.Len(), lost.Len()+missed)
}

func chunks(b []byte) [][]byte { return slices.Collect(slices.Chunk(b, 16)) }

func TestLargeCounts(t *testing.T) {
	b, start := book.New(), shogi.StartPosition()
	b.Put(&start, []book.Move{{Move: move(t, "7g7f"), Count: 1 << 40}, {Move: move(t, "2g2f"), Count: 1 << 39}, {Move: move(t, "5g5f"), Count: 1}, {Move: move(t, "1g1f")}})
	var out bytes.Buffer
	require.NoError(t, book.WriteApery(&out, b))
	apery, err := book.Read(out.Bytes())
	require.NoError(t, err)
	var counts []int64
	for _, m := range apery.Get(&start).Moves {
		counts = append(counts, m.Count)
	}
	require.Equal(t, []int64{65535, 32768, 1, 0}, counts)
}

// The legal moves of a turned position are the turned legal moves, all through random games.
func TestFlip(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for range 10 {
		p := shogi.StartPosition()
		for range 150 {
			turned, ok := book.Flip(&p)
			require.True(t, ok)
			back, ok := book.Flip(&turned)
			require.True(t, ok)
			require.True(t, p == back, p.SFEN())
			require.NotEqual(t, p.Side(), turned.Side())
			legal := p.AppendLegal(nil)
			var want []shogi.Move
			for _, m := range legal {
				want = append(want, book.FlipMove(m))
			}
			require.ElementsMatch(t, want, turned.AppendLegal(nil), p.SFEN())
			if len(legal) == 0 {
				break
			}
			p.Do(legal[random.IntN(len(legal))])
		}
	}
	for _, m := range []shogi.Move{shogi.MoveNone, shogi.MoveResign, shogi.MoveWin} {
		require.Equal(t, m, book.FlipMove(m))
	}
}

func TestFindFlipped(t *testing.T) {
	b := book.New()
	start := shogi.StartPosition()
	b.Put(&start, []book.Move{{Move: move(t, "7g7f"), Ponder: move(t, "3c3d"), Value: 10, HasValue: true, Count: 2}})
	white := parse(t, strings.Replace(shogi.StartSFEN, " b ", " w ", 1))
	_, ok := b.Find(&white, false)
	require.False(t, ok)
	found, ok := b.Find(&white, true)
	require.True(t, ok)
	require.True(t, found.Flipped)
	require.Equal(t, []book.Move{{Move: move(t, "3c3d"), Ponder: move(t, "7g7f"), Value: 10, HasValue: true, Count: 2}}, found.Moves)
	found, ok = b.Find(&start, true)
	require.True(t, ok)
	require.False(t, found.Flipped)
}

func TestFormatString(t *testing.T) {
	require.Equal(t, "DB2016", book.New().Format().String())
	require.Equal(t, "Apery", book.Apery.String())
}

func FuzzReadDB2016(f *testing.F) {
	for _, name := range []string{"crlf_bom.db", "bad_lines.db"} {
		text, err := os.ReadFile(data + name)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte("sfen 4k4/9/9/9/9/9/9/9/4K4 b R2b4g4s4n4l18pr\nR*5e 5a4a 1\nsfen 4k4/9/9/9/9/9/9/9/4K4 b R2b4g4s4n4l18pr 9\nR*5d"))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := book.ReadDB2016(bytes.NewReader(text))
		if b == nil {
			require.Error(t, err)
			return
		}
		var faults *book.Faults
		require.True(t, err == nil || errors.As(err, &faults))
		for e := range b.All() {
			p := parse(t, e.SFEN)
			require.Same(t, e, b.Get(&p))
			for _, m := range e.Moves {
				require.True(t, p.IsLegal(m.Move))
			}
		}
		first := written(t, b)
		again, err := book.Read(first)
		require.NoError(t, err)
		require.Equal(t, string(first), string(written(t, again)))
	})
}

func FuzzReadApery(f *testing.F) {
	f.Add(aperyFile(f))
	f.Add([]byte("0123456789abcdef"))
	f.Fuzz(func(t *testing.T, entries []byte) {
		b, err := book.ReadApery(entries)
		if len(entries)%16 != 0 {
			require.Nil(t, b)
			require.Error(t, err)
			return
		}
		var first, second bytes.Buffer
		require.NoError(t, book.WriteApery(&first, b))
		again, err := book.ReadApery(first.Bytes())
		require.NoError(t, err, "only what makes sense was written")
		require.Equal(t, b.Moves(), again.Moves())
		require.NoError(t, book.WriteApery(&second, again))
		require.Equal(t, first.Bytes(), second.Bytes())
	})
}
