package shogi_test

import (
	"testing"

	"github.com/yomi-shogi/yomi/shogi"
)

// benchmarkPositions are an opening, a middle game with much in hand, and the position with the most legal moves.
var benchmarkPositions = []struct{ name, sfen string }{
	{"start", shogi.StartSFEN},
	{"middle", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"},
	{"most", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"},
}

func position(tb testing.TB, sfen string) shogi.Position {
	tb.Helper()
	p, err := shogi.ParseSFEN(sfen)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// BenchmarkPerft reports leaves a second of perft 4 from the start position, counted in bulk.
func BenchmarkPerft(b *testing.B) {
	p := shogi.StartPosition()
	var leaves uint64
	for b.Loop() {
		leaves += shogi.Perft(&p, 4)
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds(), "leaves/s")
}

func BenchmarkAppendLegal(b *testing.B) {
	for _, x := range benchmarkPositions {
		p := position(b, x.sfen)
		b.Run(x.name, func(b *testing.B) {
			moves := make([]shogi.Move, 0, shogi.MaxMoves)
			for b.Loop() {
				moves = p.AppendLegal(moves[:0])
			}
		})
	}
}

func BenchmarkDo(b *testing.B) {
	p := position(b, benchmarkPositions[1].sfen)
	moves := p.AppendLegal(nil)
	i := 0
	for b.Loop() {
		next := p
		next.Do(moves[i%len(moves)])
		i++
	}
}

func BenchmarkAttackMap(b *testing.B) {
	p := position(b, benchmarkPositions[1].sfen)
	var m shogi.AttackMap
	for b.Loop() {
		p.AttackMap(&m)
	}
}

func BenchmarkSEE(b *testing.B) {
	p := position(b, benchmarkPositions[1].sfen)
	moves := p.AppendLegal(nil)
	i := 0
	for b.Loop() {
		p.SEE(moves[i%len(moves)])
		i++
	}
}

func BenchmarkSliders(b *testing.B) {
	p := position(b, benchmarkPositions[1].sfen)
	occupied := p.Occupied()
	attacks := map[string]func(shogi.Square, shogi.Bitboard) shogi.Bitboard{"rook": shogi.RookAttacks, "bishop": shogi.BishopAttacks}
	for name, f := range attacks {
		b.Run(name, func(b *testing.B) {
			s := shogi.Square(0)
			for b.Loop() {
				f(s, occupied)
				s = (s + 7) % shogi.NumSquares
			}
		})
	}
}
