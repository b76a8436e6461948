package hashlab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/nodehash/classic"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/zobrist"
)

// A position as the textbook functions see it: its squares in index order (0 empty, the piece otherwise), the counts in
// both hands, pawn to gold, and the side to move.
const (
	handCells = shogi.NumHandTypes - 1
	Cells     = shogi.NumSquares + 2*handCells + 1
)

// Set is a stream of positions and its different ones. The zero value is an empty set.
type Set struct {
	// Source says where the positions are from.
	Source string
	// Bad is the number of records that could not be read.
	Bad int

	stream     []int32 // the different positions, in the order in which they came
	cells      []byte  // Cells bytes each
	text       []classic.Key
	keys       []uint64 // Zobrist
	plies      []uint16
	first      map[uint64]int32 // by Zobrist key
	collisions int
}

// Stream returns the number of positions, Len that of different ones.
func (s *Set) Stream() int { return len(s.stream) }

// Len returns the number of different positions.
func (s *Set) Len() int { return len(s.keys) }

// Collisions returns the number of positions that have the whole 64-bit key of a different one.
func (s *Set) Collisions() int { return s.collisions }

// cellsOf returns the bytes of a different position.
func (s *Set) cellsOf(i int) []byte { return s.cells[i*Cells : (i+1)*Cells] }

// Add adds a position to the stream.
func (s *Set) Add(p *shogi.Position) {
	if s.first == nil {
		s.first = make(map[uint64]int32)
	}
	var cells [Cells]byte
	fill(&cells, p)
	if i, known := s.first[p.Key()]; known {
		if [Cells]byte(s.cellsOf(int(i))) == cells {
			s.stream = append(s.stream, i)
			return
		}
		s.collisions++
	} else {
		s.first[p.Key()] = int32(len(s.keys))
	}
	s.stream = append(s.stream, int32(len(s.keys)))
	s.cells = append(s.cells, cells[:]...)
	s.text = append(s.text, classic.Bytes(cells[:]))
	s.keys = append(s.keys, p.Key())
	s.plies = append(s.plies, uint16(p.Ply()))
}

// fill writes a position's cells.
func fill(cells *[Cells]byte, p *shogi.Position) {
	for sq := range shogi.Square(shogi.NumSquares) {
		cells[sq] = byte(p.PieceAt(sq))
	}
	n := shogi.NumSquares
	for _, c := range []shogi.Color{shogi.Black, shogi.White} {
		for t := shogi.Pawn; t <= handCells; t++ {
			cells[n] = byte(p.Hand(c).Count(t))
			n++
		}
	}
	cells[n] = byte(p.Side())
}

// zobristOf returns the Zobrist key of cells, made from scratch.
func zobristOf(cells []byte) uint64 {
	key := uint64(0)
	for sq, c := range cells[:shogi.NumSquares] {
		if piece := shogi.Piece(c); piece != shogi.Empty {
			key ^= zobrist.Piece(uint8(piece.Color()), uint8(piece.Type()), uint8(sq))
		}
	}
	for i, count := range cells[shogi.NumSquares : Cells-1] {
		for n := uint8(1); n <= count; n++ {
			key ^= zobrist.Hand(uint8(i/handCells), uint8(i%handCells)+uint8(shogi.Pawn), n)
		}
	}
	if cells[Cells-1] != 0 {
		key ^= zobrist.Turn()
	}
	return key
}

// ReadRecords reads positions from record files (.psv, .hcpe, also .zst), at most limit different ones; 0 means all.
// Records that make no sense are counted. report is called now and then with the number read.
func ReadRecords(ctx context.Context, paths []string, limit int, report func(positions int)) (*Set, error) {
	s := &Set{Source: fmt.Sprintf("record files: %d", len(paths))}
	for _, path := range paths {
		if err := s.readFile(ctx, path, limit, report); err != nil {
			return nil, err
		}
	}
	if s.Len() == 0 {
		return nil, errors.New("there are no positions in the records")
	}
	return s, nil
}

// reportEvery is how many positions are read between two reports.
const reportEvery = 1 << 12

func (s *Set) readFile(ctx context.Context, path string, limit int, report func(int)) error {
	r, err := record.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	for limit == 0 || s.Len() < limit {
		if s.Stream()%reportEvery == 0 {
			report(s.Len())
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		sample, err := r.Next()
		var bad *record.BadRecord
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
			s.Bad++
			continue
		case err != nil:
			return err
		}
		s.Add(&sample.Position)
	}
	return nil
}

// RandomGames returns positions of games with random legal moves, count different ones. They are a stand-in where there
// are no records: less alike than positions of real games.
func RandomGames(ctx context.Context, count int, seed uint64, report func(positions int)) (*Set, error) {
	const longest = 200
	s := &Set{Source: fmt.Sprint("random games, seed ", seed)}
	random := rand.New(rand.NewPCG(seed, 0))
	moves := make([]shogi.Move, 0, shogi.MaxMoves)
	for s.Len() < count {
		report(s.Len())
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := shogi.StartPosition()
		for range longest {
			s.Add(&p)
			if moves = p.AppendLegal(moves[:0]); len(moves) == 0 || s.Len() == count {
				break
			}
			p.Do(moves[random.IntN(len(moves))])
		}
	}
	return s, nil
}
