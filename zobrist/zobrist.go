// Package zobrist holds the random numbers from which a position's 64-bit key is made.
//
// A position is a set of features, every feature has a random number of its own (its key), and the key of a position
// is the xor of the keys of its features. A move changes a few features, so it costs a few xors:
//
//	feature                          keys   contributes
//	(colour, kind, square)           2268   2 colours × 14 kinds × 81 squares; an empty square contributes nothing
//	(colour, kind in hand, count)      76   2 colours × (18 pawns + 4 lances + 4 knights + 4 silvers + 2 bishops + 2 rooks + 4 golds)
//	turn                                1   only when White is to move
//
// A hand is a thermometer: n pieces of a kind contribute the keys of the counts 1, 2 … n. To take the n-th piece into
// hand, or to drop it, is one xor with Hand(colour, kind, n).
//
// # Generator
//
// The keys are the successive outputs of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", 2014), started with Seed and drawn in the order of the table above: colour, then kind, then square;
// colour, then kind, then count; turn. SplitMix64 never gives the same number twice in a period of 2^64, so no two keys
// are equal. Seed and order are fixed for ever: saved trees and books hold keys.
//
// # Collisions
//
// Two different positions have the same key with probability 2^-64 each pair. For a table that is full of n positions:
//
//	n       pairs × 2^-64 = chance that the table holds a colliding pair
//	2^20    3.0e-8
//	2^22    4.8e-7
//	2^24    7.6e-6
//	2^26    1.2e-4
//	2^28    2.0e-3
//	2^30    3.1e-2
//
// One look-up that compares k stored keys goes wrong with probability k × 2^-64. The node table also compares turn and
// ply, which lowers these numbers further.
//
// Since an empty square contributes nothing, keys are only pairwise independent: the keys of the four positions with
// neither of two features, with the one, with the other and with both always xor to 0, whatever the random numbers.
// No search builds such a combination of four positions, and the odds above count pairs.
//
// A second set of keys, New(CheckSeed), serves to count real collisions: positions that agree in their key but differ
// in their check key. Only check modes and tests make it.
package zobrist

// Seed starts the generator of the keys that Piece, Hand and Turn return.
const Seed uint64 = 0x796f6d692d7a6f62 // "yomi-zob"

// CheckSeed starts the generator of the independent second keys of check modes.
const CheckSeed uint64 = 0x636865636b2d6b65 // "check-ke"

// Sizes of a key set.
const (
	NumPieceKeys = 2 * 14 * 81
	NumHandKeys  = 2 * (18 + 4 + 4 + 4 + 2 + 2 + 4)
	NumKeys      = NumPieceKeys + NumHandKeys + 1
)

const (
	kinds     = 14 // pawn 1 … dragon 14, in the numbers of shogi.PieceType
	handKinds = 7  // pawn 1 … gold 7
	squares   = 81
	maxCount  = 18
)

// handCount is how many pieces of a kind there are: pawn, lance, knight, silver, bishop, rook, gold.
var handCount = [handKinds + 1]uint8{0, 18, 4, 4, 4, 2, 2, 4}

// Keys is one set of random numbers. It is read-only once made, so goroutines may share it.
//
// The arrays have powers of two in their middle dimension so that an index needs no range check there; the rows that
// belong to no kind stay 0.
type Keys struct {
	piece [2][16][squares]uint64
	hand  [2][8][maxCount + 1]uint64
	turn  uint64
}

// New returns the keys that the generator gives from a seed. The same seed always gives the same keys.
func New(seed uint64) *Keys {
	k := new(Keys)
	g := splitMix64{state: seed}
	for color := range k.piece {
		for kind := 1; kind <= kinds; kind++ {
			for square := range k.piece[color][kind] {
				k.piece[color][kind][square] = g.next()
			}
		}
	}
	for color := range k.hand {
		for kind := 1; kind <= handKinds; kind++ {
			for count := 1; count <= int(handCount[kind]); count++ {
				k.hand[color][kind][count] = g.next()
			}
		}
	}
	k.turn = g.next()
	return k
}

// Piece returns the key of a piece on a square: colour 0 Black, 1 White; kind 1..14 in the numbers of
// shogi.PieceType; square 0..80. Kind 0, no piece, has the key 0.
func (k *Keys) Piece(color, kind, square uint8) uint64 {
	return k.piece[color&1][kind&15][square]
}

// Hand returns the key of the count-th piece of a kind in a hand: colour 0 Black, 1 White; kind 1..7, pawn to gold;
// count from 1 to the number of such pieces in a set. A hand of n pieces contributes the xor of the keys of 1..n.
// Counts that cannot occur, and count 0, have the key 0.
func (k *Keys) Hand(color, kind, count uint8) uint64 {
	return k.hand[color&1][kind&7][count]
}

// Turn returns the key that a position contains when White is to move.
func (k *Keys) Turn() uint64 { return k.turn }

// keys is the set behind Piece, Hand and Turn. Nothing writes to it after initialisation.
var keys = *New(Seed)

// Piece returns the key of a piece on a square from the set made with Seed; see Keys.Piece.
func Piece(color, kind, square uint8) uint64 {
	return keys.piece[color&1][kind&15][square]
}

// Hand returns the key of the count-th piece of a kind in a hand from the set made with Seed; see Keys.Hand.
func Hand(color, kind, count uint8) uint64 {
	return keys.hand[color&1][kind&7][count]
}

// Turn returns the key for White to move from the set made with Seed.
func Turn() uint64 { return keys.turn }
