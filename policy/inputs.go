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
	return &Inputs{moves: make([]uint16, 0, shogi.MaxMoves*MaxMoveActive), ends: make([]int32, 0, shogi.MaxMoves)}
}

// scene is what the features of all moves of a position are read from.
type scene struct {
	p       *shogi.Position
	view    shogi.View
	us      shogi.Color
	them    shogi.Color
	attacks shogi.AttackMap
	checks  shogi.Checks
	inCheck int
	// danger is the bucket of the opponent's best capture, if it were to move.
	danger int
	// kings are the squares of the enemy's and the own king as they are seen, NoSquare for none.
	kings [2]shogi.Square
	// last is the square that the last move went to, as it is seen; NoSquare for none.
	last shogi.Square
	// least and counts cache the attack map by square for the squares that moves go to and come from.
	least  [shogi.NumSquares]uint8
	counts [2][shogi.NumSquares]uint8
}

// Read finds the active rows of the position and of the moves, which must be its legal ones in any order. last is the move
// that led to the position, MoveNone when it is not known. It allocates nothing; the rows are valid until the next call.
func (in *Inputs) Read(p *shogi.Position, last shogi.Move, moves []shogi.Move) {
	s := &in.scene
	s.look(p, last)
	in.readPosition()
	in.Moves, in.Ends = in.moves[:0], in.ends[:0]
	for _, m := range moves {
		in.Moves = s.appendMove(in.Moves, m)
		in.Ends = append(in.Ends, int32(len(in.Moves)))
	}
}

func (s *scene) look(p *shogi.Position, last shogi.Move) {
	s.p, s.us, s.them = p, p.Side(), p.Side().Opponent()
	s.view = p.View(s.us)
	p.AttackMap(&s.attacks)
	p.Checks(&s.checks)
	s.inCheck = 0
	if p.InCheck() {
		s.inCheck = 1
	}
	s.last = shogi.NoSquare
	if last.IsMove() {
		s.last = s.view.Square(last.To())
	}
	for i, c := range [2]shogi.Color{s.them, s.us} {
		s.kings[i] = shogi.NoSquare
		if k := p.KingSquare(c); k != shogi.NoSquare {
			s.kings[i] = s.view.Square(k)
		}
	}
	s.fillCounts()
	danger := 0
	for victims := p.Pieces(s.us).And(s.attacks.Once[s.them]); !victims.IsEmpty(); {
		square := victims.PopFirst()
		t := p.PieceAt(square).Type()
		if t != shogi.King && shogi.CaptureValue(t) > danger {
			danger = max(danger, p.Threat(s.them, square))
		}
	}
	s.danger = exchangeBucket(danger)
}

// fillCounts writes how often each side attacks each square (3 for more) and the enemy's least valuable attacker.
func (s *scene) fillCounts() {
	for c := range s.counts {
		s.counts[c] = [shogi.NumSquares]uint8{}
		a := &s.attacks
		for n, set := range [...]shogi.Bitboard{a.Once[c], a.Twice[c], a.Thrice[c]} {
			for !set.IsEmpty() {
				s.counts[c][set.PopFirst()] = uint8(n + 1)
			}
		}
	}
	s.least = [shogi.NumSquares]uint8{}
	// From the most valuable type to the least, so that the least is written last.
	for i := len(byValue) - 1; i >= 0; i-- {
		for set := s.attacks.ByType[s.them][byValue[i]]; !set.IsEmpty(); {
			s.least[set.PopFirst()] = uint8(byValue[i])
		}
	}
}

// byValue lists the types from the least valuable in an exchange to the most.
var byValue = shogi.ByExchangeValue()

func (in *Inputs) readPosition() {
	s := &in.scene
	in.Position = in.position[:0]
	for _, square := range s.attacks.From[:s.attacks.Count] {
		piece := s.p.PieceAt(square)
		c := piece.Color()
		row := (int(c^s.us)*14+int(piece.Type())-1)*shogi.NumSquares + int(s.view.Square(square))
		row *= 4
		if s.counts[c^1][square] > 0 {
			row += 2
		}
		if s.counts[c][square] > 0 {
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
