package policy

import (
	"github.com/yomi-shogi/yomi/internal/simd"
	"github.com/yomi-shogi/yomi/shogi"
)

// MoveGroup is one of the groups of rows that a move is described by; the table above kinds says what each holds.
type MoveGroup uint8

// The groups of a move's rows.
const (
	// GroupTo is the piece and the square that it goes to.
	GroupTo MoveGroup = iota
	// GroupFrom is the piece and the square that it comes from.
	GroupFrom
	// GroupCapture is what is captured, and what the exchange wins.
	GroupCapture
	// GroupExchange is the piece, and what the exchange wins.
	GroupExchange
	// GroupGivesCheck is a check that the move gives.
	GroupGivesCheck
	// GroupTarget is who attacks the square that the piece goes to.
	GroupTarget
	// GroupSource is who attacks the square that the piece comes from.
	GroupSource
	// GroupEnemyKing is where the piece goes relative to the enemy's king.
	GroupEnemyKing
	// GroupOwnKing is where the piece goes relative to the own king.
	GroupOwnKing
	// GroupAround is what stands next to the square that the piece goes to.
	GroupAround
	// GroupAttacks is the enemy pieces that the piece attacks from there.
	GroupAttacks
	// GroupInCheck is whether the side to move is in check.
	GroupInCheck
	// GroupEscape is how the piece stands before the move, and what the opponent threatens to take.
	GroupEscape
	// GroupContest is the enemy's cheapest attacker of the square that the piece goes to.
	GroupContest
	// GroupLast is where the piece goes relative to the opponent's last move.
	GroupLast
	// NumMoveGroups is the number of groups.
	NumMoveGroups
)

var moveGroupNames = [NumMoveGroups]string{
	"to", "from", "capture", "exchange", "gives_check", "target", "source", "enemy_king", "own_king", "around", "attacks", "in_check",
	"escape", "contest", "last",
}

// String returns the group's name.
func (g MoveGroup) String() string { return moveGroupNames[g] }

// moveGroupEnds are where the groups' rows end, in the order of the groups.
var moveGroupEnds = [NumMoveGroups]int{
	fromStart, captureStart, exchangeStart, exchangeStart + kinds*exchangeBuckets, targetStart, sourceStart, kingsStart,
	kingsStart + kinds*relative, aroundStart, attacksStart, checkStart, escapeStart, contestStart, lastStart, NumMoveRows,
}

// groupOf returns the group of a row.
func groupOf(row uint16) MoveGroup {
	g := MoveGroup(0)
	for int(row) >= moveGroupEnds[g] {
		g++
	}
	return g
}

// MoveParts is the logit of a move taken apart. Logit is Base plus all Shares; a move's prior is e^Logit, divided by the sum of that
// over all legal moves.
type MoveParts struct {
	Move  shogi.Move
	Logit float64
	// Base is what the position alone gives. It is the same for all moves of the position, so it says nothing for or against one.
	Base float64
	// Shares is what each group adds, 0 for a group without rows. A unit of the net squares the sum of all groups, so a group's effect
	// depends on the others. What the groups add to a unit together is divided in proportion to what each brings to its sum, as when all
	// of them grow from nothing to their size at the same pace (R. Aumann, L. Shapley: Values of Non-Atomic Games, 1974).
	Shares [NumMoveGroups]float64
	// Effects is by how much the logit falls when the group alone is left out. They do not add up to the logit.
	Effects [NumMoveGroups]float64
}

// Explain returns the parts of the logits of the legal moves, at temperature 1. last is the move that led to the position, MoveNone
// when there is none.
func (e *NetEvaluator) Explain(p *shogi.Position, last shogi.Move, moves []shogi.Move) []MoveParts {
	logits := make([]int32, len(moves))
	if len(moves) > 0 {
		e.read(p, last, moves, logits)
	}
	out := make([]MoveParts, len(moves))
	start := int32(0)
	for i, end := range e.in.Ends[:len(moves)] {
		out[i] = e.parts(e.in.Moves[start:end])
		out[i].Move, out[i].Logit = moves[i], float64(logits[i])/logitSteps
		start = end
	}
	return out
}

// parts takes the logit of the move with the rows apart.
func (e *NetEvaluator) parts(rows []uint16) MoveParts {
	var sums [NumMoveGroups][simd.MoveWidth]int
	for _, row := range rows {
		sum := &sums[groupOf(row)]
		for j, x := range e.net.e[int(row)*simd.MoveWidth:][:simd.MoveWidth] {
			sum[j] += int(x)
		}
	}
	var m MoveParts
	for j := range simd.MoveWidth {
		base := int(e.context[j])
		total := base
		for g := range sums {
			total += sums[g][j]
		}
		v := float64(e.net.v[j]) / logitSteps
		m.Base += v * activation(base)
		slope := meanSlope(base, total)
		for g := range sums {
			m.Shares[g] += v * slope * float64(sums[g][j])
			m.Effects[g] += v * (activation(total) - activation(total-sums[g][j]))
		}
	}
	return m
}

// activation is a unit's output in steps of its square: the sum clamped to 0..1, squared.
func activation(sum int) float64 {
	a := float64(min(max(sum, 0), weightSteps))
	return a * a
}

// meanSlope returns the activation's mean slope between two sums. Between equal ones no group brings anything or they cancel out; it is
// then the slope there.
func meanSlope(from, to int) float64 {
	if from != to {
		return (activation(to) - activation(from)) / float64(to-from)
	}
	if from <= 0 || from >= weightSteps {
		return 0
	}
	return 2 * float64(from)
}
