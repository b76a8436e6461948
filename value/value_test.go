package value_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
)

func parse(t *testing.T, sfen string) *shogi.Position {
	t.Helper()
	p, err := shogi.ParseSFEN(sfen)
	require.NoError(t, err)
	return &p
}

// TestMaterialOrder holds pairs of positions, the first of them better for the side to move.
func TestMaterialOrder(t *testing.T) {
	for _, c := range []struct{ why, better, worse string }{
		{"a rook up", "4k4/9/9/9/9/9/9/9/4K4 b R 1", "4k4/9/9/9/9/9/9/9/4K4 b r 1"},
		{"the rook hangs to us or is guarded", "4k4/9/9/4r4/4P4/9/9/9/4K4 b - 1", "4k4/9/4g4/4r4/9/4P4/9/9/4K4 b G 1"},
		{"our rook is attacked or not", "4k4/9/9/4p4/9/4R4/9/9/4K4 b - 1", "4k4/9/9/9/4p4/4R4/9/4r4/4K4 b - 1"},
		{"the king has a castle or stands alone", "4k4/9/9/9/9/9/9/3GGS3/4K4 b - 1", "4k4/9/9/9/GG4S2/9/9/9/4K4 b - 1"},
	} {
		v := value.NewMaterial()
		better, worse := v.WinRate(parse(t, c.better)), v.WinRate(parse(t, c.worse))
		require.Greater(t, better, worse, "%s: %s over %s", c.why, c.better, c.worse)
	}
}

// TestMaterialIsSymmetric: turning the board and swapping the sides changes nothing.
func TestMaterialIsSymmetric(t *testing.T) {
	v := value.NewMaterial()
	sfen := "l3k2nl/4g1gs1/p2p1p1pp/2p3p2/1p7/2P1SP3/PP1PP1PP1/2G1G2R1/L1K4NL b BNSPrbsn 1"
	require.Equal(t, v.Score(parse(t, sfen)), v.Score(parse(t, turned(sfen))))
}

// turned returns the position as the other side sees it.
func turned(sfen string) string {
	fields := strings.Fields(sfen)
	swap := func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}
	board := []rune(strings.Map(swap, fields[0]))
	slices.Reverse(board)
	for i := 0; i+1 < len(board); i++ {
		if board[i+1] == '+' { // the mark belongs before its piece
			board[i], board[i+1] = board[i+1], board[i]
			i++
		}
	}
	side := map[string]string{"b": "w", "w": "b"}[fields[1]]
	return string(board) + " " + side + " " + strings.Map(swap, fields[2]) + " 1"
}

func TestMaterialRange(t *testing.T) {
	v := value.NewMaterial()
	start := shogi.StartPosition()
	require.InDelta(t, 0.53, v.WinRate(&start), 0.05)
	won := v.WinRate(parse(t, "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1"))
	require.LessOrEqual(t, won, float32(1))
	require.Greater(t, won, float32(0.99))
}

func TestEven(t *testing.T) {
	p := shogi.StartPosition()
	require.Equal(t, float32(0.5), value.NewEven().WinRate(&p))
}

func TestMaterialDoesNotAllocate(t *testing.T) {
	v := value.NewMaterial()
	p := shogi.StartPosition()
	require.Zero(t, testing.AllocsPerRun(100, func() { v.WinRate(&p) }))
}

func BenchmarkMaterial(b *testing.B) {
	v := value.NewMaterial()
	p := shogi.StartPosition()
	for b.Loop() {
		v.WinRate(&p)
	}
}

// TestInputsSeeSymmetry: turning the board and swapping the sides changes no row.
func TestInputsSeeSymmetry(t *testing.T) {
	sfen := "l3k2nl/4g1gs1/p2p1p1pp/2p3p2/1p7/2P1SP3/PP1PP1PP1/2G1G2R1/L1K4NL b BNSPrbsn 1"
	read := func(sfen string) [2][]uint16 {
		var in value.Inputs
		in.Read(parse(t, sfen))
		for i := range in.Rows {
			in.Rows[i] = slices.Clone(in.Rows[i])
			slices.Sort(in.Rows[i])
		}
		return in.Rows
	}
	require.Equal(t, read(sfen), read(turned(sfen)))
	// The opponent's view of a position is the side to move's view when only the turn changes.
	other := read(strings.Replace(sfen, " b ", " w ", 1))
	require.Equal(t, read(sfen), [2][]uint16{other[1], other[0]})
}

// TestInputsInRange: rows stay within the table.
func TestInputsInRange(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	var in value.Inputs
	for range 20 {
		p := shogi.StartPosition()
		for range 150 {
			moves := p.AppendLegal(nil)
			if len(moves) == 0 {
				break
			}
			p.Do(moves[random.IntN(len(moves))])
			in.Read(&p)
			require.Len(t, in.Rows[1], len(in.Rows[0]))
			for _, rows := range in.Rows {
				require.LessOrEqual(t, len(rows), value.MaxActive)
				require.Less(t, int(slices.Max(rows)), value.NumRows)
			}
		}
	}
}

func BenchmarkInputs(b *testing.B) {
	p, err := shogi.ParseSFEN("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1")
	if err != nil {
		b.Fatal(err)
	}
	var in value.Inputs
	for b.Loop() {
		in.Read(&p)
	}
}
