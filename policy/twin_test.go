package policy

import "github.com/yomi-shogi/yomi/shogi"

// SlowMoveRows is the plain twin of what Inputs finds for a move: the table of rows, line by line, from the position alone.
func SlowMoveRows(p *shogi.Position, last, m shogi.Move) []uint16 {
	var attacks shogi.AttackMap
	p.AttackMap(&attacks)
	us, them := p.Side(), p.Side().Opponent()
	view, to := p.View(us), m.To()
	kind, after := kindOf(p, m)
	ours, theirs, least := attacks.AttackCount(us, to), attacks.AttackCount(them, to), int(attacks.Least(them, to))
	see := p.Gain(m) // an attack on the target that the move itself opens is not seen
	if theirs > 0 {
		see = p.SEE(m)
	}
	bucket, loses, inCheck, drop := exchangeBucket(see), number(see < 0), number(p.InCheck()), number(m.IsDrop())
	from, seenFrom := shogi.NoSquare, shogi.NumSquares+int(m.DropType())-1
	if !m.IsDrop() {
		from = m.From()
		seenFrom = int(view.Square(from))
		ours--
	}
	rows := []int{
		toStart + kind*shogi.NumSquares + int(view.Square(to)),
		fromStart + kind*(shogi.NumSquares+7) + seenFrom,
		captureStart + int(p.PieceAt(to).Type())*exchangeBuckets + bucket,
		exchangeStart + kind*exchangeBuckets + bucket,
		targetStart + ((max(ours, 0)*4+theirs)*types+least)*2 + drop,
		checkStart + kind*4 + inCheck*2 + loses,
		contestStart + (kind*types+least)*exchangeBuckets + bucket,
	}
	if p.GivesCheck(m) {
		rows = append(rows, exchangeStart+kinds*exchangeBuckets+kind*2+loses)
	}
	if !m.IsDrop() {
		rows = append(rows, sourceStart+(attacks.AttackCount(us, from)*4+attacks.AttackCount(them, from))*types+int(attacks.Least(them, from)))
	}
	rows = append(rows, escapeStart+exchangeBucket(slowDanger(p))*4+slowEscape(p, &attacks, m))
	for i, c := range [2]shogi.Color{them, us} {
		if king := p.KingSquare(c); king != shogi.NoSquare {
			rows = append(rows, kingsStart+i*kinds*relative+kind*relative+slowOffset(view.Square(to), view.Square(king)))
		}
	}
	if last.IsMove() {
		rows = append(rows, lastStart+slowOffset(view.Square(to), view.Square(last.To()))*2+loses)
	} else {
		rows = append(rows, lastStart+relative*2)
	}
	rows = append(rows, slowAround(p, m, kind)...)
	occupied := p.Occupied().AndNot(shogi.SquareSet(from))
	for victims := shogi.PieceAttacks(us, after, to, occupied).And(p.Pieces(them)); !victims.IsEmpty(); {
		s := victims.PopFirst()
		pair := (int(after)-1)*14 + int(p.PieceAt(s).Type()) - 1
		rows = append(rows, attacksStart+pair*4+number(attacks.AttackCount(them, s) > 0)*2+loses)
	}
	out := make([]uint16, len(rows))
	for i, row := range rows {
		out[i] = uint16(row)
	}
	return out
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func slowOffset(a, b shogi.Square) int {
	return (a.File()-b.File()+8)*17 + a.Rank() - b.Rank() + 8
}

// slowDanger is the opponent's best capture.
func slowDanger(p *shogi.Position) int {
	danger := 0
	for s := shogi.Square(0); s < shogi.NumSquares; s++ {
		if piece := p.PieceAt(s); piece != shogi.Empty && piece.Color() == p.Side() && piece.Type() != shogi.King {
			danger = max(danger, p.Threat(p.Side().Opponent(), s))
		}
	}
	return danger
}

func slowEscape(p *shogi.Position, attacks *shogi.AttackMap, m shogi.Move) int {
	if m.IsDrop() {
		return 3
	}
	attacker := attacks.Least(p.Side().Opponent(), m.From())
	switch {
	case attacker == shogi.NoPieceType:
		return 0
	case shogi.ExchangeValue(attacker) < shogi.ExchangeValue(p.PieceAt(m.From()).Type()):
		return 2
	}
	return 1
}

func slowAround(p *shogi.Position, m shogi.Move, kind int) (rows []int) {
	view := p.View(p.Side())
	for d := shogi.Up; d < shogi.NoDirection; d++ {
		next := m.To().Neighbour(view.Direction(d))
		code := 31
		if next != shogi.NoSquare {
			piece := p.PieceAt(next)
			if piece == shogi.Empty || !m.IsDrop() && next == m.From() {
				continue
			}
			code = int(piece.Color()^p.Side())*16 + int(piece.Type())
		}
		rows = append(rows, aroundStart+(int(d)*kinds+kind)*32+code)
	}
	return rows
}
