package inspect

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// Breakpoint is a condition on events.
type Breakpoint struct {
	// Text is what ParseBreakpoint read.
	Text string
	hit  func(e *search.Event, before float64) bool
}

// BreakpointHelp explains what ParseBreakpoint reads.
const BreakpointHelp = "move 7g7f, square 5e, ply 3, jump 0.2 (win rate) or jump 150 (score), key 0123456789abcdef, merge, prune, proof, event NAME, playout 100"

// plainBreakpoints are those without a value.
var plainBreakpoints = map[string]search.EventKind{"merge": search.EventMerge, "prune": search.EventPrune, "proof": search.EventProve}

// ParseBreakpoint reads a breakpoint. The error names the bad word.
func ParseBreakpoint(text string) (b Breakpoint, err error) {
	words := strings.Fields(text)
	b.Text = strings.Join(words, " ")
	if len(words) == 1 {
		if kind, ok := plainBreakpoints[words[0]]; ok {
			b.hit = func(e *search.Event, _ float64) bool { return e.Kind == kind }
			return b, nil
		}
	}
	if len(words) != 2 {
		return b, fmt.Errorf("bad breakpoint %q: want %s", text, BreakpointHelp)
	}
	b.hit, err = parseCondition(words[0], words[1])
	if err != nil {
		return b, fmt.Errorf("bad breakpoint %q: %w", text, err)
	}
	return b, nil
}

func parseCondition(word, value string) (func(e *search.Event, before float64) bool, error) {
	switch word {
	case "move":
		m, err := shogi.ParseMove(value)
		return func(e *search.Event, _ float64) bool { return chooses(e) && e.Move == m }, err
	case "square":
		s, err := shogi.ParseSquare(value)
		return func(e *search.Event, _ float64) bool {
			return chooses(e) && (e.Move.To() == s || !e.Move.IsDrop() && e.Move.From() == s)
		}, err
	case "ply":
		n, err := parseNumber("ply", value, 0, maxPly)
		return func(e *search.Event, _ float64) bool { return chooses(e) && int64(e.Ply) == n }, err
	case "playout":
		n, err := parseNumber("playout", value, 0, math.MaxInt64)
		return func(e *search.Event, _ float64) bool { return chooses(e) && e.Playout >= n }, err
	case "key":
		key, err := parseKey(value)
		return func(e *search.Event, _ float64) bool { return e.Worker >= 0 && e.Key == key }, err
	case "event":
		kind, err := search.ParseEventKind(value)
		return func(e *search.Event, _ float64) bool { return e.Kind == kind }, err
	case "jump":
		size, err := parseJump(value)
		return func(e *search.Event, before float64) bool { return jumps(e, before, size) }, err
	}
	return nil, fmt.Errorf("want %s", BreakpointHelp)
}

// parseNumber reads a whole number of a range. The error names what, the word that is no such number, and the range.
func parseNumber(what, text string, least, most int64) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case (err != nil || n < least) && most == math.MaxInt64:
		return 0, fmt.Errorf("bad %s %q: want a whole number from %d", what, text, least)
	case err != nil || n < least || n > most:
		return 0, fmt.Errorf("bad %s %q: want a whole number from %d to %d", what, text, least, most)
	}
	return n, nil
}

// parseKey reads a position's Zobrist key. 0 is what events without a position have.
func parseKey(text string) (uint64, error) {
	key, err := strconv.ParseUint(text, 16, 64)
	if err != nil || key == 0 || len(text) > 16 {
		return 0, fmt.Errorf("bad key %q: want up to 16 hexadecimal digits, not all of them 0", text)
	}
	return key, nil
}

// maxJump is the largest difference of two scores of alpha-beta.
const maxJump = 2 * alphabeta.Mate

// parseJump reads a difference of win rates or of scores.
func parseJump(text string) (float64, error) {
	size, err := strconv.ParseFloat(text, 64)
	if err != nil || !(size > 0 && size <= maxJump) {
		return 0, fmt.Errorf("bad jump %q: want more than 0, up to 1 for win rates and up to %d for scores", text, maxJump)
	}
	return size, nil
}

// chooses reports whether a move is being chosen or made at the event.
func chooses(e *search.Event) bool {
	switch e.Kind {
	case search.EventSelect, search.EventEnter, search.EventNode:
		return e.Move.IsMove()
	}
	return false
}

// jumps reports whether a new position is worth more or less by size than the node before it (win rates), or a move raised alpha by so
// much (scores). before is the win rate of the worker's last node.
func jumps(e *search.Event, before, size float64) bool {
	switch e.Kind {
	case search.EventEvaluate:
		return size <= 1 && math.Abs(1-e.Value-before) >= size
	case search.EventWindow, search.EventPrune:
		return size > 1 && e.Before >= -alphabeta.Mate && float64(e.Score-e.Before) >= size
	}
	return false
}
