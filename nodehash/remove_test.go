package nodehash

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// fillTo claims slots for random keys up to a load and writes into each node the hash of its key.
func fillTo(t *testing.T, table *Table[uint64], random *rand.Rand, load float64) {
	t.Helper()
	for table.Used() < int(load*float64(table.Cap())) {
		k := Key{Hash: random.Uint64(), Turn: uint8(random.UintN(2)), Moves: uint16(random.UintN(300))}
		index, _, ok := table.FindOrClaim(k)
		require.True(t, ok)
		*table.Node(index) = k.Hash
	}
}

// requireInvariant verifies that every used slot is found by its key and holds that key's node.
func requireInvariant(t *testing.T, table *Table[uint64]) {
	t.Helper()
	used := 0
	for i := range table.Cap() {
		e := table.Entry(i)
		if !e.Used {
			continue
		}
		used++
		index, ok := table.FindSameHashIndex(Key{Hash: e.Hash, Turn: e.Turn, Moves: e.Moves})
		require.True(t, ok, "slot %d is not found", i)
		require.Equal(t, i, index)
		require.Equal(t, e.Hash, *table.Node(i))
	}
	require.Equal(t, table.Used(), used)
}

func TestRemove(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 2, 8, 64, 1024} {
		for _, load := range []float64{0.3, 0.7, 0.9, 1} {
			table, err := New[uint64](size)
			require.NoError(t, err)
			for range 20 {
				fillTo(t, table, random, load)
				for range size / 3 {
					i := random.IntN(size)
					e := table.Entry(i)
					require.Equal(t, e.Used, table.Remove(i))
					if e.Used {
						_, found := table.FindSameHashIndex(Key{Hash: e.Hash, Turn: e.Turn, Moves: e.Moves})
						require.False(t, found)
					}
				}
				requireInvariant(t, table)
				require.Zero(t, table.Stats().Deleted)
			}
		}
	}
}

// After many rounds of removing and adding the table is as good as a fresh one.
func TestRemoveKeepsProbesShort(t *testing.T) {
	const size, load = 1 << 14, 0.85
	random := rand.New(rand.NewPCG(3, 4))
	table, err := New[uint64](size)
	require.NoError(t, err)
	fillTo(t, table, random, load)
	for round := range 20 * size / 16 {
		first := round * 2654435761 % size / 16 * 16
		for i := first; i < first+16; {
			if !table.Entry(i).Used || random.IntN(3) > 0 || !table.Remove(i) {
				i++
			}
		}
		fillTo(t, table, random, load)
	}
	requireInvariant(t, table)
	fresh, err := New[uint64](size)
	require.NoError(t, err)
	fillTo(t, fresh, random, load)
	require.InDelta(t, fresh.Stats().MeanProbe, table.Stats().MeanProbe, 0.25*fresh.Stats().MeanProbe)
}

// Removing leaves slots that were freed in the other way alone.
func TestRemoveBesideDeletedSlots(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	table, err := New[uint64](256)
	require.NoError(t, err)
	for range 300 {
		fillTo(t, table, random, 0.8)
		for range 20 {
			if i := random.IntN(256); random.IntN(2) == 0 {
				table.Remove(i)
			} else {
				table.Free(i)
			}
		}
		requireInvariant(t, table)
		table.Sweep(random.IntN(256), 1+random.IntN(256))
		requireInvariant(t, table)
	}
}
