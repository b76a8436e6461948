package train

import (
	"fmt"
	"math"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// measured is the target that value nets are measured against, whatever they were trained on, so that runs can be compared.
var measured = target{weight: .7, scale: 600}

// calibrationBins is the number of rows of a calibration table.
const calibrationBins = 10

// Metrics says how good a net is on some positions. The fields of the other kind of net are 0.
type Metrics struct {
	Positions int `json:"positions"`
	// Loss is what training makes small: the cross entropy in nats against the visits or the move, or against the value target.
	Loss float64 `json:"loss"`
	// Top1 and Top5 are the shares of positions whose move (the most visited one, where visits are known) is the net's first, or among its
	// first five.
	Top1 float64 `json:"top1,omitempty"`
	Top5 float64 `json:"top5,omitempty"`
	// MSE is the mean squared error against 0.7·σ(score/600) + 0.3·result.
	MSE float64 `json:"mse,omitempty"`
	// Sign is the share of decided games in which the net favours the winner.
	Sign float64 `json:"sign,omitempty"`
	// Calibration compares predictions with results.
	Calibration []Bin `json:"calibration,omitempty"`
}

// Bin is a row of a calibration table: the positions whose predicted win rate is in one tenth of 0..1.
type Bin struct {
	Positions int `json:"positions"`
	// Predicted, Score and Result are the means of the prediction, of σ(score/scale) and of the results.
	Predicted float64 `json:"predicted"`
	Score     float64 `json:"score"`
	Result    float64 `json:"result"`
}

// String returns the figures in one line, without the calibration table.
func (m Metrics) String() string {
	text := fmt.Sprintf("loss %.4f", m.Loss)
	if m.Top5 > 0 {
		text += fmt.Sprintf(", top-1 %.2f %%, top-5 %.2f %%", 100*m.Top1, 100*m.Top5)
	}
	if m.MSE > 0 {
		text += fmt.Sprintf(", squared error %.5f, right winner %.2f %%", m.MSE, 100*m.Sign)
	}
	return fmt.Sprintf("%s (%d positions)", text, m.Positions)
}

// Table returns the calibration table as text, empty for a policy net.
func (m Metrics) Table() string {
	if len(m.Calibration) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("positions  predicted  score  result\n")
	for _, bin := range m.Calibration {
		fmt.Fprintf(&b, "%9d  %9.3f  %5.3f  %6.3f\n", bin.Positions, bin.Predicted, bin.Score, bin.Result)
	}
	return b.String()
}

// tally sums up what Metrics are the means of.
type tally struct {
	positions, top1, top5, decided, right int
	loss, squares                         float64
	bins                                  [calibrationBins]Bin
}

// addPolicy adds a position: its moves, how likely the net finds each (any rising measure), the move that counts, the loss.
func (t *tally) addPolicy(moves []shogi.Move, likely []float32, played shogi.Move, loss float64) {
	t.positions++
	t.loss += loss
	own := float32(math.Inf(-1))
	for i, m := range moves {
		if m == played {
			own = likely[i]
		}
	}
	before := 0
	for i, m := range moves {
		if m != played && likely[i] >= own {
			before++
		}
	}
	if before < 1 {
		t.top1++
	}
	if before < 5 {
		t.top5++
	}
}

// addValue adds a position with the net's win rate before the sigmoid.
func (t *tally) addValue(s *sample, logit float64, target target) {
	t.positions++
	t.loss += binaryCrossEntropy(logit, target.of(s))
	p := sigmoid(logit)
	off := p - measured.of(s)
	t.squares += off * off
	if s.Result != 0 {
		t.decided++
		if (logit > 0) == (s.Result > 0) {
			t.right++
		}
	}
	bin := &t.bins[min(int(p*calibrationBins), calibrationBins-1)]
	bin.Positions++
	bin.Predicted += p
	bin.Score += sigmoid(float64(s.Score) / target.scale)
	bin.Result += result(s)
}

func (t *tally) merge(o *tally) {
	t.positions += o.positions
	t.top1 += o.top1
	t.top5 += o.top5
	t.decided += o.decided
	t.right += o.right
	t.loss += o.loss
	t.squares += o.squares
	for i := range t.bins {
		b, c := &t.bins[i], &o.bins[i]
		b.Positions += c.Positions
		b.Predicted += c.Predicted
		b.Score += c.Score
		b.Result += c.Result
	}
}

func (t *tally) metrics() Metrics {
	n := float64(max(t.positions, 1))
	m := Metrics{
		Positions: t.positions, Loss: t.loss / n,
		Top1: float64(t.top1) / n, Top5: float64(t.top5) / n,
		MSE: t.squares / n, Sign: float64(t.right) / float64(max(t.decided, 1)),
	}
	for _, bin := range t.bins {
		if bin.Positions > 0 {
			k := float64(bin.Positions)
			m.Calibration = append(m.Calibration, Bin{bin.Positions, bin.Predicted / k, bin.Score / k, bin.Result / k})
		}
	}
	return m
}
