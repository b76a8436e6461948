package shogi

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The slow twins of the fast code: they follow the rules square by square and share no code with it.

func slowRay(s Square, d Direction, occupied Bitboard) Bitboard {
	var b Bitboard
	for x := s.Neighbour(d); x != NoSquare; x = x.Neighbour(d) {
		b.toggle(x)
		if occupied.Has(x) {
			break
		}
	}
	return b
}

func slowSlider(s Square, occupied Bitboard, directions ...Direction) Bitboard {
	var b Bitboard
	for _, d := range directions {
		b = b.Or(slowRay(s, d, occupied))
	}
	return b
}

func slowAttackers(p *Position, c Color, s Square, occupied Bitboard) Bitboard {
	var b Bitboard
	for from := Square(0); from < NumSquares; from++ {
		piece := p.board[from]
		if piece != Empty && piece.Color() == c && PieceAttacks(c, piece.Type(), from, occupied).Has(s) {
			b.toggle(from)
		}
	}
	return b
}

// slowLegal tries every move that a piece could make and keeps those that leave the own king safe.
func slowLegal(p *Position) map[Move]bool {
	legal := map[Move]bool{}
	us := p.side
	for from := Square(0); from < NumSquares; from++ {
		piece := p.board[from]
		if piece == Empty || piece.Color() != us {
			continue
		}
		t := piece.Type()
		for to := Square(0); to < NumSquares; to++ {
			target := p.board[to]
			if !PieceAttacks(us, t, from, p.Occupied()).Has(to) || target != Empty && (target.Color() == us || target.Type() == King) {
				continue
			}
			if mobileSlow(us, t, to) {
				legal[NewMove(from, to)] = true
			}
			if t.CanPromote() && (relativeRank(us, from) <= 3 || relativeRank(us, to) <= 3) {
				legal[NewPromotion(from, to)] = true
			}
		}
	}
	for t := Pawn; t <= Gold; t++ {
		for to := Square(0); to < NumSquares; to++ {
			if p.hands[us].Has(t) && p.board[to] == Empty && mobileSlow(us, t, to) && !(t == Pawn && pawnOnFile(p, to.File())) {
				legal[NewDrop(t, to)] = true
			}
		}
	}
	for m := range legal {
		next := *p
		next.Do(m)
		if !next.checkersOf(us).IsEmpty() || m.IsDrop() && m.DropType() == Pawn && next.InCheck() && len(slowLegal(&next)) == 0 {
			delete(legal, m)
		}
	}
	return legal
}

func mobileSlow(c Color, t PieceType, to Square) bool {
	switch t {
	case Pawn, Lance:
		return relativeRank(c, to) > 1
	case Knight:
		return relativeRank(c, to) > 2
	}
	return true
}

func pawnOnFile(p *Position, file int) bool {
	for rank := 1; rank <= 9; rank++ {
		if p.board[NewSquare(file, rank)] == NewPiece(p.side, Pawn) {
			return true
		}
	}
	return false
}

// check compares everything fast about the position with its twin.
func check(t *testing.T, p *Position) {
	t.Helper()
	sfen := p.SFEN()
	boardKey, handKey := p.keyFromScratch()
	require.Equal(t, boardKey, p.boardKey, sfen)
	require.Equal(t, handKey, p.handKey, sfen)
	again, err := ParseSFEN(sfen)
	require.NoError(t, err)
	require.Equal(t, *p, again, "%s is not the same after writing and reading", sfen)

	moves := p.AppendLegal(nil)
	var checks Checks
	p.Checks(&checks)
	want := slowLegal(p)
	require.Len(t, moves, len(want), sfen)
	for _, m := range moves {
		require.True(t, want[m], "%s in %s", m, sfen)
		next := *p
		next.Do(m)
		require.Equal(t, next.InCheck(), p.GivesCheck(m), "does %s give check in %s", m, sfen)
		require.Equal(t, next.InCheck(), checks.Gives(p, m), "does %s give check in %s", m, sfen)
		require.Equal(t, slowAttackers(&next, p.side, next.KingSquare(next.side), next.Occupied()), next.checkers, "%s in %s", m, sfen)
	}
	require.Equal(t, len(moves) > 0, p.HasLegalMove())
	checkAttackMap(t, p)
}

func checkAttackMap(t *testing.T, p *Position) {
	t.Helper()
	var m AttackMap
	p.AttackMap(&m)
	require.Equal(t, p.Occupied().Count(), m.Count)
	for c := Black; c <= White; c++ {
		for s := Square(0); s < NumSquares; s++ {
			attackers := slowAttackers(p, c, s, p.Occupied())
			require.Equal(t, attackers, p.Attackers(c, s, p.Occupied()), "%s on %s", p.SFEN(), s)
			require.Equal(t, !attackers.IsEmpty(), p.attacked(c, s, p.Occupied()))
			require.Equal(t, min(attackers.Count(), 3), m.AttackCount(c, s), "%s on %s", p.SFEN(), s)
			least := NoPieceType
			if !attackers.IsEmpty() {
				least, _ = p.leastOf(attackers)
			}
			require.Equal(t, least, m.Least(c, s), "%s on %s", p.SFEN(), s)
		}
	}
}

// walk plays random legal moves from the start and calls visit for each position.
func walk(seed uint64, plies int, visit func(p *Position)) {
	random := rand.New(rand.NewPCG(seed, 0))
	p := StartPosition()
	for range plies {
		moves := p.AppendLegal(nil)
		if len(moves) == 0 {
			return
		}
		// captures and promotions more often, so that hands fill and pieces promote
		m := moves[random.IntN(len(moves))]
		if again := moves[random.IntN(len(moves))]; p.Gain(again) > p.Gain(m) {
			m = again
		}
		p.Do(m)
		visit(&p)
	}
}

func TestFastEqualsSlow(t *testing.T) {
	games := uint64(6)
	if testing.Short() {
		games = 1
	}
	for seed := range games {
		walk(seed, 200, func(p *Position) { check(t, p) })
	}
}

func FuzzFastEqualsSlow(f *testing.F) {
	f.Add(uint64(1), uint8(40))
	f.Add(uint64(7), uint8(200))
	f.Fuzz(func(t *testing.T, seed uint64, plies uint8) {
		var last *Position
		walk(seed, int(plies), func(p *Position) { last = p })
		if last != nil {
			check(t, last)
		}
	})
}

func TestSlidersEqualSlow(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 0))
	for range 3000 {
		occupied := Bitboard{random.Uint64() & random.Uint64() & loAll, random.Uint64() & random.Uint64() & hiAll}
		s := Square(random.IntN(NumSquares))
		require.Equal(t, slowSlider(s, occupied, Up, Down, Left, Right), RookAttacks(s, occupied))
		require.Equal(t, slowSlider(s, occupied, UpLeft, UpRight, DownLeft, DownRight), BishopAttacks(s, occupied))
		require.Equal(t, slowSlider(s, occupied, Up), LanceAttacks(Black, s, occupied))
		require.Equal(t, slowSlider(s, occupied, Down), LanceAttacks(White, s, occupied))
	}
}

// TestStepAttacks holds how each piece that goes by steps moves, drawn from 5e for Black.
func TestStepAttacks(t *testing.T) {
	for pt, squares := range map[PieceType]string{
		Pawn: "5d", Knight: "4c 6c", Silver: "4d 5d 6d 4f 6f", Gold: "4d 5d 6d 4e 6e 5f", ProSilver: "4d 5d 6d 4e 6e 5f",
		King: "4d 5d 6d 4e 6e 4f 5f 6f", Horse: "5d 4e 6e 5f", Dragon: "4d 6d 4f 6f",
	} {
		var black, white Bitboard
		for i := 0; i < len(squares); i += 3 {
			s, err := ParseSquare(squares[i : i+2])
			require.NoError(t, err)
			black.toggle(s)
			white.toggle(s.Flip())
		}
		require.Equal(t, black, stepAttacks[Black][pt][NewSquare(5, 5)], pt.String())
		require.Equal(t, white, stepAttacks[White][pt][NewSquare(5, 5)], pt.String())
	}
}

// slowExchange plays the exchange on the square out, each side taking with its least valuable piece or stopping.
func slowExchange(p *Position, c Color, s Square, target PieceType, occupied Bitboard) int {
	attackers := slowAttackers(p, c, s, occupied).And(occupied)
	if attackers.IsEmpty() {
		return 0
	}
	t, from := p.leastOf(attackers)
	rest := occupied.AndNot(SquareSet(from))
	if t == King && !slowAttackers(p, c^1, s, rest).And(rest).IsEmpty() {
		return 0
	}
	return max(0, CaptureValue(target)-slowExchange(p, c^1, s, t, rest))
}

func TestExchangeEqualsSlow(t *testing.T) {
	for seed := range uint64(4) {
		walk(seed, 150, func(p *Position) {
			for _, m := range p.AppendLegal(nil) {
				moved, occupied := m.DropType(), p.Occupied()
				if !m.IsDrop() {
					moved = p.board[m.From()].Type()
					occupied = occupied.AndNot(SquareSet(m.From()))
				}
				if m.IsPromotion() {
					moved = moved.Promote()
				}
				want := p.Gain(m) - slowExchange(p, p.side^1, m.To(), moved, occupied.Or(SquareSet(m.To())))
				require.Equal(t, want, p.SEE(m), "%s in %s", m, p.SFEN())
			}
		})
	}
}
