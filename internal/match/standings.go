package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// Tally counts results from player A's view.
type Tally struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// add counts a game by A's half points.
func (t *Tally) add(points int) {
	switch points {
	case 2:
		t.Wins++
	case 1:
		t.Draws++
	default:
		t.Losses++
	}
}

// Games returns the number of games.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

// Score returns A's points in percent, 0 without a game.
func (t Tally) Score() float64 {
	if t.Games() == 0 {
		return 0
	}
	return 100 * (float64(t.Wins) + float64(t.Draws)/2) / float64(t.Games())
}

// String returns the tally as "+3 =1 -2 (58.3 %)".
func (t Tally) String() string {
	return fmt.Sprintf("+%d =%d -%d (%.1f %%)", t.Wins, t.Draws, t.Losses, t.Score())
}

// Ending is a way in which games ended and whom it served.
type Ending struct {
	Outcome Outcome
	// Winner is A, B or, for draws, "".
	Winner string
}

// Standings sums up the games of a match as they come.
type Standings struct {
	All Tally
	// ByColour is A's tally with Black and with White.
	ByColour [2]Tally
	// Colours counts wins by colour: Black, White.
	Colours [2]int
	Pairs   Pentanomial
	// Half is the number of pairs of which one game is finished.
	Half    int
	Endings map[Ending]int
	// SlowestA and SlowestB are the longest times for a move in milliseconds.
	SlowestA, SlowestB int64
	plies              int
	open               map[int]int // points of the one game that is finished, by pair
	sprt               SPRT
	// LLR is the test's value now, Verdict its state now; AtStop the standing when a bound was first reached.
	LLR     float64
	Verdict Verdict
	AtStop  *Stop
}

// Stop is the state of a match at the moment when its SPRT ended.
type Stop struct {
	Verdict Verdict
	LLR     float64
	Pairs   Pentanomial
}

// NewStandings returns the standings of a match without games. The test may be off.
func NewStandings(sprt SPRT) *Standings {
	return &Standings{Endings: make(map[Ending]int), open: make(map[int]int), sprt: sprt}
}

// Add counts a finished game.
func (s *Standings) Add(r *Record) {
	points := r.PointsA()
	s.All.add(points)
	colour := shogi.Black
	if r.Black != PlayerA {
		colour = shogi.White
	}
	s.ByColour[colour].add(points)
	switch r.Result {
	case BlackWins:
		s.Colours[shogi.Black]++
	case WhiteWins:
		s.Colours[shogi.White]++
	}
	s.Endings[Ending{r.Outcome, r.Winner()}]++
	s.plies += len(r.Plies)
	s.slowest(r)
	first, half := s.open[r.Pair]
	if !half {
		s.open[r.Pair] = points
		s.Half++
		return
	}
	delete(s.open, r.Pair)
	s.Half--
	s.Pairs[first+points]++
	if s.sprt.On() {
		s.LLR, s.Verdict = s.sprt.Judge(s.Pairs)
		if s.AtStop == nil && s.Verdict != Undecided {
			s.AtStop = &Stop{s.Verdict, s.LLR, s.Pairs}
		}
	}
}

// slowest remembers the longest times.
func (s *Standings) slowest(r *Record) {
	black := Opening{Text: r.Start}.Game().Position().Side() == shogi.Black
	for _, p := range r.Plies {
		if black == (r.Black == PlayerA) {
			s.SlowestA = max(s.SlowestA, p.Wall)
		} else {
			s.SlowestB = max(s.SlowestB, p.Wall)
		}
		black = !black
	}
}

// Decided reports whether the SPRT has reached a bound.
func (s *Standings) Decided() bool { return s.AtStop != nil }

// sortedEndings returns the endings, most frequent first.
func (s *Standings) sortedEndings() []Ending {
	var list []Ending
	for e := range s.Endings {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b Ending) int {
		if d := s.Endings[b] - s.Endings[a]; d != 0 {
			return d
		}
		return strings.Compare(string(a.Outcome)+a.Winner, string(b.Outcome)+b.Winner)
	})
	return list
}

// sprtText describes the test, "" when there is none.
func (s *Standings) sprtText() string {
	if !s.sprt.On() {
		return ""
	}
	lower, upper := s.sprt.Bounds()
	unit := "nElo"
	if s.sprt.Model == Logistic {
		unit = "Elo"
	}
	text := fmt.Sprintf("SPRT of %s %g (H0) against %g (H1), bounds [%.2f, %.2f]: ", unit, s.sprt.Elo0, s.sprt.Elo1, lower, upper)
	if s.AtStop == nil {
		return text + fmt.Sprintf("LLR %.2f, no bound reached, nothing is decided", s.LLR)
	}
	return text + fmt.Sprintf("%s accepted at LLR %.2f after %s %s; final LLR %.2f after %s",
		s.AtStop.Verdict, s.AtStop.LLR, pairCount(s.AtStop.Pairs.Pairs()), s.AtStop.Pairs, s.LLR, pairCount(s.Pairs.Pairs()))
}

// Text describes the standings in lines. A and B are the players' names.
func (s *Standings) Text(a, b string) string {
	var out strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&out, "%-12s"+format+"\n", append([]any{name}, args...)...)
	}
	row("A", "%s", a)
	row("B", "%s", b)
	if s.All.Games() == 0 {
		row("games", "none finished")
		return out.String()
	}
	row("games", "%d, A %s", s.All.Games(), s.All)
	row("A as Black", "%s", s.ByColour[shogi.Black])
	row("A as White", "%s", s.ByColour[shogi.White])
	row("colours", "Black won %d, White won %d, drawn %d (%.1f %%)", s.Colours[0], s.Colours[1], s.All.Draws,
		100*float64(s.All.Draws)/float64(s.All.Games()))
	half := ""
	if s.Half > 0 {
		half = fmt.Sprintf(" (%s half played, not counted)", pairCount(s.Half))
	}
	row("rating", "%s%s", Rate(s.Pairs), half)
	if text := s.sprtText(); text != "" {
		row("sprt", "%s", text)
	}
	row("length", "%.1f moves a game after the opening", float64(s.plies)/float64(s.All.Games()))
	row("slowest", "A %d ms, B %d ms", s.SlowestA, s.SlowestB)
	for i, e := range s.sortedEndings() {
		name := ""
		if i == 0 {
			name = "endings"
		}
		row(name, "%4d × %s", s.Endings[e], e.describe())
	}
	return out.String()
}

// describe says how games ended and for whom.
func (e Ending) describe() string {
	switch {
	case e.Winner == "":
		return string(e.Outcome) + ", drawn"
	case e.Outcome.IsFault():
		loser := PlayerA
		if e.Winner == PlayerA {
			loser = PlayerB
		}
		return fmt.Sprintf("%s by %s", e.Outcome, loser)
	}
	return fmt.Sprintf("%s, %s won", e.Outcome, e.Winner)
}
