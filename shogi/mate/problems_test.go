package mate

import (
	"bufio"
	"context"
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

var long = flag.Bool("long", false, "check the lengths of the problems with the plain twin and all first moves of long mates, which takes long")

type problem struct {
	plies int
	pos   shogi.Position
}

// readProblems reads lines of a length and an SFEN.
func readProblems(tb testing.TB) []problem {
	tb.Helper()
	f, err := os.Open("testdata/mate_problems.txt")
	require.NoError(tb, err)
	defer f.Close()
	var problems []problem
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		number, sfen, _ := strings.Cut(lines.Text(), " ")
		plies, err := strconv.Atoi(number)
		require.NoError(tb, err)
		p, err := shogi.ParseSFEN(sfen)
		require.NoError(tb, err)
		problems = append(problems, problem{plies, p})
	}
	require.NotEmpty(tb, problems)
	return problems
}

// TestProblems solves mates from games. Nodes are counted rather than time, which depends on what else the machine does.
func TestProblems(t *testing.T) {
	s := NewSolver(64 << 20)
	var first, all []int
	for _, x := range readProblems(t) {
		outcome, _, plies := s.Quick(&x.pos, 0)
		require.Equal(t, Mate, outcome, x.pos.SFEN())
		require.GreaterOrEqual(t, plies, x.plies, x.pos.SFEN())
		quick := int(s.count)
		r := s.Solve(&x.pos, Limits{})
		require.Equal(t, Mate, r.Outcome, x.pos.SFEN())
		require.GreaterOrEqual(t, r.Plies, x.plies, x.pos.SFEN())
		require.Equal(t, r.Minimal, r.Plies == x.plies, x.pos.SFEN())
		requireProved(t, s, &x.pos, &r)
		if x.plies == 11 {
			first, all = append(first, quick), append(all, int(r.Nodes))
		}
	}
	slices.Sort(first)
	slices.Sort(all)
	t.Logf("%d mates in 11: nodes to a mate median %d, most %d; to the shortest median %d, most %d", len(all),
		first[len(first)/2], first[len(first)-1], all[len(all)/2], all[len(all)-1])
	require.Less(t, first[len(first)/2], 10_000)
	require.Less(t, all[len(all)/2], 100_000)
	require.Less(t, all[len(all)-1], 2_000_000)
}

// twin is slowMate with a memory, for longer mates.
type twin struct {
	won, held map[twinKey]bool
	until     time.Time
}

type twinKey struct {
	key   uint64
	plies int
}

// mates reports whether there is a mate within the plies.
func (w *twin) mates(p *shogi.Position, plies int) bool {
	at := twinKey{p.Key(), plies}
	if w.won[at] || w.held[at] || time.Now().After(w.until) {
		return w.won[at]
	}
	for _, m := range slowChecks(p) {
		next := *p
		next.Do(m)
		if w.mated(&next, plies-1) {
			w.won[at] = true
			return true
		}
	}
	w.held[at] = true
	return false
}

func (w *twin) mated(p *shogi.Position, plies int) bool {
	replies := p.AppendLegal(nil)
	if plies < 2 {
		return len(replies) == 0
	}
	for _, m := range replies {
		next := *p
		next.Do(m)
		if !w.mates(&next, plies-1) {
			return false
		}
	}
	return true
}

func TestProblemLengthsAgainstTwin(t *testing.T) {
	if !*long {
		t.Skip("only with -long")
	}
	verified := map[int]int{}
	for _, x := range readProblems(t) {
		w := twin{map[twinKey]bool{}, map[twinKey]bool{}, time.Now().Add(10 * time.Second)}
		shorter, mates := w.mates(&x.pos, x.plies-2), w.mates(&x.pos, x.plies)
		if time.Now().After(w.until) {
			continue
		}
		require.False(t, shorter, x.pos.SFEN())
		require.True(t, mates, x.pos.SFEN())
		verified[x.plies]++
	}
	t.Log("verified by length:", verified)
	require.NotEmpty(t, verified)
}

const (
	mateIn11 = "l6nl/3kPs3/5p2p/p1ppg2P1/7+r1/P1G3p1P/1pNbSP1GL/2+n1S1K2/L1r3P2 w BGS3Pn2p 1"
	hardCase = "7+L1/1+B1nkg2+R/3p2s1K/1pp1g1p2/1n1P5/lSP4P1/1P7/1G7/1+l7 b RBG2S2NL9Pp 1"
)

func position(tb testing.TB, sfen string) shogi.Position {
	tb.Helper()
	p, err := shogi.ParseSFEN(sfen)
	require.NoError(tb, err)
	return p
}

func TestLimits(t *testing.T) {
	s := NewSolver(1 << 20)
	p := position(t, mateIn11)
	for plies, want := range map[int]Outcome{1: NoMate, 9: NoMate, 10: NoMate, 11: Mate, 12: Mate, 600: Mate} {
		require.Equal(t, want, s.Solve(&p, Limits{Plies: plies}).Outcome, plies)
	}
	r := s.Solve(&p, Limits{Nodes: 100})
	require.Equal(t, Unknown, r.Outcome)
	require.Equal(t, Nodes, r.Reason)
	require.Less(t, r.Nodes, int64(200))
	outcome, move, plies := s.Quick(&p, 100)
	require.Equal(t, Unknown, outcome)
	require.Equal(t, shogi.MoveNone, move)
	require.Zero(t, plies)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p = position(t, hardCase)
	r = s.Solve(&p, Limits{Context: ctx})
	require.Equal(t, Unknown, r.Outcome)
	require.Equal(t, Stopped, r.Reason)
}

// TestSmallTable solves with a table that overflows all the time: a mate may be missed, but none may be false.
func TestSmallTable(t *testing.T) {
	s := NewSolver(0)
	mates := 0
	for _, x := range readProblems(t) {
		r := s.Solve(&x.pos, Limits{Nodes: 30_000})
		require.NotEqual(t, NoMate, r.Outcome, x.pos.SFEN())
		if r.Outcome != Mate {
			continue
		}
		require.GreaterOrEqual(t, r.Plies, x.plies)
		proof, err := s.Proof(&x.pos, 0)
		if err != nil {
			continue // lost, and too much work to find again
		}
		mates++
		require.NoError(t, proof.Check())
	}
	require.NotZero(t, mates)
}

// TestAges lets the table's age overflow: nothing of older searches may come back.
func TestAges(t *testing.T) {
	s := NewSolver(0)
	mate, none := position(t, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), position(t, "4k4/9/9/9/9/9/9/9/4K4 b G 1")
	for range 1<<16 + 10 {
		s.begin(1)
		require.NotZero(t, s.table.age)
	}
	for range 3 {
		outcome, _, _ := s.Quick(&mate, 100)
		require.Equal(t, Mate, outcome)
		outcome, _, _ = s.Quick(&none, 1000)
		require.Equal(t, NoMate, outcome)
	}
}

func TestNothingAllocated(t *testing.T) {
	s := NewSolver(1 << 20)
	p := position(t, mateIn11)
	require.Zero(t, testing.AllocsPerRun(10, func() { s.Quick(&p, 400) }))
	require.Zero(t, testing.AllocsPerRun(10, func() { s.Solve(&p, Limits{Nodes: 20_000}) }))
}

// TestProofErrors asks for proofs that are not there.
func TestProofErrors(t *testing.T) {
	s := NewSolver(1 << 20)
	p := position(t, mateIn11)
	_, err := s.Proof(&p, 0)
	require.ErrorContains(t, err, p.SFEN())
	require.Equal(t, Mate, s.Solve(&p, Limits{}).Outcome)
	_, err = s.Proof(&p, 3)
	require.ErrorContains(t, err, "more than 3")
	proof, err := s.Proof(&p, 0)
	require.NoError(t, err)
	require.NoError(t, proof.Check())
	proof.Nodes[0].Defences = proof.Nodes[0].Defences[1:]
	require.ErrorContains(t, proof.Check(), "replies")
}

// TestNames pins the names that users see.
func TestNames(t *testing.T) {
	require.Equal(t, "unknown, mate, no mate", Unknown.String()+", "+Mate.String()+", "+NoMate.String())
	require.Equal(t, ", nodes, stopped, depth", Reason(0).String()+", "+Nodes.String()+", "+Stopped.String()+", "+Depth.String())
}

// BenchmarkSolver reports positions a second in a mate that takes long to find.
func BenchmarkSolver(b *testing.B) {
	s := NewSolver(64 << 20)
	p := position(b, hardCase)
	var nodes int64
	for b.Loop() {
		nodes += s.Solve(&p, Limits{Nodes: 100_000}).Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
