package match

import (
	"fmt"
	"math"
	"strings"
)

// chart is a picture with two axes that is written as SVG. Colours come from the page's CSS classes.
type chart struct {
	title, xLabel, yLabel string
	width, height         float64
	x0, x1, y0, y1        float64 // ranges of the data
	body                  strings.Builder
	legend                []string // class and text, alternating
}

// Room around the plot, in pixels.
const (
	marginLeft, marginRight = 52, 12
	marginTop, marginBottom = 26, 34
	wantedTicks             = 5
)

func newChart(title, xLabel, yLabel string, width, height float64) *chart {
	return &chart{title: title, xLabel: xLabel, yLabel: yLabel, width: width, height: height}
}

// scale sets the ranges. An empty range is widened.
func (c *chart) scale(x0, x1, y0, y1 float64) {
	if x1 <= x0 {
		x1 = x0 + 1
	}
	if y1 <= y0 {
		y0, y1 = y0-1, y1+1
	}
	c.x0, c.x1, c.y0, c.y1 = x0, x1, y0, y1
}

// px and py turn data into pixels; what lies beyond the range is put on its edge.
func (c *chart) px(x float64) float64 {
	t := (clamp(x, c.x0, c.x1) - c.x0) / (c.x1 - c.x0)
	return marginLeft + t*(c.width-marginLeft-marginRight)
}

func (c *chart) py(y float64) float64 {
	t := (clamp(y, c.y0, c.y1) - c.y0) / (c.y1 - c.y0)
	return c.height - marginBottom - t*(c.height-marginTop-marginBottom)
}

func clamp(x, low, high float64) float64 { return max(low, min(high, x)) }

// point is a place in the data.
type point struct{ x, y float64 }

// line draws a line through the points.
func (c *chart) line(class string, points []point) {
	fmt.Fprintf(&c.body, `<polyline class="line %s" points="%s"/>`, class, c.path(points))
}

func (c *chart) path(points []point) string {
	var b strings.Builder
	for _, p := range points {
		fmt.Fprintf(&b, "%.1f,%.1f ", c.px(p.x), c.py(p.y))
	}
	return strings.TrimSpace(b.String())
}

// band fills between two lines with the same x values.
func (c *chart) band(class string, low, high []point) {
	around := append([]point(nil), low...)
	for i := len(high) - 1; i >= 0; i-- {
		around = append(around, high[i])
	}
	fmt.Fprintf(&c.body, `<polygon class="band %s" points="%s"/>`, class, c.path(around))
}

// bar draws a bar from the x axis up, with a text that shows on hovering.
func (c *chart) bar(class string, x0, x1, y float64, hint string) {
	top, bottom := c.py(y), c.py(max(0, c.y0))
	fmt.Fprintf(&c.body, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"><title>%s</title></rect>`,
		class, c.px(x0)+0.5, top, max(1, c.px(x1)-c.px(x0)-1), max(0, bottom-top), hint)
}

// level draws a horizontal line across the plot.
func (c *chart) level(class string, y float64) {
	if y >= c.y0 && y <= c.y1 {
		c.line(class, []point{{c.x0, y}, {c.x1, y}})
	}
}

// name adds a row to the legend.
func (c *chart) name(class, text string) { c.legend = append(c.legend, class, text) }

// svg returns the picture.
func (c *chart) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-label="%s"><text class="title" x="%d" y="16">%s</text>`, c.width, c.height, c.title, marginLeft, c.title)
	for _, x := range ticks(c.x0, c.x1) {
		fmt.Fprintf(&b, `<text class="tick" text-anchor="middle" x="%.1f" y="%.1f">%s</text>`, c.px(x), c.height-marginBottom+14, number(x))
	}
	for _, y := range ticks(c.y0, c.y1) {
		fmt.Fprintf(&b, `<line class="grid" x1="%d" x2="%.1f" y1="%.1f" y2="%.1f"/><text class="tick" text-anchor="end" x="%d" y="%.1f">%s</text>`,
			marginLeft, c.width-marginRight, c.py(y), c.py(y), marginLeft-6, c.py(y)+4, number(y))
	}
	fmt.Fprintf(&b, `<text class="tick" text-anchor="end" x="%.1f" y="%.1f">%s</text><text class="tick" x="4" y="%d">%s</text>`,
		c.width-marginRight, c.height-4, c.xLabel, marginTop-10, c.yLabel)
	b.WriteString(c.body.String())
	x := c.width - marginRight
	for i := len(c.legend) - 2; i >= 0; i -= 2 {
		x -= float64(7*len([]rune(c.legend[i+1])) + 24)
		fmt.Fprintf(&b, `<line class="line %s" x1="%.1f" x2="%.1f" y1="12" y2="12"/><text class="tick" x="%.1f" y="16">%s</text>`, c.legend[i], x, x+14, x+18, c.legend[i+1])
	}
	b.WriteString("</svg>")
	return b.String()
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
	for x := math.Ceil(low/step) * step; x <= high+step*1e-9; x += step {
		out = append(out, x)
	}
	return out
}

// number writes an axis number shortly.
func number(x float64) string {
	if math.Abs(x) < 1e-9 {
		return "0"
	}
	return fmt.Sprintf("%.4g", x)
}
