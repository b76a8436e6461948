package shogi

// exchangeValue is a piece's worth on the board in exchanges (a pawn is 90), after the piece values that Japanese engines
// have used since Bonanza. The king's is larger than any sum of the others.
var exchangeValue = [NumPieceTypes]int{
	Pawn: 90, Lance: 315, Knight: 405, Silver: 495, Bishop: 855, Rook: 990, Gold: 540, King: 15000,
	ProPawn: 540, ProLance: 540, ProKnight: 540, ProSilver: 540, Horse: 945, Dragon: 1395,
}

// ExchangeValue returns what the piece type is worth on the board in exchanges; a pawn is 90.
func ExchangeValue(t PieceType) int { return exchangeValue[t] }

// CaptureValue returns what taking a piece of the type gains: the opponent loses it from the board and the taker gets
// it, unpromoted, in hand.
func CaptureValue(t PieceType) int { return exchangeValue[t] + exchangeValue[t.Unpromote()] }

// byExchangeValue lists the types in the order in which they take in an exchange.
var byExchangeValue = [...]PieceType{Pawn, Lance, Knight, Silver, Gold, ProPawn, ProLance, ProKnight, ProSilver, Bishop, Horse, Rook, Dragon, King}

// ByExchangeValue returns the types from the one that takes first in an exchange to the king.
func ByExchangeValue() [NumPieceTypes - 1]PieceType { return byExchangeValue }

// SEE returns the static exchange value of a legal move for the side that makes it: what it wins (or, negative, loses) when both
// sides go on taking on the target square with their least valuable piece as long as that pays. Promotion counts for
// the move itself, not for the pieces that take back; pins are not looked at.
func (p *Position) SEE(m Move) int {
	to := m.To()
	occupied := p.Occupied()
	var moved PieceType
	if m.IsDrop() {
		moved = m.DropType()
	} else {
		from := m.From()
		moved = p.board[from].Type()
		if m.IsPromotion() {
			moved = moved.Promote()
		}
		occupied = occupied.AndNot(SquareSet(from))
	}
	return p.Gain(m) - p.retake(p.side^1, to, moved, occupied.Or(SquareSet(to)))
}

// Gain returns what the move wins before anything is taken back: the captured piece and the promotion; 0 for a drop.
func (p *Position) Gain(m Move) int {
	if m.IsDrop() {
		return 0
	}
	gain := 0
	if captured := p.board[m.To()].Type(); captured != NoPieceType {
		gain = CaptureValue(captured)
	}
	if m.IsPromotion() {
		t := p.board[m.From()].Type()
		gain += exchangeValue[t.Promote()] - exchangeValue[t]
	}
	return gain
}

// Threat returns what side c would win, if it were to move, by taking the opponent's piece on the square and exchanging there: at
// least 0. Pins and checks are not looked at. The square must hold a piece of the opponent.
func (p *Position) Threat(c Color, s Square) int {
	return p.retake(c, s, p.board[s].Type(), p.Occupied())
}

// maxExchange is the longest exchange: 39 pieces could take on a square.
const maxExchange = 40

// retake returns what side c gains at best by taking the piece of the given type on the square, at least 0.
func (p *Position) retake(c Color, s Square, target PieceType, occupied Bitboard) int {
	var gains [maxExchange]int
	n := 0
	for {
		attackers := p.Attackers(c, s, occupied).And(occupied)
		if attackers.IsEmpty() {
			break
		}
		attacker, from := p.leastOf(attackers)
		if attacker == King && p.Attackers(c^1, s, occupied).And(occupied).Intersects(p.sides[(c^1)&1]) {
			break
		}
		gains[n] = CaptureValue(target)
		n++
		occupied = occupied.AndNot(SquareSet(from))
		target = attacker
		c ^= 1
	}
	best := 0
	for n > 0 {
		n--
		best = max(0, gains[n]-best)
	}
	return best
}

// leastOf returns the least valuable piece of a non-empty set and its square.
func (p *Position) leastOf(set Bitboard) (PieceType, Square) {
	for _, t := range byExchangeValue {
		if x := set.And(p.types[t&15]); !x.IsEmpty() {
			return t, x.First()
		}
	}
	return NoPieceType, NoSquare
}
