package classic

// Counters says what happened to a Buckets table.
//
// easyAI has the first two only, and advises to judge a function by Collisions over Calls. That mixes three things:
// a lookup is a call but never a collision, storing a key again counts as a collision although nothing is lost, and
// only the rest are evictions.
type Counters struct {
	Calls      int64 // sets, gets and deletes (num_calls), also those that ended in an error
	Collisions int64 // sets that met a full bucket (num_collisions): Evictions + Restores
	Evictions  int64 // sets that threw out another key
	Restores   int64 // sets of the key that was there already
}

// Buckets is easyAI's DictTranspositionTable: one key and value a bucket, the full key compared, the newer one always
// kept. It is for one goroutine. The original also keeps a dictionary of all keys ever set, and answers from it whether
// a key is contained, even for evicted ones; that is left out.
type Buckets[V any] struct {
	hasher   *Hasher
	slots    []bucket[V]
	occupied int
	counters Counters
}

type bucket[V any] struct {
	used  bool
	key   Key
	value V
}

// NewBuckets returns an empty table with as many buckets as the hasher reduces to.
func NewBuckets[V any](h *Hasher) *Buckets[V] {
	return &Buckets[V]{hasher: h, slots: make([]bucket[V], h.Buckets())}
}

// Len returns the number of buckets.
func (b *Buckets[V]) Len() int { return len(b.slots) }

// Occupied returns the number of buckets that hold a key.
func (b *Buckets[V]) Occupied() int { return b.occupied }

// Counters returns what has happened so far.
func (b *Buckets[V]) Counters() Counters { return b.counters }

// Get returns the value of a key. The error is that of Hasher.Index.
func (b *Buckets[V]) Get(key Key) (value V, ok bool, err error) {
	s, err := b.slot(key)
	if err != nil || !s.used || !s.key.Equal(key) {
		return value, false, err
	}
	return s.value, true, nil
}

// Set stores a value under a key. What was in its bucket is lost.
func (b *Buckets[V]) Set(key Key, value V) error {
	s, err := b.slot(key)
	if err != nil {
		return err
	}
	switch {
	case !s.used:
		b.occupied++
	case s.key.Equal(key):
		b.counters.Collisions++
		b.counters.Restores++
	default:
		b.counters.Collisions++
		b.counters.Evictions++
	}
	*s = bucket[V]{true, key, value}
	return nil
}

// Delete empties the bucket of a key, whatever key is in it: like the original it does not compare.
func (b *Buckets[V]) Delete(key Key) error {
	s, err := b.slot(key)
	if err != nil {
		return err
	}
	if s.used {
		b.occupied--
	}
	*s = bucket[V]{}
	return nil
}

// All calls yield for every key and its value, in the order of the buckets, until it returns false.
func (b *Buckets[V]) All(yield func(Key, V) bool) {
	for i := range b.slots {
		if s := &b.slots[i]; s.used && !yield(s.key, s.value) {
			return
		}
	}
}

// Clear empties the table and sets the counters to zero.
func (b *Buckets[V]) Clear() {
	clear(b.slots)
	b.occupied = 0
	b.counters = Counters{}
}

func (b *Buckets[V]) slot(key Key) (*bucket[V], error) {
	b.counters.Calls++
	i, err := b.hasher.Index(key)
	if err != nil {
		return nil, err
	}
	return &b.slots[i], nil
}
