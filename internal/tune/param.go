package tune

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/uct"
)

// Param is an option that is tuned, in the option's own whole-number unit.
type Param struct {
	Name string `json:"name"`
	// Start is the value at the begin, Min and Max the range that the values keep to.
	Start int64 `json:"start"`
	Min   int64 `json:"min"`
	Max   int64 `json:"max"`
	// Step is how far the last iteration shifts the value; see the package comment.
	Step int64 `json:"step"`
}

// Limits of a run.
const (
	// AdvisedParams is the most parameters that one run should have: the same games must tell about all of them.
	AdvisedParams = 6
	maxParams     = 64
	// maxValue leaves floating-point values a fraction that is fine enough.
	maxValue = 1 << 40
)

// Check refuses a parameter that cannot be tuned. The error names it and what is wrong.
func (p *Param) Check() error {
	switch {
	case p.Name == "":
		return errors.New("a parameter has no name")
	case p.Min < -maxValue || p.Max > maxValue:
		return fmt.Errorf("%s: the range %d..%d is too wide; give a smaller one: %s=START:MIN:MAX:STEP", p.Name, p.Min, p.Max, p.Name)
	case p.Min >= p.Max:
		return fmt.Errorf("%s: bad range %d..%d: the first must be the smaller", p.Name, p.Min, p.Max)
	case p.Start < p.Min || p.Start > p.Max:
		return fmt.Errorf("%s: bad start %d: not in the range %d..%d", p.Name, p.Start, p.Min, p.Max)
	case p.Step < 1 || p.Step > (p.Max-p.Min+1)/2:
		return fmt.Errorf("%s: bad step %d: want 1 to %d, half the range %d..%d", p.Name, p.Step, max(1, (p.Max-p.Min+1)/2), p.Min, p.Max)
	}
	return nil
}

// String returns the parameter in the form that ParseParam reads.
func (p *Param) String() string {
	return fmt.Sprintf("%s=%d:%d:%d:%d", p.Name, p.Start, p.Min, p.Max, p.Step)
}

// clip keeps a value in the range.
func (p *Param) clip(x float64) float64 { return max(float64(p.Min), min(float64(p.Max), x)) }

// whole returns the option's value nearest to x within the range.
func (p *Param) whole(x float64) int64 { return int64(math.Round(p.clip(x))) }

// Request is a parameter as a user asks for it. What is nil comes from the engine.
type Request struct {
	Name                  string
	Start, Min, Max, Step *int64
}

// ParseParam reads NAME or NAME=START:MIN:MAX:STEP, in which every number may be left out, for example C_puct=2690:500:20000:400,
// SlowMover=:::10 or C_puct=3000. The error names the bad part.
func ParseParam(text string) (Request, error) {
	name, numbers, given := strings.Cut(text, "=")
	r := Request{Name: strings.TrimSpace(name)}
	if r.Name == "" {
		return r, fmt.Errorf("bad parameter %q: want NAME or NAME=START:MIN:MAX:STEP", text)
	}
	if !given {
		return r, nil
	}
	places := []**int64{&r.Start, &r.Min, &r.Max, &r.Step}
	parts := strings.Split(numbers, ":")
	if len(parts) > len(places) {
		return r, fmt.Errorf("bad parameter %q: %d numbers, want START:MIN:MAX:STEP", text, len(parts))
	}
	for i, part := range parts {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return r, fmt.Errorf("bad parameter %q: %s %q is no whole number", text, []string{"start", "minimum", "maximum", "step"}[i], part)
		}
		*places[i] = &n
	}
	return r, nil
}

// Tunable is an option that yomi tune can change.
type Tunable struct {
	Param
	// Meaning says what it does, "" for options that are not tunables of the search; those have no step of their own: Step is 0.
	Meaning string
}

// Tunables returns the number options among those that an engine declares, with their defaults, ranges and steps.
func Tunables(declared []usi.Option) []Tunable {
	var out []Tunable
	for _, o := range declared {
		if o.Type != usi.Spin || strings.EqualFold(o.Name, "Seed") {
			continue
		}
		start, err := strconv.ParseInt(o.Default, 10, 64)
		if err != nil {
			continue
		}
		t := Tunable{Param: Param{Name: o.Name, Start: start, Min: o.Min, Max: o.Max}}
		for _, row := range uct.ParamTable() {
			if row.Name == o.Name {
				unit := float64(o.Max) / row.Max // the option counts in parts of the tunable
				t.Step, t.Meaning = max(1, int64(math.Round(row.Step*unit))), row.Meaning
			}
		}
		out = append(out, t)
	}
	return out
}

// resolve completes the requests from the engine's options. A parameter that is also among the base options starts there.
func resolve(requests []Request, declared []usi.Option, base []match.Setting) ([]Param, error) {
	if len(requests) == 0 {
		return nil, errors.New("no parameter to tune")
	}
	known := Tunables(declared)
	var out []Param
	for _, r := range requests {
		i := slices.IndexFunc(known, func(t Tunable) bool { return strings.EqualFold(t.Name, r.Name) })
		if i < 0 {
			return nil, refuse(r.Name, declared)
		}
		t := known[i]
		for _, o := range base {
			if strings.EqualFold(o.Name, t.Name) {
				t.Start, _ = strconv.ParseInt(o.Value, 10, 64) // the options have been checked
			}
		}
		for _, n := range []struct {
			place *int64
			given *int64
		}{{&t.Start, r.Start}, {&t.Min, r.Min}, {&t.Max, r.Max}, {&t.Step, r.Step}} {
			if n.given != nil {
				*n.place = *n.given
			}
		}
		switch {
		case t.Step == 0 && r.Step == nil:
			return nil, fmt.Errorf("%s has no step of its own; give one: %s=:::STEP", t.Name, t.Name)
		case t.Min < known[i].Min || t.Max > known[i].Max:
			return nil, fmt.Errorf("%s: bad range %d..%d: the option takes %d..%d", t.Name, t.Min, t.Max, known[i].Min, known[i].Max)
		}
		out = append(out, t.Param)
	}
	return out, checkParams(out)
}

// refuse says why an option cannot be tuned.
func refuse(name string, declared []usi.Option) error {
	for _, o := range declared {
		if strings.EqualFold(o.Name, name) {
			return fmt.Errorf("%s cannot be tuned: it is no number that the user sets", o.Name)
		}
	}
	var names []string
	for _, t := range Tunables(declared) {
		names = append(names, t.Name)
	}
	return fmt.Errorf("no option %q%s", name, didYouMean(name, names))
}

// checkParams refuses bad parameters, none, too many, and one that is there twice.
func checkParams(params []Param) error {
	if len(params) == 0 || len(params) > maxParams {
		return fmt.Errorf("%d parameters: want 1 to %d", len(params), maxParams)
	}
	for i := range params {
		if err := params[i].Check(); err != nil {
			return err
		}
		for j := range i {
			if strings.EqualFold(params[j].Name, params[i].Name) {
				return fmt.Errorf("parameter %s is given twice", params[i].Name)
			}
		}
	}
	return nil
}

// didYouMean returns `, did you mean "…"?` with the known name that shares most pairs of letters with the unknown one, "" when
// none shares any.
func didYouMean(unknown string, known []string) string {
	best, most := "", 0.0
	pairs := letterPairs(unknown)
	for _, name := range known {
		shared, theirs := 0, letterPairs(name)
		for pair := range pairs {
			if theirs[pair] {
				shared++
			}
		}
		if alike := float64(2*shared) / float64(len(pairs)+len(theirs)); alike > most {
			best, most = name, alike
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

func letterPairs(name string) map[string]bool {
	pairs := make(map[string]bool)
	name = strings.ToLower(name)
	for i := range max(0, len(name)-1) {
		pairs[name[i:i+2]] = true
	}
	return pairs
}
