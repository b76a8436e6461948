package policy

import "github.com/yomi-shogi/yomi/shogi"

// The rows of the position part of the policy net, seen from the side to move:
//
//	group  rows   one active row for each …
//	piece  9072   piece: ((enemy·14 + type)·81 + square)·4 + attacked by the other side·2 + defended by its own
//	hand     76   piece in hand: own and enemy, type and count up to what is held
const (
	pieceRows = 2 * 14 * shogi.NumSquares * 4
	handRows  = 2 * shogi.HandSlots

	// NumPositionRows is the number of rows of the position part's first layer.
	NumPositionRows = pieceRows + handRows
)

// MaxPositionActive is the most position rows that can be active: one a piece, on the board or in hand.
const MaxPositionActive = shogi.MaxPieces

// Inputs is the active rows of a position and of each of its legal moves, with the scratch to find them. Use it in one goroutine.
type Inputs struct {
	// Position is the active rows of the position.
	Position []uint16
	// Moves is the active rows of all moves, one move after the other; those of move i end before Ends[i].
	Moves []uint16
	Ends  []int32

	scene    scene
	position [MaxPositionActive]uint16
	moves    []uint16
	ends     []int32
}

// NewInputs returns Inputs with room for any position.
func NewInputs() *Inputs {
	return &Inputs{moves: make([]uint16, shogi.MaxMoves*MaxMoveActive), ends: make([]int32, shogi.MaxMoves)}
}

// Read finds the active rows of the position and of the moves, which must be its legal ones in any order. last is the move
// that led to the position, MoveNone when it is not known. It allocates nothing; the rows are valid until the next call.
func (in *Inputs) Read(p *shogi.Position, last shogi.Move, moves []shogi.Move) {
	s := &in.scene
	s.look(p, last)
	in.readPosition()
	room := in.moves[:cap(in.moves)]
	in.Ends = in.ends[:len(moves)]
	n := 0
	for i, m := range moves {
		n += s.readMove((*[MaxMoveActive]uint16)(room[n:]), m)
		in.Ends[i] = int32(n)
	}
	in.Moves = room[:n]
}

func (in *Inputs) readPosition() {
	s := &in.scene
	in.Position = in.position[:0]
	for _, square := range s.attacks.From[:s.attacks.Count] {
		piece := s.p.PieceAt(square)
		c := piece.Color()
		row := (int(c^s.us)*14+int(piece.Type())-1)*shogi.NumSquares + int(s.view.Square(square))
		row *= 4
		if s.attacks.Once[c^1].Has(square) {
			row += 2
		}
		if s.attacks.Once[c].Has(square) {
			row++
		}
		in.Position = append(in.Position, uint16(row))
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		hand := s.p.Hand(c)
		for t := shogi.Pawn; hand != 0 && t <= shogi.Gold; t++ {
			for n := 1; n <= hand.Count(t); n++ {
				in.Position = append(in.Position, uint16(pieceRows+int(c^s.us)*shogi.HandSlots+shogi.HandSlot(t, n)))
			}
		}
	}
}
