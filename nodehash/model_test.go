package nodehash

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// model is a plain map beside a table: what the table must contain, with the payload of each node.
type model struct {
	t       testing.TB
	table   *Table[int64]
	content map[Key]int64
	slots   map[Key]int // a slot does not move while it is used
	next    int64
}

func newModel(t testing.TB, capacity int) *model {
	return &model{t: t, table: newTable(t, capacity), content: make(map[Key]int64), slots: make(map[Key]int)}
}

// claim is FindOrClaim on both.
func (m *model) claim(key Key) {
	i, isNew, ok := m.table.FindOrClaim(key)
	if !ok {
		require.Equal(m.t, m.table.Cap(), i)
		require.Equal(m.t, m.table.Cap(), len(m.content), "refused before the table was full")
		_, known := m.content[key]
		require.False(m.t, known)
		return
	}
	require.Equal(m.t, m.content[key], *m.table.Node(i))
	if _, known := m.content[key]; known {
		require.False(m.t, isNew)
		require.Equal(m.t, m.slots[key], i)
		return
	}
	require.True(m.t, isNew)
	m.put(key, i)
}

// insertUnknown is SearchEmptyIndex for a key that is not there, else FindSameHashIndex.
func (m *model) insertUnknown(key Key) {
	if _, known := m.content[key]; known || len(m.content) == m.table.Cap() {
		m.find(key)
		return
	}
	i, ok := m.table.SearchEmptyIndex(key)
	require.True(m.t, ok)
	require.Zero(m.t, *m.table.Node(i))
	m.put(key, i)
}

func (m *model) put(key Key, i int) {
	m.next++
	*m.table.Node(i) = m.next
	m.content[key], m.slots[key] = m.next, i
}

func (m *model) find(key Key) {
	i, ok := m.table.FindSameHashIndex(key)
	want, known := m.content[key]
	require.Equal(m.t, known, ok)
	if !known {
		require.Equal(m.t, m.table.Cap(), i)
		return
	}
	require.Equal(m.t, m.slots[key], i)
	require.Equal(m.t, want, *m.table.Node(i))
}

// free frees a slot, used or not.
func (m *model) free(i int) {
	e := m.table.Entry(i)
	require.Equal(m.t, e.Used, m.table.Free(i))
	if !e.Used {
		return
	}
	key := Key{e.Hash, e.Turn, e.Moves}
	_, known := m.content[key]
	require.True(m.t, known)
	delete(m.content, key)
	delete(m.slots, key)
}

// sweep sweeps a part; after a sweep of the whole table every deleted slot is one that a used slot needs.
func (m *model) sweep(first, count int) {
	before := m.table.Stats().Deleted
	freed := m.table.Sweep(first, count)
	require.Equal(m.t, before-freed, m.table.Stats().Deleted)
	if count < m.table.Cap() {
		return
	}
	needed := make(map[int]bool)
	for key, i := range m.slots {
		for s := m.table.HashToIndex(key.Hash); s != i; s = (s + 1) % m.table.Cap() {
			needed[s] = true
		}
	}
	for i := range m.table.Cap() {
		if m.table.keys[i].meta.Load()&stateMask == stateDeleted && !needed[i] {
			require.Fail(m.t, "a deleted slot could be empty", "slot %d", i)
		}
	}
}

func (m *model) clear() {
	m.table.Clear()
	clear(m.content)
	clear(m.slots)
}

// check compares everything.
func (m *model) check() {
	requireFound(m.t, m.table)
	require.Equal(m.t, len(m.content), m.table.Used())
	require.EqualValues(m.t, m.table.deleted.Load(), m.table.Stats().Deleted)
	for key, i := range m.slots {
		if !m.table.Holds(i, key) || *m.table.Node(i) != m.content[key] {
			require.Fail(m.t, "a node is not where it was put", "%+v in slot %d", key, i)
		}
	}
}

// step does one of the operations, chosen by op, on a key and a place made from a and b.
func (m *model) step(op, a, b byte) {
	capacity := m.table.Cap()
	key := Key{Hash: uint64(a%16) | uint64(b%4)<<40, Turn: b >> 2 & 1, Moves: uint16(b >> 3 & 1)}
	switch op % 16 {
	case 0, 1, 2, 3, 4, 5:
		m.claim(key)
	case 6, 7:
		m.insertUnknown(key)
	case 8:
		m.find(key)
	case 9, 10, 11, 12:
		m.free(int(a) % capacity)
	case 13:
		if i := int(a) % capacity; m.table.Entry(i).Used {
			m.table.Touch(i, uint32(b))
			require.EqualValues(m.t, b, m.table.Generation(i))
		}
	case 14:
		m.sweep(int(a)%capacity, int(b)%(capacity+1))
	case 15:
		if a == 0 {
			m.clear()
		} else {
			m.sweep(int(b)%capacity, capacity)
		}
	}
}

func TestRandomOperationsAgainstMap(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, capacity := range []int{1, 2, 4, 8, 16, 64} {
		m := newModel(t, capacity)
		for range 4000 {
			m.step(byte(random.Uint32()), byte(random.Uint32()), byte(random.Uint32()))
			m.check()
		}
	}
}

// TestRandomLargeTable does the same with random keys in a table that is kept nearly full.
func TestRandomLargeTable(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	m := newModel(t, 1<<11)
	steps := 40000
	if testing.Short() {
		steps = 6000
	}
	for n := range steps {
		m.claim(Key{Hash: random.Uint64(), Moves: uint16(n % 300)})
		if m.table.Used() > m.table.Cap()*9/10 {
			for i := range 256 {
				m.free((n + i) % m.table.Cap())
			}
			m.sweep(n%m.table.Cap(), 256)
		}
		if n%2000 == 0 {
			m.check()
		}
	}
	m.check()
	require.Greater(t, m.table.Stats().LongestRun, 10)
}

func FuzzTable(f *testing.F) {
	f.Add(byte(3), []byte{0, 15, 0, 0, 15, 1, 0, 0, 2, 9, 15, 0, 8, 15, 1})
	f.Add(byte(2), []byte{0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 9, 1, 0, 9, 2, 0, 0, 0, 7, 15, 1, 0})
	f.Fuzz(func(t *testing.T, logCapacity byte, ops []byte) {
		m := newModel(t, 1<<(logCapacity%6))
		for ; len(ops) >= 3; ops = ops[3:] {
			m.step(ops[0], ops[1], ops[2])
			requireFound(t, m.table)
		}
		m.check()
	})
}
