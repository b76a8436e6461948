package mate

import "github.com/yomi-shogi/yomi/shogi"

// zone[c] is the promotion zone of side c; stay[c][t] is where an unpromoted piece of type t can still move.
var zone, stay = func() (zone [2]shogi.Bitboard, stay [2][shogi.NumHandTypes]shogi.Bitboard) {
	for s := shogi.Square(0); s < shogi.NumSquares; s++ {
		for c, rank := range [2]int{shogi.Black: s.Rank(), shogi.White: 10 - s.Rank()} {
			set := shogi.SquareSet(s)
			if rank <= 3 {
				zone[c] = zone[c].Or(set)
			}
			for t := shogi.Pawn; t <= shogi.Gold; t++ {
				if rank == 1 && (t == shogi.Pawn || t == shogi.Lance) || rank <= 2 && t == shogi.Knight {
					continue
				}
				stay[c][t] = stay[c][t].Or(set)
			}
		}
	}
	return zone, stay
}()

// checker lists the checks of one position for a side that is not in check itself.
type checker struct {
	p        *shogi.Position
	us       shogi.Color
	king     shogi.Square // of the side that gets the check
	own      shogi.Square // of the side that gives it, or NoSquare
	occupied shogi.Bitboard
	// direct[t] is from where a piece of type t attacks the king.
	direct [shogi.NumPieceTypes]shogi.Bitboard
	// opening is the pieces that give check by leaving their line to the king, pinned those that may not leave theirs.
	opening, pinned shogi.Bitboard
}

// appendChecks appends the moves that give check. All are legal, but for a pawn drop that mates: to see that costs as much as
// making the move and looking for a reply, which the search does anyway.
func appendChecks(p *shogi.Position, moves []shogi.Move) []shogi.Move {
	us := p.Side()
	king := p.KingSquare(us.Opponent())
	if king == shogi.NoSquare {
		return moves
	}
	if p.InCheck() {
		return appendCheckingEvasions(p, moves)
	}
	c := checker{p: p, us: us, king: king, own: p.KingSquare(us), occupied: p.Occupied()}
	c.fill()
	if p.Hand(us) != 0 {
		moves = c.drops(moves)
	}
	return c.boardMoves(moves)
}

// appendCheckingEvasions is appendChecks for a side in check: it has few moves.
func appendCheckingEvasions(p *shogi.Position, moves []shogi.Move) []shogi.Move {
	var checks shogi.Checks
	p.Checks(&checks)
	first := len(moves)
	moves = p.AppendLegal(moves)
	kept := moves[:first]
	for _, m := range moves[first:] {
		if checks.Gives(p, m) {
			kept = append(kept, m)
		}
	}
	return kept
}

func (c *checker) fill() {
	them := c.us.Opponent()
	rook, bishop := shogi.RookAttacks(c.king, c.occupied), shogi.BishopAttacks(c.king, c.occupied)
	gold := shogi.PieceAttacks(them, shogi.Gold, c.king, c.occupied)
	c.direct = [shogi.NumPieceTypes]shogi.Bitboard{
		shogi.Pawn:   shogi.PieceAttacks(them, shogi.Pawn, c.king, c.occupied),
		shogi.Lance:  shogi.LanceAttacks(them, c.king, c.occupied),
		shogi.Knight: shogi.PieceAttacks(them, shogi.Knight, c.king, c.occupied),
		shogi.Silver: shogi.PieceAttacks(them, shogi.Silver, c.king, c.occupied),
		shogi.Bishop: bishop, shogi.Rook: rook,
		shogi.Gold: gold, shogi.ProPawn: gold, shogi.ProLance: gold, shogi.ProKnight: gold, shogi.ProSilver: gold,
	}
	near := shogi.PieceAttacks(them, shogi.King, c.king, c.occupied)
	c.direct[shogi.Horse], c.direct[shogi.Dragon] = bishop.Or(near), rook.Or(near)
	c.opening = screens(c.p, c.king, c.us, c.us, c.occupied)
	if c.own != shogi.NoSquare {
		c.pinned = screens(c.p, c.own, them, c.us, c.occupied)
	}
}

// screens returns the pieces of side b that alone stand between the square and a slider of side c that looks at it.
func screens(p *shogi.Position, s shogi.Square, c, b shogi.Color, occupied shogi.Bitboard) shogi.Bitboard {
	lances := p.PiecesOf(c, shogi.Lance)
	straight := p.PiecesOf(c, shogi.Rook).Or(p.PiecesOf(c, shogi.Dragon))
	diagonal := p.PiecesOf(c, shogi.Bishop).Or(p.PiecesOf(c, shogi.Horse))
	var found shogi.Bitboard
	if !straight.Or(lances).IsEmpty() {
		seen := shogi.RookAttacks(s, occupied)
		if near := seen.And(p.Pieces(b)); !near.IsEmpty() {
			behind := occupied.AndNot(near)
			snipers := shogi.RookAttacks(s, behind).And(straight).Or(shogi.LanceAttacks(c.Opponent(), s, behind).And(lances))
			found = onLines(s, snipers.AndNot(seen), near)
		}
	}
	if !diagonal.IsEmpty() {
		seen := shogi.BishopAttacks(s, occupied)
		if near := seen.And(p.Pieces(b)); !near.IsEmpty() {
			snipers := shogi.BishopAttacks(s, occupied.AndNot(near)).And(diagonal).AndNot(seen)
			found = found.Or(onLines(s, snipers, near))
		}
	}
	return found
}

// onLines returns the near pieces that stand in the same direction from s as a sniper.
func onLines(s shogi.Square, snipers, near shogi.Bitboard) shogi.Bitboard {
	var found shogi.Bitboard
	for !snipers.IsEmpty() {
		d := s.DirectionTo(snipers.PopFirst())
		for rest := near; !rest.IsEmpty(); {
			if x := rest.PopFirst(); s.DirectionTo(x) == d {
				found = found.Or(shogi.SquareSet(x))
			}
		}
	}
	return found
}

// drops appends the drops that give check. A piece that attacks the king can move, so no drop is immobile.
func (c *checker) drops(moves []shogi.Move) []shogi.Move {
	hand := c.p.Hand(c.us)
	for t := shogi.Pawn; t <= shogi.Gold; t++ {
		if !hand.Has(t) {
			continue
		}
		to := c.direct[t].AndNot(c.occupied)
		if t == shogi.Pawn && !to.IsEmpty() && c.pawnOnFile(to.First().File()) {
			continue
		}
		for !to.IsEmpty() {
			moves = append(moves, shogi.NewDrop(t, to.PopFirst()))
		}
	}
	return moves
}

// pawnOnFile reports whether the checking side has an unpromoted pawn on the file.
func (c *checker) pawnOnFile(file int) bool {
	for pawns := c.p.PiecesOf(c.us, shogi.Pawn); !pawns.IsEmpty(); {
		if pawns.PopFirst().File() == file {
			return true
		}
	}
	return false
}

func (c *checker) boardMoves(moves []shogi.Move) []shogi.Move {
	targets := shogi.AllSquares().AndNot(c.p.Pieces(c.us).Or(shogi.SquareSet(c.king)))
	for t := shogi.Pawn; t <= shogi.Dragon; t++ {
		pieces := c.p.PiecesOf(c.us, t)
		if pieces.IsEmpty() {
			continue
		}
		goals := c.direct[t]
		if t.CanPromote() {
			goals = goals.Or(c.direct[t.Promote()])
		}
		for !pieces.IsEmpty() {
			from := pieces.PopFirst()
			to := shogi.PieceAttacks(c.us, t, from, c.occupied).And(targets)
			opens := c.opening.Has(from)
			if !opens {
				to = to.And(goals)
			}
			if !to.IsEmpty() {
				moves = c.pieceMoves(moves, t, from, to, opens)
			}
		}
	}
	return moves
}

// pieceMoves appends the checks of one piece with a move to one of the squares; opens says that it stands on a line to the king.
func (c *checker) pieceMoves(moves []shogi.Move, t shogi.PieceType, from shogi.Square, to shogi.Bitboard, opens bool) []shogi.Move {
	pinned := c.pinned.Has(from)
	inZone := zone[c.us].Has(from)
	for !to.IsEmpty() {
		s := to.PopFirst()
		if pinned && c.own.DirectionTo(s) != c.own.DirectionTo(from) {
			continue
		}
		if t == shogi.King && !c.p.Attackers(c.us.Opponent(), s, c.occupied.AndNot(shogi.SquareSet(from))).IsEmpty() {
			continue
		}
		open := opens && c.king.DirectionTo(s) != c.king.DirectionTo(from)
		if t.CanPromote() && (inZone || zone[c.us].Has(s)) && (open || c.direct[t.Promote()].Has(s)) {
			moves = append(moves, shogi.NewPromotion(from, s))
		}
		if (open || c.direct[t].Has(s)) && (t > shogi.Gold || stay[c.us][t].Has(s)) {
			moves = append(moves, shogi.NewMove(from, s))
		}
	}
	return moves
}
