package train

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// The drawing's size and margins in pixels.
const (
	curveWidth, curveHeight = 800, 420
	curveLeft, curveBottom  = 60, 40
	curveTop, curveRight    = 30, 20
)

// WriteCurve draws the loss curve as SVG: training loss as a line, validation loss as a line with dots.
func WriteCurve(out io.Writer, points []Point) error {
	var training, validation [][2]float64
	title := ""
	for _, p := range points {
		title = fmt.Sprintf("%s: loss by epoch", p.Kind)
		training = append(training, [2]float64{p.Epoch, p.Loss})
		if p.Validation != nil {
			validation = append(validation, [2]float64{p.Epoch, p.Validation.Loss})
		}
	}
	c := newCanvas(training, validation)
	c.axes(title)
	c.line(training, "#4477aa", false)
	c.line(validation, "#cc6633", true)
	c.legend()
	c.b.WriteString("</svg>\n")
	_, err := io.WriteString(out, c.b.String())
	return err
}

// canvas maps losses and epochs to pixels.
type canvas struct {
	b                      strings.Builder
	minX, maxX, minY, maxY float64
}

// newCanvas returns a canvas with room for all series. The lowest loss decides its lower edge; the upper one is cut at the 95th
// per cent of the way down, because the first losses would press the rest flat.
func newCanvas(series ...[][2]float64) *canvas {
	c := &canvas{minX: 0, maxX: math.SmallestNonzeroFloat32, minY: math.Inf(1), maxY: math.Inf(-1)}
	for _, s := range series {
		for i, p := range s {
			c.maxX = max(c.maxX, p[0])
			c.minY = min(c.minY, p[1])
			if i >= len(s)/20 {
				c.maxY = max(c.maxY, p[1])
			}
		}
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

func (c *canvas) axes(title string) {
	fmt.Fprintf(&c.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n",
		curveWidth, curveHeight)
	fmt.Fprintf(&c.b, `<rect width="100%%" height="100%%" fill="white"/><text x="%d" y="18">%s</text>`+"\n", curveLeft, title)
	const lines = 6
	for i := range lines {
		v := c.minY + (c.maxY-c.minY)*float64(i)/(lines-1)
		fmt.Fprintf(&c.b, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.4g</text>`+"\n",
			curveLeft, c.y(v), curveWidth-curveRight, curveLeft-6, c.y(v)+4, v)
		u := c.minX + (c.maxX-c.minX)*float64(i)/(lines-1)
		fmt.Fprintf(&c.b, `<text x="%.1f" y="%d" text-anchor="middle">%.3g</text>`+"\n", c.x(u), curveHeight-curveBottom+20, u)
	}
}

func (c *canvas) line(points [][2]float64, colour string, dots bool) {
	if len(points) == 0 {
		return
	}
	c.b.WriteString(`<polyline fill="none" stroke="` + colour + `" points="`)
	for _, p := range points {
		fmt.Fprintf(&c.b, "%.1f,%.1f ", c.x(p[0]), c.y(p[1]))
	}
	c.b.WriteString(`"/>` + "\n")
	for _, p := range points {
		if dots {
			fmt.Fprintf(&c.b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"><title>%.4f</title></circle>`+"\n", c.x(p[0]), c.y(p[1]), colour, p[1])
		}
	}
}

func (c *canvas) legend() {
	for i, entry := range [][2]string{{"training", "#4477aa"}, {"validation", "#cc6633"}} {
		fmt.Fprintf(&c.b, `<text x="%d" y="18" fill="%s" text-anchor="end">%s</text>`+"\n", curveWidth-curveRight-90*i, entry[1], entry[0])
	}
}
