package book

import "github.com/yomi-shogi/yomi/shogi"

// Flip returns the position with the board turned by 180 degrees and the colours swapped: the same position for the other
// side. The move number stays. It is false for a board that is not a possible position once it is turned, which happens only
// to constructed ones.
func Flip(p *shogi.Position) (shogi.Position, bool) {
	from := p.Setup()
	to := shogi.Setup{Side: from.Side.Opponent(), Ply: from.Ply, Hands: [2]shogi.Hand{from.Hands[shogi.White], from.Hands[shogi.Black]}}
	for i, piece := range from.Board {
		if piece != shogi.Empty {
			to.Board[shogi.Square(i).Flip()] = shogi.NewPiece(piece.Color().Opponent(), piece.Type())
		}
	}
	turned, err := to.Position()
	return turned, err == nil
}

// FlipMove returns the move as it is on the turned board. MoveNone and other values that are no moves stay what they are.
func FlipMove(m shogi.Move) shogi.Move {
	switch {
	case !m.IsMove():
		return m
	case m.IsDrop():
		return shogi.NewDrop(m.DropType(), m.To().Flip())
	case m.IsPromotion():
		return shogi.NewPromotion(m.From().Flip(), m.To().Flip())
	}
	return shogi.NewMove(m.From().Flip(), m.To().Flip())
}
