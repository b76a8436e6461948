package policy

import (
	"math/bits"

	"github.com/yomi-shogi/yomi/shogi"
)

// scene is what the rows of all moves of a position are read from.
type scene struct {
	p       *shogi.Position
	view    shogi.View
	us      shogi.Color
	them    shogi.Color
	attacks shogi.AttackMap
	checks  shogi.Checks
	// occupied and enemies are the squares of all and of the enemy's pieces.
	occupied, enemies shogi.Bitboard
	// hidden is by side the squares that its lances, bishops and rooks may attack only after others have gone there in an exchange.
	hidden [2]shogi.Bitboard
	// replies remembers reply by square.
	replies [shogi.NumSquares]int16
	// checkRow is the check group's row for kind 0, escapeRow the escape group's for a piece that is not attacked.
	checkRow, escapeRow int
	// kingRows are the kings group's rows of the enemy's and the own king for kind 0 and square 0, -1 for no king.
	kingRows [2]int
	// lastRow is the last group's row for square 0, -1 when there is no last move.
	lastRow int
	// guard is by real square: (own attackers·4 + enemy's)·15 + enemy's least; three attackers stand for more. least is the
	// enemy's least valuable attacker.
	guard [shogi.NumSquares]uint8
	least [shogi.NumSquares]shogi.PieceType
	// codes is the board as it is seen, with an edge around: own type, 16 + enemy type, edgeCode, 0 for an empty square.
	codes [paddedSquares]uint8
	// next is by real square what stands next to it; it is found when a move first goes there.
	next [shogi.NumSquares]neighbours
}

// neighbours is what stands next to a square.
type neighbours struct {
	// found is the number of pieces and edges, plus one; 0 when nobody has looked.
	found uint8
	// place is where the square itself is on the padded board.
	place uint8
	// mask has a bit for each direction with something; rows are the around group's rows for kind 0 in the order of these bits.
	mask uint8
	rows [8]uint16
}

// The padded board has a border of one square: 11 files of 11 ranks.
const (
	paddedRanks   = 11
	paddedSquares = paddedRanks * paddedRanks

	noPlace uint8 = paddedSquares

	unknownReply = -1
)

// paddedSteps are the ways to the neighbours on the padded board, by shogi.Direction.
var paddedSteps = [shogi.NoDirection]int{
	shogi.Up: -1, shogi.UpRight: -paddedRanks - 1, shogi.Right: -paddedRanks, shogi.DownRight: -paddedRanks + 1,
	shogi.UpLeft: paddedRanks - 1, shogi.Left: paddedRanks, shogi.DownLeft: paddedRanks + 1, shogi.Down: 1,
}

// stepDirection is the direction of a way on the padded board, plus paddedSquares; NoDirection for more than a step. The way to
// noPlace is more than a step.
var stepDirection = func() (t [2*paddedSquares + 1]shogi.Direction) {
	for i := range t {
		t[i] = shogi.NoDirection
	}
	for d, step := range paddedSteps {
		t[paddedSquares+step] = shogi.Direction(d)
	}
	return t
}()

// padded is where squares stand on the padded board, emptyBoard is one with nothing but its edge.
var padded, emptyBoard = func() (places [shogi.NumSquares]uint8, board [paddedSquares]uint8) {
	for i := range board {
		board[i] = edgeCode
	}
	for s := range places {
		places[s] = uint8((s/9+1)*paddedRanks + s%9 + 1)
		board[places[s]] = 0
	}
	return places, board
}()

// place17 numbers squares so that differences tell how one lies relative to another: 17 for a file, 1 for a rank.
var place17 = func() (t [shogi.NumSquares]int16) {
	for s := range t {
		t[s] = int16(s/9*17 + s%9)
	}
	return t
}()

// look prepares the scene for a position.
func (s *scene) look(p *shogi.Position, last shogi.Move) {
	s.p, s.us, s.them = p, p.Side(), p.Side().Opponent()
	s.view = p.View(s.us)
	p.AttackMap(&s.attacks)
	p.Checks(&s.checks)
	s.occupied, s.enemies = p.Occupied(), p.Pieces(s.them)
	s.checkRow = checkStart
	if p.InCheck() {
		s.checkRow += 2
	}
	s.lastRow = -1
	if last.IsMove() {
		s.lastRow = lastStart + 2*s.offsetFrom(last.To())
	}
	for i, c := range [2]shogi.Color{s.them, s.us} {
		s.kingRows[i] = -1
		if k := p.KingSquare(c); k != shogi.NoSquare {
			s.kingRows[i] = kingsStart + i*kinds*relative + s.offsetFrom(k)
		}
	}
	s.lookAtGuards()
	s.lookAtPieces()
	s.lookAtLines()
	s.escapeRow = escapeStart + exchangeBucket(s.danger())*4
}

// offsetFrom returns how the first square lies relative to a real square, 0..288; the place17 of another square is to be added.
func (s *scene) offsetFrom(square shogi.Square) int {
	return 8*17 + 8 - int(place17[s.view.Square(square)])
}

// danger is what the opponent's best capture would win, if it were to move.
func (s *scene) danger() int {
	danger := 0
	for victims := s.p.Pieces(s.us).And(s.attacks.Once[s.them]); !victims.IsEmpty(); {
		square := victims.PopFirst()
		t := s.p.PieceAt(square).Type()
		if t != shogi.King && shogi.CaptureValue(t) > danger {
			danger = max(danger, s.p.Threat(s.them, square))
		}
	}
	return danger
}

// lookAtGuards fills guard and least.
func (s *scene) lookAtGuards() {
	s.guard = [shogi.NumSquares]uint8{}
	s.least = [shogi.NumSquares]shogi.PieceType{}
	a := &s.attacks
	for _, set := range [...]struct {
		squares shogi.Bitboard
		add     uint8
	}{
		{a.Once[s.us], 4 * types}, {a.Twice[s.us], 4 * types}, {a.Thrice[s.us], 4 * types},
		{a.Once[s.them], types}, {a.Twice[s.them], types}, {a.Thrice[s.them], types},
	} {
		for x := set.squares; !x.IsEmpty(); {
			s.guard[x.PopFirst()] += set.add
		}
	}
	left := a.Once[s.them]
	for _, t := range byValue {
		x := left.And(a.ByType[s.them][t])
		for left = left.AndNot(x); !x.IsEmpty(); {
			square := x.PopFirst()
			s.guard[square] += uint8(t)
			s.least[square] = t
		}
	}
}

// byValue lists the types from the least valuable in an exchange to the most.
var byValue = shogi.ByExchangeValue()

// lookAtPieces fills codes and forgets what was found about squares.
func (s *scene) lookAtPieces() {
	s.codes = emptyBoard
	for i := range s.next {
		s.next[i].found = 0
		s.replies[i] = unknownReply
	}
	for _, square := range s.attacks.From[:s.attacks.Count] {
		piece := s.p.PieceAt(square)
		s.codes[padded[s.view.Square(square)]] = uint8(piece.Color()^s.us)<<4 | uint8(piece.Type())
	}
}

// lookAtLines fills hidden. A piece that stands in the way of a lance, bishop or rook and itself attacks the square behind is
// another one of these, or is next to the square. So all of these are taken off the board, and one more piece of each line.
func (s *scene) lookAtLines() {
	occupied := s.occupied
	for _, t := range [...]shogi.PieceType{shogi.Lance, shogi.Bishop, shogi.Rook, shogi.Horse, shogi.Dragon} {
		occupied = occupied.AndNot(s.p.PiecesOf(shogi.Black, t)).AndNot(s.p.PiecesOf(shogi.White, t))
	}
	s.hidden = [2]shogi.Bitboard{}
	gone := s.occupied.AndNot(occupied)
	for i, from := range s.attacks.From[:s.attacks.Count] {
		if !gone.Has(from) {
			continue
		}
		piece := s.p.PieceAt(from)
		far := shogi.PieceAttacks(piece.Color(), piece.Type(), from, occupied)
		hidden := s.hidden[piece.Color()].Or(far.AndNot(s.attacks.Attacks[i]))
		for blockers := far.And(occupied); !blockers.IsEmpty(); {
			blocker := blockers.PopFirst()
			hidden = hidden.Or(shogi.SquareSet(blocker.Neighbour(from.DirectionTo(blocker))))
		}
		s.hidden[piece.Color()] = hidden
	}
}

// nextTo returns what stands next to a real square.
func (s *scene) nextTo(square shogi.Square) *neighbours {
	n := &s.next[square]
	if n.found > 0 {
		return n
	}
	place := padded[s.view.Square(square)]
	c := (*[2*paddedRanks + 3]uint8)(s.codes[place-paddedRanks-1:])
	const middle = paddedRanks + 1
	count, mask := uint8(0), uint8(0)
	look := func(d shogi.Direction, code uint8) {
		n.rows[count&7] = uint16(aroundStart+int(d)*kinds*32) + uint16(code)
		there := (code + edgeCode) >> 5 // 1 for any code but 0
		count += there
		mask |= there << d
	}
	look(shogi.Up, c[middle-1])
	look(shogi.UpRight, c[middle-paddedRanks-1])
	look(shogi.Right, c[middle-paddedRanks])
	look(shogi.DownRight, c[middle-paddedRanks+1])
	look(shogi.UpLeft, c[middle+paddedRanks-1])
	look(shogi.Left, c[middle+paddedRanks])
	look(shogi.DownLeft, c[middle+paddedRanks+1])
	look(shogi.Down, c[middle+1])
	n.place, n.mask, n.found = place, mask, count+1
	return n
}

// add adds the rows for a kind, except what stands on the place that the mover leaves, noPlace for a drop.
func (n *neighbours) add(rows *[MaxMoveActive]uint16, at, kind int, leaves uint8) int {
	add := uint16(kind * 32)
	// All eight are written, whatever their number: that is faster than to count.
	out, row := (*[8]uint16)(rows[at:]), &n.rows
	out[0], out[1], out[2], out[3] = row[0]+add, row[1]+add, row[2]+add, row[3]+add
	out[4], out[5], out[6], out[7] = row[4]+add, row[5]+add, row[6]+add, row[7]+add
	count := int(n.found) - 1
	if d := stepDirection[int(leaves)-int(n.place)+paddedSquares]; d != shogi.NoDirection {
		count--
		out[bits.OnesCount8(n.mask&(1<<d-1))&7] = out[count&7]
	}
	return at + count
}
