package nodehash

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const testWorkers = 8

// race lets all workers claim all keys, each in an order of its own, and checks that each key got exactly one slot: the
// same for all, new for one of them, and found afterwards.
func race(t *testing.T, table *Table[int64], keys []Key, seed uint64) {
	before := table.Used()
	var (
		slots  [testWorkers]map[Key]int
		news   [testWorkers]int
		starts sync.WaitGroup
		ends   sync.WaitGroup
	)
	starts.Add(1)
	for w := range testWorkers {
		mine := append([]Key(nil), keys...)
		random := rand.New(rand.NewPCG(seed, uint64(w)))
		random.Shuffle(len(mine), func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
		slots[w] = make(map[Key]int, len(mine))
		ends.Go(func() {
			starts.Wait()
			for n, key := range mine {
				i, isNew, ok := table.FindOrClaim(key)
				if !ok {
					i = table.Cap()
				}
				if isNew {
					news[w]++
					*table.Node(i) = int64(key.Hash)
				}
				if found, hit := table.FindSameHashIndex(key); ok && (!hit || found != i) {
					i = -1
				}
				slots[w][key] = i
				if ok {
					table.Touch(i&(table.Cap()-1), uint32(n))
				}
			}
		})
	}
	starts.Done()
	ends.Wait()

	total := 0
	for w := range testWorkers {
		require.Equal(t, slots[0], slots[w], "workers 0 and %d got different slots", w)
		total += news[w]
	}
	require.Equal(t, total, table.Used()-before)
	for key, i := range slots[0] {
		if i < 0 || i >= table.Cap() || !table.Holds(i, key) || *table.Node(i) != int64(key.Hash) {
			require.Fail(t, "a worker got a wrong slot", "%+v: %d", key, i)
		}
	}
	requireFound(t, table)
	requireNoDuplicates(t, table)
}

func requireNoDuplicates(t *testing.T, table *Table[int64]) {
	seen := make(map[Entry]int)
	for i := range table.Cap() {
		if e := table.Entry(i); e.Used {
			if first, twice := seen[e]; twice {
				require.Fail(t, "a key is stored twice", "slots %d and %d", first, i)
			}
			seen[e] = i
		}
	}
}

// TestWorkersClaimTheSameKeys runs many rounds: between two rounds a random part of the table is freed, so that the
// workers meet empty, deleted and used slots, and in the last rounds no empty slot at all.
func TestWorkersClaimTheSameKeys(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 25
	}
	for _, tc := range []struct {
		name     string
		capacity int
		keys     int
		homes    int // the keys crowd at so many homes
		sweep    bool
	}{
		{"half full", 1 << 10, 512, 1 << 10, true},
		{"nearly full, few homes", 1 << 8, 250, 7, true},
		{"full, never swept", 1 << 7, 128, 5, false},
		{"tiny", 8, 8, 2, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(9, uint64(tc.capacity)))
			table := newTable(t, tc.capacity)
			for round := range rounds {
				var keys []Key
				for i := range tc.capacity { // keep some old ones and free the others
					if e := table.Entry(i); e.Used && random.IntN(4) == 0 {
						keys = append(keys, Key{e.Hash, e.Turn, e.Moves})
						continue
					}
					table.Free(i)
				}
				if tc.sweep && round%2 == 0 {
					table.Sweep(0, tc.capacity)
				}
				for len(keys) < tc.keys {
					home := random.IntN(tc.homes)
					keys = append(keys, Key{Hash: uint64(home) | uint64(round*tc.keys+len(keys)+1)<<44, Turn: uint8(round & 1), Moves: 3})
				}
				race(t, table, keys, uint64(round))
			}
		})
	}
}

// TestWorkersFillTheTable has more keys than slots: some are refused, none is stored twice, and the table ends full.
func TestWorkersFillTheTable(t *testing.T) {
	table := newTable(t, 256)
	rounds := 20
	if testing.Short() {
		rounds = 6
	}
	for round := range rounds {
		var workers sync.WaitGroup
		for w := range testWorkers {
			workers.Go(func() {
				random := rand.New(rand.NewPCG(uint64(round), uint64(w)))
				for range 2000 {
					key := homed(random.IntN(16), random.IntN(24))
					if i, _, ok := table.FindOrClaim(key); ok && !table.Holds(i, key) {
						panic("the slot holds another key")
					}
				}
			})
		}
		workers.Wait()
		require.Equal(t, 256, table.Used())
		requireFound(t, table)
		requireNoDuplicates(t, table)
		for i := round % 3; i < 256; i += 3 {
			table.Free(i)
		}
	}
}

// TestReadersBesideWriters walks over the table while others fill it: what is seen is whole.
func TestReadersBesideWriters(t *testing.T) {
	table := newTable(t, 1<<12, WithCheckKeys())
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	readers.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			st := table.Stats()
			if st.Used > table.Cap() || len(st.PlyFill) > 8 {
				panic("impossible statistics")
			}
			for i := range table.Cap() {
				if e := table.Entry(i); e.Used && uint64(e.Moves) != e.Hash%8 {
					panic("a torn entry")
				}
			}
		}
	})
	for w := range uint64(4) {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(11, w))
			for range 3000 {
				hash := random.Uint64()
				table.FindOrClaimChecked(Key{Hash: hash, Moves: uint16(hash % 8)}, ^hash)
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	st := table.Stats()
	require.Equal(t, table.Used(), st.Used)
	require.Zero(t, st.Collisions)
	require.Positive(t, st.Used)
}
