package classic

import "fmt"

// Bound says what a result's value means.
type Bound uint8

// The bounds of alpha-beta search.
const (
	Exact Bound = iota // the value itself
	Lower              // the value or more: the search was cut off above
	Upper              // the value or less: no move reached the window
)

// String returns the name.
func (b Bound) String() string {
	switch b {
	case Exact:
		return "EXACT"
	case Lower:
		return "LOWER"
	case Upper:
		return "UPPER"
	}
	return fmt.Sprintf("Bound(%d)", uint8(b))
}

// Result is what a search found out about a position.
type Result struct {
	Depth int32 // plies that were searched below the position
	Value int32 // in the unit of the search, for the side to move
	Bound Bound
	Best  uint32 // the best move, as a number that the game gives a meaning; 0 for none
}

// Results maps positions to results of searches: easyAI's TranspositionTable. A result always replaces the one before,
// even a deeper one. It is for one goroutine.
type Results struct {
	buckets *Buckets[Result] // or
	whole   map[string]stored
	text    []byte // scratch
}

type stored struct {
	key    Key
	result Result
}

// NewResults returns a table over a Go map, which grows with its contents and loses nothing.
func NewResults() *Results { return &Results{whole: make(map[string]stored)} }

// NewBucketResults returns a table over Buckets, which keeps its size and loses what is evicted.
func NewBucketResults(h *Hasher) *Results { return &Results{buckets: NewBuckets[Result](h)} }

// Lookup returns the result of a position. The error, over Buckets, is that of Hasher.Index.
func (r *Results) Lookup(key Key) (Result, bool, error) {
	if r.buckets != nil {
		return r.buckets.Get(key)
	}
	r.text = key.append(r.text[:0])
	s, ok := r.whole[string(r.text)]
	return s.result, ok, nil
}

// Store keeps the result of a position.
func (r *Results) Store(key Key, result Result) error {
	if r.buckets != nil {
		return r.buckets.Set(key, result)
	}
	r.text = key.append(r.text[:0])
	r.whole[string(r.text)] = stored{key, result}
	return nil
}

// Len returns the number of positions in the table.
func (r *Results) Len() int {
	if r.buckets != nil {
		return r.buckets.Occupied()
	}
	return len(r.whole)
}

// Counters returns what has happened to the buckets; all zero over a map.
func (r *Results) Counters() Counters {
	if r.buckets != nil {
		return r.buckets.Counters()
	}
	return Counters{}
}

// Usable says whether a result answers a search of the given depth in the window from alpha to beta, and if so with
// which value: deep enough, and exact or beyond the window on the side that it bounds.
func (x Result) Usable(depth, alpha, beta int32) (int32, bool) {
	if x.Depth < depth {
		return 0, false
	}
	switch {
	case x.Bound == Exact, x.Bound == Lower && x.Value >= beta, x.Bound == Upper && x.Value <= alpha:
		return x.Value, true
	}
	return 0, false
}
