package shogi

// generator holds what legal move generation needs to know of a position once.
type generator struct {
	p        *Position
	us, them Color
	king     Square
	occupied Bitboard
	// targets is where a piece other than the king may go: not on own pieces or a king, and in check only where it ends the check.
	targets Bitboard
	// pinned is the own pieces that may move only on the line through the own king.
	pinned Bitboard
	moves  []Move
}

// AppendLegal appends all legal moves to moves and returns it, unpromoted moves included wherever the rules allow them.
// With room for MaxMoves it does not allocate.
func (p *Position) AppendLegal(moves []Move) []Move {
	g := generator{p: p, us: p.side, them: p.side ^ 1, king: p.kings[p.side&1], occupied: p.Occupied(), moves: moves}
	g.targets = AllSquares().AndNot(p.sides[g.us&1].Or(p.types[King]))
	drops := true
	if g.king != NoSquare {
		g.pinned = p.pinnedTo(g.king, g.us, g.occupied)
		g.kingMoves()
		if p.checkers.More() {
			return g.moves
		}
		if !p.checkers.IsEmpty() {
			checker := p.checkers.First()
			g.targets = p.checkers
			if d := directions[g.king][checker]; d != NoDirection {
				g.targets = g.targets.Or(between(g.king, checker, d))
			}
			drops = g.targets.More()
		}
	}
	g.pieceMoves()
	if drops && p.hands[g.us&1] != 0 {
		g.dropMoves()
	}
	return g.moves
}

// HasLegalMove reports whether the side to move has a legal move. Without one it has lost.
func (p *Position) HasLegalMove() bool {
	var moves [MaxMoves]Move
	return len(p.AppendLegal(moves[:0])) > 0
}

// pinnedTo returns the pieces of side c that alone stand between the square and an enemy slider.
func (p *Position) pinnedTo(s Square, c Color, occupied Bitboard) Bitboard {
	enemies := p.sides[(c^1)&1]
	rooks := p.types[Rook].Or(p.types[Dragon]).And(enemies)
	bishops := p.types[Bishop].Or(p.types[Horse]).And(enemies)
	snipers := rays[Up][s&127].Or(rays[Down][s&127]).Or(rays[Left][s&127]).Or(rays[Right][s&127]).And(rooks)
	snipers = snipers.Or(rays[UpLeft][s&127].Or(rays[UpRight][s&127]).Or(rays[DownLeft][s&127]).Or(rays[DownRight][s&127]).And(bishops))
	if lances := p.types[Lance].And(enemies); !lances.IsEmpty() {
		forward := Up
		if c == White {
			forward = Down
		}
		snipers = snipers.Or(rays[forward][s&127].And(lances))
	}
	var pinned Bitboard
	for !snipers.IsEmpty() {
		sniper := snipers.PopFirst()
		block := between(s, sniper, directions[s][sniper]).And(occupied)
		if !block.IsEmpty() && !block.More() {
			pinned = pinned.Or(block)
		}
	}
	return pinned.And(p.sides[c&1])
}

// attacked reports whether side c attacks the square.
func (p *Position) attacked(c Color, s Square, occupied Bitboard) bool {
	steps := &stepAttacks[(c^1)&1]
	s &= 127
	own := p.sides[c&1]
	near := steps[Pawn][s].And(p.types[Pawn])
	near = near.Or(steps[Knight][s].And(p.types[Knight]))
	near = near.Or(steps[Silver][s].And(p.types[Silver]))
	near = near.Or(steps[Gold][s].And(p.golds()))
	near = near.Or(steps[King][s].And(p.types[King].Or(p.types[Horse]).Or(p.types[Dragon])))
	if near.Intersects(own) {
		return true
	}
	if rooks := p.types[Rook].Or(p.types[Dragon]).And(own); !rooks.IsEmpty() && RookAttacks(s, occupied).Intersects(rooks) {
		return true
	}
	if bishops := p.types[Bishop].Or(p.types[Horse]).And(own); !bishops.IsEmpty() && BishopAttacks(s, occupied).Intersects(bishops) {
		return true
	}
	lances := p.types[Lance].And(own)
	return !lances.IsEmpty() && LanceAttacks(c^1, s, occupied).Intersects(lances)
}

func (g *generator) kingMoves() {
	occupied := g.occupied.AndNot(SquareSet(g.king))
	for to := stepAttacks[Black][King][g.king&127].And(g.targets); !to.IsEmpty(); {
		if s := to.PopFirst(); !g.p.attacked(g.them, s, occupied) {
			g.moves = append(g.moves, NewMove(g.king, s))
		}
	}
}

func (g *generator) pieceMoves() {
	own := g.p.sides[g.us&1]
	for t := Pawn; t < NumPieceTypes; t++ {
		if t == King {
			continue
		}
		for from := g.p.types[t&15].And(own); !from.IsEmpty(); {
			s := from.PopFirst()
			to := PieceAttacks(g.us, t, s, g.occupied).And(g.targets)
			if g.pinned.Has(s) {
				d := directions[g.king][s]
				to = to.And(rays[d&7][g.king&127])
			}
			if t.CanPromote() {
				g.promotable(t, s, to)
			} else {
				g.plain(s, to)
			}
		}
	}
}

func (g *generator) plain(from Square, to Bitboard) {
	for !to.IsEmpty() {
		g.moves = append(g.moves, NewMove(from, to.PopFirst()))
	}
}

// promotable appends the moves of a piece that can promote: promoted where it starts or ends in the zone, unpromoted
// where it can still move on afterwards.
func (g *generator) promotable(t PieceType, from Square, to Bitboard) {
	promoted := to
	if !zoneSet[g.us&1].Has(from) {
		promoted = to.And(zoneSet[g.us&1])
	}
	g.plain(from, to.And(mobileSet[g.us&1][t&7]))
	for !promoted.IsEmpty() {
		g.moves = append(g.moves, NewPromotion(from, promoted.PopFirst()))
	}
}

// mobileSet[c][t] is where an unpromoted piece can still move: pawn and lance not on the last rank, knight not on the last two.
var mobileSet = func() (t [2][NumHandTypes]Bitboard) {
	for c := Black; c <= White; c++ {
		last, nextToLast := rankSet[1], rankSet[2]
		if c == White {
			last, nextToLast = rankSet[9], rankSet[8]
		}
		for pt := Pawn; pt <= Gold; pt++ {
			t[c][pt] = AllSquares()
		}
		t[c][Pawn] = t[c][Pawn].AndNot(last)
		t[c][Lance] = t[c][Pawn]
		t[c][Knight] = t[c][Pawn].AndNot(nextToLast)
	}
	return t
}()

func (g *generator) dropMoves() {
	empty := g.targets.AndNot(g.occupied)
	hand := g.p.hands[g.us&1]
	for t := Pawn; t <= Gold; t++ {
		if !hand.Has(t) {
			continue
		}
		to := empty.And(mobileSet[g.us&1][t&7])
		if t == Pawn {
			to = g.pawnDrops(to)
		}
		for !to.IsEmpty() {
			g.moves = append(g.moves, NewDrop(t, to.PopFirst()))
		}
	}
}

// pawnDrops leaves out the files with an own pawn and the square where the drop would be mate.
func (g *generator) pawnDrops(to Bitboard) Bitboard {
	to = to.AndNot(pawnFiles(g.p.PiecesOf(g.us, Pawn)))
	k := g.p.kings[g.them&1]
	if k == NoSquare {
		return to
	}
	head := stepAttacks[g.them&1][Pawn][k&127].And(to)
	if !head.IsEmpty() && g.p.pawnDropMates(head.First()) {
		to = to.AndNot(head)
	}
	return to
}

// pawnFiles returns every square of the files on which there is a pawn.
func pawnFiles(pawns Bitboard) Bitboard {
	var files Bitboard
	for f := 1; f <= 9; f++ {
		if fileSet[f].Intersects(pawns) {
			files = files.Or(fileSet[f])
		}
	}
	return files
}

// pawnDropMates reports whether the pawn drop, which gives check, leaves the opponent without a legal move.
func (p *Position) pawnDropMates(to Square) bool {
	next := *p
	next.Do(NewDrop(Pawn, to))
	return !next.HasLegalMove()
}

// IsLegal reports whether the move is legal in the position. Any value may be asked.
func (p *Position) IsLegal(m Move) bool {
	if !m.IsMove() || m.To() >= NumSquares {
		return false
	}
	var moves [MaxMoves]Move
	for _, legal := range p.AppendLegal(moves[:0]) {
		if legal == m {
			return true
		}
	}
	return false
}

// GivesCheck reports whether the legal move gives check.
func (p *Position) GivesCheck(m Move) bool {
	k := p.kings[(p.side^1)&1]
	if k == NoSquare {
		return false
	}
	to := m.To()
	if m.IsDrop() {
		return PieceAttacks(p.side, m.DropType(), to, p.Occupied()).Has(k)
	}
	from := m.From()
	t := p.board[from].Type()
	if m.IsPromotion() {
		t = t.Promote()
	}
	occupied := p.Occupied().AndNot(SquareSet(from)).Or(SquareSet(to))
	if PieceAttacks(p.side, t, to, occupied).Has(k) {
		return true
	}
	d := directions[k][from]
	if d == NoDirection || d == directions[k][to] {
		return false
	}
	return p.discovers(k, d, occupied)
}

// discovers reports whether an own slider attacks the enemy king k along the ray d from it.
func (p *Position) discovers(k Square, d Direction, occupied Bitboard) bool {
	first := p.firstOn(k, d, occupied)
	if first == NoSquare || !p.sides[p.side&1].Has(first) {
		return false
	}
	switch p.board[first].Type() {
	case Rook, Dragon:
		return d == Up || d == Down || d == Left || d == Right
	case Bishop, Horse:
		return d != Up && d != Down && d != Left && d != Right
	case Lance:
		return p.side == Black && d == Down || p.side == White && d == Up
	}
	return false
}

// firstOn returns the first occupied square from s in the direction, NoSquare when there is none.
func (p *Position) firstOn(s Square, d Direction, occupied Bitboard) Square {
	for x := neighbours[s][d&7]; x != NoSquare; x = neighbours[x][d&7] {
		if occupied.Has(x) {
			return x
		}
	}
	return NoSquare
}
