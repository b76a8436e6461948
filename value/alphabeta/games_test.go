package alphabeta

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNim(t *testing.T) {
	for _, tc := range []struct {
		piles []int
		most  int
		lost  bool
	}{
		{[]int{1}, 0, false}, {[]int{3, 3}, 0, true}, {[]int{1, 2, 3}, 0, true}, {[]int{1, 2, 4}, 0, false}, {[]int{2, 5, 7}, 0, true},
		{[]int{4}, 3, true}, {[]int{5}, 3, false},
	} {
		total := 0
		for _, n := range tc.piles {
			total += n
		}
		for _, d := range Drivers() {
			for _, text := range []string{"", "table=1024", "deepening=on,table=1024", "win-loss=on,table=1024", "deepening=on,table=1024,check-keys=on"} {
				c, err := ParseConfig(Config{Driver: d}, text)
				require.NoError(t, err)
				if (needsTable(d) || total > 9) && c.TableSize == 0 || d == Minimax && total > 6 || (d == SSSOpen || d == DualOpen) && total > 7 {
					continue // millions of nodes
				}
				out := run(t, NewNim(tc.piles, tc.most, false), c, total)
				require.Equal(t, tc.lost, out.Score() < 0, "%v %s: %d", tc.piles, c, out.Score())
				require.Zero(t, out.Stats.Collisions)
			}
		}
	}
}

// TestDualPrefersFasterWins has a win in one ply and others in three: the textbook form of DUAL* takes the slower one.
func TestDualPrefersFasterWins(t *testing.T) {
	for _, d := range Drivers() {
		out := run(t, NewNim([]int{3}, 0, false), Config{Driver: d, TableSize: 256}, 5)
		require.Equal(t, Mate-1, out.Score(), d.String())
		require.Equal(t, NimMove{0, 3}, out.Move(), d.String())
	}
}

func TestMisereNimOfFours(t *testing.T) {
	c := Config{TableSize: 1 << 16, WinLoss: true, Deepening: true, Ordering: OrderMemory, TableMove: true}
	out := run(t, NewNim([]int{5, 5, 5, 5}, 0, true), c, 20)
	require.Negative(t, out.Score())
}

func TestChopsticksTablesAgree(t *testing.T) {
	for depth := 1; depth <= 7; depth++ {
		want := run(t, NewChopsticks(), testMode(AlphaBeta, 0), depth)
		for _, d := range []Driver{AlphaBeta, Scout, PVS, MTDF, SSS, Dual} {
			for _, table := range []int{16, 1 << 14} {
				got := run(t, NewChopsticks(), testMode(d, table), depth)
				require.Equal(t, want.Score(), got.Score(), "%s table %d depth %d", d, table, depth)
				require.Equal(t, want.Move(), got.Move(), "%s table %d depth %d", d, table, depth)
			}
		}
	}
}
