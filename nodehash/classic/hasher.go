package classic

import (
	"fmt"
	"math"
)

// MaxBuckets is the largest number of buckets, 2^31.
const MaxBuckets = 1 << 31

// Hasher applies a function to keys. It may be shared by goroutines if the function may; those of NewFunction may.
type Hasher struct {
	function Function
	fast     *builtin // the function, if it has fast forms
	broken   string
	bits     uint8 // 0 in faithful mode, else the word's width
	buckets  int64
}

// NewFaithful returns a hasher that computes as easyAI's Python code: with integers without bounds, reduced modulo the
// number of buckets (1 to MaxBuckets) after every join.
func NewFaithful(f Function, buckets int) (*Hasher, error) { return newHasher(f, 0, buckets) }

// NewWide returns a hasher that computes in words of 32 or 64 bits and reduces modulo the number of buckets (1 to
// MaxBuckets) only at the end.
func NewWide(f Function, bits, buckets int) (*Hasher, error) {
	if bits != 32 && bits != 64 {
		return nil, fmt.Errorf("classic: a state of %d bits is neither 32 nor 64", bits)
	}
	return newHasher(f, uint8(bits), buckets)
}

func newHasher(f Function, bits uint8, buckets int) (*Hasher, error) {
	if buckets < 1 || buckets > MaxBuckets {
		return nil, fmt.Errorf("classic: %d buckets are not from 1 to %d", buckets, MaxBuckets)
	}
	h := &Hasher{function: f, bits: bits, buckets: int64(buckets)}
	if b, ok := f.(*builtin); ok {
		h.broken = b.broken
		if b.small != nil {
			h.fast = b
		}
	}
	return h, nil
}

// Buckets returns the number of buckets.
func (h *Hasher) Buckets() int { return int(h.buckets) }

// Hash returns a key's hash before the last reduction (easyAI's get_hash). In faithful mode it may be negative or of any
// size: integers are their own hash, and some functions end with a step that is not reduced. The error is a *KeyError.
func (h *Hasher) Hash(key Key) (Num, error) {
	if j, ok := h.function.(jenkins); ok {
		return j.hash(key, h.bits)
	}
	return h.walk(key, true)
}

// Index returns a key's bucket.
func (h *Hasher) Index(key Key) (int, error) {
	n, err := h.Hash(key)
	if err != nil {
		return 0, err
	}
	return int(n.Mod(h.buckets).small), nil
}

func notIterable(key Key) error {
	return &KeyError{TypeError, key, "neither a number nor a sequence of elements"}
}

// walk hashes a key and the keys nested in it.
func (h *Hasher) walk(key Key, outermost bool) (Num, error) {
	switch {
	case key.kind == intKey:
		return h.fit(key.num), nil
	case key.kind == textKey && key.size() <= 1:
		for _, r := range key.text {
			return h.fit(NumOf(int64(r))), nil
		}
		return Num{}, &KeyError{TypeError, key, "an empty string has no code point"}
	case key.kind == noneKey || key.kind == otherKey:
		return Num{}, notIterable(key)
	}
	state := h.fit(h.function.Before(key))
	state, err := h.joinAll(state, key)
	if err != nil {
		return Num{}, err
	}
	if outermost {
		state = h.fit(h.function.After(key, state))
	}
	return state, nil
}

// joinAll joins the elements of a key to a state.
func (h *Hasher) joinAll(state Num, key Key) (Num, error) {
	if h.broken != "" && key.kind != seqKey && key.size() > 0 {
		return Num{}, &KeyError{ValueError, key, h.broken}
	}
	switch key.kind {
	case textKey:
		for _, r := range key.text {
			state = h.join(state, NumOf(int64(r)))
		}
	case bytesKey:
		return h.joinBytes(state, key.text), nil
	case seqKey:
		for _, item := range key.items {
			element, err := h.walk(item, false)
			if err != nil {
				return Num{}, err
			}
			if h.broken != "" {
				return Num{}, &KeyError{ValueError, item, h.broken}
			}
			state = h.join(state, element)
		}
	}
	return state, nil
}

// fit makes a number a word in wide mode.
func (h *Hasher) fit(n Num) Num {
	if h.bits == n.bits {
		return n
	}
	return n.word(h.bits)
}

// smallElement is the largest size of an element that the fast forms for integers take.
const smallElement = math.MaxUint32

// join joins one element. The state of a built-in function is at most 2^33 in faithful mode: below the number of
// buckets, or what Before returns.
func (h *Hasher) join(state, element Num) Num {
	f := h.fast
	switch {
	case f == nil:
		state = h.fit(h.function.Join(state, h.fit(element)))
		if h.bits == 0 {
			state = state.Mod(h.buckets)
		}
		return state
	case h.bits == 32:
		return Num{small: int64(f.word32(uint32(state.small), uint32(element.small))), bits: 32}
	case h.bits == 64:
		return Num{small: int64(f.word64(uint64(state.small), uint64(element.small))), bits: 64}
	case element.big == nil && element.small <= smallElement && element.small >= -smallElement:
		return Num{small: floorMod(f.small(state.small, element.small), h.buckets)}
	}
	return f.join(state, element).Mod(h.buckets)
}

// joinBytes is join for each byte of the text.
func (h *Hasher) joinBytes(state Num, text string) Num {
	f := h.fast
	switch {
	case f == nil:
		for i := range len(text) {
			state = h.join(state, NumOf(int64(text[i])))
		}
	case h.bits == 32:
		s := uint32(state.small)
		for i := range len(text) {
			s = f.word32(s, uint32(text[i]))
		}
		state.small = int64(s)
	case h.bits == 64:
		s := uint64(state.small)
		for i := range len(text) {
			s = f.word64(s, uint64(text[i]))
		}
		state.small = int64(s)
	default:
		s := state.small
		for i := range len(text) {
			s = floorMod(f.small(s, int64(text[i])), h.buckets)
		}
		state.small = s
	}
	return state
}
