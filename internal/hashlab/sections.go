package hashlab

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"slices"
)

// gridSection shows a grid, and as pictures its largest load below 1.
func gridSection(rows []Row) Section {
	cells := Table{Name: "grid", Columns: []string{"scheme", "buckets", "load", "different", "stored", "occupied", "ideal", "of ideal", "collisions", "evictions", "re-stores"}}
	quality := Table{Name: "quality", Columns: []string{"scheme", "buckets", "low bits", "chi-square", "chance of it", "avalanche", "unchanged", "ns a hash"}}
	for _, r := range rows {
		if r.Failed != "" {
			quality.Rows = append(quality.Rows, []any{r.Scheme.String() + ": " + r.Failed, r.Size, nil, nil, nil, nil, nil, nil})
			continue
		}
		quality.Rows = append(quality.Rows, []any{r.Scheme.String(), r.Size, r.Bits, r.ChiSquare, r.Uniform, r.Avalanche, r.Unchanged, r.Nanoseconds})
		for _, c := range r.Cells {
			cells.Rows = append(cells.Rows, []any{r.Scheme.String(), r.Size, c.Load, c.Different, c.Stored, c.Occupied, c.Ideal, float64(c.Occupied) / c.Ideal, c.Collisions, c.Evictions, c.Restores})
		}
	}
	return Section{
		Title: "Functions in bucket tables",
		Text: "A position is 96 bytes: 81 squares, 14 counts in hand, the side to move. «ideal» is the number of full buckets to be expected of random ones. A collision meets a full bucket; " +
			"an eviction loses another position, a re-store nothing. «chance of it» is the probability of such a chi-square, or a larger one, for uniform bits. " +
			"«avalanche» is the share of index bits that flip when one square changes (0.5 is ideal), «unchanged» the share of changes that leave the index as it was.",
		Tables: []Table{quality, cells},
		Charts: gridCharts(rows),
	}
}

// gridCharts shows how full the tables are, and what a hash costs.
func gridCharts(rows []Row) []template.HTML {
	const load, slow = 0.9, 5000 // nanoseconds: longer bars would leave nothing to see of the others
	size := 0
	for _, r := range rows {
		if len(r.Cells) > 0 && (size == 0 || r.Cells[len(r.Cells)-1].Load >= load) {
			size = max(size, r.Size)
		}
	}
	filling := &bars{unit: " %"}
	times := &bars{title: "Time of a hash from scratch", unit: " ns"}
	for _, r := range rows {
		if r.Failed != "" || r.Size != size {
			continue
		}
		i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Load >= load })
		if i < 0 {
			i = len(r.Cells) - 1
		}
		if i >= 0 {
			c := r.Cells[i]
			filling.title = fmt.Sprintf("Full buckets, of what random ones would fill (%d buckets, load %g)", r.Size, c.Load)
			filling.rows = append(filling.rows, barRow{r.Scheme.String(), []float64{100 * float64(c.Occupied) / c.Ideal}})
		}
		if r.Nanoseconds > slow {
			times.title += fmt.Sprintf("; %s takes %s µs", r.Scheme, number(r.Nanoseconds/1000))
			continue
		}
		times.rows = append(times.rows, barRow{r.Scheme.String(), []float64{r.Nanoseconds}})
	}
	return []template.HTML{filling.svg(), times.svg()}
}

// probeSection shows the node table.
func probeSection(capacity int, filling, freeing []Probe) Section {
	columns := []string{"table", "load", "used", "deleted", "hit", "theory", "off by %", "miss", "theory", "off by %", "longest run", "runs", "mean run", "not found"}
	table := func(name string, list []Probe) Table {
		t := Table{Name: name, Columns: columns}
		for _, p := range list {
			row := []any{p.What, p.Load, p.Used, p.Deleted, p.Hit, nil, nil, nil, nil, nil, p.LongestRun, nil, nil, p.NotFound}
			if p.Clusters > 0 {
				copy(row[5:10], []any{p.HitTheory, 100 * (p.Hit/p.HitTheory - 1), p.Miss, p.MissTheory, 100 * (p.Miss/p.MissTheory - 1)})
				row[11], row[12] = p.Clusters, p.MeanRun
			}
			t.Rows = append(t.Rows, row)
		}
		return t
	}
	s := Section{
		Title: fmt.Sprintf("The node table (package nodehash), %d slots", capacity),
		Text: "«hit» is the mean number of slots looked at to find a node, «miss» for a position that is not there. Theory is Knuth's for linear probing: (1 + 1/(1−a))/2 and (1 + 1/(1−a)²)/2 at load a. " +
			"Freed slots stay «deleted», and searches pass over them, until a sweep or a free neighbour makes them empty; there is no theory for a table with deleted slots. «not found» counts nodes that their own key does not lead to.",
		Tables: []Table{table("probes", filling), table("freeing", freeing)},
	}
	means := &chart{title: "Slots looked at", xLabel: "load", logarithmic: true}
	for _, line := range []struct {
		name, class string
		dots        bool
		of          func(p Probe) float64
	}{
		{"hit, theory", "a", false, func(p Probe) float64 { return p.HitTheory }},
		{"miss, theory", "b", false, func(p Probe) float64 { return p.MissTheory }},
		{"hit", "a", true, func(p Probe) float64 { return p.Hit }},
		{"miss", "b", true, func(p Probe) float64 { return p.Miss }},
	} {
		one := series{name: line.name, class: line.class, dots: line.dots}
		for _, p := range filling {
			one.points = append(one.points, point{p.Load, line.of(p)})
		}
		means.series = append(means.series, one)
	}
	s.Charts = []template.HTML{means.svg(), lengthChart(filling).svg()}
	s.Tables = append(s.Tables, lengthTable(filling))
	return s
}

// lengthChart shows the histogram of probe lengths at some loads.
func lengthChart(filling []Probe) *chart {
	const longest = 60
	c := &chart{title: "Nodes by slots looked at to find them", xLabel: "slots", logarithmic: true}
	classes := []string{"c", "a", "b"}
	for i, load := range []int{1, 3, len(filling) - 1} {
		p := filling[load]
		s := series{name: fmt.Sprintf("load %.2f", p.Load), class: classes[i]}
		for n, count := range p.Lengths {
			if count > 0 && n <= longest {
				s.points = append(s.points, point{float64(n), float64(count)})
			}
		}
		c.series = append(c.series, s)
	}
	return c
}

// lengthTable is the histogram of all loads, lengths in classes that double.
func lengthTable(filling []Probe) Table {
	t := Table{Name: "lengths", Columns: []string{"slots looked at"}}
	for _, p := range filling {
		t.Columns = append(t.Columns, fmt.Sprintf("load %.2f", p.Load))
	}
	for low := 1; low < 1<<20; low *= 2 {
		name := fmt.Sprintf("%d to %d", low, 2*low-1)
		if low == 1 {
			name = "1"
		}
		row, any1 := []any{name}, false
		for _, p := range filling {
			n := 0
			for length := low; length < min(2*low, len(p.Lengths)); length++ {
				n += p.Lengths[length]
			}
			row, any1 = append(row, n), any1 || n > 0
		}
		if !any1 {
			break
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// keySection shows collisions of keys.
func keySection(set *Set, widths []Width, uniform []Uniformity, words Table) Section {
	counted := Table{Name: "birthday", Columns: []string{"bits", "pairs counted", "expected", "chance of any", "deviation in σ"}}
	c := &chart{title: "Colliding pairs of keys cut to so many bits", xLabel: "bits", logarithmic: true}
	theory, seen := series{name: "expected", class: "even"}, series{name: "counted", class: "a", dots: true}
	for _, w := range widths {
		counted.Rows = append(counted.Rows, []any{w.Bits, w.Counted, w.Expected, w.Chance, w.Sigmas})
		if w.Expected > 0.01 {
			theory.points = append(theory.points, point{float64(w.Bits), w.Expected})
		}
		if w.Counted > 0 {
			seen.points = append(seen.points, point{float64(w.Bits), float64(w.Counted)})
		}
	}
	c.series = []series{theory, seen}
	tests := Table{Name: "uniformity", Columns: []string{"part of the key", "bits", "chi-square", "chance of it"}}
	for _, u := range uniform {
		tests.Rows = append(tests.Rows, []any{u.What, u.Bits, u.ChiSquare, u.Uniform})
	}
	return Section{
		Title: "Whole keys",
		Text: fmt.Sprintf("%d different positions (%d with repetitions) were compared whole: %d pairs of them have the same 64-bit Zobrist key.\nCut to fewer bits the keys do collide, as often as the birthday odds n(n−1)/2 · 2^−bits say.",
			set.Len(), set.Stream(), set.Collisions()),
		Tables: []Table{counted, tests, words},
		Charts: []template.HTML{c.svg()},
	}
}

// wordTable counts the collisions of the textbook functions' whole words.
func wordTable(ctx context.Context, set *Set, modes []Mode) (Table, error) {
	const most = 200_000
	t := Table{Name: "words", Columns: []string{"function", "positions", "pairs counted", "expected"}}
	for _, s := range Schemes(modes) {
		if s.Function == Zobrist || s.Mode == Faithful {
			continue
		}
		if err := ctx.Err(); err != nil {
			return t, err
		}
		w, failed := WideKeys(set, s, most)
		if failed != "" {
			t.Rows = append(t.Rows, []any{s.String() + ": " + failed, nil, nil, nil})
			continue
		}
		t.Rows = append(t.Rows, []any{s.String(), min(most, set.Len()), w.Counted, w.Expected})
	}
	return t, nil
}

// sweepSection plays the games with both tables.
func sweepSection(ctx context.Context, configs []SweepConfig) (Section, error) {
	s := Section{
		Title: "Forgetting old nodes: the book's sweep and ours",
		Text: "A search with the book's algorithm (synthetic policy and values) plays against itself; before each move all nodes are dropped that the new root does not lead to. " +
			"«lost» nodes are in the table and their key does not lead to them; a root that is lost costs the whole tree at the next sweep. " +
			"«made twice» counts nodes whose key an earlier slot holds too.",
	}
	t := Table{Name: "sweeps", Columns: []string{"table", "slots", "playouts", "sweeps", "mean load", "kept", "lost", "lost %", "worst %", "roots lost", "trees lost", "made twice"}}
	worst := &chart{xLabel: "sweep", yLabel: "lost %"}
	for _, c := range configs {
		book, ours, err := Sweeps(ctx, c)
		if err != nil {
			return s, err
		}
		for i, list := range [][]Forget{book, ours} {
			t.Rows = append(t.Rows, sweepRow([]string{"book", "yomi"}[i], c, list))
		}
		if len(worst.series) == 0 && c.Playouts > c.Size/2 {
			worst.title = fmt.Sprintf("Nodes that cannot be found after a sweep (%d slots, %d playouts)", c.Size, c.Playouts)
			worst.series = []series{{name: "book", class: "b", points: lostPoints(book)}, {name: "yomi", class: "a", points: lostPoints(ours)}}
		}
	}
	s.Tables = []Table{t}
	s.Charts = []template.HTML{worst.svg()}
	return s, nil
}

func lostPoints(list []Forget) []point {
	var points []point
	for i, f := range list {
		points = append(points, point{float64(i + 1), 100 * f.lostShare()})
	}
	return points
}

func (f Forget) lostShare() float64 {
	if f.Kept == 0 {
		return 0
	}
	return float64(f.Lost) / float64(f.Kept)
}

func sweepRow(name string, c SweepConfig, list []Forget) []any {
	load, worst := 0.0, 0.0
	kept, lost, roots, trees, twice := 0, 0, 0, 0, 0
	for _, f := range list {
		load += f.Load / float64(len(list))
		kept, lost, twice = kept+f.Kept, lost+f.Lost, twice+f.Duplicates
		worst = math.Max(worst, f.lostShare())
		if f.RootLost {
			roots++
		}
		if f.Kept == 0 {
			trees++
		}
	}
	share := 0.0
	if kept > 0 {
		share = 100 * float64(lost) / float64(kept)
	}
	return []any{name, c.Size, c.Playouts, len(list), load, kept, lost, share, 100 * worst, roots, trees, twice}
}
