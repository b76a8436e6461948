package nn

import (
	"fmt"
	"math"
	"strings"
)

// Cost is what quantising changed in one array of weights.
type Cost struct {
	Name string
	// Scale is how many steps stand for 1.0.
	Scale float64
	// Weights is their number, Clipped how many were outside the range.
	Weights, Clipped int
	// RMS is the root of the mean squared change of a weight, Largest the largest change.
	RMS, Largest float64
}

// String returns the cost as one line of a report.
func (c Cost) String() string {
	return fmt.Sprintf("%-6s %8d weights in steps of 1/%g: rms change %.5f, largest %.5f, %d clipped",
		c.Name, c.Weights, c.Scale, c.RMS, c.Largest, c.Clipped)
}

// Costs is what quantising changed in a net.
type Costs []Cost

// String returns a report of one line an array.
func (c Costs) String() string {
	lines := make([]string, len(c))
	for i := range c {
		lines[i] = c[i].String()
	}
	return strings.Join(lines, "\n")
}

// Quantise returns the weights times scale, rounded to the nearest integer (halves to even) and clipped to ±limit, which fits T.
// It adds the cost to costs.
func Quantise[T Integer](costs *Costs, name string, w []float32, scale float64, limit int32) []T {
	out := make([]T, len(w))
	cost := Cost{Name: name, Scale: scale, Weights: len(w)}
	var squares float64
	for i, x := range w {
		step := math.RoundToEven(float64(x) * scale)
		if bound := float64(limit); math.Abs(step) > bound {
			step = math.Copysign(bound, step)
			cost.Clipped++
		}
		out[i] = T(step)
		change := math.Abs(step/scale - float64(x))
		squares += change * change
		cost.Largest = max(cost.Largest, change)
	}
	if len(w) > 0 {
		cost.RMS = math.Sqrt(squares / float64(len(w)))
	}
	*costs = append(*costs, cost)
	return out
}

// Largest returns the largest absolute value, 0 for none.
func Largest[T Integer | float32](w []T) float64 {
	largest := 0.0
	for _, x := range w {
		largest = max(largest, math.Abs(float64(x)))
	}
	return largest
}
