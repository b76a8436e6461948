package learn

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/train"
)

// duration returns seconds rounded for people.
func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(time.Second)
}

// stageLine says what a stage has brought.
func (g *Generation) stageLine(stage Stage) string {
	head := fmt.Sprintf("generation %d, %s in %s: ", g.Number, stage, duration(g.Seconds[stage]))
	switch stage {
	case SelfPlay:
		return head + fmt.Sprintf("%d games by the nets of generation %d, %d positions, %d of them deep; Black won %d, White %d, drawn %d", g.Games, g.Best,
			g.Positions, g.Deep, g.Black, g.White, g.Draws)
	case TrainPolicy:
		return head + g.Policy.line()
	case TrainValue:
		return head + g.Value.line()
	}
	return head + fmt.Sprintf("%d games, new − best %s, LLR %.2f", 2*g.Gate.Pairs.Pairs(), g.Gate.elo(), g.Gate.LLR)
}

// line says how a generation ended.
func (g *Generation) line() string {
	what := "rejected, the best nets stay those of generation " + fmt.Sprint(g.Best)
	if g.Promoted {
		what = "promoted"
	}
	return fmt.Sprintf("generation %d in %s: %s", g.Number, duration(g.total()), what)
}

// total is the generation's time in seconds.
func (g *Generation) total() (seconds float64) {
	for _, s := range g.Seconds {
		seconds += s
	}
	return seconds
}

func (n *Net) line() string {
	text := fmt.Sprintf("%d positions of self-play and %d handed", n.OwnPositions, n.HandedPositions)
	for _, v := range n.Sets {
		text += fmt.Sprintf("; on %s loss %.4f, before %.4f", v.Set, v.After.Loss, v.Before.Loss)
	}
	return text
}

// elo says new − best in Elo with the 95 % margin, as far as it is known.
func (m *Match) elo() string {
	r := m.Rating()
	switch {
	case m.Pairs.Pairs() == 0:
		return "no pair yet"
	case math.IsInf(r.Elo.Value, 0):
		return fmt.Sprintf("%.0f %% of the points", 100*r.Score)
	case !r.Spread || math.IsInf(r.Elo.Low, 0) || math.IsInf(r.Elo.High, 0) || math.IsNaN(r.Elo.Margin()):
		return fmt.Sprintf("Elo %+.0f, margin unknown", r.Elo.Value)
	}
	return fmt.Sprintf("Elo %+.0f ± %.0f", r.Elo.Value, r.Elo.Margin())
}

// outcome says what became of the generation.
func (g *Generation) outcome() string {
	switch {
	case g.Promoted:
		return "promoted"
	case g.Gate.Verdict == match.Undecided:
		return "rejected (undecided)"
	}
	return "rejected"
}

// writeReport writes the table and the picture.
func (l *Loop) writeReport() error {
	if err := writeBytes(filepath.Join(l.dir, tableName), []byte(l.table())); err != nil {
		return err
	}
	return train.WriteFile(filepath.Join(l.dir, chartName), func(w io.Writer) error { return train.WriteCharts(w, l.charts()...) })
}

// table returns the finished generations as Markdown.
func (l *Loop) table() string {
	var b strings.Builder
	b.WriteString("| generation | games | positions (deep) | learnt from | policy: loss before → after | value: loss before → after | gate: games, new − best | | time |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|\n")
	for i := range l.History {
		g := &l.History[i]
		fmt.Fprintf(&b, "| %d | %d | %d (%d) | %s | %s | %s | %d, %s | %s | %s |\n", g.Number, g.Games, g.Positions, g.Deep, g.learnt(),
			g.Policy.losses(), g.Value.losses(), 2*g.Gate.Pairs.Pairs(), g.Gate.elo(), g.outcome(), duration(g.total()))
	}
	return b.String()
}

// learnt says what the generation learnt from: its window and, for policy and value, how many positions.
func (g *Generation) learnt() string {
	window := fmt.Sprint(g.Window[0])
	if n := len(g.Window); n > 1 {
		window += fmt.Sprintf("–%d", g.Window[n-1])
	}
	return fmt.Sprintf("games of %s: %d / %d, handed %d / %d", window, g.Policy.OwnPositions, g.Value.OwnPositions, g.Policy.HandedPositions, g.Value.HandedPositions)
}

// losses lists the losses on each validation set.
func (n *Net) losses() string {
	var parts []string
	for _, v := range n.Sets {
		parts = append(parts, fmt.Sprintf("%s %.4f → %.4f", v.Set, v.Before.Loss, v.After.Loss))
	}
	if len(parts) == 0 {
		return "not measured"
	}
	return strings.Join(parts, "; ")
}

// charts returns the picture: the gates' Elo, and the losses before and after by net.
func (l *Loop) charts() []train.Chart {
	tested := train.Series{Name: "new − best", Colour: train.Blue, Dots: true, Loose: true}
	sum := train.Series{Name: "sum of the promoted", Colour: train.Orange, Dots: true, Points: []train.ChartPoint{{}}}
	total := 0.0
	for i := range l.History {
		g := &l.History[i]
		x, r := float64(g.Number), g.Gate.Rating()
		if known := r.Spread && !math.IsInf(r.Elo.Margin(), 0) && !math.IsNaN(r.Elo.Margin()); known {
			tested.Points = append(tested.Points, train.ChartPoint{X: x, Y: r.Elo.Value, Margin: r.Elo.Margin()})
			if g.Promoted {
				total += r.Elo.Value
			}
		}
		sum.Points = append(sum.Points, train.ChartPoint{X: x, Y: total})
	}
	charts := []train.Chart{{Title: "Elo of the gates by generation (bars: 95 %)", Series: []train.Series{tested, sum}, Whole: true}}
	for _, net := range []struct {
		name string
		of   func(*Generation) *Net
	}{{"policy", func(g *Generation) *Net { return &g.Policy }}, {"value", func(g *Generation) *Net { return &g.Value }}} {
		charts = append(charts, l.lossChart(net.name, net.of))
	}
	return charts
}

// lossChart draws the losses on the first validation set: the handed one, which is the same in all generations, if there is one.
func (l *Loop) lossChart(name string, of func(*Generation) *Net) train.Chart {
	before := train.Series{Name: "best before", Colour: train.Orange, Dots: true}
	after := train.Series{Name: "new", Colour: train.Blue, Dots: true}
	set := ""
	for i := range l.History {
		g := &l.History[i]
		if sets := of(g).Sets; len(sets) > 0 {
			set = " on " + sets[0].Set
			before.Points = append(before.Points, train.ChartPoint{X: float64(g.Number), Y: sets[0].Before.Loss})
			after.Points = append(after.Points, train.ChartPoint{X: float64(g.Number), Y: sets[0].After.Loss})
		}
	}
	return train.Chart{Title: name + ": validation loss" + set, Series: []train.Series{after, before}, Whole: true}
}
