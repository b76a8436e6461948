package search

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

var update = flag.Bool("update", false, "write docs/clock.svg and the table of docs/clock.md")

// control is a time control with a name for people.
type control struct {
	name  string
	times *ClockTimes
	late  time.Duration // by which searches end late at most, because the machine does other work
}

// plottedControls are those of docs/clock.svg.
var plottedControls = []control{
	{name: "10 min, sudden death", times: bothMain(10*time.Minute, 0, 0)},
	{name: "5 min + 5 s a move", times: bothMain(5*time.Minute, 0, 5*time.Second)},
	{name: "10 min, then byoyomi 10 s", times: bothMain(10*time.Minute, 10*time.Second, 0)},
	{name: "byoyomi 10 s", times: bothMain(0, 10*time.Second, 0)},
	{name: "3 min, byoyomi 5 s, + 3 s a move", times: bothMain(3*time.Minute, 5*time.Second, 3*time.Second)},
}

// otherControls are only held to their limits.
var otherControls = []control{
	{name: "10 s + 0.1 s", times: bothMain(10*time.Second, 0, 100*ms)},
	{name: "byoyomi 0.2 s", times: bothMain(0, 200*ms, 0)},
	{name: "byoyomi 1 s", times: bothMain(0, time.Second, 0)},
	{name: "1 min, byoyomi 1 s", times: bothMain(time.Minute, time.Second, 0)},
	{name: "5 s, sudden death", times: bothMain(5*time.Second, 0, 0)},
	{name: "5 s, byoyomi 1 s, + 0.5 s", times: bothMain(5*time.Second, time.Second, 500*ms)},
	{name: "increment taken off before the first move: -2 s + 5 s", times: bothMain(-2*time.Second, 0, 5*time.Second)},
	{name: "the same with byoyomi: -2 s, byoyomi 1 s, + 3 s", times: bothMain(-2*time.Second, time.Second, 3*time.Second)},
	{name: "busy: 10 s + 1 s", times: bothMain(10*time.Second, 0, time.Second), late: 250 * ms},
	{name: "busy: byoyomi 1 s", times: bothMain(0, time.Second, 0), late: 250 * ms},
	{name: "busy: 1 min, sudden death", times: bothMain(time.Minute, 0, 0), late: 150 * ms},
	{name: "busy: 5 s, byoyomi 1 s, + 0.5 s", times: bothMain(5*time.Second, time.Second, 500*ms), late: 250 * ms},
}

// simulatedMove is one move of a simulated game.
type simulatedMove struct {
	used, usable time.Duration
	pondered     bool
}

const simulatedMoves = 80 // of each side: a game of 160 moves

// simulate plays one side's moves of a game: searches of many characters, ponder hits at once and late, answers that take their way to the
// GUI, and on a busy machine searches that end late, by more or less from move to move.
func simulate(k control, dice *rand.Rand) []simulatedMove {
	times := *k.times
	var lag Lag
	var game []simulatedMove
	late := time.Duration(0)
	for i := range simulatedMoves {
		c := NewClock(&Limits{Clock: &times}, shogi.Black, 1+2*i, lag.Add(DefaultClockOptions()))
		pondered := time.Duration(0)
		hit := dice.IntN(3) == 0
		if hit && dice.IntN(2) == 0 { // the opponent thought for a while; else the hit comes at once
			pondered = time.Duration(dice.Int64N(int64(20 * time.Second)))
		}
		pace := max(5*ms, c.Optimum()/200)
		used, _ := think(c, pace, character(dice, pondered))
		if k.late > 0 {
			late = min(k.late, max(0, late+time.Duration(dice.IntN(80)-35)*ms))
			used += late
			lag.Note(late)
		}
		used += time.Duration(dice.IntN(40)) * ms
		usable := times.Usable(shogi.Black)
		if usable < 200*ms { // a GUI that allows so little answers at once
			used = min(used, c.Hard()+usable/4)
		}
		game = append(game, simulatedMove{used, usable, hit})
		times.Main[shogi.Black] += times.Increment[shogi.Black] - max(0, used-times.Byoyomi)
	}
	return game
}

// character returns the progress of a search of a random kind that has pondered for a while: clear, open, or undecided.
func character(dice *rand.Rand, pondered time.Duration) func(time.Duration) Progress {
	first := 0.3 + 0.65*dice.Float64()
	second := (1 - first) * dice.Float64()
	look := at(first, second, 0.5, 0.45+0.07*dice.Float64())
	return func(elapsed time.Duration) Progress { return look(elapsed + pondered) }
}

// suiteGames is how many games are simulated for each control.
const suiteGames = 40

// Never over the limit, in any simulated game.
func TestClockSuite(t *testing.T) {
	games := suiteGames
	if testing.Short() {
		games = 5
	}
	for _, k := range append(slices.Clone(plottedControls), otherControls...) {
		t.Run(k.name, func(t *testing.T) {
			dice := rand.New(rand.NewPCG(1, uint64(len(k.name))))
			for game := range games {
				for i, m := range simulate(k, dice) {
					require.LessOrEqual(t, m.used, m.usable, "game %d, move %d", game, i+1)
					require.GreaterOrEqual(t, m.used, time.Duration(0))
				}
			}
		})
	}
}

// A search that has pondered for long ends sooner than one whose hit comes at once, and neither is over.
func TestPonderHitAtOnceAndLate(t *testing.T) {
	l := Limits{Clock: bothMain(5*time.Minute, 0, 5*time.Second)}
	spend := func(pondered time.Duration) time.Duration {
		used, _ := think(NewClock(&l, shogi.Black, 41, DefaultClockOptions()), ms, func(elapsed time.Duration) Progress {
			return at(0.8, 0.1, 0.5, 0.5)(elapsed + pondered)
		})
		return used
	}
	require.Less(t, spend(30*time.Second), spend(0))
	require.Positive(t, spend(time.Hour))
}

// The phases of a game, by the side's moves.
var phases = []struct {
	name     string
	from, to int
}{{"opening, moves 1-15", 0, 15}, {"middle game, 16-45", 15, 45}, {"ending, 46-80", 45, simulatedMoves}}

// TestClockPicture holds docs/clock.svg and the table of docs/clock.md to what the clock does now; -update writes them.
func TestClockPicture(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors round sums of products otherwise")
	}
	const picture, text, begin, end = "../../docs/clock.svg", "../../docs/clock.md", "<!-- table:begin -->\n", "<!-- table:end -->"
	var spreads []spread
	for _, k := range plottedControls {
		spreads = append(spreads, spreadOf(k))
	}
	svg, table := drawSpreads(spreads), spreadTable(spreads)
	words, err := os.ReadFile(text)
	require.NoError(t, err)
	head, rest, found := strings.Cut(string(words), begin)
	require.True(t, found)
	old, tail, found := strings.Cut(rest, end)
	require.True(t, found)
	if *update {
		require.NoError(t, os.WriteFile(picture, []byte(svg), 0o644))
		require.NoError(t, os.WriteFile(text, []byte(head+begin+table+end+tail), 0o644))
		return
	}
	was, err := os.ReadFile(picture)
	require.NoError(t, err)
	const how = "go test ./internal/search -run ClockPicture -update"
	require.True(t, svg == string(was), "docs/clock.svg is out of date: %s", how)
	require.Equal(t, table, old, "docs/clock.md is out of date: %s", how)
}

// spread is the time used for each move over many games, in seconds.
type spread struct {
	control
	mean, low, high [simulatedMoves]float64 // low and high are the first and the ninth tenth
	left            float64                 // main time at the end, mean
	most            float64                 // the largest part of the usable time that a move took
}

func spreadOf(k control) spread {
	dice := rand.New(rand.NewPCG(2, uint64(len(k.name))))
	s := spread{control: k}
	var used [simulatedMoves][]float64
	for range suiteGames {
		total := time.Duration(0)
		for i, m := range simulate(k, dice) {
			used[i] = append(used[i], m.used.Seconds())
			total += m.used
			s.most = max(s.most, m.used.Seconds()/m.usable.Seconds())
		}
		rest := max(0, k.times.Main[0]+simulatedMoves*(k.times.Increment[0]+k.times.Byoyomi)-total)
		s.left += rest.Seconds() / suiteGames
	}
	for i, x := range used {
		slices.Sort(x)
		for _, one := range x {
			s.mean[i] += one / suiteGames
		}
		s.low[i], s.high[i] = x[suiteGames/10], x[suiteGames-1-suiteGames/10]
	}
	return s
}

// phaseMean returns the mean time a move in the phase.
func (s *spread) phaseMean(from, to int) float64 {
	sum := 0.0
	for _, x := range s.mean[from:to] {
		sum += x
	}
	return sum / float64(to-from)
}

func spreadTable(spreads []spread) string {
	var b strings.Builder
	b.WriteString("| seconds a move |")
	for _, p := range phases {
		b.WriteString(" " + p.name + " |")
	}
	b.WriteString(" most of the usable time |\n|---|---|---|---|---|\n")
	for i := range spreads {
		s := &spreads[i]
		fmt.Fprintf(&b, "| %s |", s.name)
		for _, p := range phases {
			fmt.Fprintf(&b, " %.1f |", s.phaseMean(p.from, p.to))
		}
		fmt.Fprintf(&b, " %.1f %% |\n", 100*s.most)
	}
	return b.String()
}

// The picture's measures, in pixels.
const (
	panelWidth, panelHeight = 640, 150
	panelLeft, panelTop     = 52, 26
	panelStep               = panelHeight + 70
)

// drawSpreads draws a panel for each control: the mean time for each move in the band that holds four fifths of the games.
func drawSpreads(spreads []spread) string {
	var b strings.Builder
	width, height := panelLeft+panelWidth+16, panelTop+len(spreads)*panelStep+6
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	for i := range spreads {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", panelLeft, panelTop+i*panelStep)
		spreads[i].draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (s *spread) draw(b *strings.Builder) {
	top := niceAbove(slices.Max(s.high[:]))
	x := func(i int) float64 { return float64(i) * panelWidth / (simulatedMoves - 1) }
	y := func(seconds float64) float64 { return panelHeight * (1 - seconds/top) }
	fmt.Fprintf(b, `<text x="0" y="-9" font-weight="bold" fill="#222222">%s</text>`+"\n", s.name)
	for n, p := range phases {
		if n%2 == 1 {
			fmt.Fprintf(b, `<rect x="%.1f" y="0" width="%.1f" height="%d" fill="#f1f1ee"/>`+"\n", x(p.from), x(p.to)-x(p.from), panelHeight)
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#222222">%s: %.1f s</text>`+"\n",
			(x(p.from)+x(min(p.to, simulatedMoves-1)))/2, panelHeight+32, strings.Split(p.name, ",")[0], s.phaseMean(p.from, p.to))
	}
	for part := range 3 {
		seconds := top * float64(part) / 2
		fmt.Fprintf(b, `<path d="M0 %.1f H%d" stroke="#d5d5d0"/><text x="-6" y="%.1f" text-anchor="end" fill="#555555">%g s</text>`+"\n", y(seconds), panelWidth, y(seconds)+4, seconds)
	}
	for move := 10; move <= simulatedMoves; move += 10 {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#555555" font-size="10">%d</text>`+"\n", x(move-1), panelHeight+14, move)
	}
	var band, back, line strings.Builder
	for i := range simulatedMoves {
		fmt.Fprintf(&band, " %.1f,%.1f", x(i), y(s.high[i]))
		j := simulatedMoves - 1 - i
		fmt.Fprintf(&back, " %.1f,%.1f", x(j), y(s.low[j]))
		fmt.Fprintf(&line, " %.1f,%.1f", x(i), y(s.mean[i]))
	}
	fmt.Fprintf(b, `<polygon points="%s%s" fill="#9ec5e8" fill-opacity="0.6"/>`+"\n", band.String()[1:], back.String())
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="#1f5fa8" stroke-width="2"/>`+"\n", line.String()[1:])
}

// niceAbove returns a round number at least as large.
func niceAbove(x float64) float64 {
	for unit := 0.1; ; unit *= 10 {
		for _, n := range []float64{1, 2, 4, 6, 8} {
			if n*unit >= x {
				return n * unit
			}
		}
	}
}
