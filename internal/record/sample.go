package record

import (
	"encoding/binary"
	"fmt"

	"github.com/yomi-shogi/yomi/shogi"
)

// Sample is a position of a game with what was thought and played in it.
type Sample struct {
	Position shogi.Position
	// Score is the search's value in centipawns of the program that made it, for the side to move.
	Score int16
	// Move is the move that was played.
	Move shogi.Move
	// Result is the game's result for the side to move: 1 won, 0 drawn, -1 lost.
	Result int8
	// Fast says that the move comes from a search too short to teach a policy. Of the files only those of whole games know it.
	Fast bool
	// Visits are the visits of the root's moves, the better target for a policy; nil when they are not known.
	Visits []Candidate
}

// PSVSize and HCPESize are the sizes of a record in bytes.
const (
	PSVSize  = 40
	HCPESize = 38
)

// DecodePSV reads a psv record: position, score (side to move), move, move number, result (side to move), one byte unused. The
// move's legality is not checked.
func DecodePSV(data *[PSVSize]byte) (Sample, error) {
	setup, err := sfenCodec.unpack((*[PackedSize]byte)(data[:PackedSize]))
	if err != nil {
		return Sample{}, err
	}
	setup.Ply = int(binary.LittleEndian.Uint16(data[36:]))
	p, err := setup.Position()
	if err != nil {
		return Sample{}, err
	}
	result := int8(data[38])
	if result < -1 || result > 1 {
		return Sample{}, fmt.Errorf("psv: game result %d, want -1, 0 or 1", result)
	}
	return Sample{
		Position: p,
		Score:    int16(binary.LittleEndian.Uint16(data[32:])),
		Move:     shogi.Move(binary.LittleEndian.Uint16(data[34:])),
		Result:   result,
	}, nil
}

// EncodePSV writes a psv record. The position must have both kings.
func EncodePSV(s *Sample) ([PSVSize]byte, error) {
	var data [PSVSize]byte
	packed, err := sfenCodec.pack(&s.Position)
	copy(data[:], packed[:])
	binary.LittleEndian.PutUint16(data[32:], uint16(s.Score))
	binary.LittleEndian.PutUint16(data[34:], uint16(s.Move))
	binary.LittleEndian.PutUint16(data[36:], uint16(s.Position.Ply()))
	data[38] = uint8(s.Result)
	return data, err
}

// DecodeHCPE reads an hcpe record: position, score (side to move), move, result (of Black). The format has no move number; it is 1.
func DecodeHCPE(data *[HCPESize]byte) (Sample, error) { return decodeHCPE(data, 0) }

// DecodeHCPE2 reads an hcpe2 record: as hcpe, but the result tells also how the game ended. That is not part of a sample.
func DecodeHCPE2(data *[HCPESize]byte) (Sample, error) { return decodeHCPE(data, hcpeEnds) }

func decodeHCPE(data *[HCPESize]byte, ends uint8) (Sample, error) {
	setup, err := hcpCodec.unpack((*[PackedSize]byte)(data[:PackedSize]))
	if err != nil {
		return Sample{}, err
	}
	p, err := setup.Position()
	if err != nil {
		return Sample{}, err
	}
	s := Sample{Position: p, Score: int16(binary.LittleEndian.Uint16(data[32:]))}
	if s.Move, err = fromAperyMove(binary.LittleEndian.Uint16(data[34:])); err != nil {
		return Sample{}, err
	}
	result, err := fromHCPEResult(data[36] &^ ends)
	if err != nil {
		return Sample{}, err
	}
	s.Result = result.For(p.Side())
	return s, nil
}

// EncodeHCPE writes an hcpe record. The position must have both kings.
func EncodeHCPE(s *Sample) ([HCPESize]byte, error) {
	var data [HCPESize]byte
	packed, err := hcpCodec.pack(&s.Position)
	copy(data[:], packed[:])
	binary.LittleEndian.PutUint16(data[32:], uint16(s.Score))
	binary.LittleEndian.PutUint16(data[34:], toAperyMove(s.Move))
	data[36] = toHCPEResult(s.result())
	return data, err
}

// result returns the game's result.
func (s *Sample) result() Result {
	switch {
	case s.Result > 0:
		return WinFor(s.Position.Side())
	case s.Result < 0:
		return WinFor(s.Position.Side() ^ 1)
	}
	return Drawn
}

// The result byte of hcpe, hcpe2 and hcpe3: who won in the two low bits; in the latter two, bits for the game's end.
const (
	hcpeDraw = iota
	hcpeBlackWins
	hcpeWhiteWins

	hcpeRepetition  = 1 << 2
	hcpeDeclaration = 1 << 3
	hcpeMaxPlies    = 1 << 4
	hcpeEnds        = hcpeRepetition | hcpeDeclaration | hcpeMaxPlies
)

func fromHCPEResult(x uint8) (Result, error) {
	switch x {
	case hcpeDraw:
		return Drawn, nil
	case hcpeBlackWins:
		return BlackWins, nil
	case hcpeWhiteWins:
		return WhiteWins, nil
	}
	return NoResult, fmt.Errorf("hcpe: game result %d, want 0, 1 or 2", x)
}

func toHCPEResult(r Result) uint8 {
	switch r {
	case BlackWins:
		return hcpeBlackWins
	case WhiteWins:
		return hcpeWhiteWins
	}
	return hcpeDraw
}

// Apery's 16-bit move has no drop bit: a drop's from field is 80 + piece type, with the piece numbers P L N S B R G = 1…7.
const (
	aperyDropBase  = 80
	aperyPromotion = 1 << 14
)

func fromAperyMove(x uint16) (shogi.Move, error) {
	to, from := shogi.Square(x&127), x>>7&127
	switch {
	case to >= shogi.NumSquares || from > aperyDropBase+uint16(shogi.Gold):
		return shogi.MoveNone, fmt.Errorf("hcpe: move %#04x is off the board", x)
	case from > aperyDropBase:
		return shogi.NewDrop(shogi.PieceType(from-aperyDropBase), to), nil
	case x&aperyPromotion != 0:
		return shogi.NewPromotion(shogi.Square(from), to), nil
	}
	return shogi.NewMove(shogi.Square(from), to), nil
}

func toAperyMove(m shogi.Move) uint16 {
	if m.IsDrop() {
		return uint16(m.To()) | (aperyDropBase+uint16(m.DropType()))<<7
	}
	x := uint16(m.To()) | uint16(m.From())<<7
	if m.IsPromotion() {
		x |= aperyPromotion
	}
	return x
}
