package alphabeta

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

func newTable(t testing.TB, entries int) *BoundTable[shogi.Move] {
	t.Helper()
	table, err := NewBoundTable[shogi.Move](entries)
	require.NoError(t, err)
	return table
}

func TestTableKeepsWhatIsStored(t *testing.T) {
	table := newTable(t, 100)
	require.Equal(t, 128, table.Entries())
	_, ok := table.Probe(0)
	require.False(t, ok, "key 0 in an empty table")
	for _, e := range []Entry[shogi.Move]{
		{Move: 5, Value: -Mate, Bound: search.UpperBound, Depth: 3}, {Move: 6, Value: Mate, Bound: search.LowerBound, Depth: 100},
		{Value: 0, Bound: search.Exact, Depth: 1},
	} {
		table.Clear()
		table.Store(77, e)
		got, ok := table.Probe(77)
		require.True(t, ok)
		require.Equal(t, e, got)
		_, ok = table.Probe(77 + 1<<40)
		require.False(t, ok, "another key in the same bucket")
	}
}

func TestTableKeepsTheMove(t *testing.T) {
	table := newTable(t, 64)
	table.Store(9, Entry[shogi.Move]{Move: 5, Value: 10, Bound: search.LowerBound, Depth: 3})
	table.Store(9, Entry[shogi.Move]{Value: 2, Bound: search.UpperBound, Depth: 4})
	got, _ := table.Probe(9)
	require.Equal(t, Entry[shogi.Move]{Move: 5, Value: 2, Bound: search.UpperBound, Depth: 4}, got)
}

func TestTableBoundsThatMeetAreExact(t *testing.T) {
	table := newTable(t, 64)
	table.Store(9, Entry[shogi.Move]{Move: 5, Value: 10, Bound: search.LowerBound, Depth: 3})
	table.Store(9, Entry[shogi.Move]{Value: 10, Bound: search.UpperBound, Depth: 3})
	got, _ := table.Probe(9)
	require.Equal(t, search.Exact, got.Bound)
	table.Store(9, Entry[shogi.Move]{Value: 10, Bound: search.UpperBound, Depth: 4})
	got, _ = table.Probe(9)
	require.Equal(t, search.UpperBound, got.Bound, "another depth")
}

func TestTableReplaces(t *testing.T) {
	table := newTable(t, bucketEntries) // one bucket
	for key := range uint64(bucketEntries) {
		table.Store(key, Entry[shogi.Move]{Depth: int(key) + 10})
	}
	require.Equal(t, 1000, table.Full())
	table.Store(100, Entry[shogi.Move]{Depth: 1})
	_, ok := table.Probe(0)
	require.False(t, ok, "the least deep entry goes")
	for range 5 {
		table.NewSearch()
	}
	require.Zero(t, table.Full(), "all are old")
	_, ok = table.Probe(100) // used again: young
	require.True(t, ok)
	table.Store(101, Entry[shogi.Move]{Depth: 1})
	_, ok = table.Probe(100)
	require.True(t, ok)
	_, ok = table.Probe(1)
	require.False(t, ok, "an old entry goes before a young one")
}

func TestTableRefusesSizes(t *testing.T) {
	for _, n := range []int{0, -1, maxTable + 1} {
		_, err := NewBoundTable[shogi.Move](n)
		require.Error(t, err)
	}
}

func TestShogiTableBytes(t *testing.T) {
	for _, n := range []int{1, 4, 5, 1000, 1 << 20, 1<<20 + 1} {
		require.EqualValues(t, 16*newTable(t, n).Entries(), ShogiTableBytes(n), n)
	}
	require.EqualValues(t, 64<<30, ShogiTableBytes(maxTable))
}

func TestEntrySize(t *testing.T) {
	require.EqualValues(t, entryBytes, unsafe.Sizeof(slot[shogi.Move]{}))
}

// TestMateScoresByPly stores a mate found on one path and reads it on a longer one.
func TestMateScoresByPly(t *testing.T) {
	for _, score := range []int{Mate - 7, -Mate + 7, 300, -300} {
		require.Equal(t, score, fromTable(toTable(score, 4), 4))
	}
	require.Equal(t, Mate-3, toTable(Mate-7, 4), "three plies from the node")
	require.Equal(t, Mate-9, fromTable(toTable(Mate-7, 4), 6), "two plies later on the other path")
}

// FuzzTable compares with a map of what was stored last: whatever is found is that.
func FuzzTable(f *testing.F) {
	f.Add([]byte{1, 2, 3, 1, 9, 9, 4, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		table := newTable(t, 16)
		last := make(map[uint64]Entry[shogi.Move])
		for i := 0; i+1 < len(data); i += 2 {
			key := uint64(data[i] % 40)
			if data[i] >= 240 {
				table.NewSearch()
				continue
			}
			e := Entry[shogi.Move]{Move: shogi.Move(data[i+1]) + 1, Value: int(data[i+1]) - 100, Bound: search.Bound(data[i+1] % 3), Depth: int(data[i+1]) % 50}
			table.Store(key, e)
			got, ok := table.Probe(key)
			require.True(t, ok)
			if got.Bound == search.Exact && e.Bound != search.Exact {
				got.Bound = e.Bound // met its opposite
			}
			require.Equal(t, e, got)
			last[key] = e
		}
		for key, e := range last {
			if got, ok := table.Probe(key); ok {
				got.Bound = e.Bound
				require.Equal(t, e, got)
			}
		}
	})
}

func TestBranchingFactor(t *testing.T) {
	require.InDelta(t, 10, BranchingFactor(10+100+1000, 3), 1e-9)
	require.InDelta(t, 1, BranchingFactor(5, 5), 1e-9)
	require.Zero(t, BranchingFactor(0, 3))
	require.Zero(t, BranchingFactor(3, 0))
}
