package tune

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// chart is a line chart of a parameter over the iterations, written as SVG. Colours come from the page's CSS classes.
type chart struct {
	title          string
	x0, x1, y0, y1 float64 // ranges of the data
	body           strings.Builder
}

// point is a place in the data.
type point struct{ x, y float64 }

// Size of a chart and room around the plot, in pixels.
const (
	chartWidth, chartHeight = 560, 230
	marginLeft, marginRight = 60, 12
	marginTop, marginBottom = 26, 34
	wantedTicks             = 5
	pathPoints              = 800 // points of a line that are drawn
)

func (c *chart) px(x float64) float64 {
	return marginLeft + (x-c.x0)/(c.x1-c.x0)*(chartWidth-marginLeft-marginRight)
}

func (c *chart) py(y float64) float64 {
	return chartHeight - marginBottom - (y-c.y0)/(c.y1-c.y0)*(chartHeight-marginTop-marginBottom)
}

func (c *chart) path(points []point) string {
	var b strings.Builder
	for _, p := range points {
		fmt.Fprintf(&b, "%.1f,%.1f ", c.px(p.x), c.py(p.y))
	}
	return strings.TrimSpace(b.String())
}

func (c *chart) line(class string, points []point) {
	fmt.Fprintf(&c.body, `<polyline class="line %s" points="%s"/>`, class, c.path(points))
}

// band fills between two lines with the same x values.
func (c *chart) band(low, high []point) {
	around := append([]point(nil), low...)
	for i := len(high) - 1; i >= 0; i-- {
		around = append(around, high[i])
	}
	fmt.Fprintf(&c.body, `<polygon class="band" points="%s"/>`, c.path(around))
}

// svg returns the picture with its axes.
func (c *chart) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s"><text class="title" x="%d" y="16">%s</text>`, chartWidth, chartHeight, c.title, marginLeft, c.title)
	for _, x := range ticks(c.x0, c.x1) {
		fmt.Fprintf(&b, `<text class="tick" text-anchor="middle" x="%.1f" y="%d">%s</text>`, c.px(x), chartHeight-marginBottom+14, number(x))
	}
	for _, y := range ticks(c.y0, c.y1) {
		fmt.Fprintf(&b, `<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/><text class="tick" text-anchor="end" x="%d" y="%.1f">%s</text>`,
			marginLeft, chartWidth-marginRight, c.py(y), c.py(y), marginLeft-6, c.py(y)+4, number(y))
	}
	fmt.Fprintf(&b, `<text class="tick" text-anchor="end" x="%d" y="%d">iterations</text>`, chartWidth-marginRight, chartHeight-4)
	return b.String() + c.body.String() + "</svg>"
}

// ticks returns round numbers in the range, about five.
func ticks(low, high float64) []float64 {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/wantedTicks)))
	for _, factor := range []float64{2, 2.5, 2} {
		if (high-low)/step <= wantedTicks {
			break
		}
		step *= factor
	}
	var out []float64
	for k := math.Ceil(low / step); k*step <= high+step*1e-9; k++ {
		out = append(out, k*step)
	}
	return out
}

// number writes an axis number shortly: whole ones in full.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

// paramChart shows the i-th parameter's value, the shifts of the two players around it, and the start.
func paramChart(h *Header, iterations []Iteration, i int) *chart {
	p := &h.Params[i]
	start := float64(p.Start)
	c := &chart{title: template.HTMLEscapeString(p.Name), x1: float64(max(1, len(iterations))), y0: start, y1: start}
	line, low, high := []point{{0, start}}, []point(nil), []point(nil)
	every := max(1, len(iterations)/pathPoints)
	for k := range iterations {
		it := &iterations[k]
		if k%every != 0 && k != len(iterations)-1 {
			continue
		}
		x, y := float64(it.Number), it.Values[i]
		shift, _ := h.gains(it.Number)
		l, u := p.clip(y-shift*float64(p.Step)), p.clip(y+shift*float64(p.Step))
		line, low, high = append(line, point{x, y}), append(low, point{x, l}), append(high, point{x, u})
		c.y0, c.y1 = min(c.y0, l), max(c.y1, u)
	}
	if c.y0 == c.y1 {
		c.y0, c.y1 = start-float64(p.Step), start+float64(p.Step)
	}
	if len(low) > 0 {
		c.band(low, high)
	}
	c.line("start", []point{{0, start}, {c.x1, start}})
	c.line("value", line)
	return c
}
