package alphabeta

import "github.com/yomi-shogi/yomi/shogi"

// Sums are the parts of an evaluation that a move changes a little: they are carried along from position to position. All are
// Black's less White's, except Phase, which is of both together.
type Sums struct {
	Material, Hand, PieceSquare, Phase int32
}

// Features evaluates positions by weighted features. It keeps scratch memory: use it in one goroutine.
type Features struct {
	weights Weights
	// square is rank and file bonus by side, type and square, with White's sign turned.
	square  [2][shogi.NumPieceTypes][shogi.NumSquares]int32
	attacks shogi.AttackMap
}

// NewFeatures returns an evaluation with the weights.
func NewFeatures(w *Weights) *Features {
	f := &Features{weights: *w}
	for t := shogi.Pawn; t < shogi.NumPieceTypes; t++ {
		for s := shogi.Square(0); s < shogi.NumSquares; s++ {
			bonus := int32(w.Rank[t][s.Rank()-1] + w.File[t][s.File()-1])
			f.square[shogi.Black][t][s] = bonus
			f.square[shogi.White][t][s.Flip()] = -bonus
		}
	}
	return f
}

// signOf is 1 for Black and -1 for White.
func signOf(c shogi.Color) int32 { return 1 - 2*int32(c&1) }

// Sum returns the sums of a position from scratch.
func (f *Features) Sum(p *shogi.Position) Sums {
	var s Sums
	for c := shogi.Black; c <= shogi.White; c++ {
		for set := p.Pieces(c); !set.IsEmpty(); {
			at := set.PopFirst()
			f.board(&s, c, p.PieceAt(at).Type(), at, 1)
		}
		for t := shogi.Pawn; t <= shogi.Gold; t++ {
			f.hold(&s, c, t, int32(p.Hand(c).Count(t)))
		}
	}
	return s
}

// board adds a piece on the board n times; -1 takes it away.
func (f *Features) board(s *Sums, c shogi.Color, t shogi.PieceType, at shogi.Square, n int32) {
	s.Material += n * signOf(c) * int32(f.weights.Piece[t])
	s.PieceSquare += n * f.square[c&1][t][at]
	if t.IsPromoted() {
		s.Phase += n * int32(f.weights.PhasePromoted)
	}
}

// hold adds n pieces in hand.
func (f *Features) hold(s *Sums, c shogi.Color, t shogi.PieceType, n int32) {
	s.Hand += n * signOf(c) * int32(f.weights.Hand[t])
	if t != shogi.Pawn {
		s.Phase += n * int32(f.weights.PhaseHand)
	}
}

// Update changes the sums of the position for a move that is about to be made in it.
func (f *Features) Update(s *Sums, p *shogi.Position, m shogi.Move) {
	c, to := p.Side(), m.To()
	if m.IsDrop() {
		t := m.DropType()
		f.hold(s, c, t, -1)
		f.board(s, c, t, to, 1)
		return
	}
	t := p.PieceAt(m.From()).Type()
	f.board(s, c, t, m.From(), -1)
	if captured := p.PieceAt(to).Type(); captured != shogi.NoPieceType {
		f.board(s, c.Opponent(), captured, to, -1)
		f.hold(s, c, captured.Unpromote(), 1)
	}
	if m.IsPromotion() {
		t = t.Promote()
	}
	f.board(s, c, t, to, 1)
}

// raws are the features' values for the side to move before weighting.
type raws [NumFeatures]int32

// Score evaluates the position, whose sums are given, for the side to move, within ±MaxValue.
func (f *Features) Score(p *shogi.Position, s *Sums) int {
	var r raws
	f.read(p, s, &r)
	phase := phaseOf(s)
	total := 0
	for i, raw := range r {
		total += int(raw) * f.weight(Feature(i), phase) / weightUnit
	}
	return clamp(total)
}

func clamp(score int) int { return min(max(score, -MaxValue), MaxValue) }

// phaseOf returns how far the game has gone, 0 to fullPhase.
func phaseOf(s *Sums) int { return min(max(int(s.Phase), 0), fullPhase) }

// weight returns a feature's weight at the phase, in thousandths.
func (f *Features) weight(feature Feature, phase int) int {
	w := &f.weights.Feature[feature]
	return (w[0]*(fullPhase-phase) + w[1]*phase) / fullPhase
}

// read finds the features' values.
func (f *Features) read(p *shogi.Position, s *Sums, r *raws) {
	us, them := p.Side(), p.Side().Opponent()
	sign := signOf(us)
	r[FeatureMaterial] = sign * s.Material
	r[FeatureHand] = sign * s.Hand
	r[FeaturePieceSquare] = sign * s.PieceSquare
	r[FeatureSideBonus] = int32(f.weights.SideBonus)
	p.AttackMap(&f.attacks)
	r[FeatureCentre] = f.centre(p, us) - f.centre(p, them)
	r[FeatureKingZone] = f.kingZone(p, us) - f.kingZone(p, them)
	r[FeatureKingSafety] = f.kingSafety(p, us) - f.kingSafety(p, them)
	r[FeatureMobility] = f.mobility(p, us)
	own, enemy := f.bestCapture(p, us), f.bestCapture(p, them)
	r[FeatureThreats] = (own*int32(f.weights.OwnThreat) - enemy*int32(f.weights.EnemyThreat)) / weightPercentage
}

// centreSquares are files 4-6, ranks d-f.
var centreSquares = func() (b shogi.Bitboard) {
	for file := 4; file <= 6; file++ {
		for rank := 4; rank <= 6; rank++ {
			b = b.Or(shogi.SquareSet(shogi.NewSquare(file, rank)))
		}
	}
	return b
}()

func (f *Features) centre(p *shogi.Position, c shogi.Color) int32 {
	attacked, occupied := f.attacks.Once[c].And(centreSquares).Count(), p.Pieces(c).And(centreSquares).Count()
	return int32(f.weights.CentreAttack*attacked + f.weights.CentrePiece*occupied)
}

// ring returns the squares next to the side's king, empty without one.
func ring(p *shogi.Position, c shogi.Color) shogi.Bitboard {
	k := p.KingSquare(c)
	if k == shogi.NoSquare {
		return shogi.Bitboard{}
	}
	return shogi.PieceAttacks(c, shogi.King, k, shogi.Bitboard{})
}

func (f *Features) kingZone(p *shogi.Position, c shogi.Color) int32 {
	zone := ring(p, c.Opponent()).Or(shogi.SquareSet(p.KingSquare(c.Opponent())))
	if !f.attacks.Once[c].Intersects(zone) {
		return 0
	}
	sum := 0
	for t := shogi.Pawn; t < shogi.NumPieceTypes; t++ {
		if a := f.attacks.ByType[c][t].And(zone); !a.IsEmpty() {
			sum += f.weights.KingZone[t] * a.Count()
		}
	}
	return int32(sum)
}

func (f *Features) kingSafety(p *shogi.Position, c shogi.Color) int32 {
	around := ring(p, c)
	a, enemy, w := &f.attacks, c.Opponent(), &f.weights
	attacked := around.And(a.Once[enemy])
	// The king itself defends its ring once, so a square is held when another piece defends it too.
	exposed := attacked.AndNot(a.Twice[c]).Or(around.And(a.Twice[enemy]).AndNot(a.Thrice[c]))
	home := around.And(p.Pieces(c))
	return int32(w.Attacked*attacked.Count() + w.Exposed*exposed.Count() + w.Home*home.Count())
}

// mobility returns the side's mobility less the other's.
func (f *Features) mobility(p *shogi.Position, us shogi.Color) int32 {
	own := [2]shogi.Bitboard{p.Pieces(shogi.Black), p.Pieces(shogi.White)}
	var sum [2]int
	a := &f.attacks
	for i := range a.Count {
		piece := p.PieceAt(a.From[i])
		if w := f.weights.Mobility[piece.Type()]; w != 0 {
			sum[piece.Color()&1] += w * a.Attacks[i].AndNot(own[piece.Color()&1]).Count()
		}
	}
	return int32(sum[us&1] - sum[(us^1)&1])
}

// bestCapture returns what the side's best capture wins: an undefended piece whole, a defended one less the cheapest attacker.
func (f *Features) bestCapture(p *shogi.Position, c shogi.Color) int32 {
	a, enemy := &f.attacks, c.Opponent()
	best := 0
	for targets := a.Once[c].And(p.Pieces(enemy)); !targets.IsEmpty(); {
		s := targets.PopFirst()
		t := p.PieceAt(s).Type()
		if t == shogi.King {
			continue
		}
		gain := shogi.CaptureValue(t)
		if gain <= best {
			continue
		}
		if a.Once[enemy].Has(s) {
			if gain -= shogi.CaptureValue(a.Least(c, s)); gain <= best {
				continue
			}
		}
		best = gain
	}
	return int32(best)
}

// Contribution is a feature's part in a score.
type Contribution struct {
	Feature Feature
	// Raw is the feature's value for the side to move, Weight how much it counts in this phase, in thousandths.
	Raw, Weight int
	// Score is Raw·Weight/1000, rounded towards 0.
	Score int
}

// Breakdown is an evaluation taken apart.
type Breakdown struct {
	// Parts are the features in their order. Their scores sum up to Score, unless that was cut to ±MaxValue.
	Parts [NumFeatures]Contribution
	// Phase is how far the game has gone, 0 (opening) to 256.
	Phase int
	// Score is the evaluation for the side to move.
	Score int
}

// Explain evaluates a position and says what each feature contributes.
func (f *Features) Explain(p *shogi.Position) Breakdown {
	s := f.Sum(p)
	var r raws
	f.read(p, &s, &r)
	b := Breakdown{Phase: phaseOf(&s)}
	for i, raw := range r {
		w := f.weight(Feature(i), b.Phase)
		b.Parts[i] = Contribution{Feature(i), int(raw), w, int(raw) * w / weightUnit}
		b.Score += b.Parts[i].Score
	}
	b.Score = clamp(b.Score)
	return b
}

// Flip returns the breakdown as the other side sees it.
func (b Breakdown) Flip() Breakdown {
	for i := range b.Parts {
		b.Parts[i].Raw, b.Parts[i].Score = -b.Parts[i].Raw, -b.Parts[i].Score
	}
	b.Score = -b.Score
	return b
}
