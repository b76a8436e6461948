package inspect

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// Judges takes evaluations apart. It keeps scratch memory: use it in one goroutine.
type Judges struct {
	value    *value.NetEvaluator
	policy   *policy.NetEvaluator
	features *alphabeta.Features
}

// NewJudges returns Judges that explain these nets and weights.
func NewJudges(v *value.Net, p *policy.Net, w *alphabeta.Weights) *Judges {
	return &Judges{value.NewNetEvaluator(v), policy.NewNetEvaluator(p), alphabeta.NewFeatures(w)}
}

// Breakdown is what the evaluators say of a position, taken apart. All of it is as the side to move sees it.
type Breakdown struct {
	SFEN string `json:"sfen"`
	// Side is "b" or "w", the side to move.
	Side      string      `json:"side"`
	Occlusion Occlusion   `json:"occlusion"`
	Moves     []MoveTerms `json:"moves"`
	Features  FeatureSum  `json:"features"`
}

// Explain takes all evaluations of a position apart. last is the move that led to it, MoveNone when there is none.
func (j *Judges) Explain(p *shogi.Position, last shogi.Move) Breakdown {
	return Breakdown{
		SFEN: p.SFEN(), Side: p.Side().String(),
		Occlusion: j.Occlusion(p), Moves: j.Moves(p, last), Features: j.Features(p),
	}
}

// Occlusion says what each piece means to the value net: how the win rate changes when it is taken off.
type Occlusion struct {
	// WinRate is the side to move's with all pieces, 0..1.
	WinRate float64 `json:"win_rate"`
	// Pieces are those on the board by square, 1a 1b … 9i, then those in hand, Black's first. Kings are not among them, nor pieces
	// without which the position could not be: those that shield the king of the side that is not to move.
	Pieces []OccludedPiece `json:"pieces"`
}

// OccludedPiece is a piece and what happens without it.
type OccludedPiece struct {
	// Piece is written as in SFEN, Black's in capitals: "+R", "p".
	Piece string `json:"piece"`
	// Square is where it stands, "" in hand.
	Square string `json:"square,omitempty"`
	// Count is how many of its kind the side has in hand, of which one is taken off; 0 on the board.
	Count int `json:"count,omitempty"`
	// WinRate is the side to move's without the piece, and Change what that is more than with it, -1..1: less than 0 for a piece that
	// serves the side to move.
	WinRate float64 `json:"win_rate"`
	Change  float64 `json:"change"`
}

// Occlusion asks the value net about the position without each of its pieces.
func (j *Judges) Occlusion(p *shogi.Position) Occlusion {
	o := Occlusion{WinRate: float64(j.value.WinRate(p))}
	add := func(s *shogi.Setup, piece OccludedPiece) {
		without, err := s.Position()
		if err != nil {
			return // such a position cannot be
		}
		piece.WinRate = float64(j.value.WinRate(&without))
		piece.Change = piece.WinRate - o.WinRate
		o.Pieces = append(o.Pieces, piece)
	}
	all := p.Setup()
	for i, piece := range all.Board {
		if piece == shogi.Empty || piece.Type() == shogi.King {
			continue
		}
		s := all
		s.Board[i] = shogi.Empty
		add(&s, OccludedPiece{Piece: piece.String(), Square: shogi.Square(i).String()})
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		for t := shogi.Pawn; t <= shogi.Gold; t++ {
			if n := all.Hands[c].Count(t); n > 0 {
				s := all
				s.Hands[c] = s.Hands[c].Add(t, -1)
				add(&s, OccludedPiece{Piece: shogi.NewPiece(c, t).String(), Count: n})
			}
		}
	}
	return o
}

// MoveTerms is what the policy net thinks of a move, taken apart.
type MoveTerms struct {
	Move string `json:"move"`
	// Prior is the move's share of attention, 0..1, all moves together 1.
	Prior float64 `json:"prior"`
	// Logit is Base plus the shares of Terms. A prior grows with e^Logit.
	Logit float64 `json:"logit"`
	// Base is what the position alone gives, the same for all its moves.
	Base float64 `json:"base"`
	// Terms are the groups of features that the move has, the largest share first, whatever its sign.
	Terms []MoveTerm `json:"terms"`
}

// MoveTerm is what one group of features does for a move.
type MoveTerm struct {
	// Name is that of a policy.MoveGroup.
	Name string `json:"name"`
	// Share is its part of the logit, Effect what the logit loses when the group alone is left out; see policy.MoveParts.
	Share  float64 `json:"share"`
	Effect float64 `json:"effect"`
}

// Moves takes the policy net's logits of all legal moves apart, the best move first. last is the move that led to the position,
// MoveNone when there is none.
func (j *Judges) Moves(p *shogi.Position, last shogi.Move) []MoveTerms {
	parts := j.policy.Explain(p, last, p.AppendLegal(nil))
	slices.SortStableFunc(parts, func(a, b policy.MoveParts) int { return cmp.Compare(b.Logit, a.Logit) })
	total := 0.0
	out := make([]MoveTerms, len(parts))
	for i := range parts {
		m := &parts[i]
		out[i] = MoveTerms{Move: m.Move.String(), Prior: math.Exp(m.Logit - parts[0].Logit), Logit: m.Logit, Base: m.Base, Terms: moveTerms(m)}
		total += out[i].Prior
	}
	for i := range out {
		out[i].Prior /= total
	}
	return out
}

func moveTerms(m *policy.MoveParts) []MoveTerm {
	var terms []MoveTerm
	for g := range policy.NumMoveGroups {
		if m.Shares[g] != 0 || m.Effects[g] != 0 {
			terms = append(terms, MoveTerm{g.String(), m.Shares[g], m.Effects[g]})
		}
	}
	slices.SortStableFunc(terms, func(a, b MoveTerm) int { return cmp.Compare(math.Abs(b.Share), math.Abs(a.Share)) })
	return terms
}

// FeatureSum is alpha-beta's evaluation by features, taken apart.
type FeatureSum struct {
	// Score is for the side to move, in hundredths of a pawn. It is the sum of the parts' scores, cut to ±alphabeta.MaxValue.
	Score int `json:"score"`
	// Phase is how far the game has gone, 0 (opening) to 256.
	Phase int           `json:"phase"`
	Parts []FeaturePart `json:"parts"`
}

// FeaturePart is one feature's part of the score.
type FeaturePart struct {
	// Name is that of an alphabeta.Feature.
	Name string `json:"name"`
	// Raw is the feature's value for the side to move, Weight how much it counts in this phase, in thousandths, and Score the product in
	// hundredths of a pawn, rounded towards 0.
	Raw    int `json:"raw"`
	Weight int `json:"weight"`
	Score  int `json:"score"`
}

// Features takes alpha-beta's evaluation of the position apart.
func (j *Judges) Features(p *shogi.Position) FeatureSum {
	b := j.features.Explain(p)
	f := FeatureSum{Score: b.Score, Phase: b.Phase}
	for _, c := range b.Parts {
		f.Parts = append(f.Parts, FeaturePart{c.Feature.String(), c.Raw, c.Weight, c.Score})
	}
	return f
}

// Conflict says why one line is thought better than another. All numbers are as the side to move at the root sees them; a positive
// difference speaks for A. Policy is about the lines' first moves, Features and Value are about the positions at their ends.
type Conflict struct {
	A string `json:"a"`
	B string `json:"b"`
	// Policy compares logits. Its differences add up to the difference of the logits.
	Policy Comparison `json:"policy"`
	// Features compares scores in hundredths of a pawn; differences add up unless a score is cut to ±alphabeta.MaxValue.
	Features Comparison `json:"features"`
	// Value compares the value net's win rates, which have no terms.
	Value Comparison `json:"value"`
}

// Comparison is two numbers and the terms that they are sums of.
type Comparison struct {
	A          float64 `json:"a"`
	B          float64 `json:"b"`
	Difference float64 `json:"difference"`
	// Terms are sorted by the size of their difference, the largest first, whatever its sign. Equal ones are not among them.
	Terms []ComparedTerm `json:"terms,omitempty"`
}

// ComparedTerm is a term of two sums.
type ComparedTerm struct {
	Name       string  `json:"name"`
	A          float64 `json:"a"`
	B          float64 `json:"b"`
	Difference float64 `json:"difference"`
}

// Conflict compares two lines that begin in the position with different or equal moves. last is the move that led to the position,
// MoveNone when there is none. The error names an empty line or a move that is not legal.
func (j *Judges) Conflict(p *shogi.Position, last shogi.Move, a, b []shogi.Move) (Conflict, error) {
	endA, err := endOf(p, a)
	if err != nil {
		return Conflict{}, fmt.Errorf("line A: %w", err)
	}
	endB, err := endOf(p, b)
	if err != nil {
		return Conflict{}, fmt.Errorf("line B: %w", err)
	}
	c := Conflict{A: usiLine(a), B: usiLine(b)}
	legal := p.AppendLegal(nil)
	parts := j.policy.Explain(p, last, legal)
	c.Policy = comparePolicy(&parts[slices.Index(legal, a[0])], &parts[slices.Index(legal, b[0])])
	c.Features = compareFeatures(j.featuresFor(p.Side(), &endA), j.featuresFor(p.Side(), &endB))
	c.Value = compared(j.winRateFor(p.Side(), &endA), j.winRateFor(p.Side(), &endB), nil)
	return c, nil
}

// endOf plays a line of at least one move.
func endOf(p *shogi.Position, line []shogi.Move) (shogi.Position, error) {
	end := *p
	if len(line) == 0 {
		return end, fmt.Errorf("it has no move")
	}
	for _, m := range line {
		if !end.IsLegal(m) {
			return end, fmt.Errorf("illegal move %s", m)
		}
		end.Do(m)
	}
	return end, nil
}

// usiLine writes a line as USI does.
func usiLine(line []shogi.Move) string {
	text := line[0].String()
	for _, m := range line[1:] {
		text += " " + m.String()
	}
	return text
}

// featuresFor explains a position as the side sees it.
func (j *Judges) featuresFor(side shogi.Color, p *shogi.Position) alphabeta.Breakdown {
	b := j.features.Explain(p)
	if p.Side() != side {
		b = b.Flip()
	}
	return b
}

// winRateFor returns the side's win rate.
func (j *Judges) winRateFor(side shogi.Color, p *shogi.Position) float64 {
	rate := float64(j.value.WinRate(p))
	if p.Side() != side {
		rate = 1 - rate
	}
	return rate
}

func comparePolicy(a, b *policy.MoveParts) Comparison {
	var terms []ComparedTerm
	for g := range policy.NumMoveGroups {
		terms = append(terms, ComparedTerm{Name: g.String(), A: a.Shares[g], B: b.Shares[g]})
	}
	return compared(a.Logit, b.Logit, terms)
}

func compareFeatures(a, b alphabeta.Breakdown) Comparison {
	var terms []ComparedTerm
	for f := range alphabeta.NumFeatures {
		terms = append(terms, ComparedTerm{Name: f.String(), A: float64(a.Parts[f].Score), B: float64(b.Parts[f].Score)})
	}
	return compared(float64(a.Score), float64(b.Score), terms)
}

// compared finishes a comparison: differences, and terms in order.
func compared(a, b float64, terms []ComparedTerm) Comparison {
	for i := range terms {
		terms[i].Difference = terms[i].A - terms[i].B
	}
	terms = slices.DeleteFunc(terms, func(t ComparedTerm) bool { return t.Difference == 0 })
	slices.SortStableFunc(terms, func(x, y ComparedTerm) int { return cmp.Compare(math.Abs(y.Difference), math.Abs(x.Difference)) })
	return Comparison{A: a, B: b, Difference: a - b, Terms: terms}
}
