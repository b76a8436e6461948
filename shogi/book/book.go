package book

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/yomi-shogi/yomi/shogi"
)

// Format is a book's file format.
type Format uint8

// The formats.
const (
	DB2016 Format = iota
	Apery
)

// String returns "DB2016" or "Apery".
func (f Format) String() string {
	if f == Apery {
		return "Apery"
	}
	return "DB2016"
}

// Move is a move of a book.
type Move struct {
	Move shogi.Move
	// Ponder is the expected reply, MoveNone when the book does not tell.
	Ponder shogi.Move
	// HasValue says that Value is known.
	HasValue bool
	// Value is the move's value in centipawns for the side that makes it.
	Value int32
	// Depth is how deep the move was searched, in plies; 0 when that is not known.
	Depth int32
	// Count is how often the move was played, or another weight; 1 when the file does not tell.
	Count int64
}

// Entry is a position with its moves, best first.
type Entry struct {
	// Key is AperyKey in a book of Apery's format, otherwise shogi.Position.Key.
	Key uint64
	// SFEN is the position without its move number, "" where only the key is known.
	SFEN string
	// Ply is the least move number of the position, 0 where it is not known.
	Ply   int
	Moves []Move
}

// Book is a set of positions with their moves. Reading it is safe for several goroutines at a time.
type Book struct {
	format  Format
	entries []Entry
	index   map[uint64]int32
}

// New returns an empty book whose positions are known, as in DB2016.
func New() *Book { return &Book{index: make(map[uint64]int32)} }

// Format returns the format that the book was read from; DB2016 for one made by New.
func (b *Book) Format() Format { return b.format }

// Len returns the number of positions.
func (b *Book) Len() int { return len(b.entries) }

// Moves returns the number of moves, over all positions.
func (b *Book) Moves() int {
	n := 0
	for i := range b.entries {
		n += len(b.entries[i].Moves)
	}
	return n
}

// All walks through the positions in no particular order. The entries are the book's own; their moves may be changed,
// unless another goroutine reads the book.
func (b *Book) All() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for i := range b.entries {
			if !yield(&b.entries[i]) {
				return
			}
		}
	}
}

// Put stores the moves of a position, best first, in place of those that it had. The least move number stays. The book's
// positions must be known.
func (b *Book) Put(p *shogi.Position, moves []Move) {
	if b.format == Apery {
		panic("book: Put needs a book whose positions are known")
	}
	e := b.entry(p.Key())
	if e.SFEN == "" {
		e.SFEN, e.Ply = withoutPly(p), p.Ply()
	}
	e.Ply, e.Moves = min(e.Ply, p.Ply()), moves
}

// entry returns the entry with the key, a new empty one if there is none.
func (b *Book) entry(key uint64) *Entry {
	i, ok := b.index[key]
	if !ok {
		i = int32(len(b.entries))
		b.index[key] = i
		b.entries = append(b.entries, Entry{Key: key})
	}
	return &b.entries[i]
}

// Get returns the entry of the position, nil when there is none. It is the book's own.
func (b *Book) Get(p *shogi.Position) *Entry {
	if i, ok := b.index[b.key(p)]; ok {
		return &b.entries[i]
	}
	return nil
}

func (b *Book) key(p *shogi.Position) uint64 {
	if b.format == Apery {
		return AperyKey(p)
	}
	return p.Key()
}

// Found is what a book says of a position.
type Found struct {
	// Moves are the legal moves, best first.
	Moves []Move
	// Illegal are moves of the book that are against the rules in the position; they are not among Moves.
	Illegal []shogi.Move
	// Flipped says that the position was found with the board turned and the colours swapped. Moves are turned back.
	Flipped bool
}

// Find looks the position up, and where it is not there, if flip is set, the position turned with the colours swapped.
// False means that the book has no legal move.
func (b *Book) Find(p *shogi.Position, flip bool) (Found, bool) {
	var found Found
	e := b.Get(p)
	if e == nil && flip {
		if turned, ok := Flip(p); ok {
			e, found.Flipped = b.Get(&turned), true
		}
	}
	if e == nil {
		return Found{}, false
	}
	for _, m := range e.Moves {
		if found.Flipped {
			m.Move, m.Ponder = FlipMove(m.Move), FlipMove(m.Ponder)
		}
		if p.IsLegal(m.Move) {
			found.Moves = append(found.Moves, m)
		} else {
			found.Illegal = append(found.Illegal, m.Move)
		}
	}
	return found, len(found.Moves) > 0
}

// maxBytes is the largest file that is read. Its positions and moves take about twice as much memory.
const maxBytes = 2 << 30

// Open reads a book from a file, whose content tells the format. A *Faults error comes together with the book: its lines
// that make sense have been read.
func Open(path string) (*Book, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", path)
	case info.Size() > maxBytes:
		return nil, fmt.Errorf("%s has %d MB; a book may have %d", path, info.Size()>>20, maxBytes>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	b, err := Read(data)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return b, err
}

// Read reads a book of either format. A *Faults error comes together with the book: its lines that make sense have been read.
func Read(data []byte) (*Book, error) {
	switch {
	case bytes.HasPrefix(data, []byte("YANE-BINBOOK")):
		return nil, errors.New("this is a YBB book; only DB2016 and Apery's format are read")
	case looksLikeText(data):
		return ReadDB2016(bytes.NewReader(data))
	}
	return ReadApery(data)
}

// looksLikeText reports whether data begins like text. Entries of Apery's format have bytes below 32 in their counts and
// values.
func looksLikeText(data []byte) bool {
	const enough = 512
	data = data[:min(len(data), enough)]
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		cut := r == utf8.RuneError && size == 1 && len(data) < utf8.UTFMax
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == utf8.RuneError && size == 1 && !cut {
			return false
		}
		data = data[size:]
	}
	return true
}

// Faults is the error of a book of which some lines or entries make no sense and were left out.
type Faults struct {
	// First is the first fault, Count how many there are.
	First error
	Count int
}

// Error names the first fault and the number of the others.
func (f *Faults) Error() string {
	if f.Count == 1 {
		return f.First.Error()
	}
	return fmt.Sprintf("%v; and %d more like this", f.First, f.Count-1)
}

// Unwrap returns the first fault.
func (f *Faults) Unwrap() error { return f.First }

func (f *Faults) add(err error) {
	if f.Count == 0 {
		f.First = err
	}
	f.Count++
}

// asError returns nil when there is no fault.
func (f *Faults) asError() error {
	if f.Count == 0 {
		return nil
	}
	return f
}

// LineError says where and why a line of a book makes no sense.
type LineError struct {
	// Line is its number, from 1.
	Line int
	// Token is the text that makes no sense, "" where Reason names it. Reason says why.
	Token, Reason string
}

// Error returns the message in one line.
func (e *LineError) Error() string {
	if e.Token == "" {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return fmt.Sprintf("line %d: %q: %s", e.Line, e.Token, e.Reason)
}

// addMove appends a move unless it is there.
func (e *Entry) addMove(m Move) {
	if !slices.ContainsFunc(e.Moves, func(o Move) bool { return o.Move == m.Move }) {
		e.Moves = append(e.Moves, m)
	}
}
