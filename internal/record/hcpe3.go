package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/yomi-shogi/yomi/shogi"
)

// HCPE3EvalCoef is the scale of scores in hcpe3 files: the programs that own the format take 1/(1+exp(-0.0013226·cp)) for the win rate.
const HCPE3EvalCoef = 1 / 0.0013226

// Sizes in bytes of what an hcpe3 game consists of.
const (
	hcpe3HeadSize      = PackedSize + 4
	hcpe3MoveSize      = 6
	hcpe3CandidateSize = 4
)

// ErrNoResult is the error of a game without a result, for formats that cannot tell it from a draw.
var ErrNoResult = errors.New("a game without a result")

// AppendHCPE3 appends a game in hcpe3, all numbers little-endian:
//
//	start position 32 · number of moves 2 · result and end 1 · which side is an outside program 1 (0 none or both, 1 Black, 2 White)
//	for each move: move 2 · score 2 · number of candidates 2
//	for each of its candidates: move 2 · visits 2
//
// Visits above 65535 are scaled down together with the others of the move; a visited move keeps at least one. A move that is not
// Deep has no candidates, by which readers know that it does not teach a policy; one that is Deep without known visits has itself
// with one visit. A score that is not known is 0. Move numbers, win rates, times and all words are lost.
func AppendHCPE3(b []byte, g *Game) ([]byte, error) {
	if g.Result == NoResult {
		return b, ErrNoResult
	}
	if len(g.Moves) > math.MaxUint16 {
		return b, fmt.Errorf("hcpe3: %d moves, at most %d", len(g.Moves), math.MaxUint16)
	}
	packed, err := hcpCodec.pack(&g.Start)
	if err != nil {
		return b, err
	}
	b = append(b, packed[:]...)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(g.Moves)))
	b = append(b, toHCPEResult(g.Result)|hcpeEndOf(g.End), opponent(g))
	for i := range g.Moves {
		m := &g.Moves[i]
		score, _ := g.ScoreOf(i)
		candidates := m.Candidates
		switch {
		case !m.Deep:
			candidates = nil
		case len(candidates) == 0:
			candidates = []Candidate{{m.Move, 1}}
		}
		b = binary.LittleEndian.AppendUint16(b, toAperyMove(m.Move))
		b = binary.LittleEndian.AppendUint16(b, uint16(score))
		b = binary.LittleEndian.AppendUint16(b, uint16(len(candidates)))
		most := uint32(0)
		for _, c := range candidates {
			most = max(most, c.Visits)
		}
		for _, c := range candidates {
			b = binary.LittleEndian.AppendUint16(b, toAperyMove(c.Move))
			b = binary.LittleEndian.AppendUint16(b, scaledVisits(c.Visits, most))
		}
	}
	return b, nil
}

// scaledVisits returns visits in 16 bits when most is the largest number among the move's candidates.
func scaledVisits(visits, most uint32) uint16 {
	if most <= math.MaxUint16 || visits == 0 {
		return uint16(visits)
	}
	return uint16(max(1, uint64(visits)*math.MaxUint16/uint64(most)))
}

func hcpeEndOf(e End) uint8 {
	switch e {
	case EndRepetition, EndPerpetualCheck:
		return hcpeRepetition
	case EndDeclaration:
		return hcpeDeclaration
	case EndMaxPlies:
		return hcpeMaxPlies
	}
	return 0
}

func opponent(g *Game) uint8 {
	switch {
	case g.Black.Outside && !g.White.Outside:
		return 1
	case g.White.Outside && !g.Black.Outside:
		return 2
	}
	return 0
}

// errLost is the error of a file in which the next game cannot be found.
var errLost = errors.New("the rest of the file cannot be read")

// readFull fills b. An error of the file itself, such as damaged compression, is errLost too: it would come again with each call.
func readFull(in io.Reader, b []byte) error {
	_, err := io.ReadFull(in, b)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	return err
}

// readHCPE3 reads a game. It is io.EOF at the end, io.ErrUnexpectedEOF in a game that is cut, errLost behind a number of candidates
// that cannot be and where the file itself is damaged. After other errors the next game can be read.
func readHCPE3(in io.Reader, g *Game) error {
	var head [hcpe3HeadSize]byte
	if err := readFull(in, head[:]); err != nil {
		return err
	}
	*g = Game{Black: Player{EvalCoef: HCPE3EvalCoef}, White: Player{EvalCoef: HCPE3EvalCoef}}
	var bad error
	for range binary.LittleEndian.Uint16(head[PackedSize:]) {
		m, err := readHCPE3Move(in)
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errLost) {
			return err
		}
		if err != nil && bad == nil {
			bad = fmt.Errorf("move %d: %w", len(g.Moves)+1, err)
		}
		g.Moves = append(g.Moves, m)
	}
	if bad != nil {
		return bad
	}
	if err := decodeHCPE3Head(&head, g); err != nil {
		return err
	}
	return g.Check()
}

func decodeHCPE3Head(head *[hcpe3HeadSize]byte, g *Game) error {
	setup, err := hcpCodec.unpack((*[PackedSize]byte)(head[:PackedSize]))
	if err != nil {
		return err
	}
	if g.Start, err = setup.Position(); err != nil {
		return err
	}
	result := head[PackedSize+2]
	if g.Result, err = fromHCPEResult(result &^ hcpeEnds); err != nil {
		return err
	}
	switch {
	case result&hcpeRepetition != 0 && g.Result == Drawn:
		g.End = EndRepetition
	case result&hcpeRepetition != 0:
		g.End = EndPerpetualCheck
	case result&hcpeDeclaration != 0:
		g.End = EndDeclaration
	case result&hcpeMaxPlies != 0:
		g.End = EndMaxPlies
	}
	switch other := head[PackedSize+3]; other {
	case 0:
	case 1:
		g.Black.Outside = true
	case 2:
		g.White.Outside = true
	default:
		return fmt.Errorf("hcpe3: opponent %d, want 0, 1 or 2", other)
	}
	return nil
}

// readHCPE3Move reads a move whole, also when it makes no sense.
func readHCPE3Move(in io.Reader) (m GameMove, bad error) {
	var b [hcpe3MoveSize]byte
	if err := readFull(in, b[:]); err != nil {
		return m, err
	}
	m.Move, bad = fromAperyMove(binary.LittleEndian.Uint16(b[:]))
	m.Known, m.Score = HasScore, int16(binary.LittleEndian.Uint16(b[2:]))
	n := int(binary.LittleEndian.Uint16(b[4:]))
	if n > shogi.MaxMoves {
		return m, fmt.Errorf("hcpe3: %d candidates: %w", n, errLost)
	}
	if n == 0 {
		return m, bad
	}
	m.Deep = true
	data := make([]byte, n*hcpe3CandidateSize)
	if err := readFull(in, data); err != nil {
		return m, err
	}
	m.Candidates = make([]Candidate, n)
	for i := range m.Candidates {
		c := data[i*hcpe3CandidateSize:]
		move, err := fromAperyMove(binary.LittleEndian.Uint16(c))
		if err != nil && bad == nil {
			bad = err
		}
		m.Candidates[i] = Candidate{move, uint32(binary.LittleEndian.Uint16(c[2:]))}
	}
	return m, bad
}
