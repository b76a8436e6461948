package alphabeta

import (
	"math"

	"github.com/yomi-shogi/yomi/shogi"
)

// Value says who stands better, as a win rate 0..1 for the side to move. value's evaluators are some.
type Value interface {
	WinRate(p *shogi.Position) float32
}

// ShogiRules is what ends a game of Shogi in the search beside mate.
type ShogiRules struct {
	// Declaration is the entering-king rule.
	Declaration shogi.DeclarationRule
	// MaxMoves is the number of moves after which a game is drawn, 0 for no such rule.
	MaxMoves int
	// DrawScore is what a draw is worth to each side.
	DrawScore [2]int
	// NoRepetition leaves repetitions alone. Scores then depend on the position only.
	NoRepetition bool
}

// Scores of ends that are no mates. They count from no distance.
const (
	// declarationScore is a declaration that wins.
	declarationScore = MaxValue
	// repetitionScore is a perpetual check, won by the side that is checked.
	repetitionScore = MaxValue - 1000
	// superiorScore is the same board with more in hand than before.
	superiorScore = MaxValue - 2000
)

// Shogi is shogi as a Game. Positions lie on a stack, so Undo only steps back.
//
//	stack[0] root │ stack[1] │ … │ stack[ply] now
//	history: the game's positions, then those of the stack from 1 on
type Shogi struct {
	rules    ShogiRules
	features *Features // nil when value judges
	value    Value
	evalCoef float64

	ply       int
	stack     [MaxPly + 2]shogiFrame
	history   shogi.History
	played    int // positions of the history that belong to the game
	checks    shogi.Checks
	capturing capturing
}

type shogiFrame struct {
	position shogi.Position
	sums     Sums
}

// NewShogi returns shogi judged by features, at the start position.
func NewShogi(w *Weights, rules ShogiRules) *Shogi {
	return newShogi(&Shogi{rules: rules, features: NewFeatures(w)})
}

// NewShogiValue returns shogi judged by win rates; evalCoef is their scale: score = -evalCoef·ln(1/p - 1).
func NewShogiValue(v Value, evalCoef float64, rules ShogiRules) *Shogi {
	return newShogi(&Shogi{rules: rules, value: v, evalCoef: evalCoef})
}

func newShogi(g *Shogi) *Shogi {
	g.Reset(shogi.NewGame(shogi.StartPosition()))
	return g
}

// Reset goes to the position of a game, with its history.
func (g *Shogi) Reset(game *shogi.Game) {
	g.ply = 0
	g.stack[0].position = *game.Position()
	g.history.CopyFrom(game.History())
	g.played = g.history.Len()
	if g.features != nil {
		g.stack[0].sums = g.features.Sum(&g.stack[0].position)
	}
}

// SetRules changes the rules.
func (g *Shogi) SetRules(r ShogiRules) { g.rules = r }

// Position returns the position now. Do not change it.
func (g *Shogi) Position() *shogi.Position { return &g.stack[g.ply].position }

// Moves appends all legal moves.
func (g *Shogi) Moves(list []shogi.Move) []shogi.Move {
	if cap(list) == 0 {
		list = make([]shogi.Move, 0, shogi.MaxMoves)
	}
	return g.Position().AppendLegal(list)
}

// Do makes a move.
func (g *Shogi) Do(m shogi.Move) {
	now, next := &g.stack[g.ply], &g.stack[g.ply+1]
	*next = *now
	if g.features != nil {
		g.features.Update(&next.sums, &now.position, m)
	}
	next.position.Do(m)
	g.history.Push(&next.position)
	g.ply++
}

// Undo takes the last move back.
func (g *Shogi) Undo() {
	g.ply--
	g.history.Truncate(g.played + g.ply)
}

// Over reports a repetition, a declaration that wins, or the last move of the game.
func (g *Shogi) Over() (score int, over bool) {
	p := g.Position()
	if !g.rules.NoRepetition {
		switch g.history.Recurrence() {
		case shogi.RepetitionDraw:
			return g.rules.DrawScore[p.Side()&1], true
		case shogi.RepetitionWin:
			return repetitionScore, true
		case shogi.RepetitionLoss:
			return -repetitionScore, true
		case shogi.RepetitionSuperior:
			return superiorScore, true
		case shogi.RepetitionInferior:
			return -superiorScore, true
		}
	}
	if _, ok := p.CanDeclare(g.rules.Declaration); ok {
		return declarationScore, true
	}
	if most := g.rules.MaxMoves; most > 0 && p.Ply() > most && (!p.InCheck() || p.HasLegalMove()) {
		return g.rules.DrawScore[p.Side()&1], true
	}
	return 0, false
}

// Value judges the position.
func (g *Shogi) Value() int {
	now := &g.stack[g.ply]
	if g.features != nil {
		return g.features.Score(&now.position, &now.sums)
	}
	return scoreOf(float64(g.value.WinRate(&now.position)), g.evalCoef)
}

// scoreOf returns the score that a win rate stands for, within ±MaxValue.
func scoreOf(winRate, evalCoef float64) int {
	return int(min(max(-evalCoef*math.Log(1/winRate-1), -MaxValue), MaxValue))
}

// winRateOf returns the win rate that a score stands for.
func winRateOf(score int, evalCoef float64) float64 {
	return 1 / (1 + math.Exp(-float64(score)/evalCoef))
}

// Key returns the Zobrist key.
func (g *Shogi) Key() uint64 { return g.Position().Key() }

// Identity returns board, hands and side.
func (g *Shogi) Identity() any {
	s := g.Position().Setup()
	s.Ply = 0
	return s
}

// Urgent reports whether the side to move is in check.
func (g *Shogi) Urgent() bool { return g.Position().InCheck() }

// Captures appends the captures that do not lose material by static exchange.
func (g *Shogi) Captures(list []shogi.Move) []shogi.Move {
	return g.capturing.appendTo(list, g.Position(), leastCapture)
}

// Prepare finds where checks can be given.
func (g *Shogi) Prepare() { g.Position().Checks(&g.checks) }

// The parts of a quiet move's rank.
const (
	checkRank    = 400
	kingNearRank = 60
	centreRank   = 10
	forwardRank  = 5
)

// Rank puts captures and promotions that do not lose material first, the dearest victim and the cheapest taker first of all; those that
// lose material come last. Among the quiet moves checks come first, then those near the enemy king and in the centre.
func (g *Shogi) Rank(m shogi.Move) int {
	p := g.Position()
	to := m.To()
	if gain := p.Gain(m); gain > 0 {
		t := p.PieceAt(m.From()).Type()
		if won := exchange(p, m, t, gain, 0); won < 0 {
			return won
		}
		return LoudRank + gain - shogi.ExchangeValue(t)/16
	}
	rank := 0
	if g.checks.Gives(p, m) {
		rank += checkRank
	}
	if k := p.KingSquare(p.Side().Opponent()); k != shogi.NoSquare {
		const near = 2
		if df, dr := k.File()-to.File(), k.Rank()-to.Rank(); max(df, -df, dr, -dr) <= near {
			rank += kingNearRank
		}
	}
	if centreSquares.Has(to) {
		rank += centreRank
	}
	if !m.IsDrop() && (to.Rank() < m.From().Rank()) == (p.Side() == shogi.Black) {
		rank += forwardRank
	}
	return rank
}

// numSlots is side, drop or not, type, square.
const numSlots = 2 * 2 * shogi.NumPieceTypes * shogi.NumSquares

// Slots returns the number of classes of moves.
func (g *Shogi) Slots() int { return numSlots }

// Slot classes a move by side, piece, target square and whether it is a drop.
func (g *Shogi) Slot(m shogi.Move) int {
	p := g.Position()
	kind := int(p.Side()&1) * 2
	var t shogi.PieceType
	if m.IsDrop() {
		kind++
		t = m.DropType()
	} else {
		t = p.PieceAt(m.From()).Type()
	}
	return (kind*shogi.NumPieceTypes+int(t))*shogi.NumSquares + int(m.To())
}
