package zobrist

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// all returns every key of a set in the order in which the generator drew them.
func all(k *Keys) []uint64 {
	var out []uint64
	for color := range uint8(2) {
		for kind := uint8(1); kind <= kinds; kind++ {
			for square := range uint8(squares) {
				out = append(out, k.Piece(color, kind, square))
			}
		}
	}
	for color := range uint8(2) {
		for kind := uint8(1); kind <= handKinds; kind++ {
			for count := uint8(1); count <= handCount[kind]; count++ {
				out = append(out, k.Hand(color, kind, count))
			}
		}
	}
	return append(out, k.Turn())
}

func TestSplitMix64KnownOutputs(t *testing.T) {
	g := splitMix64{state: 1234567}
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		require.Equal(t, want, g.next())
	}
}

func TestKeyCount(t *testing.T) {
	require.Equal(t, 2268, NumPieceKeys)
	require.Equal(t, 76, NumHandKeys)
	require.Equal(t, 2345, NumKeys)
	require.Len(t, all(New(Seed)), NumKeys)
}

func TestUnusedEntriesAreZero(t *testing.T) {
	nonZero := 0
	for color := range uint8(2) {
		for kind := range uint8(16) {
			for square := range uint8(squares) {
				if Piece(color, kind, square) != 0 {
					nonZero++
				}
			}
		}
		for kind := range uint8(8) {
			for count := range uint8(maxCount + 1) {
				if Hand(color, kind, count) != 0 {
					nonZero++
				}
			}
		}
	}
	require.Equal(t, NumPieceKeys+NumHandKeys, nonZero)
}

func TestPackageFunctionsAreTheDefaultSet(t *testing.T) {
	k := New(Seed)
	require.Equal(t, *k, keys)
	require.Equal(t, k.Piece(1, 14, 80), Piece(1, 14, 80))
	require.Equal(t, k.Hand(0, 1, 18), Hand(0, 1, 18))
	require.Equal(t, k.Turn(), Turn())
}

func TestSquareOutOfRangePanics(t *testing.T) {
	square := uint8(squares)
	require.Panics(t, func() { Piece(0, 1, square) })
}

// TestPinnedKeys fails when generator, seed or order changes: saved trees and books would no longer match.
func TestPinnedKeys(t *testing.T) {
	require.Equal(t, uint64(0x207fcc2598cd4c16), Piece(0, 1, 0))
	require.Equal(t, uint64(0x475abc5fefc39562), Piece(0, 8, 44))
	require.Equal(t, uint64(0xf890f42307786ab4), Piece(1, 14, 80))
	require.Equal(t, uint64(0x39db8fa4e1e5dd4d), Hand(0, 1, 1))
	require.Equal(t, uint64(0xc941ce806d9411b9), Hand(1, 7, 4))
	require.Equal(t, uint64(0x66865c2dff00b58c), Turn())
	sum := uint64(0)
	for _, key := range all(New(Seed)) {
		sum = bits.RotateLeft64(sum, 1) ^ key
	}
	require.Equal(t, uint64(0xbe8396be671ae2f6), sum, "all keys in order")
	require.Equal(t, uint64(0x34c3494e71828045), New(CheckSeed).Piece(0, 1, 0))
}

func TestKeysAreDistinct(t *testing.T) {
	both := append(all(New(Seed)), all(New(CheckSeed))...)
	seen := make(map[uint64]int, len(both))
	for i, key := range both {
		require.NotZero(t, key)
		j, dup := seen[key]
		require.False(t, dup, "keys %d and %d are equal", i, j)
		seen[key] = i
	}
}

// TestNoFourKeysCancel shows that positions which differ in up to four features never have the same key: no two, three
// or four keys xor to 0. Equal sums of two different pairs would be four keys that cancel, a pair whose sum is a key
// would be three.
func TestNoFourKeysCancel(t *testing.T) {
	ks := all(New(Seed))
	sums := slices.Clone(ks)
	for i, a := range ks {
		for _, b := range ks[:i] {
			sums = append(sums, a^b)
		}
	}
	slices.Sort(sums)
	require.Len(t, sums, NumKeys+NumKeys*(NumKeys-1)/2)
	require.NotZero(t, sums[0])
	require.Len(t, slices.Compact(sums), NumKeys+NumKeys*(NumKeys-1)/2)
}

// TestRank shows that the keys, also those of one square or of one hand with the turn, use their 64 bits fully.
func TestRank(t *testing.T) {
	require.Equal(t, 64, rank(all(New(Seed))))
	require.Equal(t, 64, rank(all(New(CheckSeed))))
	for square := range uint8(squares) {
		var one []uint64
		for color := range uint8(2) {
			for kind := uint8(1); kind <= kinds; kind++ {
				one = append(one, Piece(color, kind, square))
			}
		}
		require.Equal(t, len(one), rank(one), "square %d", square)
	}
	hand := []uint64{Turn()}
	for kind := uint8(1); kind <= handKinds; kind++ {
		for count := uint8(1); count <= handCount[kind]; count++ {
			hand = append(hand, Hand(0, kind, count))
		}
	}
	require.Equal(t, len(hand), rank(hand))
}

// rank returns the dimension of the space that the keys span over bits (Gaussian elimination).
func rank(ks []uint64) int {
	var basis [64]uint64
	n := 0
	for _, key := range ks {
		for key != 0 {
			top := bits.Len64(key) - 1
			if basis[top] == 0 {
				basis[top] = key
				n++
				break
			}
			key ^= basis[top]
		}
	}
	return n
}

// TestOnlyPairwiseIndependent shows what an empty square that contributes nothing costs: for any random numbers, the
// keys of the positions {}, {A}, {B}, {A, B} xor to 0, so four keys are never independent, while two of them collide
// only by chance.
func TestOnlyPairwiseIndependent(t *testing.T) {
	for seed := range uint64(1000) {
		k := New(seed)
		a, b := k.Piece(0, 1, uint8(seed%81)), k.Piece(1, 6, uint8((seed*7+1)%81))
		positions := []uint64{0, a, b, a ^ b}
		require.Zero(t, positions[0]^positions[1]^positions[2]^positions[3])
		slices.Sort(positions)
		require.Len(t, slices.Compact(positions), 4, "two of the four positions collide")
	}
}

// TestRectanglesCancel shows the fact that holds for every Zobrist key: with two choices on one square and two on
// another, the keys of the four positions xor to 0. Three of them never do here.
func TestRectanglesCancel(t *testing.T) {
	rest := Turn() ^ Hand(0, 1, 1)
	at := func(left, right uint8) uint64 { return rest ^ Piece(0, left, 3) ^ Piece(1, right, 50) }
	require.Zero(t, at(1, 2)^at(1, 5)^at(4, 2)^at(4, 5))
	require.NotZero(t, at(1, 2)^at(1, 5)^at(4, 2))
}

// TestPairCollisionsAreUniform checks pairwise independence where it can be seen: over many seeds the xor of two keys,
// cut to 8 bits, takes all 256 values equally often (chi squared, 255 degrees of freedom; 330.5 is the 0.1 % limit).
func TestPairCollisionsAreUniform(t *testing.T) {
	const draws = 4096
	for shift := 0; shift < 64; shift += 8 {
		var count [256]int
		for seed := range uint64(draws) {
			k := New(seed)
			count[uint8((k.Piece(0, 1, 0)^k.Hand(1, 1, 1))>>shift)]++
		}
		chi := 0.0
		for _, c := range count {
			d := float64(c) - draws/256
			chi += d * d / (draws / 256)
		}
		require.Less(t, chi, 330.5, "bits %d to %d", shift, shift+7)
	}
}

// TestBitBalance checks that each bit is set in about half of the keys; five standard deviations are allowed.
func TestBitBalance(t *testing.T) {
	for _, seed := range []uint64{Seed, CheckSeed} {
		var ones [64]int
		for _, key := range all(New(seed)) {
			for b := range ones {
				ones[b] += int(key >> b & 1)
			}
		}
		for b, n := range ones {
			require.InDelta(t, NumKeys/2.0, n, 5*24.2, "bit %d", b)
		}
	}
}

// TestThermometer shows that taking pieces into hand one by one gives the key of the whole hand.
func TestThermometer(t *testing.T) {
	seen := map[uint64]bool{0: true}
	key := uint64(0)
	for count := uint8(1); count <= 18; count++ {
		key ^= Hand(1, 1, count)
		require.False(t, seen[key], "a hand of %d pawns", count)
		seen[key] = true
	}
	for count := uint8(18); count >= 1; count-- {
		key ^= Hand(1, 1, count)
	}
	require.Zero(t, key)
}
