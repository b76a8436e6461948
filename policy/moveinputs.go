package policy

import (
	"math"

	"github.com/yomi-shogi/yomi/shogi"
)

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

// edgeCode stands for the edge of the board next to a square.
const edgeCode = 31

// exchangeLimits are the upper bounds of the exchange buckets, in exchange units (a pawn is 90).
var exchangeLimits = [exchangeBuckets - 1]int{-1499, -899, -499, -99, 0, 1, 200, 500, 900, 1250, 1750}

// exchangeBucket sorts a static exchange value into 0..11; 5 is exactly 0.
func exchangeBucket(see int) int {
	bucket := 0
	if see >= 0 { // most often
		bucket = 5
	}
	for bucket < len(exchangeLimits) && see >= exchangeLimits[bucket] {
		bucket++
	}
	return bucket
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

// readMove writes the rows of a legal move and returns their number.
func (s *scene) readMove(rows *[MaxMoveActive]uint16, m shogi.Move) int {
	to := m.To()
	kind, after := kindOf(s.p, m)
	seen := int(s.view.Square(to))
	guard, least := int(s.guard[to]), int(s.least[to])
	from, place := shogi.NoSquare, noPlace
	n := 0
	add := func(row int) {
		rows[n&(MaxMoveActive-1)] = uint16(row)
		n++
	}
	if m.IsDrop() {
		add(fromStart + kind*(shogi.NumSquares+7) + shogi.NumSquares + int(after) - 1)
		add(targetStart + guard*2 + 1)
		add(s.escapeRow + 3)
	} else {
		from = m.From()
		seenFrom := s.view.Square(from)
		place = padded[seenFrom]
		add(fromStart + kind*(shogi.NumSquares+7) + int(seenFrom))
		if guard >= 4*types { // the mover does not guard its target
			guard -= 4 * types
		}
		add(targetStart + guard*2)
		add(s.escapeRow + s.escape(from))
		add(sourceStart + int(s.guard[from]))
	}
	see := s.exchange(m, after, guard)
	bucket, loses := exchangeBucket(see), 0
	if see < 0 {
		loses = 1
	}
	add(toStart + kind*shogi.NumSquares + seen)
	add(captureStart + int(s.p.PieceAt(to).Type())*exchangeBuckets + bucket)
	add(exchangeStart + kind*exchangeBuckets + bucket)
	add(s.checkRow + kind*4 + loses)
	add(contestStart + (kind*types+least)*exchangeBuckets + bucket)
	if s.checks.Gives(s.p, m) {
		add(exchangeStart + kinds*exchangeBuckets + kind*2 + loses)
	}
	offset := int(place17[seen])
	for _, row := range s.kingRows {
		if row >= 0 {
			add(row + kind*relative + offset)
		}
	}
	if s.lastRow < 0 {
		add(lastStart + relative*2)
	} else {
		add(s.lastRow + offset*2 + loses)
	}
	n = s.nextTo(to).add(rows, n, kind, place)
	return s.addAttacks(rows, n, after, to, from, loses)
}

// exchange returns the static exchange value of the move, as Position.SEE does, the simple cases faster. guard is that of the
// target without the mover. An attack on the target that only the move opens is not looked for when there is no other.
func (s *scene) exchange(m shogi.Move, after shogi.PieceType, guard int) int {
	to := m.To()
	attacker, guarded := s.least[to], guard >= 4*types
	switch {
	case attacker == shogi.NoPieceType:
		return s.p.Gain(m)
	case !guarded && !s.hidden[s.us].Has(to):
		// Nothing takes back, nor does after pieces have left a line.
		return s.p.Gain(m) - shogi.CaptureValue(after)
	case guarded && !s.attacks.Twice[s.them].Has(to) && !s.hidden[s.them].Has(to):
		// One piece could take, and would be taken back; a king may not.
		if attacker == shogi.King {
			return s.p.Gain(m)
		}
		return s.p.Gain(m) - max(0, shogi.CaptureValue(after)-shogi.CaptureValue(attacker))
	case m.IsDrop():
		return -max(0, shogi.CaptureValue(after)-s.reply(to))
	}
	return s.p.SEE(m)
}

// reply returns what the side to move wins at best after a piece that it dropped on the square has been taken. It is the same
// for all pieces, so it is asked once, for a rook; where not even that would be taken, any large number does.
func (s *scene) reply(to shogi.Square) int {
	if s.replies[to] == unknownReply {
		s.replies[to] = math.MaxInt16
		if loss := -s.p.SEE(shogi.NewDrop(shogi.Rook, to)); loss > 0 {
			s.replies[to] = int16(shogi.CaptureValue(shogi.Rook) - loss)
		}
	}
	return int(s.replies[to])
}

// escape says how the moved piece stands before the move: 0 not attacked, 1 attacked, 2 attacked by a cheaper piece; 3 is a drop.
func (s *scene) escape(from shogi.Square) int {
	attacker := s.least[from]
	switch {
	case attacker == shogi.NoPieceType:
		return 0
	case shogi.ExchangeValue(attacker) < shogi.ExchangeValue(s.p.PieceAt(from).Type()):
		return 2
	}
	return 1
}

// addAttacks adds the enemy pieces that the mover attacks from its target square.
func (s *scene) addAttacks(rows *[MaxMoveActive]uint16, n int, after shogi.PieceType, to, from shogi.Square, loses int) int {
	occupied := s.occupied.AndNot(shogi.SquareSet(from))
	victims := shogi.PieceAttacks(s.us, after, to, occupied).And(s.enemies)
	for !victims.IsEmpty() {
		square := victims.PopFirst()
		defended := 0
		if s.least[square] != shogi.NoPieceType {
			defended = 2
		}
		victim := int(s.p.PieceAt(square).Type()) - 1
		rows[n&(MaxMoveActive-1)] = uint16(attacksStart + ((int(after)-1)*14+victim)*4 + defended + loses)
		n++
	}
	return n
}
