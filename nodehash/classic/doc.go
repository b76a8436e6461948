// Package classic holds the hash tables of the textbooks, to the digit, so that yomi's own can be compared with them and
// what the textbooks say about them can be measured.
//
// # The book's table
//
// Book is the NodeHash of Tadao Yamaoka's book on shogi AI (python-dlshogi), with its mark-and-sweep deletion and the
// fault that comes with it. Package nodehash is what yomi uses instead.
//
// # The eleven functions
//
// A Function turns a key into a number by joining its elements one after the other, as in the Python game library
// easyAI. A Key is an integer, a string, bytes or a sequence of keys. A Hasher applies a function to keys:
//
//	h = before(key)
//	for each element e:   h = join(h, hash of e)      e is a code point, a byte, an integer or a nested key
//	h = after(key, h)                                 for the outermost key only
//	index = h mod buckets
//
// There are two kinds of Hasher. The faithful one does what easyAI's Python code does: integers have no bounds, shifts of
// negative numbers are arithmetic, and h is reduced modulo the number of buckets after every join, so that the state has
// only as many values as there are buckets. Keys that raise an exception there are errors here. The wide one computes
// as the functions were meant by their authors: in a machine word of 32 or 64 bits that wraps, reduced once at the end.
//
// # Tables
//
// Buckets keeps one entry a bucket and compares the full key, so that two keys in one bucket never answer for each
// other; the later one evicts the earlier one. It counts calls and «collisions» as easyAI does, and apart from them what
// really was lost (see Counters). Results maps positions to search results, over a Go map or over Buckets, and can be
// saved to a file.
package classic
