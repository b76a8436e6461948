package shogi

// PieceType is a kind of piece without its owner.
type PieceType uint8

// The piece types. The unpromoted ones up to Gold are those that can be in hand and have the numbers of the
// packed-position formats (psv); promoting adds 8.
const (
	NoPieceType PieceType = iota
	Pawn
	Lance
	Knight
	Silver
	Bishop
	Rook
	Gold
	King
	ProPawn
	ProLance
	ProKnight
	ProSilver
	Horse
	Dragon
)

// NumPieceTypes is one more than the largest PieceType.
const NumPieceTypes = 15

// NumHandTypes is one more than the largest PieceType that can be in hand.
const NumHandTypes = 8

const promoteBit = 8

// CanPromote reports whether the type has a promoted form.
func (t PieceType) CanPromote() bool { return t >= Pawn && t <= Rook }

// IsPromoted reports whether the type is a promoted one.
func (t PieceType) IsPromoted() bool { return t > King }

// Promote returns the promoted form. It is only right where CanPromote is true.
func (t PieceType) Promote() PieceType { return t + promoteBit }

// Unpromote returns the type that the piece has in hand; a king stays a king.
func (t PieceType) Unpromote() PieceType {
	if t > King {
		return t - promoteBit
	}
	return t
}

// SetCount returns how many pieces of the (unpromoted) type a full set has, both sides together.
func (t PieceType) SetCount() int { return int(setCount[t.Unpromote()]) }

var setCount = [NumPieceTypes]uint8{Pawn: 18, Lance: 4, Knight: 4, Silver: 4, Bishop: 2, Rook: 2, Gold: 4, King: 2}

var pieceTypeText = [NumPieceTypes]string{"", "P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R"}

// String returns the type in SFEN capitals, "+R" for a dragon.
func (t PieceType) String() string { return pieceTypeText[t] }

// Piece is a piece with its owner: type + 16 for White; 0 is an empty square.
type Piece uint8

// Empty is the content of a square without a piece.
const Empty Piece = 0

const whitePiece = 16

// NewPiece returns the piece of the type that belongs to the side.
func NewPiece(c Color, t PieceType) Piece { return Piece(t) | Piece(c)<<4 }

// Type returns the piece's type, NoPieceType for Empty.
func (p Piece) Type() PieceType { return PieceType(p & (whitePiece - 1)) }

// Color returns the piece's owner. It is Black for Empty.
func (p Piece) Color() Color { return Color(p >> 4) }

// String returns the piece as SFEN writes it, White's in small letters; "" for Empty.
func (p Piece) String() string {
	text := []byte(p.Type().String())
	if p.Color() == White && len(text) > 0 {
		text[len(text)-1] += 'a' - 'A'
	}
	return string(text)
}
