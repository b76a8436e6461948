package shogi

// Checks answers GivesCheck for many moves of one position: from which squares each piece type would give check, and which own
// pieces would discover one.
type Checks struct {
	squares  [NumPieceTypes + 1]Bitboard
	blockers Bitboard
	king     Square
}

// Checks fills c for the side to move.
func (p *Position) Checks(c *Checks) {
	*c = Checks{king: p.kings[(p.side^1)&1]}
	if c.king == NoSquare {
		return
	}
	occupied := p.Occupied()
	them := p.side ^ 1
	steps := &stepAttacks[them&1]
	k := c.king & 127
	rook, bishop := RookAttacks(k, occupied), BishopAttacks(k, occupied)
	for _, t := range [...]PieceType{Pawn, Knight, Silver, Gold} {
		c.squares[t] = steps[t][k]
	}
	for t := ProPawn; t <= ProSilver; t++ {
		c.squares[t] = steps[Gold][k]
	}
	c.squares[Lance] = rook.And(lanceLines[them&1][k])
	c.squares[Rook], c.squares[Bishop] = rook, bishop
	c.squares[Dragon] = rook.Or(steps[Dragon][k])
	c.squares[Horse] = bishop.Or(steps[Horse][k])
	c.blockers = p.screens(c.king, p.side, occupied).And(p.sides[p.side&1])
}

// Gives reports whether the legal move of the position gives check.
func (c *Checks) Gives(p *Position, m Move) bool {
	to := m.To()
	if m.IsDrop() {
		return c.squares[m.DropType()&15].Has(to)
	}
	from := m.From()
	t := p.board[from].Type()
	if m.IsPromotion() {
		t = t.Promote()
	}
	if c.squares[t&15].Has(to) {
		return true
	}
	return c.blockers.Has(from) && directions[c.king][from] != directions[c.king][to]
}
