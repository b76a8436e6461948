package tune

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/match"
)

func TestReport(t *testing.T) {
	r, _ := fakeRun(t, hillPlan(20))
	h := &r.Header
	for _, running := range []bool{true, false} {
		var page bytes.Buffer
		require.NoError(t, WriteReport(&page, h, r.Iterations, running, "yomi match <x>"))
		require.Equal(t, 3, strings.Count(page.String(), "<svg "), "a chart for each parameter")
		require.Equal(t, running, strings.Contains(page.String(), "refresh"))
		require.Contains(t, page.String(), "yomi match &lt;x&gt;")
		require.Contains(t, page.String(), h.Params[1].Name)
		require.NotContains(t, page.String(), "NaN")
		require.NotContains(t, page.String(), "http://")
		if running {
			require.NoError(t, r.Play(context.Background(), Options{NewOpponents: fakes}))
		}
	}
	chart := paramChart(h, r.Iterations, 0).svg()
	require.Equal(t, 1, strings.Count(chart, "<polygon"))
	for d := xml.NewDecoder(strings.NewReader(chart)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
	}
	_, rest, _ := strings.Cut(chart, `class="line value" points="`)
	points, _, _ := strings.Cut(rest, `"`)
	require.Len(t, strings.Fields(points), 21, "the start and every iteration")

	text := h.Text(r.Iterations)
	require.Contains(t, text, "iterations  20 of 20, 320 games: plus won ")
	require.Contains(t, text, "C_puct                   2000 → ")
	require.NotContains(t, text, "warning")
	require.Contains(t, h.Text(nil), "iterations  0 of 20, 0 games")
}

func TestLongChart(t *testing.T) {
	h := Header{Plan: hillPlan(5000)}
	var many []Iteration
	for k := range 5000 {
		many = append(many, Iteration{Number: k + 1, Values: h.start()})
	}
	require.Less(t, len(paramChart(&h, many, 0).svg()), 80_000, "long runs are thinned out")
}

func TestTicks(t *testing.T) {
	require.Equal(t, []float64{0, 5, 10, 15, 20}, ticks(0, 20))
	require.Equal(t, []float64{-1, 0, 1}, ticks(-1.5, 1.5), "round numbers inside the range")
	require.Len(t, ticks(maxValue-1, maxValue), 6, "at the edge of what is allowed")
}

func TestTuned(t *testing.T) {
	h := Header{Plan: hillPlan(2), Time: match.TimeControl{Nodes: 800}, Rules: match.DefaultRules(), Options: []match.Setting{{Name: "USI_Hash", Value: "16"}}}
	done := []Iteration{{Number: 1, Values: []float64{2110.49, 79.5, -700.6}}}
	require.Equal(t, []match.Setting{{Name: "C_puct", Value: "2110"}, {Name: "SlowMover", Value: "80"}, {Name: "Value", Value: "-701"}}, h.Tuned(done))
	require.Equal(t, strings.Fields("match yomi yomi --a-name tuned --b-name before --time nodes=800"+
		" --a-option USI_Hash=16 --a-option C_puct=2110 --a-option SlowMover=80 --a-option Value=-701"+
		" --b-option USI_Hash=16 --b-option C_puct=2000 --b-option SlowMover=80 --b-option Value=-700"+
		" --games 4000 --sprt 0,5 -o dir"), h.VerifyCommand(done, 1, "dir"))

	h.Openings = "/o"
	h.Rules.MaxPlies, h.Rules.Declaration, h.Rules.Margin, h.Rules.Hang = 256, "CSARule24", time.Second, time.Hour
	h.Rules.Resign, h.Rules.Draw = match.ResignRule{Score: 2500, Count: 3, OneSided: true}, match.DrawRule{Score: 30, Count: 8, After: 160}
	require.Contains(t, strings.Join(h.VerifyCommand(done, 2, "dir"), " "), " --openings /o --max-plies 256 --declaration CSARule24 --resign 2500x3"+
		" --draw 30x8@160 --margin 1s --hang 1h0m0s --resign-one-side --concurrency 2 --games 4000 --sprt 0,5 -o dir")
}
