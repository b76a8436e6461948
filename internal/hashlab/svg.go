package hashlab

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// chart is a picture with two axes, written as SVG. Colours come from the page's CSS classes.
type chart struct {
	title, xLabel, yLabel string
	logarithmic           bool // the y axis shows powers of ten
	series                []series
}

// series is a line or a row of dots.
type series struct {
	name, class string
	dots        bool
	points      []point
}

type point struct{ x, y float64 }

// Sizes in pixels.
const (
	chartWidth, chartHeight = 560, 280
	marginLeft, marginRight = 58, 14
	marginTop, marginBottom = 44, 34
	wantedTicks             = 5
)

// scaled is y on the axis.
func (c *chart) scaled(y float64) float64 {
	if c.logarithmic {
		return math.Log10(y)
	}
	return y
}

// ranges returns the ends of the axes.
func (c *chart) ranges() (x0, x1, y0, y1 float64) {
	x0, x1, y0, y1 = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, s := range c.series {
		for _, p := range s.points {
			x0, x1 = min(x0, p.x), max(x1, p.x)
			y0, y1 = min(y0, c.scaled(p.y)), max(y1, c.scaled(p.y))
		}
	}
	if c.logarithmic {
		y0, y1 = math.Floor(y0), math.Ceil(y1)
	} else {
		y0 = min(0, y0)
	}
	if !(x1 > x0) {
		x0, x1 = x0-1, x0+1
	}
	if !(y1 > y0) {
		y1 = y0 + 1
	}
	return x0, x1, y0, y1
}

// svg returns the picture, or nothing if there are no points.
func (c *chart) svg() template.HTML {
	x0, x1, y0, y1 := c.ranges()
	if math.IsInf(x0, 0) || math.IsInf(y0, 0) || math.IsNaN(x0+y0) {
		return ""
	}
	px := func(x float64) float64 {
		return marginLeft + (x-x0)/(x1-x0)*(chartWidth-marginLeft-marginRight)
	}
	py := func(y float64) float64 {
		return chartHeight - marginBottom - (y-y0)/(y1-y0)*(chartHeight-marginTop-marginBottom)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s"><text class="title" x="%d" y="16">%s</text>`, chartWidth, chartHeight, c.title, marginLeft, c.title)
	for _, x := range ticks(x0, x1) {
		fmt.Fprintf(&b, `<text class="tick" text-anchor="middle" x="%.1f" y="%d">%s</text>`, px(x), chartHeight-marginBottom+14, number(x))
	}
	for _, y := range ticks(y0, y1) {
		label := number(y)
		if c.logarithmic {
			if y != math.Round(y) {
				continue
			}
			if label = number(math.Pow(10, y)); y > 5 {
				label = fmt.Sprintf("1e%.0f", y)
			}
		}
		fmt.Fprintf(&b, `<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/><text class="tick" text-anchor="end" x="%d" y="%.1f">%s</text>`,
			marginLeft, chartWidth-marginRight, py(y), py(y), marginLeft-6, py(y)+4, label)
	}
	fmt.Fprintf(&b, `<text class="tick" text-anchor="end" x="%d" y="%d">%s</text><text class="tick" x="4" y="%d">%s</text>`,
		chartWidth-marginRight, chartHeight-4, c.xLabel, marginTop-10, c.yLabel)
	left := float64(marginLeft) + 90
	for _, s := range c.series {
		if s.dots {
			for _, p := range s.points {
				fmt.Fprintf(&b, `<circle class="dot %s" cx="%.1f" cy="%.1f" r="3.2"><title>%s: %s, %s</title></circle>`, s.class, px(p.x), py(c.scaled(p.y)), s.name, number(p.x), number(p.y))
			}
			fmt.Fprintf(&b, `<circle class="dot %s" cx="%.1f" cy="30" r="3.2"/>`, s.class, left+7)
		} else {
			fmt.Fprintf(&b, `<polyline class="line %s" points="`, s.class)
			for _, p := range s.points {
				fmt.Fprintf(&b, "%.1f,%.1f ", px(p.x), py(c.scaled(p.y)))
			}
			fmt.Fprintf(&b, `"/><line class="line %s" x1="%.1f" x2="%.1f" y1="30" y2="30"/>`, s.class, left, left+14)
		}
		fmt.Fprintf(&b, `<text class="tick" x="%.1f" y="34">%s</text>`, left+18, s.name)
		left += float64(7*len([]rune(s.name)) + 34)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// bars is a picture of named bars from left to right.
type bars struct {
	title, unit string
	rows        []barRow
	second      string // name of the second value, if there is one
	first       string
}

type barRow struct {
	name   string
	values []float64
}

// svg returns the picture.
func (c *bars) svg() template.HTML {
	const (
		nameWidth, numberWidth = 150, 74
		thickness, gap, top    = 11, 5, 40
	)
	most, height := 0.0, top
	for _, r := range c.rows {
		for _, v := range r.values {
			most = max(most, v)
		}
		height += thickness*len(r.values) + gap
	}
	if most == 0 {
		most = 1
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s"><text class="title" x="4" y="16">%s</text>`, chartWidth, height+4, c.title, c.title)
	if c.second != "" {
		fmt.Fprintf(&b, `<rect class="bar a" x="%d" y="24" width="10" height="9"/><text class="tick" x="%d" y="33">%s</text>`, nameWidth, nameWidth+14, c.first)
		fmt.Fprintf(&b, `<rect class="bar b" x="%d" y="24" width="10" height="9"/><text class="tick" x="%d" y="33">%s</text>`, nameWidth+150, nameWidth+164, c.second)
	}
	y := top
	for _, r := range c.rows {
		fmt.Fprintf(&b, `<text class="tick" text-anchor="end" x="%d" y="%d">%s</text>`, nameWidth-6, y+thickness*len(r.values)/2+4, r.name)
		for i, v := range r.values {
			width := v / most * (chartWidth - nameWidth - numberWidth)
			fmt.Fprintf(&b, `<rect class="bar %s" x="%d" y="%d" width="%.1f" height="%d"/><text class="tick" x="%.1f" y="%d">%s%s</text>`,
				[]string{"a", "b"}[i], nameWidth, y, max(1, width), thickness-1, nameWidth+width+5, y+thickness-2, number(v), c.unit)
			y += thickness
		}
		y += gap
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
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
	for x := math.Ceil(low/step-1e-9) * step; x <= high+step*1e-9; x += step {
		out = append(out, x)
	}
	return out
}

// number writes a number shortly.
func number(x float64) string {
	switch a := math.Abs(x); {
	case a < 1e-9:
		return "0"
	case a >= 1e3 && a < 1e9:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}
