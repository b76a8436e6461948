package policy

import "github.com/yomi-shogi/yomi/shogi"

// Heuristic is a policy without a net: a softmax over a sum of a few hand-picked features of each move. The weights were
// learned, as the linear part of a small net, from the moves of a strong engine's games.
type Heuristic struct {
	attacks shogi.AttackMap
	checks  shogi.Checks
}

// NewHeuristic returns a Heuristic.
func NewHeuristic() *Heuristic { return &Heuristic{} }

// The weights in nats. Those with two entries are for moves that win or keep material by static exchange (index 0) and moves
// that lose some (index 1).
var (
	capturedWeight = [shogi.NumPieceTypes]float32{
		shogi.NoPieceType: -.64,
		shogi.Pawn:        .11, shogi.Lance: .5, shogi.Knight: .6, shogi.Silver: .7, shogi.Gold: .7, shogi.Bishop: .85, shogi.Rook: .85,
		shogi.ProPawn: .5, shogi.ProLance: .6, shogi.ProKnight: .6, shogi.ProSilver: .7, shogi.Horse: .85, shogi.Dragon: .85,
	}
	boardCheckWeight = [2]float32{.92, .34}
	dropCheckWeight  = [2]float32{1.19, 1.08}
	quietDropWeight  = [2]float32{-.4, -.6}
	quietMoveWeight  = [2]float32{-.10, -.54}
	// how the moved piece stands before the move
	attackedByCheaperWeight = [2]float32{.91, .61}
	attackedWeight          = [2]float32{.10, -.36}
	safeWeight              = [2]float32{-.36, -.53}
)

const (
	promotionWeight   = .5
	recaptureWeight   = .55
	noRecaptureWeight = -.58
	// nearKingWeight is for a drop next to either king.
	nearKingWeight = .45
)

// exchangeWeight is the weight of the static exchange value, in exchange units (a pawn is 90), by upper bound.
var exchangeWeight = [...]struct {
	below  int
	weight float32
}{
	{-1500, -.80}, {-900, -.52}, {-500, -.29}, {0, -.20}, {1, -.57}, {200, .12}, {500, .35}, {900, .57}, {1750, .85}, {1 << 30, 1.0},
}

// Priors writes the prior of each legal move to out, which has room for all moves. last is the move that led to the position,
// MoveNone when there is none.
func (h *Heuristic) Priors(p *shogi.Position, last shogi.Move, moves []shogi.Move, out []float32) {
	p.AttackMap(&h.attacks)
	p.Checks(&h.checks)
	kings := nearKings(p)
	for i, m := range moves {
		out[i] = h.logit(p, last, m, kings)
	}
	Softmax(out[:len(moves)])
}

// nearKings returns the squares next to a king.
func nearKings(p *shogi.Position) shogi.Bitboard {
	var near shogi.Bitboard
	for c := shogi.Black; c <= shogi.White; c++ {
		if k := p.KingSquare(c); k != shogi.NoSquare {
			near = near.Or(shogi.PieceAttacks(c, shogi.King, k, shogi.Bitboard{}))
		}
	}
	return near
}

func (h *Heuristic) logit(p *shogi.Position, last, m shogi.Move, nearKings shogi.Bitboard) float32 {
	them := p.Side().Opponent()
	see := p.Gain(m)
	if h.attacks.Once[them].Has(m.To()) {
		see = p.SEE(m)
	}
	losing := 0
	if see < 0 {
		losing = 1
	}
	captured := p.PieceAt(m.To()).Type()
	logit := exchangeLogit(see)
	if losing == 0 {
		logit += capturedWeight[captured]
	} else {
		logit += capturedWeight[shogi.NoPieceType]
	}
	check := h.checks.Gives(p, m)
	switch {
	case m.IsDrop() && check:
		logit += dropCheckWeight[losing]
	case check:
		logit += boardCheckWeight[losing]
	case m.IsDrop():
		logit += quietDropWeight[losing]
	case captured == shogi.NoPieceType:
		logit += quietMoveWeight[losing]
	}
	if m.IsDrop() {
		if nearKings.Has(m.To()) {
			logit += nearKingWeight
		}
	} else {
		logit += h.escapeLogit(p, m, losing)
	}
	if m.IsPromotion() {
		logit += promotionWeight
	}
	if last.IsMove() {
		if last.To() == m.To() {
			logit += recaptureWeight
		} else {
			logit += noRecaptureWeight
		}
	}
	return logit
}

func exchangeLogit(see int) float32 {
	for _, row := range exchangeWeight {
		if see < row.below {
			return row.weight
		}
	}
	return 0
}

// escapeLogit weighs how much the moved piece is in danger where it stands.
func (h *Heuristic) escapeLogit(p *shogi.Position, m shogi.Move, losing int) float32 {
	attacker := h.attacks.Least(p.Side().Opponent(), m.From())
	switch {
	case attacker == shogi.NoPieceType:
		return safeWeight[losing]
	case shogi.ExchangeValue(attacker) < shogi.ExchangeValue(p.PieceAt(m.From()).Type()):
		return attackedByCheaperWeight[losing]
	}
	return attackedWeight[losing]
}
