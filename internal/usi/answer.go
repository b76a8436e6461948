package usi

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// UnknownLength is the number of plies that ParseInfo gives a mate of unknown length ("mate +"; negated for "mate -").
const UnknownLength = 1 << 15

// FormatInfo returns the line that shows the information. The order of its tokens is the one that every known client
// reads; a message (Text) stands alone.
func FormatInfo(info *search.Info) string {
	if info.Text != "" {
		return "info string " + Text(info.Text)
	}
	b := make([]byte, 0, 256)
	b = fmt.Appendf(b, "info depth %d seldepth %d multipv %d score ", info.Depth, info.SelDepth, max(info.MultiPV, 1))
	switch {
	case !info.Score.Mate:
		b = fmt.Appendf(b, "cp %d", info.Score.CP)
	case info.Score.Plies == 0:
		b = append(b, "mate -0"...) // mated already; the sign tells who
	default:
		b = fmt.Appendf(b, "mate %d", info.Score.Plies)
	}
	switch info.Score.Bound {
	case search.LowerBound:
		b = append(b, " lowerbound"...)
	case search.UpperBound:
		b = append(b, " upperbound"...)
	}
	b = fmt.Appendf(b, " nodes %d nps %d hashfull %d time %d", info.Nodes, info.NPS, info.HashFull, info.Time.Milliseconds())
	if len(info.PV) > 0 {
		b = append(b, " pv"...)
		for _, m := range info.PV {
			b = append(append(b, ' '), m.String()...)
		}
	}
	return string(b)
}

// InfoLine is an info line as a client reads it.
type InfoLine struct {
	search.Info
	// HasScore tells a score of 0 from a line without one.
	HasScore bool
}

// infoNumbers are the words of an info line that one number follows.
var infoNumbers = map[string]func(*InfoLine, int64){
	"depth":    func(i *InfoLine, n int64) { i.Depth = int(n) },
	"seldepth": func(i *InfoLine, n int64) { i.SelDepth = int(n) },
	"multipv":  func(i *InfoLine, n int64) { i.MultiPV = int(n) },
	"nodes":    func(i *InfoLine, n int64) { i.Nodes = n },
	"nps":      func(i *InfoLine, n int64) { i.NPS = n },
	"hashfull": func(i *InfoLine, n int64) { i.HashFull = int(n) },
	"time": func(i *InfoLine, n int64) {
		i.Time = time.Duration(min(max(n, -maxMillis), maxMillis)) * time.Millisecond
	},
}

// ParseInfo reads what follows the word info. Unknown words are skipped. A line of play ends at the first token that is
// no move, such as the words for a repetition. The error names the bad token.
func ParseInfo(args string) (InfoLine, error) {
	var info InfoLine
	if word, rest := Split(args); word == "string" {
		info.Text = rest
		return info, nil
	}
	c := &cursor{tokens: Tokens(args)}
	for c.more() {
		word := c.take()
		if set := infoNumbers[word]; set != nil {
			token := c.take()
			n, err := strconv.ParseInt(token, 10, 64)
			if err != nil {
				return info, fmt.Errorf("bad %s %q in info: want a whole number", word, token)
			}
			set(&info, n)
			continue
		}
		switch word {
		case "score":
			if err := info.readScore(c); err != nil {
				return info, err
			}
		case "lowerbound":
			info.Score.Bound = search.LowerBound
		case "upperbound":
			info.Score.Bound = search.UpperBound
		case "pv":
			info.readPV(c)
		case "string":
			return info, nil
		}
	}
	return info, nil
}

// readScore reads "cp N" or "mate N"; N of a mate may be a bare sign.
func (i *InfoLine) readScore(c *cursor) error {
	kind, token := c.take(), c.take()
	n, err := strconv.ParseInt(token, 10, 64)
	switch {
	case kind != "cp" && kind != "mate":
		return fmt.Errorf("bad score %q in info: want cp or mate", kind)
	case kind == "mate" && token == "+":
		n = UnknownLength
	case kind == "mate" && token == "-":
		n = -UnknownLength
	case err != nil:
		return fmt.Errorf("bad score %s %q in info: want a whole number", kind, token)
	}
	n = min(max(n, math.MinInt32), math.MaxInt32)
	i.HasScore = true
	i.Score.Mate = kind == "mate"
	if i.Score.Mate {
		i.Score.Plies = int(n)
	} else {
		i.Score.CP = int(n)
	}
	return nil
}

// readPV reads moves up to a token that is none; what stands behind it is skipped.
func (i *InfoLine) readPV(c *cursor) {
	for c.more() {
		m, err := shogi.ParseMove(c.tokens[c.next])
		if err != nil {
			break
		}
		i.PV = append(i.PV, m)
		c.next++
	}
}

// FormatBestMove returns the line that ends a search. The ponder move is left out when there is none.
func FormatBestMove(best, ponder shogi.Move) string {
	line := "bestmove " + best.String()
	if ponder.IsMove() {
		line += " ponder " + ponder.String()
	}
	return line
}

// ParseBestMove reads what follows the word bestmove: a move, resign or win, and perhaps "ponder" with a move. When only
// the ponder part is bad, the error comes with the best move that could be read. The error names the bad token.
func ParseBestMove(args string) (best, ponder shogi.Move, err error) {
	c := &cursor{tokens: Tokens(args)}
	switch token := c.take(); token {
	case "":
		return 0, 0, fmt.Errorf("bad bestmove: the move is missing")
	case "resign":
		best = shogi.MoveResign
	case "win":
		best = shogi.MoveWin
	default:
		if best, err = shogi.ParseMove(token); err != nil {
			return 0, 0, fmt.Errorf("bestmove: %w", err)
		}
	}
	if !c.more() {
		return best, shogi.MoveNone, nil
	}
	if word := c.take(); word != "ponder" {
		return best, shogi.MoveNone, fmt.Errorf("bad word %q behind bestmove: want ponder", word)
	}
	if ponder, err = shogi.ParseMove(c.take()); err != nil {
		return best, shogi.MoveNone, fmt.Errorf("bestmove ponder: %w", err)
	}
	return best, ponder, nil
}

// MateOutcome is what a search for a mate found.
type MateOutcome string

// The outcomes of a mate search.
const (
	MateFound          MateOutcome = "found"          // the moves follow
	MateNone           MateOutcome = "nomate"         // there is none
	MateTimeout        MateOutcome = "timeout"        // the time was too short
	MateNotImplemented MateOutcome = "notimplemented" // the engine cannot tell
)

// Checkmate is the answer to go mate.
type Checkmate struct {
	Outcome MateOutcome
	// Moves are the mating line, the attacker's first; empty unless the outcome is MateFound.
	Moves []shogi.Move
}

// String returns the line that gives the answer.
func (m Checkmate) String() string {
	if m.Outcome != MateFound {
		return "checkmate " + string(m.Outcome)
	}
	var b strings.Builder
	b.WriteString("checkmate")
	for _, move := range m.Moves {
		b.WriteString(" " + move.String())
	}
	return b.String()
}

// ParseCheckmate reads what follows the word checkmate. The error names the bad token.
func ParseCheckmate(args string) (Checkmate, error) {
	tokens := Tokens(args)
	if len(tokens) == 0 {
		return Checkmate{}, fmt.Errorf("bad checkmate: the answer is missing")
	}
	switch o := MateOutcome(tokens[0]); o {
	case MateNone, MateTimeout, MateNotImplemented:
		return Checkmate{Outcome: o}, nil
	}
	m := Checkmate{Outcome: MateFound}
	for _, token := range tokens {
		move, err := shogi.ParseMove(token)
		if err != nil {
			return Checkmate{}, fmt.Errorf("checkmate: %w", err)
		}
		m.Moves = append(m.Moves, move)
	}
	return m, nil
}
