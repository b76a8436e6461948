package uct

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExploration(t *testing.T) {
	p := DefaultParams()
	p[CPuct], p[CPuctRoot], p[CPuctBase], p[CPuctPower] = 0.5, 0.7, 1000, 0.5
	require.InDelta(t, (1+math.Log(2))*math.Sqrt(1000), growth(&p, 1000), 1e-9)
	require.InDelta(t, 0.5*10*2*3, exploration(&p, false, 10, 2, 3), 1e-9)
	require.InDelta(t, 0.7*10*2*3, exploration(&p, true, 10, 2, 3), 1e-9)
	table := newGrowthTable(&p)
	for _, n := range []uint32{1, 2, 4095, 4096, 1 << 20} {
		require.Equal(t, growth(&p, float64(n)), table.at(n))
	}
	p = DefaultParams()
	table = newGrowthTable(&p)
	for n := uint32(4096); n < 1<<31; n += n/97 + 1 {
		require.InEpsilon(t, growth(&p, float64(n)), table.at(n), 1e-5, n)
	}
	require.InEpsilon(t, growth(&p, math.MaxUint32), table.at(math.MaxUint32), 1e-5)
}

func TestSpreads(t *testing.T) {
	p := DefaultParams()
	require.InDelta(t, math.Log(0.751), lnImpurity(0.25), 1e-9)
	require.InDelta(t, math.Log(0.001), lnImpurity(1.00001), 1e-9, "rounding may bring Σp² above 1")
	require.InDelta(t, 0.4662, priorSpread(&p, 0), 1e-9)
	require.InDelta(t, p[PriorSpreadMax], priorSpread(&p, lnImpurity(1)), 1e-9)

	require.EqualValues(t, 1, valueSpread(&p, 1, 9))
	require.InDelta(t, 1, valueSpread(&p, 500, p[ValueSpreadUnit]), 1e-9, "the usual spread changes nothing")
	require.Greater(t, valueSpread(&p, 500, 0.5), 1.5)
	require.Less(t, valueSpread(&p, 500, 0.05), 0.5)
	require.Less(t, valueSpread(&p, 3, 0.5), valueSpread(&p, 500, 0.5), "few visits are not believed")

	require.InDelta(t, 0.5, deviation(2, 1, 1), 1e-9)
	require.Zero(t, deviation(3, 1.5, 0.7499), "rounding must not give a root of less than 0")
}

func TestMoveValues(t *testing.T) {
	require.InDelta(t, 0.6-0.2*0.5, firstPlay(0.2, 0.6, 0.25), 1e-9)
	require.Zero(t, firstPlay(1, 0.2, 1))
	require.InDelta(t, 0.5, inFlight(2, 4, 0, 2), 1e-9)
	require.InDelta(t, 0.25, inFlight(2, 4, 2, 2), 1e-9)
	require.InDelta(t, 0.4+math.Sqrt(2*math.Log(100)/8), ucb1(1, 0.4, math.Log(100), 8), 1e-9)
	require.InDelta(t, 0.3, opponent(0.7), 1e-9)
}

func TestCentipawns(t *testing.T) {
	for _, c := range []struct {
		winRate float64
		want    int
	}{{0.5, 0}, {1 / (1 + math.Exp(-1)), 600}, {1 / (1 + math.Exp(1)), -600}, {0, -30000}, {1, 30000}} {
		require.Equal(t, c.want, Centipawns(c.winRate, 600))
	}
}

func TestParamTable(t *testing.T) {
	names := map[string]bool{}
	for _, row := range ParamTable() {
		require.NotEmpty(t, row.Name)
		require.NotEmpty(t, row.Meaning)
		require.False(t, names[row.Name])
		names[row.Name] = true
		require.True(t, row.Min < row.Max && row.Step > 0 && row.Step < row.Max-row.Min, row.Name)
	}
	p := DefaultParams()
	require.NoError(t, p.Check())
}

func TestEdge(t *testing.T) {
	for _, prior := range []float32{0, 1e-9, 0.25, 1} {
		e := newEdge(move(t, "7g7f"), prior)
		require.Equal(t, "7g7f", e.move().String())
		require.InDelta(t, max(prior, priorUnit), e.prior(), priorUnit)
		require.Positive(t, e.prior())
	}
}

func TestTemper(t *testing.T) {
	p := []float32{0.81, 0.09, 0.1}
	temper(p, 1)
	require.Equal(t, []float32{0.81, 0.09, 0.1}, p)
	temper(p, 2)
	sum := float32(0.9 + 0.3 + math.Sqrt(0.1))
	require.InDeltaSlice(t, []float32{0.9 / sum, 0.3 / sum, float32(math.Sqrt(0.1)) / sum}, p, 1e-6)
}

func TestArenaUsesBlocksAgain(t *testing.T) {
	a := newArena(100)
	memory := allocator{arena: a}
	var n node
	require.True(t, memory.grow(&n, 1))
	n.visited = 1
	a.stats(&n)[0].n = 7
	require.True(t, memory.grow(&n, 2))
	require.EqualValues(t, 7, a.stats(&n)[0].n, "growing keeps what is there")
	require.EqualValues(t, 2, n.room)
	next := memory.next
	var other node
	require.True(t, memory.grow(&other, 1))
	require.Equal(t, next, memory.next, "the outgrown block is used again")
	other.visited = 1
	require.Zero(t, a.stats(&other)[0], "and is clean")
	require.False(t, memory.grow(&n, 200))
	require.EqualValues(t, 2, n.room, "a refused growth changes nothing")
	require.EqualValues(t, 256, a.refused.Load(), "and is noted")
	a.refused.Store(noneRefused)
	for range 99 - 3 {
		_, ok := memory.take(1)
		require.True(t, ok)
	}
	_, ok := memory.take(1)
	require.False(t, ok)
	require.Equal(t, 99, a.used())
	a.drop(&n)
	a.drop(&other)
	require.Equal(t, 96, a.used())
	memory.release()
	require.Equal(t, 96, a.used())
}

// The bit map must always say which cells no block has.
func TestArenaBits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	a := newArena(3000)
	workers := []allocator{{arena: a}, {arena: a}}
	owner := make([]int, 3000) // by cell the block that has it, 0 for none
	blocks := map[int][2]int{}
	refused := 0
	for id := 1; id < 20_000; id++ {
		cells := 1 + random.IntN(40)
		if first, ok := workers[id%2].take(cells); ok {
			for i := int(first); i < int(first)+cells; i++ {
				require.Zero(t, owner[i], "cell %d is handed out twice", i)
				owner[i] = id
			}
			blocks[id] = [2]int{int(first), cells}
		} else {
			refused++
			require.LessOrEqual(t, a.refused.Load(), int64(cells))
			a.refused.Store(noneRefused)
		}
		for other, b := range blocks { // any one
			if random.IntN(2) == 0 || len(blocks) > 140 {
				a.giveBack(b[0], b[1])
				clear(owner[b[0] : b[0]+b[1]])
				delete(blocks, other)
			}
			break
		}
	}
	require.Positive(t, refused)
	for _, w := range workers {
		w.release()
	}
	free := 2999
	for _, b := range blocks {
		free -= b[1]
	}
	require.EqualValues(t, free, a.spare.Load())
	for i := 1; i < 3000; i++ {
		require.Equal(t, owner[i] == 0, a.vacant[i/64]>>(i%64)&1 == 1, "cell %d", i)
	}
}

// After many visits a float32 cannot add one more; the mean must stay right all the same.
func TestSumsOfManyVisits(t *testing.T) {
	for _, brought := range []float64{0.5, 0.3, 1} {
		for _, decided := range []bool{true, false} {
			const visits = 1 << 25
			sum := float32(brought * visits)
			s := edgeStat{n: visits, w: sum}
			if decided {
				s.r, s.rho = visits, sum
			}
			for range 1 << 20 {
				s.settle(brought, decided, nil)
			}
			require.InDelta(t, brought, float64(s.w)/float64(s.n), 1e-5)
			if decided {
				require.InDelta(t, brought, float64(s.rho)/float64(s.r), 1e-5)
			}
		}
	}
}
