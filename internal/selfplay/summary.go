package selfplay

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/record"
)

// Summary is what a run has made so far.
type Summary struct {
	// Games are finished, of Wanted. Positions are the moves that were searched, Deep those of them that teach a policy.
	Games     int64 `json:"games"`
	Wanted    int64 `json:"wanted"`
	Positions int64 `json:"positions"`
	Deep      int64 `json:"deep"`
	// Black, White and Draws are the results.
	Black int64 `json:"black_wins"`
	White int64 `json:"white_wins"`
	Draws int64 `json:"draws"`
	// Ends counts how games ended.
	Ends map[record.End]int64 `json:"ends"`
	// Plies is the sum of the games' lengths, the openings included; Shortest and Longest are of one game.
	Plies    int64 `json:"plies"`
	Shortest int   `json:"shortest"`
	Longest  int   `json:"longest"`
	// PlayedOn games were played on where others resign. In WouldResign of them a side would have resigned; FalseResigns of these
	// were won by that side after all, FalseDraws drawn.
	PlayedOn     int64 `json:"played_on"`
	WouldResign  int64 `json:"would_resign"`
	FalseResigns int64 `json:"false_resigns"`
	FalseDraws   int64 `json:"false_draws"`
	// Session is what was played since the run was opened.
	Session Session `json:"session"`
}

// Session is how fast games were played.
type Session struct {
	Games     int64   `json:"games"`
	Positions int64   `json:"positions"`
	Seconds   float64 `json:"seconds"`
	// GamesPerHour and PositionsPerHour are the throughput of all workers together.
	GamesPerHour     float64 `json:"games_per_hour"`
	PositionsPerHour float64 `json:"positions_per_hour"`
}

// add counts a game.
func (s *Summary) add(g *record.Game, c *Config) {
	s.Games++
	s.Positions += int64(len(g.Moves) - g.OpeningPlies)
	for i := range g.Moves {
		if g.Moves[i].Deep {
			s.Deep++
		}
	}
	switch g.Result {
	case record.BlackWins:
		s.Black++
	case record.WhiteWins:
		s.White++
	default:
		s.Draws++
	}
	if s.Ends == nil {
		s.Ends = make(map[record.End]int64)
	}
	s.Ends[g.End]++
	// A position's move number counts the moves before the start of the record too.
	length := g.Start.Ply() - 1 + len(g.Moves)
	if s.Plies += int64(length); s.Games == 1 {
		s.Shortest = length
	}
	s.Shortest, s.Longest = min(s.Shortest, length), max(s.Longest, length)
	if isPlayedOn(g) {
		s.PlayedOn++
		s.addPlayedOn(g, c)
	}
}

// addPlayedOn finds out whether a side would have resigned, and what came of it.
func (s *Summary) addPlayedOn(g *record.Game, c *Config) {
	watch, side := newResignWatch(c), g.Start.Side()
	for i := range g.Moves {
		if m := &g.Moves[i]; m.Known&record.HasRootValue != 0 && watch.see(side, m.RootValue) {
			s.WouldResign++
			switch g.Result.For(side) {
			case 1:
				s.FalseResigns++
			case 0:
				s.FalseDraws++
			}
			return
		}
		side = side.Opponent()
	}
}

// played counts a game of this session.
func (s *Summary) played(g *record.Game, since time.Duration) {
	s.Session.Games++
	s.Session.Positions += int64(len(g.Moves) - g.OpeningPlies)
	s.Session.Seconds = since.Seconds()
	if hours := since.Hours(); hours > 0 {
		s.Session.GamesPerHour = float64(s.Session.Games) / hours
		s.Session.PositionsPerHour = float64(s.Session.Positions) / hours
	}
}

// MeanLength is the mean number of moves of a game, 0 when there is none.
func (s *Summary) MeanLength() float64 { return float64(s.Plies) / float64(max(1, s.Games)) }

// Line describes the run in one line, to show while it goes on.
func (s *Summary) Line() string {
	text := fmt.Sprintf("%.0f games/h  %.0f positions/h  Black %d White %d drawn %d  %.0f moves", s.Session.GamesPerHour, s.Session.PositionsPerHour,
		s.Black, s.White, s.Draws, s.MeanLength())
	if s.WouldResign > 0 {
		text += fmt.Sprintf("  false resigns %d of %d", s.FalseResigns+s.FalseDraws, s.WouldResign)
	}
	return text
}

// String describes the run in lines.
func (s *Summary) String() string {
	var b strings.Builder
	percent := func(n, of int64) float64 { return 100 * float64(n) / float64(max(1, of)) }
	fmt.Fprintf(&b, "games            %d of %d\n", s.Games, s.Wanted)
	fmt.Fprintf(&b, "positions        %d, %d of them deep (%.1f %%)\n", s.Positions, s.Deep, percent(s.Deep, s.Positions))
	fmt.Fprintf(&b, "results          Black %d (%.1f %%), White %d (%.1f %%), drawn %d (%.1f %%)\n", s.Black, percent(s.Black, s.Games),
		s.White, percent(s.White, s.Games), s.Draws, percent(s.Draws, s.Games))
	fmt.Fprintf(&b, "length           %.1f moves, %d to %d\n", s.MeanLength(), s.Shortest, s.Longest)
	var ends []string
	for end, n := range s.Ends {
		ends = append(ends, fmt.Sprintf("%s %d", end, n))
	}
	slices.Sort(ends)
	fmt.Fprintf(&b, "ends             %s\n", strings.Join(ends, ", "))
	fmt.Fprintf(&b, "played on        %d games; a side would have resigned in %d, wrongly in %d (%.1f %%: %d won, %d drawn)\n", s.PlayedOn,
		s.WouldResign, s.FalseResigns+s.FalseDraws, percent(s.FalseResigns+s.FalseDraws, s.WouldResign), s.FalseResigns, s.FalseDraws)
	fmt.Fprintf(&b, "this session     %d games, %d positions in %s: %.0f games/h, %.0f positions/h\n", s.Session.Games, s.Session.Positions,
		time.Duration(s.Session.Seconds*float64(time.Second)).Round(time.Second), s.Session.GamesPerHour, s.Session.PositionsPerHour)
	return b.String()
}
