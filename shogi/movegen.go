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
}

// AppendLegal appends all legal moves to moves and returns it, unpromoted moves included wherever the rules allow them.
// With room for MaxMoves it does not allocate.
func (p *Position) AppendLegal(moves []Move) []Move {
	g := generator{p: p, us: p.side, them: p.side ^ 1, king: p.kings[p.side&1], occupied: p.Occupied()}
	g.targets = AllSquares().AndNot(p.sides[g.us&1].Or(p.types[King]))
	drops := true
	if g.king != NoSquare {
		g.pinned = p.screens(g.king, g.them, g.occupied).And(p.sides[g.us&1])
		moves = g.kingMoves(moves)
		if p.checkers.More() {
			return moves
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
	moves = g.pieceMoves(moves)
	if drops && p.hands[g.us&1] != 0 {
		moves = g.dropMoves(moves)
	}
	return moves
}

// HasLegalMove reports whether the side to move has a legal move. Without one it has lost.
func (p *Position) HasLegalMove() bool {
	var moves [MaxMoves]Move
	return len(p.AppendLegal(moves[:0])) > 0
}

// screens returns the pieces that alone stand between the square and a slider of side c that looks at it.
func (p *Position) screens(s Square, c Color, occupied Bitboard) Bitboard {
	s &= 127
	snipers := p.straight(c).And(rookLines[s])
	snipers = snipers.Or(p.diagonal(c).And(bishopLines[s]))
	snipers = snipers.Or(p.PiecesOf(c, Lance).And(lanceLines[(c^1)&1][s]))
	var screens Bitboard
	for !snipers.IsEmpty() {
		sniper := snipers.PopFirst()
		block := between(s, sniper, directions[s][sniper]).And(occupied)
		if !block.More() {
			screens = screens.Or(block)
		}
	}
	return screens
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
	if rooks := p.straight(c); rooks.Intersects(rookLines[s]) && RookAttacks(s, occupied).Intersects(rooks) {
		return true
	}
	if bishops := p.diagonal(c); bishops.Intersects(bishopLines[s]) && BishopAttacks(s, occupied).Intersects(bishops) {
		return true
	}
	lances := p.PiecesOf(c, Lance)
	return lances.Intersects(lanceLines[(c^1)&1][s]) && LanceAttacks(c^1, s, occupied).Intersects(lances)
}

func (g *generator) kingMoves(moves []Move) []Move {
	occupied := g.occupied.AndNot(SquareSet(g.king))
	for to := stepAttacks[Black][King][g.king&127].And(g.targets); !to.IsEmpty(); {
		if s := to.PopFirst(); !g.p.attacked(g.them, s, occupied) {
			moves = append(moves, NewMove(g.king, s))
		}
	}
	return moves
}

// pieceMoves appends the moves of all pieces but the king.
func (g *generator) pieceMoves(moves []Move) []Move {
	p, us := g.p, g.us&1
	own := p.sides[us]
	steps := &stepAttacks[us]
	moves = g.pawnMoves(moves, p.types[Pawn].And(own))
	for from := p.types[Lance].And(own); !from.IsEmpty(); {
		s := from.PopFirst()
		moves = g.promotable(moves, Lance, s, LanceAttacks(us, s, g.occupied))
	}
	for from := p.types[Knight].And(own); !from.IsEmpty(); {
		s := from.PopFirst()
		moves = g.promotable(moves, Knight, s, steps[Knight][s&127])
	}
	for from := p.types[Silver].And(own); !from.IsEmpty(); {
		s := from.PopFirst()
		moves = g.promotable(moves, Silver, s, steps[Silver][s&127])
	}
	for from := p.types[Bishop].And(own); !from.IsEmpty(); {
		s := from.PopFirst()
		moves = g.promotable(moves, Bishop, s, BishopAttacks(s, g.occupied))
	}
	for from := p.types[Rook].And(own); !from.IsEmpty(); {
		s := from.PopFirst()
		moves = g.promotable(moves, Rook, s, RookAttacks(s, g.occupied))
	}
	for from := p.golds().And(own); !from.IsEmpty(); {
		s := from.PopFirst()
		moves = g.plain(moves, s, g.allowed(s, steps[Gold][s&127]))
	}
	for from := p.types[Horse].And(own); !from.IsEmpty(); {
		s := from.PopFirst()
		moves = g.plain(moves, s, g.allowed(s, steps[Horse][s&127].Or(BishopAttacks(s, g.occupied))))
	}
	for from := p.types[Dragon].And(own); !from.IsEmpty(); {
		s := from.PopFirst()
		moves = g.plain(moves, s, g.allowed(s, steps[Dragon][s&127].Or(RookAttacks(s, g.occupied))))
	}
	return moves
}

// allowed cuts a piece's attacks to where it may go.
func (g *generator) allowed(from Square, to Bitboard) Bitboard {
	to = to.And(g.targets)
	if g.pinned.Has(from) {
		to = to.And(rays[directions[g.king][from]&7][g.king&127])
	}
	return to
}

// pawnMoves moves all pawns at once by shifting their set.
func (g *generator) pawnMoves(moves []Move, pawns Bitboard) []Move {
	if pinned := pawns.And(g.pinned); !pinned.IsEmpty() {
		pawns = pawns.AndNot(pinned.AndNot(fileSet[g.king.File()]))
	}
	pawns = pawns.And(mobileSet[g.us&1][Pawn])
	var to Bitboard
	var back Square // from = to + back, modulo 256
	if g.us == Black {
		to, back = Bitboard{pawns.Lo >> 1, pawns.Hi >> 1}, 1
	} else {
		to, back = Bitboard{pawns.Lo << 1, pawns.Hi << 1}, 255
	}
	to = to.And(g.targets)
	for promoted := to.And(zoneSet[g.us&1]); !promoted.IsEmpty(); {
		s := promoted.PopFirst()
		moves = append(moves, NewPromotion(s+back, s))
	}
	for to = to.And(mobileSet[g.us&1][Pawn]); !to.IsEmpty(); {
		s := to.PopFirst()
		moves = append(moves, NewMove(s+back, s))
	}
	return moves
}

func (g *generator) plain(moves []Move, from Square, to Bitboard) []Move {
	for !to.IsEmpty() {
		moves = append(moves, NewMove(from, to.PopFirst()))
	}
	return moves
}

// promotable appends the moves of a piece that can promote and attacks the squares: promoted where it starts or ends in
// the zone, unpromoted where it can still move on afterwards.
func (g *generator) promotable(moves []Move, t PieceType, from Square, to Bitboard) []Move {
	to = g.allowed(from, to)
	promoted := to
	if !zoneSet[g.us&1].Has(from) {
		promoted = to.And(zoneSet[g.us&1])
	}
	moves = g.plain(moves, from, to.And(mobileSet[g.us&1][t&7]))
	for !promoted.IsEmpty() {
		moves = append(moves, NewPromotion(from, promoted.PopFirst()))
	}
	return moves
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

func (g *generator) dropMoves(moves []Move) []Move {
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
			moves = append(moves, NewDrop(t, to.PopFirst()))
		}
	}
	return moves
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

// pawnDropMates reports whether the pawn drop, which gives check, leaves the opponent without a legal move: the king has no
// square to go to, and nothing else can take the pawn without exposing the king. A check at contact cannot be blocked.
func (p *Position) pawnDropMates(to Square) bool {
	us, them := p.side&1, (p.side^1)&1
	k := p.kings[them]
	occupied := p.Occupied().Or(SquareSet(to))
	takers := p.Attackers(them, to, occupied).AndNot(SquareSet(k))
	if !takers.IsEmpty() && !takers.AndNot(p.screens(k, us, occupied)).IsEmpty() {
		return false
	}
	occupied = occupied.AndNot(SquareSet(k))
	for flight := stepAttacks[Black][King][k&127].AndNot(p.sides[them].Or(p.types[King])); !flight.IsEmpty(); {
		if !p.attacked(us, flight.PopFirst(), occupied) {
			return false
		}
	}
	return true
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
