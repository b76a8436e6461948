package value

import (
	"math"

	"github.com/yomi-shogi/yomi/shogi"
)

// Material values a position without a net: pieces on the board and in hand, what hangs by static exchange, and how many of
// the squares around each king are attacked and defended. The sum, in exchange units (a pawn is 90), becomes a win rate.
type Material struct {
	attacks shogi.AttackMap
}

// NewMaterial returns a Material.
func NewMaterial() *Material { return &Material{} }

// scale is the material advantage, a pawn being 90, that wins with probability 1/(1+1/e) = 73 %; it was fitted to the scores
// of a strong engine's games.
const scale = 600

const (
	// handBonus is what a piece in hand is worth more than on the board, in percent.
	handBonus = 10
	// ownThreat and enemyThreat are the shares, in percent, of the best capture that is counted: the side to move may make its own
	// and parry the opponent's.
	ownThreat   = 70
	enemyThreat = 20
	// kingAttack is the malus of a square next to the king that the opponent attacks, kingExposed the extra one when it is attacked
	// more often than defended, kingHome the bonus of an own piece next to the king.
	kingAttack  = 22
	kingExposed = 40
	kingHome    = 25
	// tempo is the worth of the move.
	tempo = 60
)

// WinRate returns the expected result for the side to move.
func (v *Material) WinRate(p *shogi.Position) float32 {
	return float32(1 / (1 + math.Exp(-float64(v.Score(p))/scale)))
}

// Score returns the value for the side to move in exchange units; a pawn is 90.
func (v *Material) Score(p *shogi.Position) int {
	p.AttackMap(&v.attacks)
	us, them := p.Side(), p.Side().Opponent()
	score := v.sideScore(p, us) - v.sideScore(p, them) + tempo
	score += bestCapture(p, &v.attacks, us) * ownThreat / 100
	score -= bestCapture(p, &v.attacks, them) * enemyThreat / 100
	return score
}

// sideScore counts the side's pieces and the safety of its king.
func (v *Material) sideScore(p *shogi.Position, c shogi.Color) int {
	score := 0
	for t := shogi.Pawn; t < shogi.NumPieceTypes; t++ {
		if t != shogi.King {
			score += shogi.ExchangeValue(t) * p.PiecesOf(c, t).Count()
		}
	}
	hand := p.Hand(c)
	for t := shogi.Pawn; t <= shogi.Gold; t++ {
		score += shogi.ExchangeValue(t) * hand.Count(t) * (100 + handBonus) / 100
	}
	k := p.KingSquare(c)
	if k == shogi.NoSquare {
		return score
	}
	ring := shogi.PieceAttacks(c, shogi.King, k, shogi.Bitboard{})
	a, enemy := &v.attacks, c.Opponent()
	attacked := ring.And(a.Once[enemy])
	// The king itself defends its ring once, so a square is held when another piece defends it too.
	exposed := attacked.AndNot(a.Twice[c]).Or(ring.And(a.Twice[enemy]).AndNot(a.Thrice[c]))
	home := ring.And(p.Pieces(c))
	return score - kingAttack*attacked.Count() - kingExposed*exposed.Count() + kingHome*home.Count()
}
