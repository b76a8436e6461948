package value

import "github.com/yomi-shogi/yomi/shogi"

// SlowRows is the plain twin of what Inputs finds in the view of one side: the table of rows, square by square.
func SlowRows(p *shogi.Position, viewer shogi.Color) (rows []int) {
	var attacks shogi.AttackMap
	p.AttackMap(&attacks)
	view := p.View(viewer)
	enemy := func(c shogi.Color) int { return int(c ^ viewer) }
	number := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	for s := shogi.Square(0); s < shogi.NumSquares; s++ {
		piece := p.PieceAt(s)
		if piece == shogi.Empty {
			continue
		}
		c, kind := piece.Color(), int(piece.Type())-1
		rows = append(rows, (enemy(c)*14+kind)*81+int(view.Square(s)))
		for victims := shogi.PieceAttacks(c, piece.Type(), s, p.Occupied()).And(p.Pieces(c ^ 1)); !victims.IsEmpty(); {
			v := victims.PopFirst()
			pair := kind*14 + int(p.PieceAt(v).Type()) - 1
			rows = append(rows, 2344+(pair*2+enemy(c))*2+number(attacks.Once[c^1].Has(v)))
		}
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		for t := shogi.Pawn; t <= shogi.Gold; t++ {
			for n := 1; n <= p.Hand(c).Count(t); n++ {
				rows = append(rows, 2268+enemy(c)*38+shogi.HandSlot(t, n))
			}
		}
		best := 0
		for s := shogi.Square(0); s < shogi.NumSquares; s++ {
			if piece := p.PieceAt(s); piece != shogi.Empty && piece.Color() != c && piece.Type() != shogi.King {
				best = max(best, p.Threat(c, s))
			}
		}
		rows = append(rows, 3128+enemy(c)*12+takeBucket(best))
		king := p.KingSquare(c)
		if king == shogi.NoSquare {
			continue
		}
		for d := shogi.Up; d < shogi.NoDirection; d++ {
			s := king.Neighbour(view.Direction(d))
			if s == shogi.NoSquare {
				continue
			}
			content := 0
			if piece := p.PieceAt(s); piece != shogi.Empty {
				content = 1 + enemy(piece.Color())
			}
			own, other := min(attacks.AttackCount(viewer, s), 2), min(attacks.AttackCount(viewer^1, s), 2)
			rows = append(rows, 3152+((enemy(c)*8+int(d))*3+content)*9+own*3+other)
		}
	}
	return rows
}
