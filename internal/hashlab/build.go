package hashlab

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/yomi-shogi/yomi/nodehash/classic"
)

// Study measures everything on a set of positions.
func Study(ctx context.Context, set *Set, c GridConfig, command string, progress func(step string, done, total int)) (*Report, error) {
	r := &Report{Title: fmt.Sprintf("Hash laboratory: %d positions, %s", set.Len(), set.Source), Command: command}
	rows, err := Grid(ctx, set, c, func(done, total int) { progress("functions", done, total) })
	if err != nil {
		return nil, err
	}
	capacity, filling, freeing, err := Probes(ctx, set)
	if err != nil {
		return nil, err
	}
	progress("node table", 1, 1)
	words, err := wordTable(ctx, set, c.Modes)
	if err != nil {
		return nil, err
	}
	keys := keySection(set, CutKeys(set, Widths()), KeyUniformity(set), words)
	progress("keys", 1, 1)
	sweeps, err := sweepSection(ctx, DefaultSweeps())
	if err != nil {
		return nil, err
	}
	r.Sections = []Section{gridSection(rows), probeSection(capacity, filling, freeing), keys, sweeps}
	r.Findings = append(Advise(GridTrials(rows)), nodeFinding(filling), fmt.Sprintf("Zobrist keys need no hash from scratch in a search: a move costs %.1f ns.", MoveNanoseconds()))
	if set.Bad > 0 {
		r.Findings = append(r.Findings, fmt.Sprintf("%d records made no sense and were left out.", set.Bad))
	}
	return r, nil
}

// nodeFinding compares the node table with bucket tables.
func nodeFinding(filling []Probe) string {
	p := filling[len(filling)-1]
	lost := 1 - -math.Expm1(-p.Load)/p.Load
	return fmt.Sprintf("The node table loses nothing at load %.2f and looks at %.1f slots for a node; a bucket table with random buckets would have lost %.0f %% of the positions.", p.Load, p.Hit, 100*lost)
}

// EasyAIReport is the published experiment at 1024 and 4096 buckets.
func EasyAIReport(command string) (*Report, error) {
	r := &Report{Title: "The published collision experiment, run", Command: command}
	t := Table{Name: "easyai", Columns: []string{"function", "buckets", "published", "collisions", "occupied", "evictions", "re-stores", "first 500: collisions", "ns a hash"}}
	picture := &bars{title: "Collisions in 1024 buckets", first: "published", second: "true"}
	var trials []Trial
	for _, buckets := range []int{1024, 4096} {
		rows, err := EasyAI(buckets)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			claim := any(row.Published)
			if row.Published == 0 || buckets != 1024 {
				claim = nil
			}
			if row.Failed != "" {
				t.Rows = append(t.Rows, []any{row.Function + ": " + row.Failed, buckets, claim, nil, nil, nil, nil, nil, nil})
				continue
			}
			x := row.trial()
			trials = append(trials, x)
			t.Rows = append(t.Rows, []any{row.Function, buckets, claim, row.Counters.Collisions, row.Occupied, row.Counters.Evictions, row.Counters.Restores, row.First.Collisions, x.Nanoseconds})
			if claim != nil {
				picture.rows = append(picture.rows, barRow{row.Function, []float64{float64(row.Published), float64(row.Counters.Collisions)}})
			}
		}
	}
	r.Sections = []Section{{Title: "20,000 stores of (\"player\", i mod 100, \"row\" + (7i mod 500))", Text: easyAIText, Tables: []Table{t}, Charts: []template.HTML{picture.svg()}}}
	r.Findings = Advise(trials)
	return r, nil
}

// easyAIText says why the published numbers cannot be.
const easyAIText = `The published numbers cannot come from the published script, with any function at all:
- 7i mod 500 and i mod 100 repeat after 500 steps, so there are only 500 different keys. At least 19,500 of the 20,000 stores meet a full bucket, since the counter also counts stores of a key that is there already.
- Even 20,000 different keys would meet a full bucket 18,976 times or more, because only 1024 stores can meet an empty one.
- The script does not start: it calls a module and names a class that does not exist.
The order is another one too: at 1024 buckets FNV evicts least and Xor most, at 4096 Simple evicts nothing; Xor and Add do not improve with more buckets, because they never leave the first few hundred. ELF raises ValueError and Jenkins TypeError at the first store.`

// trial is what the advice looks at.
func (r *PublishedRow) trial() Trial {
	b := float64(r.Buckets)
	x := Trial{Name: r.Function, Buckets: r.Buckets, Different: PublishedDistinct, Calls: int(r.Counters.Calls), Occupied: r.Occupied,
		Ideal: b * -math.Expm1(PublishedDistinct*math.Log1p(-1/b)), Collisions: int(r.Counters.Collisions), Evictions: int(r.Counters.Evictions)}
	if h, err := (Scheme{r.Function, Faithful}).hasher(r.Buckets); err == nil {
		keys := make([]classic.Key, PublishedDistinct)
		for i := range keys {
			keys[i] = PublishedKey(i)
		}
		x.Nanoseconds, _ = timeEach(len(keys), func(i int) (int, error) { return h.Index(keys[i]) }) // it took the keys before
	}
	return x
}

// ChopsticksReport is the hand game with easyAI's set-up.
func ChopsticksReport(ctx context.Context, depth int, command string) (*Report, error) {
	runs, err := Chopsticks(ctx, depth)
	if err != nil {
		return nil, err
	}
	r := &Report{Title: fmt.Sprintf("Chopsticks, DUAL* to depth %d, 32 buckets", depth), Command: command}
	s := runSection("Every function as the transposition table", "easyAI's example takes JSW and 32 buckets. The Go map loses nothing: its nodes are the fewest possible. The value and the move are the same with every table; only the work differs.", runs)
	r.Sections = []Section{s}
	r.Findings = append(Advise(runTrials(runs)), leastNodes(runs))
	return r, nil
}

// runTrials returns what the advice looks at, of the runs that ended.
func runTrials(runs []TableRun) []Trial {
	var out []Trial
	for _, x := range runs {
		if x.Failed == "" && x.Buckets > 0 {
			out = append(out, x.trial())
		}
	}
	return out
}

// leastNodes says which functions saved most work.
func leastNodes(runs []TableRun) string {
	ended := slices.DeleteFunc(slices.Clone(runs), func(x TableRun) bool { return x.Failed != "" || x.Buckets == 0 })
	slices.SortStableFunc(ended, func(a, b TableRun) int { return int(a.Nodes - b.Nodes) })
	if len(ended) == 0 {
		return "No function took these keys."
	}
	return fmt.Sprintf("The search is shortest with %s, %d nodes; with a Go map it takes %d, with %s %d.", ended[0].Name, ended[0].Nodes, runs[0].Nodes, ended[len(ended)-1].Name, ended[len(ended)-1].Nodes)
}

// runSection shows searches with several tables.
func runSection(title, text string, runs []TableRun) Section {
	t := Table{Name: "searches", Columns: []string{"table", "buckets", "value", "move", "nodes", "probes", "hits", "calls", "collisions", "evictions", "re-stores", "occupied", "different", "ns a hash"}}
	nodes := &bars{title: "Nodes searched"}
	for _, x := range runs {
		name, buckets, time := x.Name, any(x.Buckets), any(x.Nanoseconds)
		if x.Buckets == 0 {
			buckets, time = nil, nil
		}
		if x.Failed != "" {
			t.Rows = append(t.Rows, []any{name + ": " + x.Failed, buckets, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil})
			continue
		}
		t.Rows = append(t.Rows, []any{name, buckets, x.Score, x.Move, x.Nodes, x.Probes, x.Hits, x.Counters.Calls, x.Counters.Collisions, x.Counters.Evictions, x.Counters.Restores, x.Occupied, x.Different, time})
		nodes.rows = append(nodes.rows, barRow{name, []float64{float64(x.Nodes)}})
	}
	return Section{Title: title, Text: text, Tables: []Table{t}, Charts: []template.HTML{nodes.svg()}}
}

// SolvedReport solves games, saves their tables in a folder, loads them and asks again.
func SolvedReport(ctx context.Context, dir, command string) (*Report, error) {
	solutions, err := Solved(ctx, dir)
	if err != nil {
		return nil, err
	}
	t := Table{Name: "solved", Columns: []string{"game", "table", "value", "move", "nodes", "positions", "bytes", "again: value", "move", "nodes"}}
	for _, s := range solutions {
		t.Rows = append(t.Rows, []any{s.Game, s.Table, s.First.Score, s.First.Move, s.First.Nodes, s.Saved, s.FileBytes, s.Again.Score, s.Again.Move, s.Again.Nodes})
	}
	runs, err := NimFunctions(ctx)
	if err != nil {
		return nil, err
	}
	r := &Report{Title: "Solved games, saved and read again", Command: command}
	r.Sections = []Section{
		{Title: "Solve, save, load, ask again", Text: "The second search has the loaded table and needs no node: the root is in it, deep enough and with its best move. A value is 32000 less the plies to the end, negative where the side to move loses.", Tables: []Table{t}},
		runSection("Nim with every function as the transposition table, 4096 buckets", fmt.Sprintf("This search asks only who wins. One that needs more than %d nodes is given up.", mostNodes), runs),
	}
	r.Findings = append(Advise(runTrials(runs)), leastNodes(runs), "Without a result, because the table forgot too much or the function failed: "+failedNames(runs)+".")
	return r, nil
}

// failedNames lists the functions with which the search did not end.
func failedNames(runs []TableRun) string {
	var names []string
	for _, x := range runs {
		if x.Failed != "" {
			names = append(names, x.Name)
		}
	}
	return strings.Join(names, ", ")
}
