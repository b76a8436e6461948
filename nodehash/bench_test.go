package nodehash

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// benchNode is a node of the size that the search stores: 48 bytes.
type benchNode struct {
	nextHash  uint64 // hash of the next node of a random cycle through all nodes
	nextIndex int    // and its slot
	visits    atomic.Uint64
	_         [24]byte
}

const (
	benchSlots = 1 << 22
	benchPly   = 30
)

func benchKey(hash uint64) Key { return Key{Hash: hash, Turn: uint8(hash & 1), Moves: benchPly} }

// benchTable returns a table at load 0.5 whose nodes form one random cycle, and the hash of one of them.
func benchTable(b *testing.B) (*Table[benchNode], uint64) {
	t, err := New[benchNode](benchSlots)
	require.NoError(b, err)
	random := rand.New(rand.NewPCG(1, 2))
	hashes := make([]uint64, benchSlots/2)
	for i := range hashes {
		hashes[i] = random.Uint64()
		_, isNew, ok := t.FindOrClaim(benchKey(hashes[i]))
		require.True(b, isNew && ok)
	}
	random.Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
	for i, hash := range hashes {
		next := hashes[(i+1)%len(hashes)]
		at, _ := t.FindSameHashIndex(benchKey(hash))
		node := t.Node(at)
		node.nextHash = next
		node.nextIndex, _ = t.FindSameHashIndex(benchKey(next))
	}
	return t, hashes[0]
}

func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Nanoseconds())
}

// BenchmarkHit compares finding a node by its key, where the next key is read from the node found, with following the
// node's index through the same nodes in the same order. It alternates short stretches of both along one cycle, so that
// neither profits from what the other has loaded. x/chase is the ratio of the medians.
func BenchmarkHit(b *testing.B) {
	t, hash := benchTable(b)
	const stretch = 20000
	var hits, chases []time.Duration
	for b.Loop() {
		began := time.Now()
		index := 0
		for range stretch {
			index, _ = t.FindSameHashIndex(benchKey(hash))
			hash = t.Node(index).nextHash
		}
		hits = append(hits, time.Since(began))

		began = time.Now()
		for range stretch {
			index = t.Node(index).nextIndex
		}
		chases = append(chases, time.Since(began))
		hash = t.Node(index).nextHash
	}
	hit, chase := median(hits)/stretch, median(chases)/stretch
	b.ReportMetric(hit, "ns/hit")
	b.ReportMetric(chase, "ns/chase")
	b.ReportMetric(hit/chase, "x/chase")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkMiss times the search for keys that are not there, at load 0.5.
func BenchmarkMiss(b *testing.B) {
	t, _ := benchTable(b)
	random := rand.New(rand.NewPCG(3, 4))
	for b.Loop() {
		t.FindSameHashIndex(benchKey(random.Uint64()))
	}
}

// BenchmarkWorkers gives one worker and then two the same kind of work at load 0.5: mostly a hit and a visit count, now
// and then a new node. x/worker is how much more two workers do in the same time (medians of alternating rounds).
func BenchmarkWorkers(b *testing.B) {
	t, hash := benchTable(b)
	const ops = 20000
	starts := []uint64{hash, hash}
	for range benchSlots / 4 { // the other worker begins on the far side of the cycle
		at, _ := t.FindSameHashIndex(benchKey(starts[1]))
		starts[1] = t.Node(at).nextHash
	}
	var newHash atomic.Uint64
	work := func(worker int) {
		hash := starts[worker]
		for i := range ops {
			index, _, _ := t.FindOrClaim(benchKey(hash))
			node := t.Node(index)
			node.visits.Add(1)
			hash = node.nextHash
			if i%64 == 0 {
				t.FindOrClaim(benchKey(newHash.Add(0x9e3779b97f4a7c15)))
			}
		}
		starts[worker] = hash
	}
	var one, two []time.Duration
	for b.Loop() {
		began := time.Now()
		work(0)
		one = append(one, time.Since(began))

		began = time.Now()
		var workers sync.WaitGroup
		for worker := range 2 {
			workers.Go(func() { work(worker) })
		}
		workers.Wait()
		two = append(two, time.Since(began))
	}
	b.ReportMetric(median(one)/ops, "ns/one")
	b.ReportMetric(median(two)/ops/2, "ns/two")
	b.ReportMetric(2*median(one)/median(two), "x/worker")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkNew makes a table of 256 MB with 48-byte nodes and touches all its memory.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		_, err := New[[48]byte](1 << 22)
		require.NoError(b, err)
	}
}
