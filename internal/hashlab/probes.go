package hashlab

import (
	"context"
	"fmt"

	"github.com/yomi-shogi/yomi/nodehash"
)

// Probe is the node table at one load.
type Probe struct {
	What      string
	Load      float64
	Used      int
	Deleted   int     // freed slots that a search still passes over
	Hit       float64 // mean slots looked at to find a node
	HitTheory float64 // (1 + 1/(1-load))/2
	// Miss is the mean number of slots looked at for a position that is not there, every home being equally likely. It,
	// Clusters and MeanRun are 0 in a table with deleted slots.
	Miss       float64
	MissTheory float64 // (1 + 1/(1-load)²)/2
	LongestRun int     // neighbouring slots that are not empty
	Clusters   int     // runs of used slots
	MeanRun    float64
	Lengths    []int // Lengths[n] nodes are found by looking at n slots
	NotFound   int   // nodes that a search for their key does not return; always 0
}

// ProbeLoads are the loads that Probes measures.
func ProbeLoads() []float64 { return []float64{0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9} }

// Probes fills a node table with the set's positions, the largest one that they can fill to nine tenths, and describes it
// at each load. Then it frees three tenths of the nodes of a table at 0.7, sweeps, and fills it again.
func Probes(ctx context.Context, set *Set) (capacity int, filling, freeing []Probe, err error) {
	const fullest = 0.9
	for capacity = 2; float64(2*capacity)*fullest <= float64(set.Len()); capacity *= 2 {
	}
	t, err := nodehash.New[struct{}](capacity)
	if err != nil {
		return 0, nil, nil, err
	}
	next := 0
	for _, load := range ProbeLoads() {
		if err := ctx.Err(); err != nil {
			return 0, nil, nil, err
		}
		next = fillTable(t, set, next, int(load*float64(capacity)))
		filling = append(filling, describe(t, fmt.Sprintf("filled to %.2f", load)))
	}
	return capacity, filling, frees(t, set), nil
}

// fillTable adds positions, from the given one on, until so many slots are used, and returns the next position.
func fillTable(t *nodehash.Table[struct{}], set *Set, next, used int) int {
	for ; next < set.Len() && t.Used() < used; next++ {
		t.FindOrClaim(nodehash.Key{Hash: set.keys[next], Turn: set.cellsOf(next)[Cells-1], Moves: set.plies[next]})
	}
	return next
}

// frees shows what freeing and sweeping do.
func frees(t *nodehash.Table[struct{}], set *Set) []Probe {
	const load = 0.7
	t.Clear()
	next := fillTable(t, set, 0, int(load*float64(t.Cap())))
	out := []Probe{describe(t, "filled to 0.70")}
	for i := range t.Cap() {
		if e := t.Entry(i); e.Used && e.Hash>>60 < 5 { // about 5/16, by bits that have nothing to do with the slot
			t.Free(i)
		}
	}
	out = append(out, describe(t, "a third freed, at random"))
	t.Sweep(0, t.Cap())
	out = append(out, describe(t, "swept"))
	fillTable(t, set, next, int(load*float64(t.Cap())))
	return append(out, describe(t, "filled again to 0.70"))
}

// describe measures a table.
func describe(t *nodehash.Table[struct{}], what string) Probe {
	st := t.Stats()
	p := Probe{What: what, Load: st.Load, Used: st.Used, Deleted: st.Deleted, Hit: st.MeanProbe, LongestRun: st.LongestRun, Lengths: st.ProbeLengths}
	p.HitTheory = (1 + 1/(1-st.Load)) / 2
	p.MissTheory = (1 + 1/((1-st.Load)*(1-st.Load))) / 2
	for i := range t.Cap() {
		e := t.Entry(i)
		if found, ok := t.FindSameHashIndex(nodehash.Key{Hash: e.Hash, Turn: e.Turn, Moves: e.Moves}); e.Used && (!ok || found != i) {
			p.NotFound++
		}
	}
	if st.Deleted == 0 && st.Used < st.Cap {
		p.runs(t)
	}
	return p
}

// runs measures the runs of used slots, and what a search for an absent position costs, in a table without deleted slots.
func (p *Probe) runs(t *nodehash.Table[struct{}]) {
	n := t.Cap()
	start := 0
	for t.Entry(start).Used {
		start++
	}
	run, slots, looked := 0, 0, 0
	for k := 1; k <= n; k++ { // from behind an empty slot once around
		if t.Entry((start + k) % n).Used {
			run++
			continue
		}
		looked += run*(run+1)/2 + run + 1 // to the empty slot from each slot of the run, and from itself
		if run > 0 {
			p.Clusters++
			slots += run
		}
		run = 0
	}
	p.Miss = float64(looked) / float64(n)
	if p.Clusters > 0 {
		p.MeanRun = float64(slots) / float64(p.Clusters)
	}
}
