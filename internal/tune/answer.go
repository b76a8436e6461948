package tune

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/yomi-shogi/yomi/internal/match"
)

// Tuned returns the parameters' values after the iterations, rounded, as options.
func (h *Header) Tuned(iterations []Iteration) []match.Setting {
	var whole []int64
	for i, v := range values(h, iterations) {
		whole = append(whole, h.Params[i].whole(v))
	}
	return h.settings(whole)
}

// starts returns the parameters' values before the first iteration as options.
func (h *Header) starts() []match.Setting { return h.Tuned(nil) }

// Value is where a parameter stands.
type Value struct {
	Param
	// Now is the value, Steps its distance from the start in steps.
	Now, Steps float64
}

// Values returns where the parameters stand after the iterations.
func (h *Header) Values(iterations []Iteration) []Value {
	var out []Value
	for i, v := range values(h, iterations) {
		p := h.Params[i]
		out = append(out, Value{Param: p, Now: v, Steps: (v - float64(p.Start)) / float64(p.Step)})
	}
	return out
}

// Text returns the values in a line of fixed width, for a table.
func (v *Value) Text() string {
	const widestName = 20
	return fmt.Sprintf("%-*s %8d → %8.0f  %+6.2f steps of %d, range %d..%d", widestName, v.Name, v.Start, v.Now, v.Steps, v.Step, v.Min, v.Max)
}

// strayed returns the number of steps that chance alone would have moved a value in the iterations, as a standard deviation,
// when a game is drawn as often as these were.
func (h *Header) strayed(iterations []Iteration) float64 {
	games, decided, sum := 0, 0, 0.0
	for i := range iterations {
		it := &iterations[i]
		games += it.Wins + it.Draws + it.Losses
		decided += it.Wins + it.Losses
		_, gain := h.gains(it.Number)
		sum += gain * gain * float64(2*h.Pairs)
	}
	if games == 0 {
		return 0
	}
	return math.Sqrt(sum * float64(decided) / float64(games))
}

// Text sums up a run: the values, what chance alone would have done, and what was spoiled.
func (h *Header) Text(iterations []Iteration) string {
	var b strings.Builder
	wins, draws, losses, faults, fault := 0, 0, 0, 0, ""
	for i := range iterations {
		it := &iterations[i]
		wins, draws, losses, faults = wins+it.Wins, draws+it.Draws, losses+it.Losses, faults+it.Faults
		if fault == "" {
			fault = it.Fault
		}
	}
	fmt.Fprintf(&b, "iterations  %d of %d, %d games: plus won %d, drew %d, lost %d\n", len(iterations), h.Iterations, wins+draws+losses, wins, draws, losses)
	for _, v := range h.Values(iterations) {
		fmt.Fprintf(&b, "  %s\n", v.Text())
	}
	fmt.Fprintf(&b, "chance alone would have moved each value by about %.2f steps, within its range\n", h.strayed(iterations))
	if faults > 0 {
		fmt.Fprintf(&b, "warning: %d games were spoiled; the first, %s\n", faults, fault)
	}
	return b.String()
}

// VerifyGames is the most games of the match that VerifyCommand asks for.
const VerifyGames = 4000

// VerifyCommand returns the words behind "yomi" of the command that plays the tuned values (player A) against those of the start
// (player B), with the same options, time, openings and rules, until a test of 0 against 5 normalized Elo is decided.
func (h *Header) VerifyCommand(iterations []Iteration, concurrency int, dir string) []string {
	words := []string{"match", match.InProcess, match.InProcess, "--a-name", "tuned", "--b-name", "before", "--time", h.Time.String()}
	add := func(flag, value string) { words = append(words, flag, value) }
	for _, side := range []struct {
		flag   string
		values []match.Setting
	}{{"--a-option", h.Tuned(iterations)}, {"--b-option", h.starts()}} {
		for _, o := range append(append([]match.Setting(nil), h.Options...), side.values...) {
			add(side.flag, o.Name+"="+o.Value)
		}
	}
	if h.Openings != "" {
		add("--openings", h.Openings)
	}
	words = append(words, ruleFlags(&h.Rules)...)
	if concurrency > 1 {
		add("--concurrency", strconv.Itoa(concurrency))
	}
	add("--games", strconv.Itoa(VerifyGames))
	add("--sprt", "0,5")
	add("-o", dir)
	return words
}

// ruleFlags returns the flags of yomi match for rules, those left out that are its defaults.
func ruleFlags(r *match.Rules) []string {
	var words []string
	usual := match.DefaultRules()
	for _, f := range []struct {
		flag, value string
		differs     bool
	}{
		{"--max-plies", strconv.Itoa(r.MaxPlies), r.MaxPlies != usual.MaxPlies},
		{"--declaration", r.Declaration, r.Declaration != usual.Declaration},
		{"--resign", fmt.Sprintf("%dx%d", r.Resign.Score, r.Resign.Count), r.Resign.Count > 0},
		{"--draw", fmt.Sprintf("%dx%d@%d", r.Draw.Score, r.Draw.Count, r.Draw.After), r.Draw.Count > 0},
		{"--margin", r.Margin.String(), r.Margin != usual.Margin},
		{"--hang", r.Hang.String(), r.Hang != usual.Hang},
	} {
		if f.differs {
			words = append(words, f.flag, f.value)
		}
	}
	if r.Resign.OneSided {
		words = append(words, "--resign-one-side")
	}
	return words
}
