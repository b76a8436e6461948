package match

import (
	_ "embed" // the page's template
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"

	"github.com/yomi-shogi/yomi/shogi"
)

//go:embed report.html
var reportPage string

// listedGames is how many games the report shows with their moves; a larger match shows the first ones.
const listedGames = 400

// reportGame is a row of the report's list of games.
type reportGame struct {
	Record
	Winner, Score template.HTML
	Length        int
	Position      string
}

// WriteReport writes a report as one HTML page that needs nothing else.
func WriteReport(out io.Writer, h *Header, records []Record) error {
	page, err := template.New("report").Parse(reportPage)
	if err != nil {
		return err
	}
	sorted := slices.Clone(records)
	slices.SortFunc(sorted, func(a, b Record) int { return a.Game - b.Game })
	data := struct {
		Header *Header
		Text   string
		Charts []template.HTML
		Games  []reportGame
		Hidden int
	}{Header: h, Text: h.Standings(records).Text(h.A.Name, h.B.Name)}
	if len(records) > 0 {
		data.Charts = charts(h, records)
	}
	for i := range sorted {
		if i == listedGames {
			data.Hidden = len(sorted) - listedGames
			break
		}
		r := &sorted[i]
		winner := r.Winner()
		if winner == "" {
			winner = "draw"
		}
		data.Games = append(data.Games, reportGame{Record: *r, Winner: template.HTML(winner), Score: scoreCurve(r), Length: len(r.Plies), Position: "position " + r.Position()})
	}
	return page.Execute(out, data)
}

// charts returns the pictures of a match: results and rating over time, lengths, time use.
func charts(h *Header, records []Record) []template.HTML {
	pictures := []*chart{resultsChart(records), ratingChart(h, records), lengthChart(records), timeChart(records)}
	if h.SPRT != nil {
		pictures = append(pictures, llrChart(h, records))
	}
	var out []template.HTML
	for _, c := range pictures {
		out = append(out, template.HTML(c.svg()))
	}
	return out
}

// Size of a chart in pixels.
const chartWidth, chartHeight = 560, 260

// resultsChart shows how many games A won, drew and lost as the match went on.
func resultsChart(records []Record) *chart {
	c := newChart("Results of A over time", "games", "games", chartWidth, chartHeight)
	var tally Tally
	lines := [3][]point{{{0, 0}}, {{0, 0}}, {{0, 0}}}
	for i := range records {
		tally.add(records[i].PointsA())
		for k, n := range []int{tally.Wins, tally.Draws, tally.Losses} {
			lines[k] = append(lines[k], point{float64(i + 1), float64(n)})
		}
	}
	c.scale(0, float64(len(records)), 0, float64(max(tally.Wins, tally.Draws, tally.Losses, 1)))
	for k, class := range []string{"a", "even", "b"} {
		c.line(class, thin(lines[k]))
		c.name(class, []string{"won", "drawn", "lost"}[k])
	}
	return c
}

// ratingChart shows Elo A − B with its 95 % band as the match went on.
func ratingChart(h *Header, records []Record) *chart {
	c := newChart("Elo A − B with 95 % band", "pairs", "Elo", chartWidth, chartHeight)
	var value, low, high []point
	s := h.Standings(nil)
	least, most := 0.0, 0.0
	for i := range records {
		before := s.Pairs
		s.Add(&records[i])
		r := Rate(s.Pairs)
		if s.Pairs == before || !r.Spread {
			continue
		}
		x := float64(s.Pairs.Pairs())
		v, l, u := clamp(r.Elo.Value, -1000, 1000), clamp(r.Elo.Low, -1000, 1000), clamp(r.Elo.High, -1000, 1000)
		value, low, high = append(value, point{x, v}), append(low, point{x, l}), append(high, point{x, u})
		least, most = min(least, v-20), max(most, v+20)
	}
	if n := len(value); n > 0 { // the wide bands of the first pairs would flatten the rest
		from := n / 10
		for i := from; i < n; i++ {
			least, most = min(least, low[i].y), max(most, high[i].y)
		}
	}
	c.scale(0, float64(max(1, s.Pairs.Pairs())), least, most)
	c.band("a", thin(low), thin(high))
	c.level("zero", 0)
	c.line("a", thin(value))
	return c
}

// llrChart shows the SPRT's log-likelihood ratio between its bounds.
func llrChart(h *Header, records []Record) *chart {
	c := newChart("SPRT: log-likelihood ratio", "pairs", "LLR", chartWidth, chartHeight)
	s := h.Standings(nil)
	points := []point{{0, 0}}
	lower, upper := h.SPRT.Bounds()
	least, most := lower, upper
	for i := range records {
		before := s.Pairs
		s.Add(&records[i])
		if s.Pairs != before {
			points = append(points, point{float64(s.Pairs.Pairs()), s.LLR})
			least, most = min(least, s.LLR), max(most, s.LLR)
		}
	}
	c.scale(0, float64(max(1, s.Pairs.Pairs())), least, most)
	c.level("zero", lower)
	c.level("zero", upper)
	c.line("a", thin(points))
	return c
}

// lengthChart shows how long the games were.
func lengthChart(records []Record) *chart {
	const bin = 20
	c := newChart("Game lengths", "moves after the opening", "games", chartWidth, chartHeight)
	counts := make(map[int]int)
	longest, most := 0, 1
	for i := range records {
		k := len(records[i].Plies) / bin
		counts[k]++
		longest, most = max(longest, k), max(most, counts[k])
	}
	c.scale(0, float64((longest+1)*bin), 0, float64(most))
	for k := 0; k <= longest; k++ {
		if counts[k] > 0 {
			c.bar("bar", float64(k*bin), float64((k+1)*bin), float64(counts[k]), fmt.Sprintf("%d to %d moves: %d games", k*bin, (k+1)*bin-1, counts[k]))
		}
	}
	return c
}

// timeChart shows the mean time of each player by move number.
func timeChart(records []Record) *chart {
	c := newChart("Mean time a move", "move of the game", "ms", chartWidth, chartHeight)
	var sum, count [2]map[int]float64
	for i := range sum {
		sum[i], count[i] = make(map[int]float64), make(map[int]float64)
	}
	last := 0
	for i := range records {
		r := &records[i]
		p := Opening{Text: r.Start}.Game().Position()
		side, ply := p.Side(), p.Ply()
		for _, move := range r.Plies {
			player := 0
			if r.Player(side) == PlayerB {
				player = 1
			}
			sum[player][ply] += float64(move.Wall)
			count[player][ply]++
			last = max(last, ply)
			side, ply = side.Opponent(), ply+1
		}
	}
	lines, most := [2][]point{}, 1.0
	for player := range lines {
		for ply := range last + 1 {
			if n := count[player][ply]; n > 0 {
				mean := sum[player][ply] / n
				lines[player] = append(lines[player], point{float64(ply), mean})
				most = max(most, mean)
			}
		}
	}
	c.scale(0, float64(max(1, last)), 0, most)
	c.line("a", thin(lines[0]))
	c.line("b", thin(lines[1]))
	c.name("a", PlayerA)
	c.name("b", PlayerB)
	return c
}

// scoreCurve shows the scores of a game as Black sees them, one line a player, within ±2000.
func scoreCurve(r *Record) template.HTML {
	const limit = 2000
	scores, known := r.BlackScores()
	p := Opening{Text: r.Start}.Game().Position()
	side, ply := p.Side(), p.Ply()
	c := newChart("Scores, positive is good for Black", "move", "cp", chartWidth, 180)
	c.scale(float64(ply), float64(ply+max(1, len(scores))), -limit, limit)
	c.level("zero", 0)
	var lines [2][]point
	for i, score := range scores {
		if known[i] {
			lines[side] = append(lines[side], point{float64(ply + i), float64(score)})
		}
		side = side.Opponent()
	}
	for colour, points := range lines {
		class := "a"
		if r.Player(shogi.Color(colour)) == PlayerB {
			class = "b"
		}
		c.line(class, points)
		c.name(class, r.Player(shogi.Color(colour))+map[int]string{0: " (Black)", 1: " (White)"}[colour])
	}
	return template.HTML(c.svg())
}

// thin keeps about a thousand points of a line, the last one among them.
func thin(points []point) []point {
	const wanted = 1000
	step := int(math.Ceil(float64(len(points)) / wanted))
	if step <= 1 {
		return points
	}
	var out []point
	for i := 0; i < len(points); i += step {
		out = append(out, points[i])
	}
	return append(out, points[len(points)-1])
}
