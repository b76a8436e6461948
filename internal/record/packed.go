package record

import (
	"fmt"

	"github.com/yomi-shogi/yomi/shogi"
)

// PackedSize is the size in bytes of a packed position.
const PackedSize = 32

const packedBits = 8 * PackedSize

// code is a prefix code: the low bits of value, the lowest first.
type code struct {
	value uint8
	bits  uint8
}

// meaning is what a code stands for: a piece of a side on the board or in hand, or one in the box.
type meaning struct {
	piece shogi.Piece
	bits  uint8
	box   bool
}

const maxCodeBits = 8

// codec is one family of packed positions.
type codec struct {
	board [32]code // by shogi.Piece
	hand  [32]code
	box   [shogi.NumHandTypes]code
	order []shogi.PieceType // in which hands and box are written
	// byBoard and byRest find the meaning by the next eight bits of the stream; bits 0 means no code.
	byBoard, byRest [1 << maxCodeBits]meaning
}

func (c *codec) finish() *codec {
	c.board[shogi.Empty] = code{0, 1}
	for piece, code := range c.board {
		enter(&c.byBoard, code, meaning{piece: shogi.Piece(piece), bits: code.bits})
	}
	for piece, code := range c.hand {
		enter(&c.byRest, code, meaning{piece: shogi.Piece(piece), bits: code.bits})
	}
	for t, code := range c.box {
		enter(&c.byRest, code, meaning{piece: shogi.Piece(t), bits: code.bits, box: true})
	}
	return c
}

func enter(table *[1 << maxCodeBits]meaning, c code, m meaning) {
	if c.bits == 0 {
		return
	}
	for high := 0; high < 1<<(maxCodeBits-c.bits); high++ {
		table[int(c.value)|high<<c.bits] = m
	}
}

// sfenCodec is the code of PackedSfen: prefix, promotion, colour. The order of hands is that of YaneuraOu 7.63's files.
var sfenCodec = func() *codec {
	c := &codec{order: []shogi.PieceType{shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Bishop, shogi.Rook, shogi.Gold}}
	rows := [shogi.NumHandTypes]struct{ prefix, box code }{
		shogi.Pawn: {code{0x01, 2}, code{0x02, 3}}, shogi.Lance: {code{0x03, 4}, code{0x09, 5}},
		shogi.Knight: {code{0x0b, 4}, code{0x0d, 5}}, shogi.Silver: {code{0x07, 4}, code{0x0b, 5}},
		shogi.Gold: {code{0x0f, 5}, code{0x1b, 5}}, shogi.Bishop: {code{0x1f, 6}, code{0x2f, 7}},
		shogi.Rook: {code{0x3f, 6}, code{0x3f, 7}},
	}
	for t := shogi.Pawn; t <= shogi.Gold; t++ {
		prefix := rows[t].prefix
		c.box[t] = rows[t].box
		for side := shogi.Black; side <= shogi.White; side++ {
			promotionBits := uint8(1)
			if t == shogi.Gold {
				promotionBits = 0
			} else {
				c.board[shogi.NewPiece(side, t.Promote())] = code{prefix.value | 1<<prefix.bits | uint8(side)<<(prefix.bits+1), prefix.bits + 2}
			}
			colour := uint8(side) << (prefix.bits + promotionBits)
			c.board[shogi.NewPiece(side, t)] = code{prefix.value | colour, prefix.bits + promotionBits + 1}
			c.hand[shogi.NewPiece(side, t)] = code{prefix.value>>1 | colour>>1, prefix.bits + promotionBits}
		}
	}
	return c.finish()
}()

// hcpCodec is the code of Apery's HuffmanCodedPos: prefix, colour, promotion. The order of hands is Apery's.
var hcpCodec = func() *codec {
	c := &codec{order: []shogi.PieceType{shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Gold, shogi.Bishop, shogi.Rook}}
	rows := [shogi.NumHandTypes]struct {
		board, promoted, white, whitePromoted, hand, whiteHand, box uint8
		bits                                                        uint8
	}{
		shogi.Pawn:   {0b0001, 0b1001, 0b0101, 0b1101, 0b000, 0b100, 0b010, 4},
		shogi.Lance:  {0b000011, 0b100011, 0b010011, 0b110011, 0b00001, 0b10001, 0b01001, 6},
		shogi.Knight: {0b000111, 0b100111, 0b010111, 0b110111, 0b00011, 0b10011, 0b01011, 6},
		shogi.Silver: {0b001011, 0b101011, 0b011011, 0b111011, 0b00101, 0b10101, 0b01101, 6},
		shogi.Gold:   {0b001111, 0, 0b101111, 0, 0b00111, 0b10111, 0b11101, 6},
		shogi.Bishop: {0b00011111, 0b10011111, 0b01011111, 0b11011111, 0b0011111, 0b1011111, 0b0001111, 8},
		shogi.Rook:   {0b00111111, 0b10111111, 0b01111111, 0b11111111, 0b0111111, 0b1111111, 0b0101111, 8},
	}
	for t := shogi.Pawn; t <= shogi.Gold; t++ {
		row := rows[t]
		c.board[shogi.NewPiece(shogi.Black, t)] = code{row.board, row.bits}
		c.board[shogi.NewPiece(shogi.White, t)] = code{row.white, row.bits}
		if t.CanPromote() {
			c.board[shogi.NewPiece(shogi.Black, t.Promote())] = code{row.promoted, row.bits}
			c.board[shogi.NewPiece(shogi.White, t.Promote())] = code{row.whitePromoted, row.bits}
		}
		c.hand[shogi.NewPiece(shogi.Black, t)] = code{row.hand, row.bits - 1}
		c.hand[shogi.NewPiece(shogi.White, t)] = code{row.whiteHand, row.bits - 1}
		c.box[t] = code{row.box, row.bits - 1}
	}
	return c.finish()
}()

// bitReader reads a packed position from its low bits.
type bitReader struct {
	data *[PackedSize]byte
	at   int
}

// peek returns the next eight bits, zeros behind the end.
func (r *bitReader) peek() uint8 {
	i := r.at / 8
	if i >= PackedSize {
		return 0
	}
	x := uint16(r.data[i])
	if i+1 < PackedSize {
		x |= uint16(r.data[i+1]) << 8
	}
	return uint8(x >> (r.at % 8))
}

func (r *bitReader) take(bits int) int {
	x := int(r.peek()) & (1<<bits - 1)
	r.at += bits
	return x
}

// unpack reads a position without its move number. The error says where the bits make no sense.
func (c *codec) unpack(data *[PackedSize]byte) (shogi.Setup, error) {
	var s shogi.Setup
	r := bitReader{data: data}
	s.Side = shogi.Color(r.take(1))
	kings := [2]int{r.take(7), r.take(7)}
	for side, k := range kings {
		if k >= shogi.NumSquares {
			return s, fmt.Errorf("packed position: king square %d", k)
		}
		s.Board[k] = shogi.NewPiece(shogi.Color(side), shogi.King)
	}
	if kings[0] == kings[1] {
		return s, fmt.Errorf("packed position: both kings on square %d", kings[0])
	}
	for square := range s.Board {
		if square == kings[0] || square == kings[1] {
			continue
		}
		m := c.byBoard[r.peek()]
		if m.bits == 0 {
			return s, fmt.Errorf("packed position: no piece code at bit %d", r.at)
		}
		r.at += int(m.bits)
		s.Board[square] = m.piece
	}
	for r.at < packedBits {
		m := c.byRest[r.peek()]
		if m.bits == 0 {
			return s, fmt.Errorf("packed position: no hand code at bit %d", r.at)
		}
		r.at += int(m.bits)
		if m.box {
			continue
		}
		side, t := m.piece.Color(), m.piece.Type()
		if s.Hands[side].Count(t) >= t.SetCount() {
			return s, fmt.Errorf("packed position: more than %d of %q in hand", t.SetCount(), m.piece)
		}
		s.Hands[side] = s.Hands[side].Add(t, 1)
	}
	if r.at != packedBits {
		return s, fmt.Errorf("packed position: %d bits, want %d", r.at, packedBits)
	}
	return s, nil
}

// bitWriter writes a packed position from its low bits.
type bitWriter struct {
	data [PackedSize]byte
	at   int
}

func (w *bitWriter) put(c code) {
	for i := range int(c.bits) {
		w.data[w.at/8] |= c.value >> i & 1 << (w.at % 8)
		w.at++
	}
}

// pack writes the position. Both kings must be on the board: the format has no room for one that is missing.
func (c *codec) pack(p *shogi.Position) ([PackedSize]byte, error) {
	var w bitWriter
	if p.KingSquare(shogi.Black) == shogi.NoSquare || p.KingSquare(shogi.White) == shogi.NoSquare {
		return w.data, fmt.Errorf("packed position: %s has not both kings", p.SFEN())
	}
	w.put(code{uint8(p.Side()), 1})
	for side := shogi.Black; side <= shogi.White; side++ {
		w.put(code{uint8(p.KingSquare(side)), 7})
	}
	var left [shogi.NumHandTypes]int
	for t := shogi.Pawn; t <= shogi.Gold; t++ {
		left[t] = t.SetCount()
	}
	for s := shogi.Square(0); s < shogi.NumSquares; s++ {
		piece := p.PieceAt(s)
		if piece.Type() == shogi.King {
			continue
		}
		w.put(c.board[piece])
		if piece != shogi.Empty {
			left[piece.Type().Unpromote()]--
		}
	}
	for side := shogi.Black; side <= shogi.White; side++ {
		for _, t := range c.order {
			for range p.Hand(side).Count(t) {
				w.put(c.hand[shogi.NewPiece(side, t)])
				left[t]--
			}
		}
	}
	for _, t := range c.order {
		for range left[t] {
			w.put(c.box[t])
		}
	}
	return w.data, nil
}
