package alphabeta

import "math"

// Stats counts what a search did and what each technique contributed.
type Stats struct {
	// Nodes is the number of moves made (calls of Do); QuietNodes is those of them made in quiescence.
	Nodes, QuietNodes int64
	// Interior is the number of nodes whose moves were tried. Leaves is the number of positions at the full depth, or where the
	// game was over, each counted once a visit.
	Interior, Leaves int64
	// Cutoffs is the number of nodes ended by a move that was too good, FirstCutoffs those by the first move tried.
	Cutoffs, FirstCutoffs int64
	// TableCuts, KillerCuts, CounterCuts and RefutationCuts are the cut-offs by a move that stood in front because of the table, as
	// a killer, as a counter-move or in a refutation line.
	TableCuts, KillerCuts, CounterCuts, RefutationCuts int64
	// Probes, Hits and Answers are look-ups in the table, those that found an entry, and those whose bound ended the node.
	Probes, Hits, Answers int64
	// Stores is the number of entries written, Collisions that of different positions found under one key (with CheckKeys).
	Stores, Collisions int64
	// Researches is the number of moves that a null window found better and that were searched again.
	Researches int64
	// FailHigh and FailLow are the searches of the root repeated with a wider window, Passes the null-window searches of the root.
	FailHigh, FailLow, Passes int64
	// OpenPeak is the most entries on the OPEN list, OpenNodes the most nodes that were held for it.
	OpenPeak, OpenNodes int64
	// SelDepth is the longest line walked.
	SelDepth int
}

// Counter is a number of Stats with its name.
type Counter struct {
	Name  string
	Value int64
}

// Counters returns all counters in a fixed order.
func (s *Stats) Counters() []Counter {
	return []Counter{
		{"nodes", s.Nodes}, {"quiescence nodes", s.QuietNodes}, {"interior", s.Interior}, {"leaves", s.Leaves},
		{"cut-offs", s.Cutoffs}, {"by the first move", s.FirstCutoffs}, {"by table move", s.TableCuts}, {"by killer", s.KillerCuts},
		{"by counter-move", s.CounterCuts}, {"by refutation", s.RefutationCuts},
		{"table probes", s.Probes}, {"table hits", s.Hits}, {"table cut-offs", s.Answers}, {"table stores", s.Stores},
		{"table collisions", s.Collisions}, {"re-searches", s.Researches}, {"failed high", s.FailHigh}, {"failed low", s.FailLow},
		{"passes", s.Passes}, {"OPEN peak", s.OpenPeak}, {"OPEN nodes", s.OpenNodes}, {"longest line", int64(s.SelDepth)},
	}
}

// Add adds the counts of another search; of peaks it keeps the larger.
func (s *Stats) Add(o *Stats) {
	s.Nodes += o.Nodes
	s.QuietNodes += o.QuietNodes
	s.Interior += o.Interior
	s.Leaves += o.Leaves
	s.Cutoffs += o.Cutoffs
	s.FirstCutoffs += o.FirstCutoffs
	s.TableCuts += o.TableCuts
	s.KillerCuts += o.KillerCuts
	s.CounterCuts += o.CounterCuts
	s.RefutationCuts += o.RefutationCuts
	s.Probes += o.Probes
	s.Hits += o.Hits
	s.Answers += o.Answers
	s.Stores += o.Stores
	s.Collisions += o.Collisions
	s.Researches += o.Researches
	s.FailHigh += o.FailHigh
	s.FailLow += o.FailLow
	s.Passes += o.Passes
	s.OpenPeak = max(s.OpenPeak, o.OpenPeak)
	s.OpenNodes = max(s.OpenNodes, o.OpenNodes)
	s.SelDepth = max(s.SelDepth, o.SelDepth)
}

// BranchingFactor returns the effective branching factor of a search: the number b for which b + b² + … + b^depth is the number
// of nodes. It is 0 when nothing was searched.
func BranchingFactor(nodes int64, depth int) float64 {
	if nodes <= 0 || depth <= 0 {
		return 0
	}
	low, high := 0.0, math.Max(2, float64(nodes))
	for range 100 {
		b := (low + high) / 2
		sum, term := 0.0, 1.0
		for range depth {
			term *= b
			sum += term
		}
		if sum < float64(nodes) {
			low = b
		} else {
			high = b
		}
	}
	return low
}
