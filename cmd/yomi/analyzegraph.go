package main

import (
	_ "embed" // the page's template
	"fmt"
	"html"
	"html/template"
	"io"
	"path/filepath"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

//go:embed analyze.html
var analyzePage string

//go:embed analyze.css
var graphStyle string

// Size of a graph and room around its plot, in pixels.
const (
	graphWidth, graphHeight = 860.0, 320.0
	graphLeft, graphRight   = 48.0, 16.0
	graphTop, graphBottom   = 40.0, 40.0
)

// graph draws the win rate of a game.
type graph struct {
	*analysedGame
	strings.Builder
	first, last float64 // numbers of moves made
}

// writeSVG writes the picture, which needs nothing else and follows the viewer's light or dark mode.
func (g *analysedGame) writeSVG(w io.Writer) error {
	_, err := io.WriteString(w, g.svg())
	return err
}

func (g *analysedGame) svg() string {
	d := &graph{analysedGame: g, first: g.number(0), last: max(g.number(len(g.positions)-1), g.number(0)+1)}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" class="yomi-graph" viewBox="0 0 %g %g" role="img" aria-label="%s"><style>%s</style>`,
		graphWidth, graphHeight, html.EscapeString(g.heading()), graphStyle)
	fmt.Fprintf(d, `<rect class="ground" width="%g" height="%g"/>`, graphWidth, graphHeight)
	d.axes()
	d.curve()
	d.signs()
	d.hints()
	d.WriteString("</svg>\n")
	return d.String()
}

// number returns how many moves were made before the position.
func (g *analysedGame) number(i int) float64 { return float64(g.positions[i].Ply() - 1) }

func (d *graph) px(number float64) float64 {
	return graphLeft + (number-d.first)/(d.last-d.first)*(graphWidth-graphLeft-graphRight)
}

func (d *graph) py(rate float64) float64 {
	return graphTop + (1-rate)*(graphHeight-graphTop-graphBottom)
}

// axes draws the heading, the grid and its numbers.
func (d *graph) axes() {
	fmt.Fprintf(d, `<text class="title" x="%g" y="22">%s</text>`, graphLeft, html.EscapeString(d.heading()))
	for _, percent := range []float64{0, 25, 50, 75, 100} {
		class := "grid"
		if percent == 50 {
			class = "even"
		}
		y := d.py(percent / 100)
		fmt.Fprintf(d, `<line class="%s" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text class="tick" text-anchor="end" x="%g" y="%.1f">%g%%</text>`,
			class, graphLeft, graphWidth-graphRight, y, y, graphLeft-6, y+4, percent)
	}
	const most = 13
	step := 5.0
	for _, wider := range []float64{10, 20, 50, 100, 200, 500, 1000, 10000} {
		if (d.last-d.first)/step <= most {
			break
		}
		step = wider
	}
	for x := step * float64(int((d.first+step-1)/step)); x <= d.last; x += step {
		fmt.Fprintf(d, `<text class="tick" text-anchor="middle" x="%.1f" y="%g">%g</text>`, d.px(x), graphHeight-graphBottom+16, x)
	}
	foot := "moves made; the win rate is Black's"
	if d.japanese {
		foot = "手数（勝率は先手から見たもの）"
	}
	fmt.Fprintf(d, `<text class="tick" text-anchor="end" x="%g" y="%g">%s</text>`, graphWidth-graphRight, graphHeight-8, foot)
}

// curve draws the win rate and fills what is between it and the middle in the colour of the side that is better.
func (d *graph) curve() {
	var line strings.Builder
	for i := range d.positions {
		fmt.Fprintf(&line, "%.1f,%.1f ", d.px(d.number(i)), d.py(d.blackRate(i)))
	}
	middle := d.py(0.5)
	area := fmt.Sprintf("%.1f,%.1f %s%.1f,%.1f", d.px(d.first), middle, line.String(), d.px(d.number(len(d.positions)-1)), middle)
	for _, half := range []struct {
		class string
		top   float64
	}{{"black", graphTop}, {"white", middle}} {
		// A picture within the picture cuts off the other half without needing a name that is unique on a page.
		fmt.Fprintf(d, `<svg x="0" y="%.1f" width="%g" height="%.1f" viewBox="0 %.1f %g %.1f"><polygon class="%s" points="%s"/></svg>`,
			half.top, graphWidth, middle-graphTop, half.top, graphWidth, middle-graphTop, half.class, area)
	}
	fmt.Fprintf(d, `<polyline class="curve" points="%s"/>`, strings.TrimSpace(line.String()))
	inset := graphLeft + 6
	fmt.Fprintf(d, `<text class="side" x="%g" y="%g">▲ %s</text><text class="side" x="%g" y="%g">△ %s</text>`,
		inset, graphTop+15, html.EscapeString(d.name(shogi.Black)), inset, graphHeight-graphBottom-7, html.EscapeString(d.name(shogi.White)))
}

// signs draws mistakes and blunders.
func (d *graph) signs() {
	for i, found := range d.marks {
		if found == noMark {
			continue
		}
		x, y := d.px(d.number(i+1)), d.py(d.blackRate(i+1))
		class := "mistake"
		if found == blunder {
			class = "blunder"
		}
		// The sign stands on the side from which the curve has come.
		below := y - 9
		if d.blackRate(i+1) < d.blackRate(i) {
			below = y + 17
		}
		fmt.Fprintf(d, `<circle class="%s" cx="%.1f" cy="%.1f" r="4"/><text class="sign %s" text-anchor="middle" x="%.1f" y="%.1f">%s</text>`,
			class, x, y, class, x, min(max(below, graphTop+9), graphHeight-graphBottom-2), found.sign())
	}
}

// hints lays an invisible stripe over each position, with what is to be said about it.
func (d *graph) hints() {
	for i := range d.positions {
		left, right := d.px(max(d.first, d.number(i)-0.5)), d.px(min(d.last, d.number(i)+0.5))
		fmt.Fprintf(d, `<rect class="hit" x="%.1f" y="%g" width="%.1f" height="%g"><title>%s</title></rect>`,
			left, graphTop, right-left, graphHeight-graphTop-graphBottom, html.EscapeString(d.hint(i)))
	}
}

// hint says everything about a position in one text.
func (g *analysedGame) hint(i int) string {
	var words []string
	if i > 0 {
		words = append(words, fmt.Sprintf("%g %s%s", g.number(i), g.texts[i-1], g.marks[i-1].sign()))
	}
	black := fmt.Sprintf("%s %.1f %%", g.side(shogi.Black), 100*g.blackRate(i))
	return strings.Join(append(append(words, black), g.comments(i)...), "\n")
}

// heading names the game.
func (g *analysedGame) heading() string {
	return fmt.Sprintf("▲ %s – △ %s: %s", g.name(shogi.Black), g.name(shogi.White), g.result())
}

// result tells how the game came out.
func (g *analysedGame) result() string {
	result := g.record.Result()
	text := map[kifu.Result]string{kifu.BlackWins: "Black won", kifu.WhiteWins: "White won", kifu.Draw: "drawn", kifu.NoResult: "no result"}[result]
	if g.japanese {
		text = map[kifu.Result]string{kifu.BlackWins: "先手の勝ち", kifu.WhiteWins: "後手の勝ち", kifu.Draw: "引き分け", kifu.NoResult: "結果なし"}[result]
		return fmt.Sprintf("%d手で%s", len(g.moves), text)
	}
	return fmt.Sprintf("%s, %d moves", text, len(g.moves))
}

// pageRow is a row of a table of moves.
type pageRow struct {
	Number                       float64
	Move, Sign, Class            string
	Before, After, Black, Better string
}

// pageGame is a game on the page.
type pageGame struct {
	// Title tells several games apart, "" when there is only one.
	Title string
	Graph template.HTML
	Sides [2]struct {
		tally
		Name string
	}
	Marked, All []pageRow
}

// writePage writes the page with the graphs and tables of all games of the file. It needs nothing else.
func (f *analysedFile) writePage(w io.Writer) error {
	page, err := template.New("analyze").Parse(analyzePage)
	if err != nil {
		return err
	}
	data := struct {
		Title string
		Words map[string]string
		Games []pageGame
	}{Title: filepath.Base(f.path), Words: pageWords(f.japanese)}
	for i, g := range f.games {
		game := g.page()
		if len(f.games) > 1 {
			game.Title = fmt.Sprintf("%s %d", data.Words["game"], i+1)
		}
		data.Games = append(data.Games, game)
	}
	return page.Execute(w, data)
}

func (g *analysedGame) page() pageGame {
	out := pageGame{Graph: template.HTML(g.svg())}
	for c := range out.Sides {
		out.Sides[c].tally, out.Sides[c].Name = g.tally(shogi.Color(c)), []string{"▲ ", "△ "}[c]+g.name(shogi.Color(c))
	}
	for i := range g.moves {
		row := pageRow{
			Number: g.number(i + 1), Move: g.texts[i], Sign: g.marks[i].sign(), Class: [...]string{"", "mistake", "blunder"}[g.marks[i]],
			Before: fmt.Sprintf("%.0f %%", 100*g.verdicts[i].score.WinRate), After: fmt.Sprintf("%.0f %%", 100-100*g.verdicts[i+1].score.WinRate),
			Black: fmt.Sprintf("%.1f %%", 100*g.blackRate(i+1)), Better: g.lines[i],
		}
		if g.marks[i] != noMark {
			out.Marked = append(out.Marked, row)
		}
		out.All = append(out.All, row)
	}
	return out
}

// pageWords are the words of the page.
func pageWords(japanese bool) map[string]string {
	words := map[string][2]string{
		"lang": {"en", "ja"}, "title": {"Analysis", "解析"}, "game": {"Game", "対局"}, "player": {"Player", "対局者"}, "moves": {"Moves", "手数"},
		"mistakes": {"Mistakes ?", "疑問手 ?"}, "blunders": {"Blunders ??", "悪手 ??"}, "loss": {"Mean loss of win rate", "平均の勝率損失"},
		"marked": {"Mistakes and blunders", "疑問手と悪手"}, "move": {"Move", "指し手"}, "before": {"Best", "最善"}, "after": {"Played", "実際"},
		"better": {"Best line", "最善手順"}, "all": {"All moves", "全ての指し手"}, "black": {"Black's win rate", "先手勝率"}, "none": {"None.", "なし"},
		"hover": {"Move over the graph to read what was found.", "グラフにカーソルを合わせると詳細が出ます。"},
	}
	out := make(map[string]string)
	for name, pair := range words {
		out[name] = pair[0]
		if japanese {
			out[name] = pair[1]
		}
	}
	return out
}
