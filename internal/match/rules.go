package match

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// Rules says how games end beyond the rules of shogi, and how long the match waits for players.
type Rules struct {
	// MaxPlies is the number of moves after which a game is a draw, those of the opening included; 0 for no maximum.
	MaxPlies int `json:"max_plies"`
	// Declaration is the entering-king rule, by its USI name.
	Declaration string `json:"declaration"`
	// Resign and Draw are adjudications.
	Resign ResignRule `json:"resign"`
	Draw   DrawRule   `json:"draw"`
	// Margin is what a move may take more than its limit without loss on time.
	Margin time.Duration `json:"margin_ns"`
	// Hang is the most time for a move that has no limit of time (nodes, depth).
	Hang time.Duration `json:"hang_ns"`
	// Startup is the most time from the start of a program to usiok, and for each readyok.
	Startup time.Duration `json:"startup_ns"`
	// Restart starts programs anew for each game.
	Restart bool `json:"restart,omitempty"`
}

// DefaultRules returns the rules of a match that states no other: a draw after 320 plies, the 27-point rule, no adjudication
// by score, 100 ms margin, a minute for a move without a time limit, two minutes to start.
func DefaultRules() Rules {
	return Rules{MaxPlies: 320, Declaration: shogi.CSARule27.String(), Margin: 100 * time.Millisecond, Hang: time.Minute, Startup: 2 * time.Minute}
}

// Check refuses rules that make no sense.
func (r *Rules) Check() error {
	if _, err := shogi.ParseDeclarationRule(r.Declaration); err != nil {
		return fmt.Errorf("%w%s", err, didYouMean(r.Declaration, shogi.DeclarationRuleNames()))
	}
	if r.MaxPlies < 0 || r.Margin < 0 || r.Hang <= 0 || r.Startup <= 0 {
		return errors.New("bad rules: the maximum of plies and the margin must not be negative, waiting times must be positive")
	}
	return nil
}

// ResignRule ends a game as lost when the player's own score was at or below -Score for its last Count moves and the
// opponent's at or above Score for as many. Off when Count is 0.
type ResignRule struct {
	Score int `json:"score"`
	Count int `json:"count"`
	// OneSided takes the losing player's word alone.
	OneSided bool `json:"one_sided,omitempty"`
}

// DrawRule ends a game as drawn when both players' scores were within ±Score for Count moves each, not before After moves
// have been played. Off when Count is 0.
type DrawRule struct {
	Score int `json:"score"`
	Count int `json:"count"`
	After int `json:"after"`
}

// ParseResign reads SCORExCOUNT, for example 3000x4. The error names the bad part.
func ParseResign(text string) (ResignRule, error) {
	score, count, err := parseTimes(text)
	if err != nil {
		return ResignRule{}, fmt.Errorf("bad resign rule %q: %w; want SCORExCOUNT, for example 3000x4", text, err)
	}
	return ResignRule{Score: score, Count: count}, nil
}

// ParseDraw reads SCORExCOUNT@MOVE, for example 20x8@160. The error names the bad part.
func ParseDraw(text string) (DrawRule, error) {
	rule, after, found := strings.Cut(text, "@")
	score, count, err := parseTimes(rule)
	n := 0
	if err == nil && found {
		if n, err = strconv.Atoi(after); err != nil || n < 0 {
			err = fmt.Errorf("bad move number %q", after)
		}
	}
	if err != nil {
		return DrawRule{}, fmt.Errorf("bad draw rule %q: %w; want SCORExCOUNT@MOVE, for example 20x8@160", text, err)
	}
	return DrawRule{Score: score, Count: count, After: n}, nil
}

// parseTimes reads SCORExCOUNT.
func parseTimes(text string) (score, count int, err error) {
	left, right, _ := strings.Cut(text, "x")
	if score, err = strconv.Atoi(left); err != nil || score < 0 {
		return 0, 0, fmt.Errorf("bad score %q", left)
	}
	if count, err = strconv.Atoi(right); err != nil || count < 1 {
		return 0, 0, fmt.Errorf("bad count %q", right)
	}
	return score, count, nil
}

// option returns the value that the match gives a declared option, and whether it gives one.
func (r *Rules) option(o usi.Option) (value string, ok bool) {
	switch strings.ToLower(o.Name) {
	case "threads", "thread", "uct_threads":
		value = "1"
	case "usi_ponder", "ponder":
		value = "false"
	case "maxmovestodraw", "draw_ply", "usi_maxply":
		value = strconv.Itoa(r.MaxPlies)
	case "enteringkingrule":
		value = r.Declaration
	default:
		return "", false
	}
	value, err := o.Check(value)
	return value, err == nil
}

// declaration returns the entering-king rule.
func (r *Rules) declaration() shogi.DeclarationRule {
	rule, err := shogi.ParseDeclarationRule(r.Declaration)
	if err != nil {
		panic("match: the rules were not checked: " + err.Error())
	}
	return rule
}

// mateScore is the score in centipawns that a mate counts as in adjudication.
const mateScore = 30000

// adjudicator follows the scores of a game.
type adjudicator struct {
	rules *Rules
	// low and high count each side's last moves in a row with a score at most -Resign.Score, at least Resign.Score; even
	// those within ±Draw.Score.
	low, high, even [2]int
}

// see takes a move's score, and reports how the game is adjudicated: resigned by the mover, won by it, drawn, or not.
func (a *adjudicator) see(side shogi.Color, score int, hasScore bool, plies int) (outcome Outcome, winner shogi.Color) {
	next := func(n int, holds bool) int {
		if !hasScore || !holds {
			return 0
		}
		return n + 1
	}
	r := a.rules
	a.low[side] = next(a.low[side], score <= -r.Resign.Score)
	a.high[side] = next(a.high[side], score >= r.Resign.Score)
	a.even[side] = next(a.even[side], score >= -r.Draw.Score && score <= r.Draw.Score)
	if n := r.Resign.Count; n > 0 {
		for _, loser := range []shogi.Color{side, side.Opponent()} {
			if a.low[loser] >= n && (r.Resign.OneSided || a.high[loser.Opponent()] >= n) {
				return OutcomeAdjudicatedWin, loser.Opponent()
			}
		}
	}
	if n := r.Draw.Count; n > 0 && plies >= r.Draw.After && a.even[0] >= n && a.even[1] >= n {
		return OutcomeAdjudicatedDraw, 0
	}
	return "", 0
}
