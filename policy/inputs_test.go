package policy_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
)

// mirrored returns the position with left and right exchanged.
func mirrored(t *testing.T, p *shogi.Position) shogi.Position {
	t.Helper()
	s := p.Setup()
	m := s
	for i, piece := range s.Board {
		m.Board[mirror(shogi.Square(i))] = piece
	}
	q, err := m.Position()
	require.NoError(t, err)
	return q
}

func mirror(s shogi.Square) shogi.Square { return shogi.NewSquare(10-s.File(), s.Rank()) }

func mirroredMove(m shogi.Move) shogi.Move { return mapMove(m, mirror) }

func mapMove(m shogi.Move, f func(shogi.Square) shogi.Square) shogi.Move {
	switch {
	case m.IsDrop():
		return shogi.NewDrop(m.DropType(), f(m.To()))
	case m.IsPromotion():
		return shogi.NewPromotion(f(m.From()), f(m.To()))
	}
	return shogi.NewMove(f(m.From()), f(m.To()))
}

// turnedAround returns the position with the sides exchanged and the board turned.
func turnedAround(t *testing.T, p *shogi.Position) shogi.Position {
	t.Helper()
	s := p.Setup()
	m := s
	for i, piece := range s.Board {
		if piece != shogi.Empty {
			piece = shogi.NewPiece(piece.Color().Opponent(), piece.Type())
		}
		m.Board[shogi.Square(i).Flip()] = piece
	}
	m.Hands = [2]shogi.Hand{s.Hands[1], s.Hands[0]}
	m.Side = s.Side.Opponent()
	q, err := m.Position()
	require.NoError(t, err)
	return q
}

// rowsOf returns the sorted rows of the position and of each move.
func rowsOf(p *shogi.Position, last shogi.Move) ([]uint16, map[shogi.Move][]uint16) {
	in := policy.NewInputs()
	moves := p.AppendLegal(nil)
	in.Read(p, last, moves)
	position := slices.Clone(in.Position)
	slices.Sort(position)
	rows := map[shogi.Move][]uint16{}
	start := int32(0)
	for i, m := range moves {
		r := slices.Clone(in.Moves[start:in.Ends[i]])
		slices.Sort(r)
		rows[m] = r
		start = in.Ends[i]
	}
	return position, rows
}

// randomGame calls visit for each position of a game of random moves.
func randomGame(seed uint64, plies int, visit func(p *shogi.Position, last shogi.Move)) {
	random := rand.New(rand.NewPCG(seed, 1))
	p := shogi.StartPosition()
	for range plies {
		moves := p.AppendLegal(nil)
		if len(moves) == 0 {
			return
		}
		m := moves[random.IntN(len(moves))]
		p.Do(m)
		visit(&p, m)
	}
}

// TestInputsSeeSymmetry: exchanging left and right, or the sides, changes no row when the own king is off the middle file.
func TestInputsSeeSymmetry(t *testing.T) {
	compared := 0
	for seed := range uint64(6) {
		randomGame(seed, 120, func(p *shogi.Position, last shogi.Move) {
			position, rows := rowsOf(p, last)
			turn := turnedAround(t, p)
			turnedPosition, turnedRows := rowsOf(&turn, mapMove(last, shogi.Square.Flip))
			require.Equal(t, position, turnedPosition, p.SFEN())
			for m, r := range rows {
				require.Equal(t, r, turnedRows[mapMove(m, shogi.Square.Flip)], "%s in %s", m, p.SFEN())
			}
			if p.KingSquare(p.Side()).File() == 5 {
				return
			}
			compared++
			q := mirrored(t, p)
			mirroredPosition, mirroredRows := rowsOf(&q, mirroredMove(last))
			require.Equal(t, position, mirroredPosition, p.SFEN())
			for m, r := range rows {
				require.Equal(t, r, mirroredRows[mirroredMove(m)], "%s in %s", m, p.SFEN())
			}
		})
	}
	require.Greater(t, compared, 100)
}

// TestInputsInRange: rows stay within their tables, and every move has a fair number of them.
func TestInputsInRange(t *testing.T) {
	for seed := range uint64(10) {
		randomGame(seed, 200, func(p *shogi.Position, last shogi.Move) {
			position, rows := rowsOf(p, last)
			require.LessOrEqual(t, len(position), policy.MaxPositionActive)
			require.Less(t, int(position[len(position)-1]), policy.NumPositionRows)
			for m, r := range rows {
				require.GreaterOrEqual(t, len(r), 10, m)
				require.LessOrEqual(t, len(r), policy.MaxMoveActive, m)
				require.Less(t, int(r[len(r)-1]), policy.NumMoveRows, m)
			}
		})
	}
}

func TestInputsDoNotAllocate(t *testing.T) {
	p := shogi.StartPosition()
	moves := p.AppendLegal(nil)
	in := policy.NewInputs()
	require.Zero(t, testing.AllocsPerRun(100, func() { in.Read(&p, shogi.MoveNone, moves) }))
}

func BenchmarkInputs(b *testing.B) {
	p, err := shogi.ParseSFEN("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1")
	if err != nil {
		b.Fatal(err)
	}
	moves := p.AppendLegal(nil)
	in := policy.NewInputs()
	for b.Loop() {
		in.Read(&p, shogi.MoveNone, moves)
	}
	b.ReportMetric(float64(len(moves)), "moves")
}

// TestInputsAreThoseOfTheSlowTwin: the rows of all moves at once are those that a plain twin finds for each move alone.
func TestInputsAreThoseOfTheSlowTwin(t *testing.T) {
	compare := func(p *shogi.Position, last shogi.Move) {
		_, rows := rowsOf(p, last)
		for m, r := range rows {
			want := policy.SlowMoveRows(p, last, m)
			slices.Sort(want)
			require.Equal(t, want, r, "%s in %s", m, p.SFEN())
		}
	}
	for seed := range uint64(4) {
		randomGame(seed, 150, compare)
	}
	samplePositions(t, 100, func(p *shogi.Position, _ []shogi.Move) { compare(p, shogi.MoveNone) })
	for _, sfen := range []string{
		"9/9/9/9/4r4/9/9/9/4K4 b 2G 1",          // one king only
		"k8/9/9/9/9/9/9/9/8K b RB2GSNL3P 1",     // kings in corners
		"4k4/9/4l4/4p4/4P4/4L4/4R4/9/4K4 b S 1", // exchanges through a file
	} {
		p, err := shogi.ParseSFEN(sfen)
		require.NoError(t, err)
		compare(&p, shogi.MoveNone)
	}
}
