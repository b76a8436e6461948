package usi

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// Go is a go command.
type Go struct {
	// Limits are the limits of the search. PonderHit and HitTimes are left to the caller.
	Limits search.Limits
	// Ponder says that the answer must wait for ponderhit.
	Ponder bool
	// Mate says that only a mate is asked for. MateTime is the time for it, 0 for no limit.
	Mate     bool
	MateTime time.Duration
	// Perft is the depth for which the legal move paths are to be counted, 0 when a search is asked for.
	Perft int
}

const (
	// maxMillis is the largest time that is read, about 34 years; larger ones are taken as this, so that sums do not overflow.
	maxMillis = 1 << 40
	// maxPerft is the largest depth that perft accepts.
	maxPerft = 30
)

// isGoWord reports whether go gives the word a meaning. Such a word ends a list of search moves and is never a value.
func isGoWord(word string) bool {
	switch word {
	case "ponder", "infinite", "btime", "wtime", "binc", "winc", "byoyomi", "movetime", "nodes", "depth", "movestogo",
		"mate", "perft", "searchmoves":
		return true
	}
	return false
}

// ParseGo reads what follows the word go. Words come in any order; unknown ones are ignored. Without any limit the search
// is infinite.
//
// Because every go must be answered, a bad number does not make the command void: the limit counts as the smallest
// there is (no time, one node), so that an answer comes at once; a bad search move is left out. The error then names
// the first bad token and the returned Go is still to be searched. Only a bad perft depth asks for nothing at all
// (Perft is -1).
func ParseGo(args string) (Go, error) {
	var g Go
	var first error
	c := &cursor{tokens: Tokens(args)}
	for c.more() {
		if err := g.read(c.take(), c); err != nil && first == nil {
			first = err
		}
	}
	l := &g.Limits
	if l.Clock == nil && l.MoveTime == 0 && l.Nodes == 0 && l.Depth == 0 && !g.Ponder && !g.Mate && g.Perft == 0 {
		l.Infinite = true
	}
	return g, first
}

// read takes one word with its value. Unknown words have no effect.
func (g *Go) read(word string, c *cursor) error {
	switch word {
	case "ponder":
		g.Ponder = true
	case "infinite":
		g.Limits.Infinite = true
	case "btime":
		return readTime(c, word, math.MinInt64, &g.clock().Main[shogi.Black])
	case "wtime":
		return readTime(c, word, math.MinInt64, &g.clock().Main[shogi.White])
	case "binc":
		return readTime(c, word, 0, &g.clock().Increment[shogi.Black])
	case "winc":
		return readTime(c, word, 0, &g.clock().Increment[shogi.White])
	case "byoyomi":
		return readTime(c, word, 0, &g.clock().Byoyomi)
	case "movetime":
		return g.readMoveTime(c)
	case "nodes":
		return g.readNodes(c)
	case "depth":
		return g.readDepth(c)
	case "movestogo":
		_, err := readNumber(c, word, 0)
		return err
	case "mate":
		return g.readMate(c)
	case "perft":
		return g.readPerft(c)
	case "searchmoves":
		return g.readMoves(c)
	}
	return nil
}

// ParseClock reads the times that may follow the word ponderhit. It returns nil when there are none.
func ParseClock(args string) (*search.ClockTimes, error) {
	g, err := ParseGo(args)
	return g.Limits.Clock, err
}

// clock returns the clock to write to, made at the first use.
func (g *Go) clock() *search.ClockTimes {
	if g.Limits.Clock == nil {
		g.Limits.Clock = new(search.ClockTimes)
	}
	return g.Limits.Clock
}

func (g *Go) readMoveTime(c *cursor) error {
	err := readTime(c, "movetime", 0, &g.Limits.MoveTime)
	g.Limits.MoveTime = max(g.Limits.MoveTime, time.Millisecond)
	return err
}

func (g *Go) readNodes(c *cursor) error {
	n, err := readNumber(c, "nodes", 0)
	if err != nil {
		n = 1
	}
	g.Limits.Nodes = n
	return err
}

func (g *Go) readDepth(c *cursor) error {
	n, err := readNumber(c, "depth", 0)
	if err != nil {
		n = 1
	}
	g.Limits.Depth = int(min(n, math.MaxInt32))
	return err
}

func (g *Go) readMate(c *cursor) error {
	g.Mate = true
	if !c.more() || c.tokens[c.next] == "infinite" {
		c.take()
		return nil
	}
	err := readTime(c, "mate", 0, &g.MateTime)
	g.MateTime = max(g.MateTime, time.Millisecond) // 0 would be no limit
	return err
}

func (g *Go) readPerft(c *cursor) error {
	n, err := readNumber(c, "perft", 1)
	if err == nil && n > maxPerft {
		err = fmt.Errorf("bad perft %d: want a depth of at most %d", n, maxPerft)
	}
	g.Perft = int(n)
	if err != nil {
		g.Perft = -1
	}
	return err
}

// readMoves reads moves up to the next word that go knows.
func (g *Go) readMoves(c *cursor) error {
	var first error
	for c.more() && !isGoWord(c.tokens[c.next]) {
		m, err := shogi.ParseMove(c.take())
		if err == nil {
			g.Limits.SearchMoves = append(g.Limits.SearchMoves, m)
		} else if first == nil {
			first = fmt.Errorf("searchmoves: %w", err)
		}
	}
	return first
}

// readTime reads a number of milliseconds. After an error the time is 0.
func readTime(c *cursor, word string, least int64, to *time.Duration) error {
	n, err := readNumber(c, word, least)
	if err != nil {
		n = 0
	}
	*to = time.Duration(min(max(n, -maxMillis), maxMillis)) * time.Millisecond
	return err
}

// readNumber reads a whole number that is not below the least. A token that is a word of go is left for the next read.
func readNumber(c *cursor, word string, least int64) (int64, error) {
	if !c.more() || isGoWord(c.tokens[c.next]) {
		return 0, fmt.Errorf("%s: the number is missing", word)
	}
	token := c.take()
	n, err := strconv.ParseInt(token, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("bad %s %q: want a whole number", word, token)
	}
	if n < least {
		return 0, fmt.Errorf("bad %s %q: want at least %d", word, token, least)
	}
	return n, nil
}
