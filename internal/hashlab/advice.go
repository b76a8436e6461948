package hashlab

import (
	"fmt"
	"slices"
	"strings"
)

// Trial is a function in one table, as the advice looks at it.
type Trial struct {
	Name        string
	Buckets     int
	Different   int     // different keys that were stored
	Calls       int     // stores, and look-ups if there were any
	Occupied    int     // full buckets
	Ideal       float64 // full buckets to be expected of random ones
	Collisions  int     // easyAI's count
	Evictions   int
	Nanoseconds float64 // a hash
}

// Limits of the advice.
const (
	nearBest  = 1.05 // «within 5 %» of the fewest evictions
	ruleRatio = 0.05 // the rule's «collisions/calls > 5 %»
	asGood    = 0.98 // of the ideal occupation: no other function would do better
	bad       = 0.90 // of the ideal occupation: another function would do better
)

// total sums up a function's trials.
type total struct {
	name      string
	tables    int
	evictions int
	time      float64
}

// totals returns the functions' sums, fewest evictions first. A function that misses some of the tables is left out.
func totals(trials []Trial) []total {
	var list []total
	for _, t := range trials {
		i := slices.IndexFunc(list, func(x total) bool { return x.name == t.Name })
		if i < 0 {
			i = len(list)
			list = append(list, total{name: t.Name})
		}
		list[i].tables++
		list[i].evictions += t.Evictions
		list[i].time = max(list[i].time, t.Nanoseconds)
	}
	tables := 0
	for _, x := range list {
		tables = max(tables, x.tables)
	}
	list = slices.DeleteFunc(list, func(x total) bool { return x.tables < tables })
	slices.SortStableFunc(list, func(a, b total) int { return a.evictions - b.evictions })
	return list
}

func (t total) near(best total) bool {
	return float64(t.evictions) <= nearBest*float64(best.evictions)
}

// Recommend returns the function to take: of those within 5 % of the fewest evictions, the fastest.
func Recommend(trials []Trial) string {
	list := totals(trials)
	if len(list) == 0 {
		return ""
	}
	best := list[0]
	for _, t := range list {
		if t.near(list[0]) && t.time < best.time {
			best = t
		}
	}
	return best.name
}

// Advise returns the recommendation with its reasons, and whether the textbook's rules of thumb would have chosen right.
func Advise(trials []Trial) []string {
	list := totals(trials)
	if len(list) == 0 {
		return []string{"No function took these keys."}
	}
	name := Recommend(trials)
	chosen := list[slices.IndexFunc(list, func(t total) bool { return t.name == name })]
	first := fmt.Sprintf("Recommended: %s, with %d evictions over all tables and %.0f ns a hash.", name, chosen.evictions, chosen.time)
	if name != list[0].name {
		first += fmt.Sprintf(" The fewest are %d (%s, %.0f ns).", list[0].evictions, list[0].name, list[0].time)
	} else {
		first += " Those are the fewest."
	}
	return []string{first, sizeRule(trials, name), ratioRule(trials), choiceRule(list), speedRule(list)}
}

// sizeRule judges «1.5 to 2 buckets an entry».
func sizeRule(trials []Trial, name string) string {
	const rule = "Rule «1.5 to 2 buckets an entry»: "
	var seen []string
	worst := 0.0
	for _, t := range trials {
		if each := float64(t.Buckets) / float64(t.Different); t.Name == name && each > 1.4 && each < 2.1 {
			lost := 1 - float64(t.Occupied)/float64(t.Different)
			worst = max(worst, lost)
			seen = append(seen, fmt.Sprintf("%.0f %% at %.1f × (%d buckets)", 100*lost, each, t.Buckets))
		}
	}
	switch {
	case len(seen) == 0:
		return rule + "no table here has that size."
	case worst > ruleRatio:
		return rule + "wrong if nothing is to be lost. Even " + name + " loses " + strings.Join(seen, ", ") + " of the keys; n keys in b random buckets lose as much, 1 − b/n·(1 − (1 − 1/b)ⁿ)."
	}
	return rule + "right here. " + name + " loses " + strings.Join(seen, ", ") + " of the keys."
}

// ratioRule judges «more than 5 % collisions a call: take another function or more buckets».
func ratioRule(trials []Trial) string {
	flagged, needless, missed := 0, 0, 0
	for _, t := range trials {
		over := float64(t.Collisions) > ruleRatio*float64(t.Calls)
		filling := float64(t.Occupied) / t.Ideal
		if over {
			flagged++
		}
		if over && filling >= asGood {
			needless++
		}
		if !over && filling < bad {
			missed++
		}
	}
	verdict := "right here"
	if needless > 0 || missed > 0 {
		verdict = "wrong"
	}
	return fmt.Sprintf("Rule «another function if collisions/calls > 5 %%»: %s. It objects to %d of %d tables, %d of which are filled as well as random buckets fill them, so that no function would help; it passes %d that are filled badly. It counts stores of a key that is there already as collisions, and look-ups as calls.",
		verdict, flagged, len(trials), needless, missed)
}

// choiceRule judges «take FNV or One-at-a-time».
func choiceRule(list []total) string {
	return ruleFor("Rule «take FNV or One-at-a-time»", list, func(name string) bool {
		return strings.HasPrefix(name, "FNV") || strings.HasPrefix(name, "OneAtATime")
	}, func(t total) (bool, string) {
		return t.near(list[0]), fmt.Sprintf("%s has %d evictions", t.name, t.evictions)
	}, fmt.Sprintf("the fewest are %d", list[0].evictions))
}

// speedRule judges «take Bernstein where speed matters».
func speedRule(list []total) string {
	textbook := slices.DeleteFunc(slices.Clone(list), func(t total) bool { return t.name == Zobrist })
	if len(textbook) == 0 {
		return "Rule «Bernstein for speed»: it is not among the functions that worked here."
	}
	fastest := slices.MinFunc(textbook, func(a, b total) int { return int(1000 * (a.time - b.time)) })
	return ruleFor("Rule «Bernstein for speed»", list, func(name string) bool { return strings.HasPrefix(name, "Bernstein") },
		func(t total) (bool, string) {
			return t.time <= nearBest*fastest.time, fmt.Sprintf("%s takes %.0f ns with %d evictions", t.name, t.time, t.evictions)
		}, fmt.Sprintf("the fastest textbook function is %s, %.0f ns with %d evictions", fastest.name, fastest.time, fastest.evictions))
}

// ruleFor judges the functions that a rule proposes.
func ruleFor(rule string, list []total, proposed func(string) bool, judge func(total) (bool, string), measure string) string {
	var said []string
	right, tried := 0, 0
	for _, t := range list {
		if proposed(t.name) {
			ok, text := judge(t)
			said = append(said, text)
			tried++
			if ok {
				right++
			}
		}
	}
	verdict := "wrong"
	switch {
	case tried == 0:
		return rule + ": it is not among the functions that worked here."
	case right == tried:
		verdict = "right here"
	case right > 0:
		verdict = fmt.Sprintf("right for %d of %d", right, tried)
	}
	return rule + ": " + verdict + ". " + strings.Join(said, ", ") + "; " + measure + "."
}

// GridTrials returns the trials of a grid.
func GridTrials(rows []Row) []Trial {
	var out []Trial
	for _, r := range rows {
		for _, c := range r.Cells {
			out = append(out, Trial{r.Scheme.String(), r.Size, c.Different, c.Stored, c.Occupied, c.Ideal, c.Collisions, c.Evictions, r.Nanoseconds})
		}
	}
	return out
}
