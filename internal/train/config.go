package train

import (
	"fmt"
	"io"
	"runtime"
)

// Kind is a kind of net.
type Kind string

// The kinds of nets.
const (
	Policy Kind = "policy"
	Value  Kind = "value"
)

// Config says how a net is trained. Two runs with equal Config and Data give the same net.
type Config struct {
	Kind Kind `json:"kind"`
	// Hidden is the number of hidden units, a multiple of 64.
	Hidden int `json:"hidden"`
	// Seed decides everything random.
	Seed uint64 `json:"seed"`
	// Workers is the number of goroutines that share a batch. It is part of the result, as sums of floats depend on their order.
	Workers int `json:"workers"`
	Epochs  int `json:"epochs"`
	// Batch is the number of positions between two steps of the optimiser.
	Batch int `json:"batch"`
	// Rate is the highest learning rate, FinalRate the share of it at the end, WarmUp the number of steps up to the highest.
	Rate      float64 `json:"rate"`
	FinalRate float64 `json:"final_rate"`
	WarmUp    int     `json:"warm_up"`
	// Decay is AdamW's weight decay of the large tables, 0 for none.
	Decay float64 `json:"decay"`
	// Every takes only one of so many consecutive positions of a game in an epoch, others in the next; 1 takes all.
	Every int `json:"every"`
	// Forget is the share of positions in which a policy net is not told the last move.
	Forget float64 `json:"forget"`
	// ScoreWeight is the share of the score in a value net's target, the rest is the result of the game.
	ScoreWeight float64 `json:"score_weight"`
	// ScoreScale is the score that stands for a win rate of 1/(1+1/e); it becomes the net's Eval_Coef.
	ScoreScale float64 `json:"score_scale"`
}

// DefaultConfig returns the settings that the project's own nets are trained with.
func DefaultConfig(kind Kind) Config {
	c := Config{
		Kind: kind, Hidden: 256, Seed: 1, Workers: runtime.NumCPU(), Epochs: 2, Batch: 256, Rate: 1.5e-3, FinalRate: .02, WarmUp: 100,
		Every: 1, Forget: .05, ScoreWeight: .9, ScoreScale: 600,
	}
	if kind == Value {
		c.Batch, c.Rate = 512, 1e-3
	}
	return c
}

// Check refuses settings that make no sense.
func (c *Config) Check() error {
	share := func(x float64) bool { return x >= 0 && x <= 1 }
	switch {
	case c.Kind != Policy && c.Kind != Value:
		return fmt.Errorf("unknown kind of net %q", c.Kind)
	case c.Hidden <= 0 || c.Hidden%64 != 0:
		return fmt.Errorf("%d hidden units, want a multiple of 64", c.Hidden)
	case c.Workers < 1 || c.Epochs < 1 || c.Batch < 1 || c.Every < 1 || c.WarmUp < 0:
		return fmt.Errorf("%d workers, %d epochs, batches of %d, every %d: want at least 1", c.Workers, c.Epochs, c.Batch, c.Every)
	case !(c.Rate > 0) || !share(c.FinalRate) || !share(c.Forget) || !share(c.ScoreWeight) || !(c.Decay >= 0):
		return fmt.Errorf("learning rate %v, final %v, decay %v, forget %v or score weight %v out of range",
			c.Rate, c.FinalRate, c.Decay, c.Forget, c.ScoreWeight)
	case !(c.ScoreScale > 0):
		return fmt.Errorf("score scale %v, want more than 0", c.ScoreScale)
	}
	return nil
}

// Set is positions to measure a net on, with a name for reports.
type Set struct {
	Name string
	Data *Data
}

// Job is a net to train: the settings, the positions, and where everything goes.
type Job struct {
	Config Config
	// Train is the positions to learn. Validate[0] also gives the curve; all are measured at the end.
	Train    *Data
	Validate []Set
	// Start is a file whose weights the run begins with: a net, or a checkpoint of which the weights alone are taken. "" begins with
	// random ones. It must be of the same kind and sizes.
	Start string
	// Checkpoint is the file that keeps the state of the run; "" for none. CheckpointBatches is how often it is written.
	Checkpoint        string
	CheckpointBatches int
	// Resume continues from the checkpoint, if there is one.
	Resume bool
	// Log, if not nil, receives a JSON line for each point of the curve.
	Log io.Writer
	// Report, if not nil, is told about each batch.
	Report func(Progress)
}

// Progress is how far a run is.
type Progress struct {
	// Batch of Batches are done, over all epochs.
	Batch, Batches int
	// Point is a new point of the curve, nil for none.
	Point *Point
}

// Point is a point of the loss curve.
type Point struct {
	Kind Kind `json:"kind"`
	// Epoch is how many epochs are done, with fraction.
	Epoch     float64 `json:"epoch"`
	Positions int64   `json:"positions"`
	// Rate is the learning rate, Loss the mean training loss since the last point.
	Rate float64 `json:"rate"`
	Loss float64 `json:"loss"`
	// Validation is measured on a part of the validation set, at the end of an epoch on all of it. Not every point has it.
	Validation *Metrics `json:"validation,omitempty"`
}
