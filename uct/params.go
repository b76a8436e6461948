package uct

import "fmt"

// Param names a tunable of the search: an index into Params and into the table that ParamTable returns.
type Param int

// The tunables.
const (
	CPuct Param = iota
	CPuctRoot
	CPuctBase
	CPuctPower
	PriorSpreadBase
	PriorSpreadSlope
	PriorSpreadMax
	ValueSpreadScale
	ValueSpreadUnit
	ValueSpreadWarm
	FPUReduction
	FPUReductionRoot
	VirtualLoss
	LeafMateNodes
	LineMateNodes
	UCB1C
	NumParams
)

// ParamInfo describes one tunable.
type ParamInfo struct {
	// Name is the option's name.
	Name string
	// Default is the value when nothing else is said, Min and Max the allowed range, Step the size of a tuner's step.
	Default, Min, Max, Step float64
	// Meaning is one line for people.
	Meaning string
}

// The starting values are Monty's (src/mcts/params.rs), a chess engine with two nets on a CPU. Like Monty this one takes the
// node's own win rate for unvisited moves: with the heuristic evaluators at 600 nodes a move, a reduction of 0 won 34 of 40
// games against 0.1, and 0.03 lost 34 of 60 against 0.
var paramTable = [NumParams]ParamInfo{
	CPuct:            {"C_puct", 0.269, 0.05, 2, 0.02, "exploration inside the tree; larger tries more moves"},
	CPuctRoot:        {"C_puct_root", 0.421, 0.05, 2, 0.03, "exploration at the root"},
	CPuctBase:        {"C_puct_base", 4727, 100, 100000, 500, "visits at which exploration has grown by ln 2; larger grows later"},
	CPuctPower:       {"C_puct_power", 0.67, 0.3, 0.9, 0.02, "power of the parent's visits in exploration; 0.5 is the square root"},
	PriorSpreadBase:  {"Prior_spread_base", 0.4662, 0, 2, 0.03, "exploration factor of a node whose priors are spread over all moves"},
	PriorSpreadSlope: {"Prior_spread_slope", 1.568, 0, 4, 0.1, "how much that factor grows when one prior dominates"},
	PriorSpreadMax:   {"Prior_spread_max", 2.265, 0.5, 5, 0.15, "the largest value of that factor"},
	ValueSpreadScale: {"Value_spread_scale", 0.811, 0, 2, 0.05, "how much exploration follows the spread of values; 0 is not at all"},
	ValueSpreadUnit:  {"Value_spread_unit", 0.2806, 0.02, 1, 0.02, "the spread (standard deviation of win rates) that counts as normal"},
	ValueSpreadWarm:  {"Value_spread_warm", 0.5009, 0.01, 5, 0.05, "how fast the measured spread is believed; larger is sooner"},
	FPUReduction:     {"FPU_reduction", 0, 0, 1, 0.02, "an unvisited move is worth the node's win rate less this times the root of the visited priors"},
	FPUReductionRoot: {"FPU_reduction_root", 0, 0, 1, 0.02, "the same at the root"},
	VirtualLoss:      {"Virtual_loss", 1, 0.25, 5, 0.25, "lost visits that a playout in flight counts for"},
	LeafMateNodes:    {"Leaf_mate_nodes", 40, 0, 100000, 10, "positions that a search for mate looks at before a node gets its moves; 0 is none"},
	LineMateNodes:    {"PV_mate_nodes", 1000, 0, 1000000, 100, "positions that the first search for mate looks at in a node of the principal variation; 0 is none"},
	UCB1C:            {"UCB1_C", 1, 0, 5, 0.1, "factor of the confidence term of the UCB1 formula"},
}

// ParamTable returns a copy of the one table of tunables, in the order of the Param constants.
func ParamTable() []ParamInfo {
	table := paramTable
	return table[:]
}

// Params holds a value for each tunable. The zero value stands for the defaults.
type Params [NumParams]float64

// DefaultParams returns the table's defaults.
func DefaultParams() Params {
	var p Params
	for i := range p {
		p[i] = paramTable[i].Default
	}
	return p
}

// Check returns an error that names the first value outside its range.
func (p *Params) Check() error {
	for i, v := range p {
		if row := &paramTable[i]; !(v >= row.Min && v <= row.Max) {
			return fmt.Errorf("%s %v is not in %v..%v", row.Name, v, row.Min, row.Max)
		}
	}
	return nil
}
