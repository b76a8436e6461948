package policy

import "github.com/yomi-shogi/yomi/shogi"

// The rows of a move. A move is a handful of one-hot features; kind is its piece and manner: 0-13 a type that moves without
// promoting, 14-19 one that promotes, 20-26 one that is dropped. The exchange bucket sorts its static exchange value.
//
//	group     rows  index
//	to        2187  kind·81 + to
//	from      2376  kind·88 + from (81 + type - 1 for a drop)
//	capture    180  captured type·12 + exchange bucket
//	exchange   378  kind·12 + exchange bucket; in addition 324 + kind·2 + loses when it gives check
//	target     480  ((own attackers of `to` without the mover·4 + enemy's)·15 + enemy's least)·2 + drop
//	source     240  not a drop: (own attackers of `from`·4 + enemy's)·15 + enemy's least
//	kings    15606  kind·289 + `to` relative to the enemy's king; the same for the own king
//	around    6912  for each of 8 directions: (direction·27 + kind)·32 + what is next to `to` (own type, 16 + enemy type, 31 edge)
//	attacks    784  for each enemy piece that the mover attacks from `to`: ((mover·14 + victim)·2 + victim defended)·2 + loses
//	check      156  kind·4 + in check·2 + loses; in addition 108 + danger·4 + escape, how the mover stands before the move
//	contest   4860  (kind·15 + enemy's least attacker of `to`)·12 + exchange bucket
//	last       579  `to` relative to the last move's `to`, ·2 + loses; 578 when there is no last move
const (
	kinds           = 27
	exchangeBuckets = 12
	relative        = 17 * 17
	types           = 15

	toStart       = 0
	fromStart     = toStart + kinds*shogi.NumSquares
	captureStart  = fromStart + kinds*(shogi.NumSquares+7)
	exchangeStart = captureStart + types*exchangeBuckets
	targetStart   = exchangeStart + kinds*exchangeBuckets + kinds*2
	sourceStart   = targetStart + 4*4*types*2
	kingsStart    = sourceStart + 4*4*types
	aroundStart   = kingsStart + 2*kinds*relative
	attacksStart  = aroundStart + 8*kinds*32
	checkStart    = attacksStart + 14*14*4
	escapeStart   = checkStart + kinds*4
	contestStart  = escapeStart + exchangeBuckets*4
	lastStart     = contestStart + kinds*types*exchangeBuckets

	// NumMoveRows is the number of rows of the move part's embedding.
	NumMoveRows = lastStart + relative*2 + 1
)

// MaxMoveActive is the most rows of one move: 13 single ones, 8 around it, and the attacked pieces: at most 8 for a horse or dragon.
const MaxMoveActive = 32

const edgeCode = 31

// exchangeLimits are the upper bounds of the exchange buckets, in exchange units (a pawn is 90).
var exchangeLimits = [exchangeBuckets - 1]int{-1499, -899, -499, -99, 0, 1, 200, 500, 900, 1250, 1750}

// exchangeBucket sorts a static exchange value into 0..11; 5 is exactly 0.
func exchangeBucket(see int) int {
	for i, limit := range exchangeLimits {
		if see < limit {
			return i
		}
	}
	return exchangeBuckets - 1
}

// kindOf returns the move's kind, 0..26, and the type that stands on the target square after it.
func kindOf(p *shogi.Position, m shogi.Move) (kind int, after shogi.PieceType) {
	if m.IsDrop() {
		return 20 + int(m.DropType()) - 1, m.DropType()
	}
	t := p.PieceAt(m.From()).Type()
	if m.IsPromotion() {
		return 14 + int(t) - 1, t.Promote()
	}
	return int(t) - 1, t
}

// appendMove appends the rows of a legal move.
func (s *scene) appendMove(rows []uint16, m shogi.Move) []uint16 {
	p, to := s.p, m.To()
	kind, after := kindOf(p, m)
	seenTo := int(s.view.Square(to))
	captured := int(p.PieceAt(to).Type())
	see := p.Gain(m)
	ours, theirs, least := int(s.counts[s.us][to]), int(s.counts[s.them][to]), int(s.least[to])
	if theirs > 0 {
		see = p.SEE(m)
	}
	bucket := exchangeBucket(see)
	loses, drop := 0, 1
	if see < 0 {
		loses = 1
	}
	from, seenFrom := shogi.NoSquare, shogi.NumSquares+int(m.DropType())-1
	if !m.IsDrop() {
		drop = 0
		from = m.From()
		seenFrom = int(s.view.Square(from))
		ours--
	}
	add := func(row int) { rows = append(rows, uint16(row)) }
	add(toStart + kind*shogi.NumSquares + seenTo)
	add(fromStart + kind*(shogi.NumSquares+7) + seenFrom)
	add(captureStart + captured*exchangeBuckets + bucket)
	add(exchangeStart + kind*exchangeBuckets + bucket)
	if s.checks.Gives(p, m) {
		add(exchangeStart + kinds*exchangeBuckets + kind*2 + loses)
	}
	add(targetStart + ((max(ours, 0)*4+theirs)*types+least)*2 + drop)
	add(checkStart + kind*4 + s.inCheck*2 + loses)
	add(escapeStart + s.danger*4 + s.escape(from))
	add(contestStart + (kind*types+least)*exchangeBuckets + bucket)
	if drop == 0 {
		add(sourceStart + (int(s.counts[s.us][from])*4+int(s.counts[s.them][from]))*types + int(s.least[from]))
	}
	for i, king := range s.kings {
		if king != shogi.NoSquare {
			add(kingsStart + i*kinds*relative + kind*relative + offset(seenTo, int(king)))
		}
	}
	if s.last == shogi.NoSquare {
		add(lastStart + relative*2)
	} else {
		add(lastStart + offset(seenTo, int(s.last))*2 + loses)
	}
	rows = s.appendAround(rows, kind, to, from)
	return s.appendAttacks(rows, after, to, from, loses)
}

// offset numbers the place of one square relative to another, 0..288.
func offset(a, b int) int { return (a/9-b/9+8)*17 + a%9 - b%9 + 8 }

// escape says how the moved piece stands before the move: 0 not attacked, 1 attacked, 2 attacked by a cheaper piece, 3 a drop.
func (s *scene) escape(from shogi.Square) int {
	switch {
	case from == shogi.NoSquare:
		return 3
	case s.counts[s.them][from] == 0:
		return 0
	case shogi.ExchangeValue(shogi.PieceType(s.least[from])) < shogi.ExchangeValue(s.p.PieceAt(from).Type()):
		return 2
	}
	return 1
}

// appendAround appends what stands next to the target square; the square that the mover leaves counts as empty.
func (s *scene) appendAround(rows []uint16, kind int, to, from shogi.Square) []uint16 {
	for d := shogi.Up; d < shogi.NoDirection; d++ {
		next := to.Neighbour(s.view.Direction(d))
		code := edgeCode
		if next != shogi.NoSquare {
			piece := s.p.PieceAt(next)
			if piece == shogi.Empty || next == from {
				continue
			}
			code = int(piece.Color()^s.us)<<4 | int(piece.Type())
		}
		rows = append(rows, uint16(aroundStart+(int(d)*kinds+kind)*32+code))
	}
	return rows
}

// appendAttacks appends the enemy pieces that the mover attacks from its target square.
func (s *scene) appendAttacks(rows []uint16, after shogi.PieceType, to, from shogi.Square, loses int) []uint16 {
	occupied := s.p.Occupied()
	if from != shogi.NoSquare {
		occupied = occupied.AndNot(shogi.SquareSet(from))
	}
	victims := shogi.PieceAttacks(s.us, after, to, occupied).And(s.p.Pieces(s.them))
	for !victims.IsEmpty() {
		square := victims.PopFirst()
		defended := 0
		if s.counts[s.them][square] > 0 {
			defended = 1
		}
		victim := int(s.p.PieceAt(square).Type()) - 1
		rows = append(rows, uint16(attacksStart+((int(after)-1)*14+victim)*4+defended*2+loses))
	}
	return rows
}
