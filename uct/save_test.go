package uct

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"
)

const goldenTree = "../testdata/uct/start.tree"

func savedBytes(t testing.TB, s *Searcher) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Save(&b, s))
	return b.Bytes()
}

// sameTree verifies that every node of a is in b with the same content.
func sameTree(t testing.TB, a, b *Searcher) {
	t.Helper()
	require.Equal(t, a.table.Used(), b.table.Used())
	for slot := range a.table.Cap() {
		entry := a.table.Entry(slot)
		if !entry.Used {
			continue
		}
		var want, got savedNode
		a.pack(&want, entry, a.table.Node(slot))
		key := entryKey(entry)
		other, ok := b.table.FindSameHashIndex(key)
		require.True(t, ok, "no node for %+v", key)
		b.pack(&got, b.table.Entry(other), b.table.Node(other))
		require.Equal(t, want, got)
	}
}

func TestSaveAndLoad(t *testing.T) {
	a := newSearcher(t, randomConfig(1))
	g := game(t, middle)
	nodes(a, g, 3000)
	data := savedBytes(t, a)

	c := randomConfig(1)
	c.HashMB = 32
	b := newSearcher(t, c)
	require.NoError(t, Load(bytes.NewReader(data), b))
	checkTree(t, b)
	sameTree(t, a, b)
	nodes(a, g, 1000)
	nodes(b, g, 1000)
	require.Equal(t, a.RootMoves(), b.RootMoves(), "a loaded tree thinks on like the old one")
	sameTree(t, a, b)

	c.HashMB, c.Slots = 1, 1024
	small := newSearcher(t, c)
	require.NoError(t, Load(bytes.NewReader(data), small))
	require.Equal(t, 1024*maxLoad/8, small.Stats().UsedSlots)
	nodes(small, g, 100)
}

// TestGoldenTree reads a tree that an earlier version has written: 300 playouts of randomConfig(1) from the start position.
func TestGoldenTree(t *testing.T) {
	golden, err := os.ReadFile(filepath.FromSlash(goldenTree))
	require.NoError(t, err)
	s := newSearcher(t, randomConfig(1))
	require.NoError(t, Load(bytes.NewReader(golden), s))
	checkTree(t, s)
	g := game(t, "startpos")
	slot, ok := s.table.FindSameHashIndex(keyOf(g.Position()))
	require.True(t, ok)
	require.EqualValues(t, 301, s.table.Node(slot).visits.Load())
	nodes(s, g, 1)
	require.EqualValues(t, 302, s.table.Node(slot).visits.Load(), "the tree was thrown away")

	again := newSearcher(t, randomConfig(1))
	require.NoError(t, Load(bytes.NewReader(savedBytes(t, s)), again))
	sameTree(t, s, again)
}

func TestLoadRefuses(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	nodes(s, game(t, middle), 30)
	data := savedBytes(t, s)
	for n := range data {
		require.Error(t, Load(bytes.NewReader(data[:n]), s), "cut to %d bytes", n)
		require.Zero(t, s.Stats().UsedSlots)
	}
	edit := func(f func(*savedTree, *savedNode)) []byte {
		var head savedTree
		var n savedNode
		in := msgp.NewReader(bytes.NewReader(data))
		require.NoError(t, head.DecodeMsg(in))
		for len(n.Stats) < 2 {
			require.NoError(t, n.DecodeMsg(in))
		}
		head.Nodes = 1
		f(&head, &n)
		var out bytes.Buffer
		w := msgp.NewWriter(&out)
		require.NoError(t, head.EncodeMsg(w))
		for range head.Nodes {
			require.NoError(t, n.EncodeMsg(w))
		}
		require.NoError(t, w.Flush())
		return out.Bytes()
	}
	require.NoError(t, Load(bytes.NewReader(edit(func(*savedTree, *savedNode) {})), s))
	for want, f := range map[string]func(*savedTree, *savedNode){
		"yomi tree":  func(h *savedTree, _ *savedNode) { h.Magic = "other" },
		"version 9":  func(h *savedTree, _ *savedNode) { h.Version = 9 },
		"keys":       func(h *savedTree, _ *savedNode) { h.KeyCheck++ },
		"twice":      func(h *savedTree, _ *savedNode) { h.Nodes = 2 },
		"bad stage":  func(_ *savedTree, n *savedNode) { n.Stage = 7 },
		"bad edge":   func(_ *savedTree, n *savedNode) { n.Stats[0].Decided = n.Stats[0].Visits + 1 },
		"bad move":   func(_ *savedTree, n *savedNode) { n.Edges[0] = 0 },
		"visits":     func(_ *savedTree, n *savedNode) { n.Visits++ },
		"bad value":  func(_ *savedTree, n *savedNode) { n.Value = 2 },
		"bad spread": func(_ *savedTree, n *savedNode) { n.Spread = 2 },
		"stage 1":    func(_ *savedTree, n *savedNode) { n.Stage = uint8(stateLeaf) },
		"stage 2":    func(_ *savedTree, n *savedNode) { n.Edges = n.Edges[:1] },
	} {
		require.ErrorContains(t, Load(bytes.NewReader(edit(f)), s), want)
		require.Zero(t, s.Stats().UsedSlots)
	}
}

func FuzzLoad(f *testing.F) {
	c := randomConfig(1)
	c.HashMB, c.Slots = 1, 256
	s := newSearcher(f, c)
	nodes(s, game(f, smallPositions[0]), 12)
	data := savedBytes(f, s)
	f.Add(data)
	f.Add(data[:100])
	f.Fuzz(func(t *testing.T, data []byte) {
		if Load(bytes.NewReader(data), s) != nil {
			require.Zero(t, s.Stats().UsedSlots)
			return
		}
		for slot := range s.table.Cap() {
			if entry := s.table.Entry(slot); entry.Used {
				var n savedNode
				s.pack(&n, entry, s.table.Node(slot))
				require.NoError(t, n.check())
			}
		}
	})
}
