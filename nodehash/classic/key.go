package classic

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Key is what a function hashes: an integer, a string, bytes, or a sequence of keys. The zero value is None, a key that
// no function takes.
type Key struct {
	kind  keyKind
	num   Num    // of integers
	text  string // of strings and bytes, and what to call a key of another type
	items []Key  // of sequences
}

type keyKind uint8

const (
	noneKey keyKind = iota
	intKey
	textKey
	bytesKey
	seqKey
	otherKey
)

// Int returns an integer key.
func Int(n int64) Key { return Key{kind: intKey, num: NumOf(n)} }

// BigInt returns an integer key of any size.
func BigInt(n *big.Int) Key { return Key{kind: intKey, num: numOfBig(new(big.Int).Set(n))} }

// Text returns a string key. Its elements are the code points.
func Text(s string) Key { return Key{kind: textKey, text: s} }

// Bytes returns a key whose elements are bytes (Python's bytes).
func Bytes(b []byte) Key { return Key{kind: bytesKey, text: string(b)} }

// Seq returns a sequence (Python's tuple). The slice must not be changed afterwards.
func Seq(items ...Key) Key { return Key{kind: seqKey, items: items} }

// Other returns a key of a type that no function takes, such as bool or float: hashing it is an error that names it.
// Two of them are equal if they are called the same.
func Other(name string) Key { return Key{kind: otherKey, text: name} }

// Equal reports whether two keys have the same type and the same elements.
func (k Key) Equal(other Key) bool {
	if k.kind != other.kind || k.text != other.text {
		return false
	}
	if k.kind == intKey {
		a, b := k.num, other.num
		if a.big == nil || b.big == nil {
			return a.big == b.big && a.small == b.small
		}
		return a.big.Cmp(b.big) == 0
	}
	return slices.EqualFunc(k.items, other.items, Key.Equal)
}

// String returns the key as a Python literal. Equal keys have equal texts, unequal keys unequal ones.
func (k Key) String() string { return string(k.append(nil)) }

func (k Key) append(to []byte) []byte {
	switch k.kind {
	case intKey:
		if k.num.big == nil {
			return strconv.AppendInt(to, k.num.small, 10)
		}
		return k.num.big.Append(to, 10)
	case textKey:
		return strconv.AppendQuote(to, k.text)
	case bytesKey:
		return strconv.AppendQuote(append(to, 'b'), k.text)
	case seqKey:
		to = append(to, '(')
		for i, item := range k.items {
			if i > 0 {
				to = append(to, ", "...)
			}
			to = item.append(to)
		}
		if len(k.items) == 1 {
			to = append(to, ',')
		}
		return append(to, ')')
	case otherKey:
		return strconv.AppendQuote(append(to, "object "...), k.text)
	}
	return append(to, "None"...)
}

// size returns the number of elements, for kinds that have any.
func (k Key) size() int {
	switch k.kind {
	case textKey:
		return utf8.RuneCountInString(k.text)
	case bytesKey:
		return len(k.text)
	}
	return len(k.items)
}

// The kinds of error that hashing a key can have, named as Python's exceptions.
const (
	TypeError  = "TypeError"  // the key, or a part of it, is of a type that the function cannot take
	ValueError = "ValueError" // the function itself is broken
)

// KeyError is the error of a key that a function cannot hash.
type KeyError struct {
	Kind string // TypeError or ValueError
	Key  Key    // the part of the key that is to blame
	Text string
}

// Error names the kind and the part of the key.
func (e *KeyError) Error() string {
	const shown = 40
	key := e.Key.String()
	if len(key) > shown {
		key = strings.ToValidUTF8(key[:shown], "") + "…"
	}
	return fmt.Sprintf("classic: %s: %s: %s", e.Kind, key, e.Text)
}
