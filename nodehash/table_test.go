package nodehash

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func newTable(t testing.TB, capacity int, opts ...Option) *Table[int64] {
	table, err := New[int64](capacity, opts...)
	require.NoError(t, err)
	return table
}

// homed returns the n-th of the keys that have the given home in every table of up to 2^16 slots.
func homed(home, n int) Key { return Key{Hash: uint64(home) | uint64(n)<<48, Moves: 1} }

// insert claims a new slot for a key and returns it.
func insert(t testing.TB, table *Table[int64], key Key) int {
	i, isNew, ok := table.FindOrClaim(key)
	require.True(t, ok)
	require.True(t, isNew)
	return i
}

// requireFound checks the invariant, for a table without duplicates: each used slot is found by its key.
func requireFound(t testing.TB, table *Table[int64]) {
	used := 0
	for i := range table.Cap() {
		e := table.Entry(i)
		if !e.Used {
			if e != (Entry{}) {
				require.Fail(t, "an unused slot shows a key", "slot %d: %+v", i, e)
			}
			continue
		}
		used++
		if found, ok := table.FindSameHashIndex(Key{e.Hash, e.Turn, e.Moves}); !ok || found != i {
			require.Fail(t, "a used slot is not found by its key", "slot %d: %+v: found %d", i, e, found)
		}
	}
	require.Equal(t, used, table.Used())
}

func TestNewRefusesOtherCapacities(t *testing.T) {
	for _, capacity := range []int{0, -1, -4, 3, 6, 4095, 4097, math.MinInt, math.MaxInt} {
		table, err := New[int64](capacity)
		require.Nil(t, table)
		require.ErrorContains(t, err, "power of two", "capacity %d", capacity)
	}
	for _, capacity := range []int{1, 2, 4, 4096, 1 << 16} {
		require.Equal(t, capacity, newTable(t, capacity).Cap())
	}
}

func TestSizes(t *testing.T) {
	require.EqualValues(t, KeyBytes, unsafe.Sizeof(slot{}))
}

func TestHashToIndex(t *testing.T) {
	table := newTable(t, 4096)
	for hash, want := range map[uint64]int{
		0:                  0,
		4095:               4095,
		4096:               0,
		1 << 32:            1,
		1<<32 | 1:          0,
		0xffffffffffffffff: 0,
		0xfff00000000:      0xfff,
		0xabc0edac16205773: 2783,
		0x133822128f2b4848: 2650,
	} {
		require.Equal(t, want, table.HashToIndex(hash), "%#x", hash)
	}
	require.Equal(t, 0, newTable(t, 1).HashToIndex(0x1234567890abcdef))
}

func TestWrapAround(t *testing.T) {
	table := newTable(t, 8)
	require.Equal(t, 7, insert(t, table, homed(7, 0)))
	require.Equal(t, 0, insert(t, table, homed(7, 1)))
	require.Equal(t, 1, insert(t, table, homed(7, 2)))
	require.Equal(t, 2, insert(t, table, homed(0, 3)))
	requireFound(t, table)
	i, ok := table.FindSameHashIndex(homed(7, 4))
	require.False(t, ok)
	require.Equal(t, 8, i)
}

func TestFullTable(t *testing.T) {
	for _, capacity := range []int{1, 2, 16} {
		table := newTable(t, capacity)
		for n := range capacity {
			insert(t, table, homed(capacity-1, n))
		}
		require.Equal(t, capacity, table.Used())
		requireFound(t, table)

		i, isNew, ok := table.FindOrClaim(homed(0, capacity))
		require.False(t, ok)
		require.False(t, isNew)
		require.Equal(t, capacity, i)
		i, ok = table.SearchEmptyIndex(homed(0, capacity))
		require.False(t, ok)
		require.Equal(t, capacity, i)
		i, ok = table.FindSameHashIndex(homed(0, capacity))
		require.False(t, ok)
		require.Equal(t, capacity, i)
		require.Equal(t, capacity, table.Used())

		i, isNew, ok = table.FindOrClaim(homed(capacity-1, capacity-1))
		require.True(t, ok)
		require.False(t, isNew)
		require.True(t, table.Holds(i, homed(capacity-1, capacity-1)))
	}
}

func TestProbeLimit(t *testing.T) {
	table := newTable(t, 2*MaxProbe)
	for n := range MaxProbe {
		require.Equal(t, n, insert(t, table, homed(n, n)))
	}
	_, _, ok := table.FindOrClaim(homed(0, MaxProbe))
	require.False(t, ok)
	_, ok = table.SearchEmptyIndex(homed(0, MaxProbe))
	require.False(t, ok)
	require.Equal(t, MaxProbe, insert(t, table, homed(1, MaxProbe)))
	requireFound(t, table)
}

func TestSameHashOtherTurnOrMoves(t *testing.T) {
	table := newTable(t, 8)
	keys := []Key{{5, 0, 1}, {5, 1, 1}, {5, 0, 2}, {5, 0, 65535}, {5, 1, 0}}
	for n, key := range keys {
		require.Equal(t, (5+n)%8, insert(t, table, key))
	}
	for n, key := range keys {
		i, isNew, ok := table.FindOrClaim(key)
		require.True(t, ok && !isNew)
		require.Equal(t, (5+n)%8, i)
		require.Equal(t, Entry{key.Hash, key.Turn, key.Moves, true}, table.Entry(i))
	}
	for _, key := range []Key{{5, 1, 2}, {5, 0, 0}, {5, 0, 257}, {5 | 1<<63, 0, 1}} {
		_, ok := table.FindSameHashIndex(key)
		require.False(t, ok, "%+v", key)
	}
}

func TestZeroKeyIsAKey(t *testing.T) {
	table := newTable(t, 4)
	_, ok := table.FindSameHashIndex(Key{})
	require.False(t, ok)
	require.False(t, table.Holds(0, Key{}))
	require.Equal(t, 0, insert(t, table, Key{}))
	requireFound(t, table)
}

func TestSearchEmptyIndexStoresDuplicates(t *testing.T) {
	table := newTable(t, 8)
	first, ok := table.SearchEmptyIndex(homed(6, 0))
	require.True(t, ok)
	second, ok := table.SearchEmptyIndex(homed(6, 0))
	require.True(t, ok)
	require.Equal(t, []int{6, 7}, []int{first, second})
	require.Equal(t, 2, table.Used())
	i, _ := table.FindSameHashIndex(homed(6, 0))
	require.Equal(t, first, i)
	require.True(t, table.Free(first))
	i, ok = table.FindSameHashIndex(homed(6, 0))
	require.True(t, ok, "the second one is found when the first is gone")
	require.Equal(t, second, i)
	i, ok = table.SearchEmptyIndex(homed(6, 1))
	require.True(t, ok)
	require.Equal(t, first, i, "the first free slot is taken, deleted or empty")
	requireFound(t, table)
	require.Zero(t, table.Stats().Deleted)
}

func TestFreeKeepsLaterEntriesFound(t *testing.T) {
	table := newTable(t, 8)
	for n := range 4 {
		insert(t, table, homed(6, n)) // slots 6, 7, 0, 1
	}
	require.True(t, table.Free(7))
	require.False(t, table.Free(7), "already free")
	require.False(t, table.Free(3), "never used")
	require.Equal(t, 3, table.Used())
	require.Equal(t, 1, table.Stats().Deleted)
	requireFound(t, table)
	_, ok := table.FindSameHashIndex(homed(6, 1))
	require.False(t, ok)

	i, isNew, ok := table.FindOrClaim(homed(6, 3))
	require.True(t, ok && !isNew, "it is behind a deleted slot")
	require.Equal(t, 1, i)
	require.Equal(t, 7, insert(t, table, homed(6, 9)), "a new key takes the deleted slot")
	require.Zero(t, table.Stats().Deleted)
	requireFound(t, table)
}

func TestFreeBackwardPass(t *testing.T) {
	table := newTable(t, 8)
	for n := range 4 {
		insert(t, table, homed(6, n)) // slots 6, 7, 0, 1
	}
	table.Free(7)
	table.Free(0)
	require.Equal(t, 2, table.Stats().Deleted)
	table.Free(1)
	require.Zero(t, table.Stats().Deleted, "the whole run before the empty slot 2 is empty")
	requireFound(t, table)
	table.Free(6)
	require.Equal(t, Stats{Cap: 8}, table.Stats())
}

func TestFreeInAFullTableOfDeletedSlots(t *testing.T) {
	table := newTable(t, 4)
	for n := range 4 {
		insert(t, table, homed(1, n))
	}
	for i := range 4 {
		table.Free(i)
	}
	require.Equal(t, 4, table.Stats().Deleted)
	_, ok := table.FindSameHashIndex(homed(1, 0))
	require.False(t, ok, "a full round over deleted slots ends")
	require.Equal(t, 1, insert(t, table, homed(1, 7)), "the gate of a table without empty slots")
	require.Equal(t, 3, table.Sweep(0, 4))
	require.Equal(t, 1, table.Used())
	requireFound(t, table)
}

func TestSweepKeepsWhatIsNeeded(t *testing.T) {
	table := newTable(t, 16)
	for home, keys := range map[int]int{14: 5, 5: 2} {
		for n := range keys {
			insert(t, table, homed(home, n)) // slots 14, 15, 0, 1, 2 and 5, 6
		}
	}
	insert(t, table, homed(1, 9)) // slot 3, needs 1 and 2
	table.Free(14)
	table.Free(15)
	table.Free(2)
	require.Zero(t, table.Sweep(0, 16), "slot 1 needs 14 and 15, slot 3 needs 2")
	table.Free(1)
	table.Free(0)
	require.Equal(t, 3, table.Sweep(8, 16), "14, 15 and 0")
	require.Equal(t, 2, table.Stats().Deleted)
	require.Zero(t, table.Sweep(0, 16))
	requireFound(t, table)
}

func TestClear(t *testing.T) {
	table := newTable(t, 4, WithCheckKeys())
	for n := range 4 {
		i, _, _ := table.FindOrClaimChecked(homed(n, 0), 1)
		*table.Node(i) = 7
	}
	table.FindOrClaimChecked(homed(0, 0), 2)
	table.Free(2)
	table.Clear()
	require.Equal(t, Stats{Cap: 4}, table.Stats())
	_, ok := table.FindSameHashIndex(homed(0, 0))
	require.False(t, ok)
	require.Zero(t, *table.Node(insert(t, table, homed(0, 0))), "a new slot has a cleared node")
}

func TestNewSlotsHaveClearedNodes(t *testing.T) {
	table := newTable(t, 4)
	claims := map[string]func(Key) int{
		"FindOrClaim":      func(k Key) int { i, _, _ := table.FindOrClaim(k); return i },
		"SearchEmptyIndex": func(k Key) int { i, _ := table.SearchEmptyIndex(k); return i },
	}
	for name, claim := range claims {
		i := claim(homed(2, 0))
		require.Equal(t, 2, i, name)
		require.Zero(t, *table.Node(i), name)
		*table.Node(i) = 99
		table.Free(i)
	}
}

func TestGenerations(t *testing.T) {
	table := newTable(t, 4)
	require.Zero(t, table.Generation(1))
	table.SetGeneration(math.MaxUint32)
	i := insert(t, table, Key{1, 1, 65535})
	require.EqualValues(t, math.MaxUint32, table.Generation(i))
	table.Touch(i, 3)
	require.EqualValues(t, 3, table.Generation(i))
	require.Equal(t, Entry{1, 1, 65535, true}, table.Entry(i), "the key stays")
	requireFound(t, table)
	table.Touch(0, 3)
	require.Zero(t, table.Generation(0), "a slot that is not used has no generation")
	require.Equal(t, Entry{}, table.Entry(0))
}

func TestCheckKeysCountCollisions(t *testing.T) {
	table := newTable(t, 8, WithCheckKeys())
	for _, step := range []struct {
		key   Key
		check uint64
		isNew bool
		count int
	}{
		{Key{3, 0, 1}, 100, true, 0},
		{Key{3, 0, 1}, 100, false, 0},
		{Key{3, 0, 1}, 101, false, 1}, // another position with the same key
		{Key{3, 1, 1}, 101, true, 1},  // another key
		{Key{3, 0, 2}, 101, true, 1},
		{Key{3, 0, 1}, 102, false, 2},
	} {
		_, isNew, ok := table.FindOrClaimChecked(step.key, step.check)
		require.True(t, ok)
		require.Equal(t, step.isNew, isNew)
		require.Equal(t, step.count, table.Stats().Collisions)
	}
	require.Panics(t, func() { newTable(t, 8).FindOrClaimChecked(Key{}, 0) })
}

func TestStats(t *testing.T) {
	table := newTable(t, 16)
	for n := range 3 {
		insert(t, table, Key{Hash: 15 | uint64(n)<<48, Moves: uint16(2 + n%2)}) // slots 15, 0, 1
	}
	insert(t, table, Key{Hash: 0, Moves: 1}) // slot 2, its third probe
	insert(t, table, Key{Hash: 9, Moves: 1})
	table.Free(0)
	require.Equal(t, Stats{
		Cap: 16, Used: 4, Deleted: 1, Load: 0.25,
		ProbeLengths: []int{0, 2, 0, 2},
		MeanProbe:    2,
		LongestRun:   4,
		PlyFill:      []int{0, 2, 2},
	}, table.Stats())

	full := newTable(t, 2)
	insert(t, full, homed(0, 0))
	insert(t, full, homed(0, 1))
	require.Equal(t, 2, full.Stats().LongestRun)
}

func TestHotPathDoesNotAllocate(t *testing.T) {
	table := newTable(t, 1<<12, WithCheckKeys())
	n := 0
	allocs := testing.AllocsPerRun(1000, func() {
		n++
		key := homed(n%7, n)
		i, _, _ := table.FindOrClaimChecked(key, 1)
		table.FindOrClaim(key)
		table.FindSameHashIndex(key)
		table.Touch(i, uint32(n))
		table.Holds(i, key)
		table.Entry(i)
		if n%2 == 0 {
			table.Free(i)
		}
		*table.Node(i)++
	})
	require.Zero(t, allocs)
	require.Positive(t, table.Used())
}
