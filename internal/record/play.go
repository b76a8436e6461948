package record

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/yomi-shogi/yomi/shogi"
)

// DefaultEvalCoef is the scale of scores where none is known: 600 centipawns are a win rate of 73 %.
const DefaultEvalCoef = 600

// maxCP is the largest score that CentipawnsOf returns.
const maxCP = 30000

// Player returns who plays the side.
func (g *Game) Player(c shogi.Color) *Player {
	if c == shogi.Black {
		return &g.Black
	}
	return &g.White
}

// coefficient returns the scale of the player's scores.
func (p *Player) coefficient() float64 {
	if p.EvalCoef == 0 {
		return DefaultEvalCoef
	}
	return p.EvalCoef
}

// CentipawnsOf returns the score of a win rate (0..1) on a scale, within ±30000.
func CentipawnsOf(rate, coefficient float64) int16 {
	switch {
	case rate <= 0:
		return -maxCP
	case rate >= 1:
		return maxCP
	}
	return int16(math.Round(min(max(-coefficient*math.Log(1/rate-1), -maxCP), maxCP)))
}

// WinRateOf returns the win rate (0..1) of a score on a scale.
func WinRateOf(cp int16, coefficient float64) float64 {
	return 1 / (1 + math.Exp(-float64(cp)/coefficient))
}

// Positions walks through the positions before each move, and then the one after the last move, with their index. The position is
// the walk's own: copy it to keep it. All moves must be legal.
func (g *Game) Positions() iter.Seq2[int, *shogi.Position] {
	return func(yield func(int, *shogi.Position) bool) {
		p := g.Start
		for i := range g.Moves {
			if !yield(i, &p) {
				return
			}
			p.Do(g.Moves[i].Move)
		}
		yield(len(g.Moves), &p)
	}
}

// ScoreOf returns the score of move i in centipawns for the side to move, from its win rate where no score is stored, and
// whether it is known.
func (g *Game) ScoreOf(i int) (cp int16, known bool) {
	m := &g.Moves[i]
	switch {
	case m.Known&HasScore != 0:
		return m.Score, true
	case m.Known&HasRootValue != 0:
		return CentipawnsOf(float64(m.RootValue), g.mover(i).coefficient()), true
	}
	return 0, false
}

// WinRateOf returns the win rate of move i for the side to move, from its score where no win rate is stored, and whether it
// is known.
func (g *Game) WinRateOf(i int) (rate float64, known bool) {
	m := &g.Moves[i]
	switch {
	case m.Known&HasRootValue != 0:
		return float64(m.RootValue), true
	case m.Known&HasScore != 0:
		return WinRateOf(m.Score, g.mover(i).coefficient()), true
	}
	return 0, false
}

// Rescale changes the scores to another scale, so that their win rates stay.
func (g *Game) Rescale(coefficient float64) {
	for i := range g.Moves {
		if rate, known := g.WinRateOf(i); known {
			g.Moves[i].Score = CentipawnsOf(rate, coefficient)
			g.Moves[i].Known |= HasScore
		}
	}
	g.Black.EvalCoef, g.White.EvalCoef = coefficient, coefficient
}

// mover returns who plays move i.
func (g *Game) mover(i int) *Player { return g.Player(g.Start.Side() ^ shogi.Color(i&1)) }

// AppendSamples appends the game's positions in their order, each with its move. A position whose score is not known gets 0. A game
// without a result has no samples.
func (g *Game) AppendSamples(samples []Sample) []Sample {
	if g.Result == NoResult {
		return samples
	}
	for i, p := range g.Positions() {
		if i == len(g.Moves) {
			break
		}
		m := &g.Moves[i]
		score, _ := g.ScoreOf(i)
		s := Sample{Position: *p, Score: score, Move: m.Move, Result: g.Result.For(p.Side()), Fast: !m.Deep}
		if m.Deep {
			s.Visits = m.Candidates
		}
		samples = append(samples, s)
	}
	return samples
}

// Check returns an error for a game that cannot have been played: an illegal move or candidate, a win rate outside 0..1, a number
// out of range. What is written and read has passed it.
func (g *Game) Check() error {
	switch {
	case g.Result > Drawn:
		return fmt.Errorf("bad result %d", uint8(g.Result))
	case g.OpeningPlies < 0 || g.OpeningPlies > len(g.Moves):
		return fmt.Errorf("%d opening plies in a game of %d moves", g.OpeningPlies, len(g.Moves))
	case len(g.Moves) > maxGameMoves:
		return fmt.Errorf("%d moves, at most %d", len(g.Moves), maxGameMoves)
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		if k := g.Player(c).EvalCoef; !(k >= 0 && k <= math.MaxFloat32) {
			return fmt.Errorf("bad scale of scores %v", k)
		}
	}
	if p, err := shogi.ParseSFEN(g.Start.SFEN()); err != nil || p != g.Start {
		return fmt.Errorf("bad start position %s", g.Start.SFEN())
	}
	p := g.Start
	for i := range g.Moves {
		m := &g.Moves[i]
		if !p.IsLegal(m.Move) {
			return fmt.Errorf("move %d: %w %s in %s", i+1, ErrIllegalMove, m.Move, p.SFEN())
		}
		if err := m.check(&p); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		p.Do(m.Move)
	}
	return nil
}

// ErrIllegalMove is in the error of a game or record with a move that is against the rules.
var ErrIllegalMove = errors.New("illegal move")

// maxGameMoves is the largest number of moves of a game: what hcpe3 can count.
const maxGameMoves = math.MaxUint16

func (m *GameMove) check(p *shogi.Position) error {
	switch {
	case !(m.RootValue >= 0 && m.RootValue <= 1), !(m.NetValue >= 0 && m.NetValue <= 1):
		return fmt.Errorf("win rates %v and %v, want 0..1", m.RootValue, m.NetValue)
	case m.Time < 0:
		return fmt.Errorf("time %s", m.Time)
	}
	for _, c := range m.Candidates {
		if !p.IsLegal(c.Move) {
			return fmt.Errorf("illegal candidate %s in %s", c.Move, p.SFEN())
		}
	}
	return nil
}
