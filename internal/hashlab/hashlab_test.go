package hashlab

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"html/template"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/nodehash/classic"
	"github.com/yomi-shogi/yomi/shogi"
)

// sample returns the positions that several packages' tests share.
func sample(t *testing.T, limit int) *Set {
	reports := 0
	s, err := ReadRecords(context.Background(), []string{"../../testdata/sample.psv.zst"}, limit, func(int) { reports++ })
	require.NoError(t, err)
	require.NotZero(t, reports)
	require.Zero(t, s.Bad)
	return s
}

// TestZobristFromCells: the key made from a position's bytes is the position's own.
func TestZobristFromCells(t *testing.T) {
	s := sample(t, 3000)
	require.Equal(t, 3000, s.Len())
	for i := range s.Len() {
		require.Equal(t, s.keys[i], zobristOf(s.cellsOf(i)), "position %d", i)
	}
}

func TestSetTellsPositionsApart(t *testing.T) {
	var s Set
	p := shogi.StartPosition()
	s.Add(&p)
	q := p
	q.Do(p.AppendLegal(nil)[0])
	s.Add(&q)
	s.Add(&p)
	require.Equal(t, 2, s.Len())
	require.Equal(t, []int32{0, 1, 0}, s.stream)
	require.Zero(t, s.Collisions())

	s.cells[0] ^= 1 // as if another position had the start position's key
	s.Add(&p)
	require.Equal(t, 1, s.Collisions())
	require.Equal(t, 3, s.Len())
}

// TestSampleKeys: no collisions, uniform bits, and as many collisions of cut keys as the birthday odds say.
func TestSampleKeys(t *testing.T) {
	s := sample(t, 0)
	require.Equal(t, 20_000, s.Stream())
	require.Zero(t, s.Collisions())
	tests := KeyUniformity(s)
	require.Len(t, tests, 3)
	for _, u := range tests {
		require.Greater(t, u.Uniform, 0.01, "%+v", u)
		require.Less(t, u.Uniform, 0.99, "%+v", u)
	}
	for _, w := range CutKeys(s, Widths()) {
		if w.Expected > 1 {
			require.Less(t, math.Abs(w.Sigmas), 3.0, "%+v", w)
		} else {
			require.LessOrEqual(t, w.Counted, 4, "%+v", w)
		}
	}
}

func TestPairsAreCounted(t *testing.T) {
	w := pairs([]uint64{1, 17, 33, 2, 18, 3}, []int{4, 64})
	require.Equal(t, 3+1, w[0].Counted, "1 17 33 and 2 18 agree in four bits")
	require.InDelta(t, 15.0/16, w[0].Expected, 1e-12)
	require.Zero(t, w[1].Counted)
}

func TestChiSquare(t *testing.T) {
	chi, p := chiSquare([]int{10, 10, 10, 10})
	require.Zero(t, chi)
	require.Greater(t, p, 0.99)
	counts := make([]int, 100)
	for i := range counts {
		counts[i] = 100 + 20*(i%2) - 10 // chi-square 100 at 99 degrees of freedom
	}
	chi, p = chiSquare(counts)
	require.InDelta(t, 100, chi, 1e-9)
	require.InDelta(t, 0.4529, p, 0.002) // from tables
	_, p = chiSquare([]int{1000, 0, 0, 0, 0, 0, 0, 0})
	require.Less(t, p, 1e-9)
}

// TestGridAgainstBuckets: the grid counts what classic's own table counts.
func TestGridAgainstBuckets(t *testing.T) {
	s := sample(t, 2000)
	config := GridConfig{Modes: []Mode{Faithful, Wide32, Wide64}, Sizes: []int{512, 1024}, Loads: []float64{0.5, 1.5}, Seed: 1}
	calls := 0
	rows, err := Grid(context.Background(), s, config, func(done, total int) {
		calls++
		require.Equal(t, calls, done)
		require.Equal(t, 2*(1+3*13), total)
	})
	require.NoError(t, err)
	compared := 0
	for _, r := range rows {
		require.Equal(t, r.Scheme.Function == "ELF", r.Failed != "", r.Scheme)
		if r.Failed != "" || r.Scheme.Function == Zobrist || r.Scheme.Function == "Jenkins" && r.Scheme.Mode == Faithful {
			continue
		}
		h, err := r.Scheme.hasher(r.Size)
		require.NoError(t, err)
		for _, c := range r.Cells {
			table := classic.NewBuckets[int](h)
			for _, i := range s.stream {
				if int(i) >= c.Different {
					break
				}
				require.NoError(t, table.Set(s.text[i], int(i)))
			}
			n := table.Counters()
			require.Equal(t, []int{int(n.Calls), table.Occupied(), int(n.Collisions), int(n.Evictions), int(n.Restores)},
				[]int{c.Stored, c.Occupied, c.Collisions, c.Evictions, c.Restores}, "%v %d", r.Scheme, r.Size)
			compared++
		}
	}
	require.Equal(t, (3*12-1)*2*2, compared)
	zobrist := rows[0]
	require.Equal(t, Zobrist, zobrist.Scheme.String())
	require.InDelta(t, 1, float64(zobrist.Cells[1].Occupied)/zobrist.Cells[1].Ideal, 0.05)
	require.InDelta(t, 0.5, zobrist.Avalanche, 0.05)
	require.Positive(t, zobrist.Nanoseconds)
}

func TestGridRefuses(t *testing.T) {
	for want, change := range map[string]func(*GridConfig){
		"bad size 1000": func(c *GridConfig) { c.Sizes = []int{1000} },
		"bad load 0":    func(c *GridConfig) { c.Loads = []float64{0} },
		"no sizes":      func(c *GridConfig) { c.Sizes = nil },
	} {
		c := DefaultGrid()
		change(&c)
		_, err := Grid(context.Background(), sample(t, 1000), c, func(int, int) {})
		require.ErrorContains(t, err, want)
	}
	_, err := ParseModes("faithful,16-bit")
	require.ErrorContains(t, err, `"16-bit"`)
	stopped, stop := context.WithCancel(context.Background())
	stop()
	_, err = Grid(stopped, sample(t, 1000), DefaultGrid(), func(int, int) {})
	require.ErrorIs(t, err, context.Canceled)
}

// TestProbesFollowTheory: with as few positions as the sample has, chance moves the means by several percent; on millions
// they agree within 5 % (docs/hashing.md).
func TestProbesFollowTheory(t *testing.T) {
	capacity, filling, freeing, err := Probes(context.Background(), sample(t, 0))
	require.NoError(t, err)
	require.Equal(t, 1<<14, capacity)
	require.Len(t, filling, len(ProbeLoads()))
	for i, p := range filling {
		require.InDelta(t, ProbeLoads()[i], p.Load, 1e-3)
		require.InEpsilon(t, p.HitTheory, p.Hit, 0.11, p.What)
		require.InEpsilon(t, p.MissTheory, p.Miss, 0.25, p.What)
		require.Zero(t, p.NotFound+p.Deleted)
		nodes, runs := 0, float64(p.Clusters)*p.MeanRun
		for _, n := range p.Lengths {
			nodes += n
		}
		require.Equal(t, p.Used, nodes)
		require.InDelta(t, float64(p.Used), runs, 1e-6)
	}
	require.Len(t, freeing, 4)
	require.Positive(t, freeing[1].Deleted)
	require.Less(t, freeing[2].Deleted, freeing[1].Deleted)
	require.Equal(t, freeing[0].Used, freeing[3].Used)
	for _, p := range freeing {
		require.Zero(t, p.NotFound, p.What)
	}
}

// TestSweeps: the book's sweep loses nodes, ours none.
func TestSweeps(t *testing.T) {
	book, ours, err := Sweeps(context.Background(), SweepConfig{Size: 1024, Playouts: 1000, Moves: 5, Seed: 1})
	require.NoError(t, err)
	require.Len(t, book, 4)
	require.Len(t, ours, 4)
	lost := 0
	for i := range book {
		lost += book[i].Lost
		require.Zero(t, ours[i].Lost)
		require.Zero(t, ours[i].Duplicates)
		require.False(t, ours[i].RootLost)
		require.Positive(t, ours[i].Kept)
	}
	require.Greater(t, lost, 20)
	require.Equal(t, book[0].Kept, ours[0].Kept, "up to the first sweep both do the same")
}

// TestEasyAITrueNumbers: what the published experiment gives when it is run.
func TestEasyAITrueNumbers(t *testing.T) {
	want := map[int]map[string][4]int{ // collisions, occupied, evictions, collisions of the first 500
		1024: {"Simple": {19673, 327, 12341, 173}, "Xor": {19880, 120, 19334, 380}, "Add": {19851, 149, 18447, 351}, "Rotate": {19737, 263, 15213, 237},
			"Bernstein": {19705, 295, 13192, 205}, "ShiftAndAdd": {19610, 390, 7793, 110}, "FNV": {19604, 396, 7553, 104}, "OneAtATime": {19681, 319, 11491, 181}, "JSW": {19776, 224, 16890, 276}},
		4096: {"Simple": {19500, 500, 0, 0}, "Xor": {19880, 120, 19334, 380}, "Add": {19851, 149, 18447, 351}, "Rotate": {19603, 397, 7825, 103},
			"Bernstein": {19529, 471, 2291, 29}, "ShiftAndAdd": {19528, 472, 2134, 28}, "FNV": {19533, 467, 2529, 33}, "OneAtATime": {19555, 445, 3994, 55}, "JSW": {19724, 276, 14537, 224}},
	}
	for buckets, functions := range want {
		rows, err := EasyAI(buckets)
		require.NoError(t, err)
		require.Len(t, rows, 11)
		for _, r := range rows {
			switch r.Function {
			case "ELF":
				require.Equal(t, classic.ValueError, r.Failed)
			case "Jenkins":
				require.Equal(t, classic.TypeError, r.Failed)
			default:
				require.Equal(t, functions[r.Function], [4]int{int(r.Counters.Collisions), r.Occupied, int(r.Counters.Evictions), int(r.First.Collisions)}, "%s %d", r.Function, buckets)
			}
		}
	}
}

// TestChopsticks: the tables change the work, not the result; JSW, which the textbook takes, is good here.
func TestChopsticks(t *testing.T) {
	runs, err := Chopsticks(context.Background(), 6)
	require.NoError(t, err)
	require.Len(t, runs, 14)
	for _, r := range runs {
		if r.Name == "ELF" {
			require.Equal(t, classic.ValueError, r.Failed)
			continue
		}
		require.Empty(t, r.Failed)
		require.Equal(t, runs[0].Score, r.Score, r.Name)
		require.Equal(t, runs[0].Move, r.Move, r.Name)
		require.GreaterOrEqual(t, r.Nodes, runs[0].Nodes, r.Name)
		require.LessOrEqual(t, r.Occupied, max(32, runs[0].Occupied))
		require.Equal(t, r.Counters.Collisions, r.Counters.Evictions+r.Counters.Restores)
	}
	require.Equal(t, "JSW", totals(runTrials(runs))[0].name, "the fewest evictions")
}

// TestSolved: what was solved and saved is answered without a node.
func TestSolved(t *testing.T) {
	solutions, err := Solved(context.Background(), t.TempDir())
	require.NoError(t, err)
	require.Len(t, solutions, 4)
	for _, s := range solutions {
		require.Positive(t, s.First.Nodes)
		require.Zero(t, s.Again.Nodes, "%s, %s", s.Game, s.Table)
		require.Equal(t, s.First.Score, s.Again.Score)
		require.Equal(t, s.First.Move, s.Again.Move)
		require.Positive(t, s.FileBytes)
	}
	require.Negative(t, solutions[0].First.Score, "the side to move loses Nim 5 5 5 5")
	require.Equal(t, 31997, solutions[1].First.Score, "mate in three plies")
	_, err = Solved(context.Background(), filepath.Join(t.TempDir(), "absent"))
	require.ErrorContains(t, err, "absent")
}

func TestRandomGames(t *testing.T) {
	a, err := RandomGames(context.Background(), 1500, 7, func(int) {})
	require.NoError(t, err)
	b, err := RandomGames(context.Background(), 1500, 7, func(int) {})
	require.NoError(t, err)
	require.Equal(t, 1500, a.Len())
	require.Equal(t, a.keys, b.keys)
	require.Greater(t, a.Stream(), a.Len(), "each game begins at the start position")
}

func TestReadRecordsRefuses(t *testing.T) {
	_, err := ReadRecords(context.Background(), []string{"absent.psv"}, 0, func(int) {})
	require.ErrorContains(t, err, "absent.psv")
}

// TestAdvice on trials made by hand.
func TestAdvice(t *testing.T) {
	trials := []Trial{
		{Name: "FNV", Buckets: 100, Different: 50, Calls: 60, Occupied: 39, Ideal: 39, Collisions: 21, Evictions: 20, Nanoseconds: 300},
		{Name: "Simple", Buckets: 100, Different: 50, Calls: 60, Occupied: 39, Ideal: 39, Collisions: 22, Evictions: 21, Nanoseconds: 200},
		{Name: "Bernstein", Buckets: 100, Different: 50, Calls: 1000, Occupied: 30, Ideal: 39, Collisions: 40, Evictions: 39, Nanoseconds: 100},
		{Name: "Xor", Buckets: 100, Different: 50, Calls: 60, Occupied: 10, Ideal: 39, Collisions: 50, Evictions: 50, Nanoseconds: 90},
	}
	require.Equal(t, "Simple", Recommend(trials), "the fastest within 5 % of the fewest evictions")
	text := strings.Join(Advise(trials), "\n")
	for _, want := range []string{
		"Recommended: Simple, with 21 evictions", "The fewest are 20 (FNV, 300 ns)", "«1.5 to 2 buckets an entry»: wrong", "22 % at 2.0 ×",
		"«another function if collisions/calls > 5 %»: wrong. It objects to 3 of 4 tables, 2 of which", "passes 1 that",
		"«take FNV or One-at-a-time»: right here", "«Bernstein for speed»: wrong",
	} {
		require.Contains(t, text, want)
	}
	require.Len(t, Advise(nil), 1)
	missing := append(trials, Trial{Name: "FNV", Buckets: 10, Evictions: 5, Nanoseconds: 1})
	require.Equal(t, "FNV", Recommend(missing), "only FNV has both tables")
}

// TestReport: the forms of a report hold the same table.
func TestReport(t *testing.T) {
	r, err := EasyAIReport("yomi hashlab --preset easyai")
	require.NoError(t, err)
	var out, page, data bytes.Buffer
	require.NoError(t, r.Text(&out))
	require.Contains(t, out.String(), "FNV")
	require.Contains(t, out.String(), "19604")
	require.Contains(t, out.String(), "Recommended: ")
	require.NoError(t, r.HTML(&page))
	require.Contains(t, page.String(), "<td>19604</td>")
	require.Contains(t, page.String(), "<svg")
	require.NotContains(t, page.String(), "http://", "the page needs no network")
	require.NotContains(t, page.String(), "https://")
	require.NotContains(t, page.String(), "NaN")
	require.NoError(t, r.JSON(&data))
	var again Report
	require.NoError(t, json.Unmarshal(data.Bytes(), &again))
	require.Equal(t, r.Findings, again.Findings)
	var sheet bytes.Buffer
	table := r.Sections[0].Tables[0]
	require.NoError(t, table.CSV(&sheet))
	rows, err := csv.NewReader(&sheet).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+22)
	require.Equal(t, table.Columns, rows[0])
	require.Equal(t, []string{"FNV", "1024", "2900", "19604"}, rows[7][:4])
}

// TestStudy makes a whole report of few positions.
func TestStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	steps := make(map[string]bool)
	c := GridConfig{Modes: []Mode{Wide32}, Sizes: []int{1024}, Loads: []float64{0.5, 0.9}, Seed: 1}
	r, err := Study(context.Background(), sample(t, 4000), c, "yomi hashlab", func(step string, done, total int) { steps[step] = done <= total })
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"functions": true, "node table": true, "keys": true}, steps)
	require.Len(t, r.Sections, 4)
	var page, out bytes.Buffer
	require.NoError(t, r.HTML(&page))
	require.NoError(t, r.Text(&out))
	for _, s := range r.Sections {
		require.True(t, strings.Contains(page.String(), template.HTMLEscapeString(s.Title)), s.Title)
		require.NotEmpty(t, s.Tables[0].Rows, s.Title)
		for _, table := range s.Tables {
			for _, row := range table.Rows {
				require.Len(t, row, len(table.Columns), table.Name)
			}
		}
	}
	require.False(t, strings.Contains(page.String()+out.String(), "NaN"))
}
