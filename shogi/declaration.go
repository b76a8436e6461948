package shogi

import "fmt"

// DeclarationRule is the law by which a king that has entered the opponent's camp wins. The names are those of the
// EnteringKingRule option of USI engines.
type DeclarationRule uint8

// The declaration rules.
const (
	// NoEnteringKing: there is no declaration.
	NoEnteringKing DeclarationRule = iota
	// CSARule24: 31 points win, 24 to 30 draw.
	CSARule24
	// CSARule24H is CSARule24 for handicap games: the upper hand (White) gets the points of the pieces it gave away.
	CSARule24H
	// CSARule27: 28 points win for Black, 27 for White; fewer lose. The rule of computer shogi.
	CSARule27
	// CSARule27H is CSARule27 for handicap games.
	CSARule27H
	// TryRule: the side whose king reaches the square where the opponent's king starts an even game (5a for Black, 5i for White) wins.
	TryRule
)

var declarationRuleText = [...]string{"NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"}

// String returns the rule's name.
func (r DeclarationRule) String() string { return declarationRuleText[r] }

// DeclarationRuleNames returns the names of all rules.
func DeclarationRuleNames() []string { return append([]string(nil), declarationRuleText[:]...) }

// ParseDeclarationRule reads a rule's name. The error names the text.
func ParseDeclarationRule(text string) (DeclarationRule, error) {
	for i, name := range declarationRuleText {
		if name == text {
			return DeclarationRule(i), nil
		}
	}
	return NoEnteringKing, fmt.Errorf("bad declaration rule %q: want one of %v", text, declarationRuleText)
}

// DeclarationResult is what a declaration would bring the side that makes it.
type DeclarationResult uint8

// The results of a declaration.
const (
	DeclarationLoses DeclarationResult = iota
	DeclarationDraws
	DeclarationWins
)

// Declaration is a position counted for the side to move.
type Declaration struct {
	Result DeclarationResult
	// Points: 5 for each rook and bishop, promoted too, 1 for each other piece, in the camp and in hand; the king counts nothing.
	Points int
	// PiecesInCamp is the number of pieces other than the king on the three farthest ranks; 10 are needed.
	PiecesInCamp int
	KingInCamp   bool
	InCheck      bool
	// Move is what is played to win: MoveWin, or under TryRule the king's move to the square it must reach. It is
	// MoveNone when Result is not DeclarationWins.
	Move Move
}

const (
	bigPieceValue    = 5
	neededPieces     = 10
	fullSetPoints    = 54 // 4 big pieces of 5, 34 small ones of 1
	winPoints24      = 31
	drawPoints24     = 24
	winPoints27Black = 28
	winPoints27White = 27
)

// Declaration counts the position for the side to move under the rule.
func (p *Position) Declaration(rule DeclarationRule) Declaration {
	us := p.side & 1
	camp := zoneSet[us]
	king := p.types[King].And(p.sides[us])
	pieces := p.sides[us].AndNot(p.types[King]).And(camp)
	d := Declaration{KingInCamp: king.Intersects(camp), PiecesInCamp: pieces.Count(), InCheck: p.InCheck()}
	big := p.types[Bishop].Or(p.types[Rook]).Or(p.types[Horse]).Or(p.types[Dragon]).And(pieces).Count()
	hand := p.hands[us]
	bigInHand := hand.Count(Bishop) + hand.Count(Rook)
	d.Points = d.PiecesInCamp + hand.Total() + (bigPieceValue-1)*(big+bigInHand)
	if us == White && (rule == CSARule24H || rule == CSARule27H) {
		d.Points += fullSetPoints - p.totalPoints()
	}
	if rule == TryRule {
		d.tryMove(p)
	} else if rule != NoEnteringKing && d.KingInCamp && !d.InCheck && d.PiecesInCamp >= neededPieces {
		d.Result = judgePoints(rule, us, d.Points)
		if d.Result == DeclarationWins {
			d.Move = MoveWin
		}
	}
	return d
}

func judgePoints(rule DeclarationRule, side Color, points int) DeclarationResult {
	if rule == CSARule24 || rule == CSARule24H {
		switch {
		case points >= winPoints24:
			return DeclarationWins
		case points >= drawPoints24:
			return DeclarationDraws
		}
		return DeclarationLoses
	}
	if side == Black && points >= winPoints27Black || side == White && points >= winPoints27White {
		return DeclarationWins
	}
	return DeclarationLoses
}

// totalPoints returns the points of all pieces that are in the game.
func (p *Position) totalPoints() int {
	points := p.Occupied().AndNot(p.types[King]).Count() + p.hands[Black].Total() + p.hands[White].Total()
	big := p.types[Bishop].Or(p.types[Rook]).Or(p.types[Horse]).Or(p.types[Dragon]).Count()
	for c := Black; c <= White; c++ {
		big += p.hands[c].Count(Bishop) + p.hands[c].Count(Rook)
	}
	return points + (bigPieceValue-1)*big
}

// CanDeclare reports whether the side to move wins by the rule, and returns the move to play. It is quick when the king is far
// from the camp.
func (p *Position) CanDeclare(rule DeclarationRule) (Move, bool) {
	us := p.side & 1
	if rule == NoEnteringKing || p.kings[us] == NoSquare || relativeRank(us, p.kings[us]) > 3 {
		return MoveNone, false
	}
	d := p.Declaration(rule)
	return d.Move, d.Result == DeclarationWins
}

// TrySquare returns the square that the side's king must reach under TryRule.
func TrySquare(c Color) Square {
	if c == Black {
		return NewSquare(5, 1)
	}
	return NewSquare(5, 9)
}

func (d *Declaration) tryMove(p *Position) {
	us := p.side & 1
	if k := p.kings[us]; k != NoSquare {
		if m := NewMove(k, TrySquare(us)); stepAttacks[us][King][k&127].Has(m.To()) && p.IsLegal(m) {
			d.Result, d.Move = DeclarationWins, m
		}
	}
}
