package book

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/yomi-shogi/yomi/shogi"
)

// aperyEntrySize is the size of an entry in bytes: key 8, move 2, count 2, value 4.
const aperyEntrySize = 16

// aperyPieces is the number of piece numbers that have keys: 0 (no piece) to 30 (White's dragon), as shogi.Piece counts.
const aperyPieces = 31

// aperyKeys are the random numbers of Apery's keys.
type aperyKeys struct {
	piece [aperyPieces][shogi.NumSquares]uint64
	hand  [shogi.NumHandTypes][19]uint64 // by type and count
	turn  uint64
}

// aperyTable makes the random numbers at their first use.
var aperyTable = sync.OnceValue(func() *aperyKeys {
	random := newTwister()
	t := new(aperyKeys)
	for piece := range t.piece {
		for s := range t.piece[piece] {
			t.piece[piece][s] = random.next()
		}
	}
	order := [...]shogi.PieceType{shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Gold, shogi.Bishop, shogi.Rook}
	for _, kind := range order {
		for n := range t.hand[kind] {
			t.hand[kind][n] = random.next()
		}
	}
	t.turn = random.next()
	return t
})

// AperyKey returns the position's key in books of Apery's format: the xor of a number for each piece on its square, one for each
// kind in the hand of the side to move with its count (0 counts too), and one for White to move. The opponent's hand is no
// part of it: it follows from the rest of a full set.
//
// The numbers are the successive outputs of mt19937_64 with its default seed 5489, drawn for piece 0 to 30 on square 1a to
// 9i, then for pawn, lance, knight, silver, gold, bishop and rook in hand for the counts 0 to 18, then for the turn.
func AperyKey(p *shogi.Position) uint64 {
	t := aperyTable()
	var key uint64
	for occupied := p.Occupied(); !occupied.IsEmpty(); {
		s := occupied.PopFirst()
		key ^= t.piece[p.PieceAt(s)][s]
	}
	hand := p.Hand(p.Side())
	for kind := shogi.Pawn; kind <= shogi.Gold; kind++ {
		key ^= t.hand[kind][hand.Count(kind)]
	}
	if p.Side() == shogi.White {
		key ^= t.turn
	}
	return key
}

// Apery's move: to in bits 0-6, from in bits 7-13 (81 + type - 1 for a drop), promotion in bit 14.
const (
	aperySquareMask = 0x7f
	aperyFromShift  = 7
	aperyPromote    = 1 << 14
)

// fromAperyMove reads a move; false for one that cannot be.
func fromAperyMove(bits uint16) (shogi.Move, bool) {
	to, from := shogi.Square(bits&aperySquareMask), shogi.Square(bits>>aperyFromShift&aperySquareMask)
	promotes := bits&aperyPromote != 0
	switch {
	case bits > aperyPromote<<1-1 || to >= shogi.NumSquares || from == to:
		return shogi.MoveNone, false
	case from >= shogi.NumSquares:
		kind := shogi.PieceType(from-shogi.NumSquares) + shogi.Pawn
		return shogi.NewDrop(kind, to), kind <= shogi.Gold && !promotes
	case promotes:
		return shogi.NewPromotion(from, to), true
	}
	return shogi.NewMove(from, to), true
}

func toAperyMove(m shogi.Move) uint16 {
	switch {
	case m.IsDrop():
		return uint16(m.To()) | (shogi.NumSquares+uint16(m.DropType()-shogi.Pawn))<<aperyFromShift
	case m.IsPromotion():
		return uint16(m.To()) | uint16(m.From())<<aperyFromShift | aperyPromote
	}
	return uint16(m.To()) | uint16(m.From())<<aperyFromShift
}

// ReadApery reads a book in Apery's format. The moves of a position are put in the order of their counts, then of their
// values. Entries whose move cannot be are left out; the error is then a *Faults and comes together with the book.
func ReadApery(data []byte) (*Book, error) {
	if rest := len(data) % aperyEntrySize; rest != 0 {
		return nil, fmt.Errorf("neither text nor a book of Apery's format: %d bytes are %d more than whole entries of %d", len(data), rest, aperyEntrySize)
	}
	b := New()
	b.format = Apery
	var faults Faults
	for i := 0; i < len(data); i += aperyEntrySize {
		at := data[i : i+aperyEntrySize]
		bits := binary.LittleEndian.Uint16(at[8:])
		m, ok := fromAperyMove(bits)
		if !ok {
			faults.add(fmt.Errorf("entry %d: %#04x is no move", i/aperyEntrySize+1, bits))
			continue
		}
		b.entry(binary.LittleEndian.Uint64(at)).addMove(Move{
			Move: m, HasValue: true, Value: int32(binary.LittleEndian.Uint32(at[12:])), Count: int64(binary.LittleEndian.Uint16(at[10:])),
		})
	}
	for e := range b.All() {
		slices.SortStableFunc(e.Moves, func(x, y Move) int { return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(y.Value, x.Value)) })
	}
	return b, faults.asError()
}

// WriteApery writes the book in Apery's format. Counts above 65535 are scaled down together with the others of their position,
// where a move that was played keeps at least one; values that are not known become 0; replies and depths are lost.
func WriteApery(w io.Writer, b *Book) error {
	entries := make([]Entry, 0, len(b.entries))
	for e := range b.All() {
		key := e.Key
		if b.format != Apery {
			p, err := shogi.ParseSFEN(e.SFEN)
			if err != nil {
				return errors.New("a position of the book cannot be read: " + err.Error())
			}
			key = AperyKey(&p)
		}
		entries = append(entries, Entry{Key: key, Moves: e.Moves})
	}
	slices.SortFunc(entries, func(x, y Entry) int { return cmp.Compare(x.Key, y.Key) })
	out := bufio.NewWriter(w)
	for _, e := range entries {
		most := int64(0)
		for _, m := range e.Moves {
			most = max(most, m.Count)
		}
		for _, m := range e.Moves {
			var at [aperyEntrySize]byte
			binary.LittleEndian.PutUint64(at[:], e.Key)
			binary.LittleEndian.PutUint16(at[8:], toAperyMove(m.Move))
			binary.LittleEndian.PutUint16(at[10:], shortCount(m.Count, most))
			binary.LittleEndian.PutUint32(at[12:], uint32(m.Value))
			if _, err := out.Write(at[:]); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// shortCount brings a count into 16 bits, where most is the largest of its position.
func shortCount(count, most int64) uint16 {
	if most <= math.MaxUint16 || count == 0 {
		return uint16(count)
	}
	return uint16(max(1, math.Round(float64(count)/float64(most)*math.MaxUint16)))
}

// twister is the generator mt19937_64 (Nishimura and Matsumoto, 2004), as std::mt19937_64 of C++.
type twister struct {
	state [twisterWords]uint64
	taken int
}

const (
	twisterWords  = 312
	twisterMiddle = 156
	twisterSeed   = 5489
	twisterMatrix = 0xb5026f5aa96619e9
	twisterLow    = 1<<31 - 1
)

// newTwister returns the generator with its default seed.
func newTwister() *twister {
	t := &twister{taken: twisterWords}
	t.state[0] = twisterSeed
	for i := 1; i < twisterWords; i++ {
		t.state[i] = 6364136223846793005*(t.state[i-1]^t.state[i-1]>>62) + uint64(i)
	}
	return t
}

// next returns the next number.
func (t *twister) next() uint64 {
	if t.taken == twisterWords {
		for i := range t.state {
			x := t.state[i]&^twisterLow | t.state[(i+1)%twisterWords]&twisterLow
			mixed := t.state[(i+twisterMiddle)%twisterWords] ^ x>>1
			if x&1 != 0 {
				mixed ^= twisterMatrix
			}
			t.state[i] = mixed
		}
		t.taken = 0
	}
	x := t.state[t.taken]
	t.taken++
	x ^= x >> 29 & 0x5555555555555555
	x ^= x << 17 & 0x71d67fffeda60000
	x ^= x << 37 & 0xfff7eee000000000
	return x ^ x>>43
}
