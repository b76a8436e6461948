package match

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
)

// Text returns the ladder as a table for a terminal.
func (l *Ladder) Text() string {
	var out strings.Builder
	width := len("player")
	for _, r := range l.Rungs {
		width = max(width, len([]rune(r.Player)))
	}
	for i, r := range l.Rungs {
		if i == 0 || r.Reference != l.Rungs[i-1].Reference {
			fmt.Fprintf(&out, "%-*s  %14s %7s %8s\n", width, "player", "Elo", "games", "score")
		}
		note := ""
		if r.Reference != "" {
			note = "  above " + r.Reference + ": no games lead to " + l.Anchor
		}
		fmt.Fprintf(&out, "%-*s  %14s %7d %6.1f %%%s\n", width, r.Player, r.elo(), r.Tally.Games(), r.Tally.Score(), note)
	}
	return out.String()
}

// elo writes the rating with its error or bound.
func (r *Rung) elo() string {
	value := strings.Replace(fmt.Sprintf("%+.0f", math.Round(r.Rating)+0), "-", "−", 1)
	switch {
	case r.Bound == AtLeast:
		return "≥ " + value
	case r.Bound == AtMost:
		return "≤ " + value
	case r.Bound == Open:
		return "unknown"
	case r.Margin == 0:
		return "0"
	}
	return fmt.Sprintf("%s ± %.0f", value, r.Margin)
}

// WriteMarkdown writes the ladder as a page. command is the command that makes it.
func (l *Ladder) WriteMarkdown(w io.Writer, command string) error {
	out := &strings.Builder{}
	fmt.Fprintf(out, "# The ladder\n\nHow strong the players are, by all games of the matches below. %s has 0; 100 Elo more mean 64 %% of the points, 400 Elo 91 %%.\n\n", cell(l.Anchor))
	fmt.Fprintf(out, "```\n%s\n```\n", command)
	reference := "-"
	for _, r := range l.Rungs {
		if r.Reference != reference {
			reference = r.Reference
			if reference != "" {
				fmt.Fprintf(out, "\nNo chain of games leads from these players to %s; their ratings are above %s:\n", cell(l.Anchor), cell(reference))
			}
			fmt.Fprint(out, "\n| player | Elo | games | won, drawn, lost | score |\n|---|---|---|---|---|\n")
		}
		fmt.Fprintf(out, "| %s | %s | %d | +%d =%d −%d | %.1f %% |\n", cell(r.Player), r.elo(), r.Tally.Games(), r.Tally.Wins, r.Tally.Draws, r.Tally.Losses, r.Tally.Score())
	}
	fmt.Fprint(out, "\n## Who met whom\n\n«Expected» is the score that the ratings of the table foretell.\n\n| players | time a side | won, drawn, lost | pairs | score | expected |\n|---|---|---|---|---|---|\n")
	for _, p := range l.Pairings {
		fmt.Fprintf(out, "| %s – %s | %s | +%d =%d −%d | %d | %.1f %% | %.1f %% |\n", cell(p.A), cell(p.B), cell(strings.Join(p.Controls, "; ")),
			p.Tally.Wins, p.Tally.Draws, p.Tally.Losses, p.Pairs.Pairs(), p.Tally.Score(), 100*p.Expected)
	}
	fmt.Fprint(out, "\n## The players' programs\n\n| player | engine, and the start of its program's SHA-256 |\n|---|---|\n")
	for _, r := range l.Rungs {
		fmt.Fprintf(out, "| %s | %s |\n", cell(r.Player), cell(strings.Join(r.Engines, "; ")))
	}
	fmt.Fprint(out, "\n## The matches\n\n| begun | players | time a side | games | journal |\n|---|---|---|---|---|\n")
	for _, s := range l.Sources {
		fmt.Fprintf(out, "| %.10s | %s – %s | %s | %d | `%s` |\n", s.Started, cell(s.A), cell(s.B), cell(s.Time), s.Games, s.File)
	}
	fmt.Fprint(out, howRated)
	_, err := io.WriteString(w, out.String())
	return err
}

// howRated explains the numbers at the end of the page.
const howRated = `
## How the ratings are made

- The model is that of Bradley and Terry: a player who is d Elo stronger scores 1/(1 + 10^(−d/400)). The ratings are those that make the
  results most likely; a draw is half a win. For two players this is the Elo of ` + "`yomi match`" + `.
- ± is half the width of the 95 % interval of the difference to the player with 0. Its unit is the pair: two games from one opening with colours
  swapped. It comes from the Fisher information and the pairs' own spread (the sandwich estimator). Half played pairs are not counted.
- ≥ and ≤: one side won every game, so the difference has no bound on the other side. What stands there is the difference at which so
  clean a score has a chance of 5 %. Such games say nothing about the other ratings and do not change them.
- Ratings from different time controls are put together. A player is what its name says, whatever its time.
`

// cell makes a text fit for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// WriteJSON writes the ladder as JSON lines: each rung as {"rung":…}, each pairing as {"pairing":…}, each match as {"match":…}.
func (l *Ladder) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	var failed error
	put := func(kind string, value any) {
		failed = cmp.Or(failed, e.Encode(map[string]any{kind: value}))
	}
	for _, r := range l.Rungs {
		put("rung", r)
	}
	for _, p := range l.Pairings {
		put("pairing", p)
	}
	for _, s := range l.Sources {
		s.File = filepath.ToSlash(s.File)
		put("match", s)
	}
	return failed
}
