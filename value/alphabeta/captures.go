package alphabeta

import "github.com/yomi-shogi/yomi/shogi"

// capturing finds the captures of a position that seem to pay. It keeps scratch memory.
type capturing struct {
	scores []int
}

// leastCapture is the number of exchange units, a pawn being 90, that a capture must bring by static exchange to be looked at.
const leastCapture = 0

// appendTo appends the captures of a position that is not in check and that win at least least by static exchange, the most promising first:
// the dearest victim, taken by the cheapest piece. What can promote does.
func (c *capturing) appendTo(list []shogi.Move, p *shogi.Position, least int) []shogi.Move {
	from := len(list)
	c.scores = c.scores[:0]
	us := p.Side()
	occupied := p.Occupied()
	victims := p.Pieces(us.Opponent()).AndNot(p.PiecesOf(us.Opponent(), shogi.King))
	for own := p.Pieces(us); !own.IsEmpty(); {
		s := own.PopFirst()
		t := p.PieceAt(s).Type()
		for targets := shogi.PieceAttacks(us, t, s, occupied).And(victims); !targets.IsEmpty(); {
			to := targets.PopFirst()
			if !safeCapture(p, t, s, to, occupied) {
				continue
			}
			m := shogi.NewMove(s, to)
			if t.CanPromote() && (inCamp(us, s) || inCamp(us, to)) {
				m = shogi.NewPromotion(s, to)
			}
			if score, ok := captureScore(p, m, t, least); ok {
				list = append(list, m)
				c.scores = append(c.scores, score)
			}
		}
	}
	c.sort(list[from:])
	return list
}

// captureScore returns how promising a capture by a piece of the type is, and whether it wins at least least.
func captureScore(p *shogi.Position, m shogi.Move, t shogi.PieceType, least int) (score int, ok bool) {
	gain := p.Gain(m)
	if exchange(p, m, t, gain, least) < least {
		return 0, false
	}
	const victimFirst = 16
	return victimFirst*gain - shogi.ExchangeValue(t), true
}

// exchange returns the static exchange value of a move by a piece of the type that wins gain at once. Where what is left after the piece
// is taken back for nothing is at least enough, it returns that.
func exchange(p *shogi.Position, m shogi.Move, t shogi.PieceType, gain, enough int) int {
	if m.IsPromotion() {
		t = t.Promote()
	}
	if left := gain - shogi.CaptureValue(t); left >= enough {
		return left
	}
	return p.SEE(m)
}

// sort brings the moves into the order of their scores.
func (c *capturing) sort(moves []shogi.Move) {
	for i := 1; i < len(moves); i++ {
		for j := i; j > 0 && c.scores[j] > c.scores[j-1]; j-- {
			c.scores[j], c.scores[j-1] = c.scores[j-1], c.scores[j]
			moves[j], moves[j-1] = moves[j-1], moves[j]
		}
	}
}

// inCamp reports whether the square lies on the side's three farthest ranks.
func inCamp(c shogi.Color, s shogi.Square) bool {
	const campRanks = 3
	if c == shogi.White {
		s = s.Flip()
	}
	return s.Rank() <= campRanks
}

// safeCapture reports whether a capture leaves the own king, which is not in check, out of check.
func safeCapture(p *shogi.Position, t shogi.PieceType, from, to shogi.Square, occupied shogi.Bitboard) bool {
	us := p.Side()
	left := occupied.AndNot(shogi.SquareSet(from))
	if t == shogi.King {
		return p.Attackers(us.Opponent(), to, left).IsEmpty()
	}
	king := p.KingSquare(us)
	if king == shogi.NoSquare || king.DirectionTo(from) == shogi.NoDirection {
		return true
	}
	return p.Attackers(us.Opponent(), king, left).AndNot(shogi.SquareSet(to)).IsEmpty()
}
