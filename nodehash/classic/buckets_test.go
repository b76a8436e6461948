package classic

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// published is the key of the experiment that a well-known article describes.
func published(i int) Key {
	return Seq(Text("player"), Int(int64(i%100)), Text(fmt.Sprintf("row%d", 7*i%500)))
}

// TestPublishedExperiment compares each function's counters with those of easyAI run on the article's keys.
func TestPublishedExperiment(t *testing.T) {
	file := readHashFile(t)
	compared := 0
	for count, results := range map[int]map[string]sets{20000: file.Experiment.Full, 500: file.Experiment.First} {
		for _, buckets := range []int{1024, 4096} {
			for _, name := range file.Functions {
				want, ok := results[fmt.Sprintf("%s/%d", name, buckets)]
				require.True(t, ok)
				requireSets(t, want, name, buckets, count, published)
				compared++
			}
		}
	}
	require.Equal(t, 44, compared)
}

// TestDistinctKeys does the same for keys that are all different.
func TestDistinctKeys(t *testing.T) {
	experiments := readHashFile(t).Distinct
	require.Len(t, experiments, 3)
	for _, e := range experiments {
		require.NotEmpty(t, e.Results)
		for name, want := range e.Results {
			requireSets(t, want, name, e.Buckets, e.Count, func(i int) Key {
				return Seq(Text("player"), Int(int64(i%100)), Text(fmt.Sprintf("row%d", i/100)))
			})
		}
	}
}

func requireSets(t *testing.T, want sets, name string, buckets, count int, key func(i int) Key) {
	message := fmt.Sprintf("%s in %d buckets, %d keys", name, buckets, count)
	table := NewBuckets[int](faithful(t, name, buckets))
	var err error
	for i := 0; i < count && err == nil; i++ {
		err = table.Set(key(i), i)
	}
	if want.Error != "" {
		require.Contains(t, want.Error, errorKind(err), message)
		require.NotEmpty(t, errorKind(err), message)
		require.Zero(t, table.Occupied(), message)
		return
	}
	require.NoError(t, err, message)
	c := table.Counters()
	require.Equal(t, want.Calls, c.Calls, message)
	require.Equal(t, want.Collisions, c.Collisions, message)
	require.Equal(t, want.Occupied, table.Occupied(), message)
	require.Equal(t, c.Collisions, c.Evictions+c.Restores, message)
	if want.Evictions != nil {
		require.Equal(t, *want.Evictions, c.Evictions, message)
	}
}

// TestBucketsCompareKeys shows that two keys in one bucket never answer for each other.
func TestBucketsCompareKeys(t *testing.T) {
	table := NewBuckets[string](faithful(t, "Add", 16))
	first, second := Seq(Int(1), Int(2)), Seq(Int(2), Int(1))
	require.NoError(t, table.Set(first, "first"))
	_, ok, err := table.Get(second)
	require.NoError(t, err)
	require.False(t, ok, "the same bucket, another key")
	require.NoError(t, table.Set(first, "again"))
	require.NoError(t, table.Set(second, "second"))
	_, ok, err = table.Get(first)
	require.NoError(t, err)
	require.False(t, ok, "evicted")
	value, ok, err := table.Get(second)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "second", value)
	require.Equal(t, Counters{Calls: 6, Collisions: 2, Evictions: 1, Restores: 1}, table.Counters())
	require.NoError(t, table.Delete(first), "deletes whatever is in the bucket")
	require.Zero(t, table.Occupied())
	_, _, err = table.Get(Text(""))
	require.Equal(t, TypeError, errorKind(err))
	require.EqualValues(t, 8, table.Counters().Calls)
}

func TestHasherRefuses(t *testing.T) {
	_, err := NewFunction("Fnv")
	require.ErrorContains(t, err, `"Fnv"`)
	f, err := NewFunction("FNV")
	require.NoError(t, err)
	for _, buckets := range []int{-1, 0, MaxBuckets + 1} {
		_, err = NewFaithful(f, buckets)
		require.ErrorContains(t, err, fmt.Sprint(buckets))
	}
	_, err = NewWide(f, 16, 4)
	require.ErrorContains(t, err, "16")
}

// TestWideKnownValues: the 32-bit functions give what their authors' programs give.
func TestWideKnownValues(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       uint32
	}{
		{"FNV", "foobar", 0x31f0b262},   // FNV-1, from the test suite of its authors
		{"OneAtATime", "a", 0xca2e9442}, // Jenkins, one-at-a-time
		{"Bernstein", "ab", 33*97 + 98}, // without djb2's start value 5381
		{"Simple", "abc", 101*(101*97+98) + 99},
	} {
		f, err := NewFunction(tc.name)
		require.NoError(t, err)
		h, err := NewWide(f, 32, 1<<20)
		require.NoError(t, err)
		got, err := h.Hash(Bytes([]byte(tc.text)))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(tc.want), got.String(), tc.name)
	}
}

// TestHashAllocatesNothing: a position of bytes is hashed without garbage.
func TestHashAllocatesNothing(t *testing.T) {
	key := Bytes(make([]byte, 96))
	for _, name := range FunctionNames() {
		f, err := NewFunction(name)
		require.NoError(t, err)
		for _, bits := range []uint8{0, 32, 64} {
			if name == "ELF" || name == "Jenkins" && bits == 0 {
				continue
			}
			h, err := newHasher(f, bits, 4096)
			require.NoError(t, err)
			require.Zero(t, testing.AllocsPerRun(10, func() {
				if _, err := h.Index(key); err != nil {
					panic(err)
				}
			}), "%s, %d bits", name, bits)
		}
	}
}
