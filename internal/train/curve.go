package train

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// Chart is a drawing of series over one axis.
type Chart struct {
	Title  string
	Series []Series
	// Tail cuts the upper edge at the highest value after the first twentieth of each series: the first losses of a run would press
	// the rest flat.
	Tail bool
	// Whole numbers the horizontal axis in whole steps.
	Whole bool
}

// Series is a line of a chart. Its name and colour (any of CSS) are for the legend.
type Series struct {
	Name, Colour string
	Points       []ChartPoint
	// Dots marks the points, with their values as texts to point at. Loose draws no line between them.
	Dots, Loose bool
}

// ChartPoint is a point of a series; a margin that is not 0 is drawn as a bar from Y-Margin to Y+Margin.
type ChartPoint struct{ X, Y, Margin float64 }

// The colours of the project's charts.
const (
	Blue   = "#4477aa"
	Orange = "#cc6633"
)

// A chart's size and margins in pixels.
const (
	curveWidth, curveHeight = 800, 420
	curveLeft, curveBottom  = 60, 40
	curveTop, curveRight    = 30, 20
)

// WriteCurve draws the loss curve as SVG: training loss as a line, validation loss as a line with dots.
func WriteCurve(out io.Writer, points []Point) error {
	training, validation := Series{Name: "training", Colour: Blue}, Series{Name: "validation", Colour: Orange, Dots: true}
	title := ""
	for _, p := range points {
		title = fmt.Sprintf("%s: loss by epoch", p.Kind)
		training.Points = append(training.Points, ChartPoint{X: p.Epoch, Y: p.Loss})
		if p.Validation != nil {
			validation.Points = append(validation.Points, ChartPoint{X: p.Epoch, Y: p.Validation.Loss})
		}
	}
	return WriteCharts(out, Chart{Title: title, Series: []Series{training, validation}, Tail: true})
}

// WriteCharts draws charts as SVG, one above the other.
func WriteCharts(out io.Writer, charts ...Chart) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n",
		curveWidth, curveHeight*len(charts))
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	for i := range charts {
		fmt.Fprintf(&b, `<g transform="translate(0 %d)">`+"\n", i*curveHeight)
		newCanvas(&b, &charts[i]).draw()
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// canvas maps a chart's values to pixels.
type canvas struct {
	*Chart
	b                      *strings.Builder
	minX, maxX, minY, maxY float64
}

// newCanvas returns a canvas with room for all series.
func newCanvas(b *strings.Builder, chart *Chart) *canvas {
	c := &canvas{Chart: chart, b: b, minY: math.Inf(1), maxY: math.Inf(-1)}
	for _, s := range chart.Series {
		for i, p := range s.Points {
			c.maxX = max(c.maxX, p.X)
			c.minY = min(c.minY, p.Y-p.Margin)
			if !c.Tail || i >= len(s.Points)/20 {
				c.maxY = max(c.maxY, p.Y+p.Margin)
			}
		}
	}
	if c.maxX == 0 {
		c.maxX = 1
	}
	if !(c.minY < c.maxY) {
		c.minY, c.maxY = c.minY-.5, c.minY+.5
	}
	if math.IsInf(c.minY, 0) {
		c.minY, c.maxY = 0, 1
	}
	return c
}

func (c *canvas) x(v float64) float64 {
	return curveLeft + (v-c.minX)/(c.maxX-c.minX)*(curveWidth-curveLeft-curveRight)
}

func (c *canvas) y(v float64) float64 {
	return curveTop + (c.maxY-min(v, c.maxY))/(c.maxY-c.minY)*(curveHeight-curveTop-curveBottom)
}

func (c *canvas) draw() {
	c.axes()
	for i := range c.Series {
		c.line(&c.Series[i])
	}
	c.legend()
}

func (c *canvas) axes() {
	fmt.Fprintf(c.b, `<text x="%d" y="18">%s</text>`+"\n", curveLeft, html.EscapeString(c.Title))
	const lines = 6
	step := (c.maxY - c.minY) / (lines - 1)
	digits := max(0, int(math.Ceil(-math.Log10(step)))) // as many as tell two lines apart
	for i := range lines {
		v := c.minY + step*float64(i)
		fmt.Fprintf(c.b, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.*f</text>`+"\n",
			curveLeft, c.y(v), curveWidth-curveRight, curveLeft-6, c.y(v)+4, digits, v)
	}
	for _, u := range c.columns(lines) {
		fmt.Fprintf(c.b, `<text x="%.1f" y="%d" text-anchor="middle">%.3g</text>`+"\n", c.x(u), curveHeight-curveBottom+20, u)
	}
}

// columns returns the numbers of the horizontal axis, about so many.
func (c *canvas) columns(lines int) []float64 {
	step := (c.maxX - c.minX) / float64(lines-1)
	if c.Whole {
		step = max(1, math.Ceil(step))
	}
	var all []float64
	for u := c.minX; u <= c.maxX+step*1e-9; u += step {
		all = append(all, u)
	}
	return all
}

func (c *canvas) line(s *Series) {
	if len(s.Points) == 0 {
		return
	}
	if !s.Loose {
		c.b.WriteString(`<polyline fill="none" stroke="` + s.Colour + `" points="`)
		for _, p := range s.Points {
			fmt.Fprintf(c.b, "%.1f,%.1f ", c.x(p.X), c.y(p.Y))
		}
		c.b.WriteString(`"/>` + "\n")
	}
	for _, p := range s.Points {
		if p.Margin > 0 {
			fmt.Fprintf(c.b, `<path d="M%.1f %.1fV%.1f" stroke="%s" stroke-opacity="0.5"/>`+"\n", c.x(p.X), c.y(p.Y-p.Margin), c.y(p.Y+p.Margin), s.Colour)
		}
		if s.Dots {
			fmt.Fprintf(c.b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"><title>%.4f</title></circle>`+"\n", c.x(p.X), c.y(p.Y), s.Colour, p.Y)
		}
	}
}

// legend names the series, from the right.
func (c *canvas) legend() {
	right := float64(curveWidth - curveRight)
	for _, s := range c.Series {
		fmt.Fprintf(c.b, `<text x="%.0f" y="18" fill="%s" text-anchor="end">%s</text>`+"\n", right, s.Colour, html.EscapeString(s.Name))
		const letter, gap = 6.5, 20
		right -= letter*float64(len([]rune(s.Name))) + gap
	}
}
