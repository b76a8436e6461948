package match

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// TimeControl says how long a player may think. The zero value is no limit at all.
type TimeControl struct {
	// Main is the time for the whole game, Increment is added before each own move, Byoyomi is the time a move that is not
	// taken from the main time.
	Main, Increment, Byoyomi time.Duration
	// MoveTime is a fixed time a move, Nodes and Depth are limits of the search; 0 for none.
	MoveTime time.Duration
	Nodes    int64
	Depth    int
}

// HasClock reports whether the player is on a game clock.
func (t TimeControl) HasClock() bool { return t.Main > 0 || t.Increment > 0 || t.Byoyomi > 0 }

// maxTime is the longest time that is read: a hundred days.
const maxTime = 2400 * time.Hour

// ParseTimeControl reads a time control: one or more parts, separated by blanks.
//
//	10+0.1       10 s for the game, 0.1 s more for each move (Fischer)
//	60,1         60 s for the game, then 1 s a move (byoyomi); 0,1 is 1 s a move
//	5:00+3,2     minutes work too, and byoyomi together with an increment
//	movetime=1s  a fixed time a move (a unit is needed: ms, s, m)
//	nodes=800    a number of nodes a move
//	depth=6      a depth
//
// The error names the bad part.
func ParseTimeControl(text string) (TimeControl, error) {
	var t TimeControl
	parts := strings.Fields(text)
	if len(parts) == 0 {
		return t, fmt.Errorf("bad time control %q: want for example 10+0.1, 0,1, movetime=1s or nodes=800", text)
	}
	seen := make(map[string]bool)
	for _, part := range parts {
		key, value, hasKey := strings.Cut(part, "=")
		if !hasKey {
			key, value = "clock", part
		}
		if seen[key] {
			return t, fmt.Errorf("bad time control %q: %q is given twice", text, key)
		}
		seen[key] = true
		if err := t.set(key, value); err != nil {
			return t, fmt.Errorf("bad time control %q: %w", text, err)
		}
	}
	if t == (TimeControl{}) {
		return t, fmt.Errorf("bad time control %q: no time at all", text)
	}
	if t.HasClock() && t.MoveTime > 0 {
		return t, fmt.Errorf("bad time control %q: a clock and movetime exclude each other", text)
	}
	return t, nil
}

// set reads one part.
func (t *TimeControl) set(key, value string) (err error) {
	switch key {
	case "clock":
		return t.setClock(value)
	case "movetime":
		if t.MoveTime, err = time.ParseDuration(value); err != nil || t.MoveTime < time.Millisecond || t.MoveTime > maxTime {
			return fmt.Errorf("bad movetime %q: want a time with its unit, for example 500ms or 1s", value)
		}
		t.MoveTime = t.MoveTime.Round(time.Millisecond)
	case "nodes":
		if t.Nodes, err = strconv.ParseInt(value, 10, 64); err != nil || t.Nodes < 1 {
			return fmt.Errorf("bad nodes %q: want a number from 1", value)
		}
	case "depth":
		if t.Depth, err = strconv.Atoi(value); err != nil || t.Depth < 1 || t.Depth > math.MaxInt32 {
			return fmt.Errorf("bad depth %q: want a number from 1", value)
		}
	default:
		return fmt.Errorf("unknown key %q%s", key, didYouMean(key, []string{"movetime", "nodes", "depth"}))
	}
	return nil
}

// setClock reads MAIN[+INCREMENT][,BYOYOMI].
func (t *TimeControl) setClock(text string) (err error) {
	rest, byoyomi, hasByoyomi := strings.Cut(text, ",")
	main, increment, hasIncrement := strings.Cut(rest, "+")
	if !hasByoyomi && !hasIncrement && !strings.Contains(main, ":") {
		return fmt.Errorf("%q is neither MAIN+INCREMENT nor MAIN,BYOYOMI (seconds), nor movetime=1s, nodes=800, depth=6", text)
	}
	if t.Main, err = parseSeconds(main); err != nil {
		return err
	}
	if hasIncrement {
		if t.Increment, err = parseSeconds(increment); err != nil {
			return err
		}
	}
	if hasByoyomi {
		t.Byoyomi, err = parseSeconds(byoyomi)
	}
	return err
}

// parseSeconds reads seconds or minutes:seconds, with decimals, exact to the millisecond.
func parseSeconds(text string) (time.Duration, error) {
	seconds, minutes := text, 0.0
	if m, s, found := strings.Cut(text, ":"); found {
		var err error
		if minutes, err = parseDecimal(m); err != nil {
			return 0, err
		}
		seconds = s
	}
	s, err := parseDecimal(seconds)
	if err != nil {
		return 0, err
	}
	total := minutes*60 + s
	if total > maxTime.Seconds() {
		return 0, fmt.Errorf("bad time %q: too long", text)
	}
	return time.Duration(math.Round(total*1000)) * time.Millisecond, nil
}

// parseDecimal reads a plain decimal number: no sign, no exponent.
func parseDecimal(text string) (float64, error) {
	if strings.Trim(text, "0123456789.") != "" {
		return 0, fmt.Errorf("bad time %q: want seconds or minutes:seconds", text)
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("bad time %q: want seconds or minutes:seconds", text)
	}
	return x, nil
}

// String returns the time control in its normal form, which ParseTimeControl reads; "" for no limit.
func (t TimeControl) String() string {
	var parts []string
	if t.HasClock() {
		clock := formatSeconds(t.Main)
		if t.Increment > 0 || t.Byoyomi == 0 {
			clock += "+" + formatSeconds(t.Increment)
		}
		if t.Byoyomi > 0 {
			clock += "," + formatSeconds(t.Byoyomi)
		}
		parts = append(parts, clock)
	}
	if t.MoveTime > 0 {
		parts = append(parts, "movetime="+t.MoveTime.String())
	}
	if t.Nodes > 0 {
		parts = append(parts, "nodes="+strconv.FormatInt(t.Nodes, 10))
	}
	if t.Depth > 0 {
		parts = append(parts, "depth="+strconv.Itoa(t.Depth))
	}
	return strings.Join(parts, " ")
}

func formatSeconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// MarshalText writes the normal form.
func (t TimeControl) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (t *TimeControl) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*t = TimeControl{}
		return nil
	}
	*t, err = ParseTimeControl(string(text))
	return err
}

// Clock is a player's clock in a game.
type Clock struct {
	control TimeControl
	// Left is the main time that is left, before the next move's increment.
	Left time.Duration
}

// NewClock returns a clock at the start of a game.
func NewClock(t TimeControl) Clock { return Clock{control: t, Left: t.Main} }

// Limit returns the most time that the next move may take, and whether there is a limit: a clock that has run out leaves no
// time, which is not the same as no limit.
func (c *Clock) Limit() (limit time.Duration, limited bool) {
	switch {
	case c.control.MoveTime > 0:
		return c.control.MoveTime, true
	case !c.control.HasClock():
		return 0, false
	}
	return c.Left + c.control.Increment + c.control.Byoyomi, true
}

// Spend takes the time of a move. What is over the limit, within the margin that the match allows, costs nothing more.
func (c *Clock) Spend(used time.Duration) {
	if c.control.HasClock() {
		c.Left = max(0, c.Left+c.control.Increment-max(0, used-byoyomiShare(c, used)))
	}
}

// byoyomiShare returns the part of the used time that the byoyomi pays: what is over the main time.
func byoyomiShare(c *Clock, used time.Duration) time.Duration {
	return min(c.control.Byoyomi, max(0, used-c.Left-c.control.Increment))
}
