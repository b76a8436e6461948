package uct

import (
	"context"
	"flag"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
)

var long = flag.Bool("long", false, "search in little memory for a minute, and measure the longest pause")

const mostMoves = "sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1" // 593

// resident returns the memory of the process that is in RAM, in MiB, 0 where that is not told.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, ok := strings.Cut(string(text), "VmRSS:")
	require.True(t, ok)
	kb, err := strconv.Atoi(strings.Fields(after)[0])
	require.NoError(t, err)
	return kb >> 10
}

// A search that fills its memory many times over goes on, makes new nodes all the time, and takes no more memory.
func TestLongSearchInLittleMemory(t *testing.T) {
	rounds, part := 4, 300*time.Millisecond
	if *long {
		rounds, part = 10, 3*time.Second
	}
	for _, mb := range []int{1, 16} {
		runtime.GC()
		before := resident(t)
		c := randomConfig(1)
		c.HashMB, c.Threads = mb, 2
		s := newSearcher(t, c)
		g := game(t, middle)
		last := s.Stats()
		for range rounds {
			s.Search(context.Background(), g, search.Limits{MoveTime: part}, nil)
			now := s.Stats()
			require.Greater(t, now.Evaluations, last.Evaluations+50, "no new nodes")
			require.LessOrEqual(t, resident(t)-before, mb+100)
			last = now
		}
		checkTree(t, s)
		if *long {
			require.Positive(t, last.Recycled)
			require.Less(t, last.LongestPause, 5*time.Millisecond) // on a machine that has nothing else to do
		}
		t.Logf("%d MB: %d evaluations, %d nodes forgotten in %d pauses, the longest %v", mb, last.Evaluations, last.Recycled, last.Pauses, last.LongestPause)
	}
}

// A pause looks at a limited number of slots, however many there are.
func TestPausesAreBounded(t *testing.T) {
	c := randomConfig(1)
	c.HashMB = 16
	s := newSearcher(t, c)
	r := s.newRun(game(t, middle), search.Limits{})
	s.makeWorkers(r)
	r.prepare()
	blocks := uint32(0)
	for pauses := 0; pauses < 40; {
		if s.short() {
			hand := s.recycler.hand
			r.recycle()
			blocks = max(blocks, s.recycler.hand-hand)
			pauses++
		}
		s.workers[0].playout()
	}
	require.LessOrEqual(t, blocks, uint32(2*recycleBlocks))
	checkTree(t, s)
}

func TestOddPositions(t *testing.T) {
	for _, row := range []struct {
		name, position string
		mb             int
		plies          int // of the mate that is reported; 0 for no matter
	}{
		{"593 moves", mostMoves, 1, 0},
		{"593 moves", mostMoves, 16, 0},
		{"one move", oneMove, 1, 0},
		{"mate in one", mateIn1, 1, 1},
		{"nearly mated", "sfen 6nk1/9/7p1/6R1+P/6L2/9/9/9/K8 b P 1 moves 3d3a", 1, 0},
	} {
		c := randomConfig(1)
		c.HashMB, c.Threads = row.mb, 2
		s := newSearcher(t, c)
		g := game(t, row.position)
		legal := g.Position().AppendLegal(nil)
		for range 3 {
			r := nodes(s, g, 5000)
			require.Contains(t, legal, r.Best, row.name)
			require.Len(t, s.RootMoves(), len(legal), row.name)
			require.True(t, row.plies == 0 || r.Lines[0].Score.Plies == row.plies, row.name)
			checkTree(t, s)
		}
	}
}

// A node after an only move has the key of its own ply, as any other.
func TestPliesOfForcedMoves(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	g := game(t, oneMove)
	p := *g.Position()
	require.Len(t, p.AppendLegal(nil), 1)
	nodes(s, g, 200)
	reply := p.AppendLegal(nil)[0]
	p.Do(reply)
	n := s.find(&p)
	require.NotNil(t, n)
	require.EqualValues(t, 200, n.visits.Load())
	for _, moves := range []uint16{2, 4} {
		key := keyOf(&p)
		require.EqualValues(t, 3, key.Moves)
		key.Moves = moves
		_, ok := s.table.FindSameHashIndex(key)
		require.False(t, ok)
	}
}
