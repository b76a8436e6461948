package hashlab

import (
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/nodehash/classic"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// GameTable makes a textbook table the transposition table of an alpha-beta search. A textbook table is asked by the whole
// position, not by a 64-bit key, so the GameTable looks at the game that is being searched.
type GameTable[M comparable] struct {
	Results *classic.Results
	// Key returns the game's position as a key of the table.
	Key func() classic.Key
	// Number and Move turn moves into numbers and back; 0 is no move.
	Number func(m M) uint32
	Move   func(number uint32) M
	// Err is the first error of the table's function.
	Err error

	seen map[string]classic.Key // every position ever stored
}

// The bounds of both packages are the same numbers.
var (
	_ alphabeta.Table[int] = (*GameTable[int])(nil)
	_                      = [1]int{}[int(classic.Lower)-int(search.LowerBound)]
	_                      = [1]int{}[int(classic.Upper)-int(search.UpperBound)]
)

// Probe returns the entry of the game's position.
func (t *GameTable[M]) Probe(uint64) (alphabeta.Entry[M], bool) {
	r, ok, err := t.Results.Lookup(t.Key())
	t.note(err)
	if !ok || err != nil {
		return alphabeta.Entry[M]{}, false
	}
	return alphabeta.Entry[M]{Move: t.Move(r.Best), Value: int(r.Value), Bound: search.Bound(r.Bound), Depth: int(r.Depth)}, true
}

// Store keeps an entry for the game's position. What was in its bucket is lost.
func (t *GameTable[M]) Store(_ uint64, e alphabeta.Entry[M]) {
	key := t.Key()
	best := t.Number(e.Move)
	if best == 0 {
		if before, ok, _ := t.Results.Lookup(key); ok {
			best = before.Best
		}
	}
	err := t.Results.Store(key, classic.Result{Depth: int32(e.Depth), Value: int32(e.Value), Bound: classic.Bound(e.Bound), Best: best})
	t.note(err)
	if err == nil {
		if t.seen == nil {
			t.seen = make(map[string]classic.Key)
		}
		t.seen[key.String()] = key
	}
}

func (t *GameTable[M]) note(err error) {
	if t.Err == nil {
		t.Err = err
	}
}

// NewSearch does nothing: textbook tables do not age.
func (t *GameTable[M]) NewSearch() {}

// Full returns 0: textbook tables do not say.
func (t *GameTable[M]) Full() int { return 0 }

// Clear forgets nothing: the table may hold what was loaded from a file.
func (t *GameTable[M]) Clear() {}

// Different returns how many different positions were stored.
func (t *GameTable[M]) Different() int { return len(t.seen) }
