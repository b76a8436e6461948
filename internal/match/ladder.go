package match

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Ladder is a list of ratings from matches between several players.
type Ladder struct {
	// Anchor is the player whose rating is 0.
	Anchor string
	// Rungs are the players, best first: those that are connected with the anchor by games, then the other groups.
	Rungs []Rung
	// Pairings are the results of each two players that met, in the order of the rungs.
	Pairings []Pairing
	// Sources are the matches, oldest first.
	Sources []Source
}

// Bound says in which sense a rating is meant.
type Bound string

// The bounds.
const (
	Exact   Bound = ""
	AtLeast Bound = "at least" // no game was lost or drawn that would limit the rating upwards
	AtMost  Bound = "at most"
	Open    Bound = "open" // no chain of points leads up or down to the anchor: the order is not known
)

// Rung is a player on the ladder.
type Rung struct {
	Player string `json:"player"`
	// Rating is in Elo above the anchor, or above Reference where that is set: no chain of games leads from there to the anchor.
	Rating    float64 `json:"rating"`
	Reference string  `json:"reference,omitempty"`
	// Margin is half the width of the 95 % interval, 0 for the anchor and for bounds.
	Margin float64 `json:"margin"`
	Bound  Bound   `json:"bound,omitempty"`
	Tally  Tally   `json:"tally"`
	// Engines are what the player called itself, with the start of its program's hash; more than one when it changed.
	Engines []string `json:"engines"`
}

// Pairing is what two players' finished pairs of games say. Half played pairs are not counted.
type Pairing struct {
	A        string      `json:"a"`
	B        string      `json:"b"`
	Tally    Tally       `json:"tally"`
	Pairs    Pentanomial `json:"pairs"`
	Controls []string    `json:"time"`
	// Expected is A's mean score by the ratings, 0..1.
	Expected float64 `json:"expected"`
}

// Source is a match that counts.
type Source struct {
	File string `json:"file"`
	// Started is when it began, RFC 3339.
	Started string `json:"started"`
	A       string `json:"a"`
	B       string `json:"b"`
	Time    string `json:"time"`
	Games   int    `json:"games"`
}

// Journaled is a match with the file that it was read from. The names of its players may be changed before use.
type Journaled struct {
	File string
	History
}

// riskOfClean is the chance at which a bound is set: a clean score of all pairs would be that rare if the rating were lower.
const riskOfClean = 0.05

// NewLadder computes ratings from matches. anchor is the player with rating 0; empty takes the one with the most games. A match
// that is given twice, as a copy or as an earlier state of itself, counts once.
//
// The ratings are those of the model of Bradley and Terry, by maximum likelihood. Where one group of players won all
// games against another one the difference has no bound; then the ratings of the group without the anchor are bounds: the
// difference at which so clean a score has a chance of 5 % (its pairs taken for independent).
func NewLadder(matches []Journaled, anchor string) (*Ladder, error) {
	l := &Ladder{}
	players := make(map[string]*Rung)
	pairings := make(map[[2]string]*Pairing)
	for _, m := range onlyOnce(matches) {
		l.count(&m, players, pairings)
	}
	if len(pairings) == 0 {
		return nil, errors.New("no finished pair of games to rate players by")
	}
	names, err := order(players, anchor)
	if err != nil {
		return nil, err
	}
	l.Anchor = names[0]
	l.rate(names, players, pairings)
	return l, nil
}

// onlyOnce returns the matches without copies, oldest first.
func onlyOnce(matches []Journaled) []Journaled {
	longest := make(map[string]Journaled)
	for _, m := range matches {
		h := &m.Header
		key := fmt.Sprintln(h.Started, h.Seed, h.A.Name, h.B.Name, h.Identities[0].SHA256, h.Identities[1].SHA256, h.OpeningsSHA256)
		if old, found := longest[key]; !found || len(old.Records) < len(m.Records) {
			longest[key] = m
		}
	}
	var out []Journaled
	for _, m := range longest {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b Journaled) int {
		return strings.Compare(a.Header.Started+" "+a.File, b.Header.Started+" "+b.File)
	})
	return out
}

// count adds the finished pairs of a match.
func (l *Ladder) count(m *Journaled, players map[string]*Rung, pairings map[[2]string]*Pairing) {
	h := &m.Header
	standings := NewStandings(SPRT{})
	for i := range m.Records {
		standings.Add(&m.Records[i])
	}
	if standings.Pairs.Pairs() == 0 {
		return
	}
	control := h.A.Time.String()
	if h.B.Time != h.A.Time {
		control += " : " + h.B.Time.String()
	}
	l.Sources = append(l.Sources, Source{File: m.File, Started: h.Started, A: h.A.Name, B: h.B.Name, Time: control, Games: 2 * standings.Pairs.Pairs()})
	if h.A.Name == h.B.Name {
		return // against itself: nothing to learn about the rating
	}
	whole := wholePairs(m.Records)
	for i, s := range []Spec{h.A, h.B} {
		if players[s.Name] == nil {
			players[s.Name] = &Rung{Player: s.Name}
		}
		r := players[s.Name]
		t := whole
		if i == 1 {
			t = t.flip()
		}
		r.Tally = r.Tally.plus(t)
		engine := fmt.Sprintf("%s (%.8s)", h.Identities[i].Engine, h.Identities[i].SHA256)
		if !slices.Contains(r.Engines, engine) {
			r.Engines = append(r.Engines, engine)
		}
	}
	a, b, pairs := h.A.Name, h.B.Name, standings.Pairs
	if a > b {
		a, b, whole, control = b, a, whole.flip(), swapControl(control)
		slices.Reverse(pairs[:])
	}
	p := pairings[[2]string{a, b}]
	if p == nil {
		p = &Pairing{A: a, B: b}
		pairings[[2]string{a, b}] = p
	}
	p.Tally = p.Tally.plus(whole)
	for i, n := range pairs {
		p.Pairs[i] += n
	}
	if !slices.Contains(p.Controls, control) {
		p.Controls = append(p.Controls, control)
	}
}

// swapControl exchanges the sides of "10+0.1 : nodes=800".
func swapControl(control string) string {
	if a, b, found := strings.Cut(control, " : "); found {
		return b + " : " + a
	}
	return control
}

// wholePairs tallies the games of pairs of which both are finished.
func wholePairs(records []Record) Tally {
	games := make(map[int]int)
	for i := range records {
		games[records[i].Pair]++
	}
	var t Tally
	for i := range records {
		if games[records[i].Pair] == 2 {
			t.add(records[i].PointsA())
		}
	}
	return t
}

func (t Tally) plus(o Tally) Tally {
	return Tally{t.Wins + o.Wins, t.Draws + o.Draws, t.Losses + o.Losses}
}

// flip returns the tally from the other side's view.
func (t Tally) flip() Tally { return Tally{t.Losses, t.Draws, t.Wins} }

// order returns the players' names, the anchor first, then by name. Without an anchor the player with the most games is it.
func order(players map[string]*Rung, anchor string) ([]string, error) {
	var names []string
	for name := range players {
		names = append(names, name)
	}
	slices.Sort(names)
	if anchor == "" {
		anchor = slices.MaxFunc(names, func(a, b string) int { return players[a].Tally.Games() - players[b].Tally.Games() })
	}
	i := slices.Index(names, anchor)
	if i < 0 {
		return nil, fmt.Errorf("no player %q to be the anchor%s; there are %s", anchor, didYouMean(anchor, names), strings.Join(names, ", "))
	}
	return append([]string{anchor}, slices.Delete(slices.Clone(names), i, i+1)...), nil
}

// rate fills the rungs and pairings.
func (l *Ladder) rate(names []string, players map[string]*Rung, pairings map[[2]string]*Pairing) {
	index := make(map[string]int)
	for i, name := range names {
		index[name] = i
	}
	var bouts []bout
	for _, p := range pairings {
		bouts = append(bouts, p.bout(index))
	}
	slices.SortFunc(bouts, func(x, y bout) int { return (x.a-y.a)*len(names) + x.b - y.b }) // sums do not depend on the order of a map
	for _, r := range rateAll(len(names), bouts) {
		rung := players[names[r.player]]
		rung.Rating, rung.Margin, rung.Bound = r.rating, r.margin, r.bound
		if r.reference != 0 {
			rung.Reference = names[r.reference]
		}
		l.Rungs = append(l.Rungs, *rung)
	}
	place := make(map[string]int)
	for i, r := range l.Rungs {
		place[r.Player] = i
	}
	for _, p := range pairings {
		if place[p.A] > place[p.B] {
			p.A, p.B, p.Tally = p.B, p.A, p.Tally.flip()
			slices.Reverse(p.Pairs[:])
			for i, c := range p.Controls {
				p.Controls[i] = swapControl(c)
			}
		}
		p.Expected = Score(players[p.A].Rating - players[p.B].Rating)
		l.Pairings = append(l.Pairings, *p)
	}
	slices.SortFunc(l.Pairings, func(x, y Pairing) int {
		return (place[x.A]-place[y.A])*len(names) + place[x.B] - place[y.B]
	})
}

// bout returns the pairing for the fit.
func (p *Pairing) bout(index map[string]int) bout {
	mean, variance := p.Pairs.moments()
	if variance < 1e-12 { // pairs that are all alike say nothing about their spread: that of independent games is taken
		variance = mean * (1 - mean) / 2
	}
	return bout{a: index[p.A], b: index[p.B], games: float64(2 * p.Pairs.Pairs()), score: mean, spread: variance}
}

// cleanBound returns the lowest score of the winner of all of so many pairs for which that has a chance of 5 %.
func cleanBound(pairs float64) float64 { return math.Pow(riskOfClean, 1/pairs) }
