package shogi

import (
	"fmt"
	"strings"
)

// Game is a start position and the moves played from it.
type Game struct {
	start   Position
	now     Position
	moves   []Move
	history History
}

// NewGame returns a game that begins at the position.
func NewGame(start Position) *Game {
	g := &Game{start: start, now: start}
	g.history.Push(&g.now)
	return g
}

// Start returns the position in which the game began.
func (g *Game) Start() Position { return g.start }

// Position returns the position now. It is the game's own: do not change it.
func (g *Game) Position() *Position { return &g.now }

// Moves returns the moves played. It is the game's own: do not change it.
func (g *Game) Moves() []Move { return g.moves }

// History returns the positions so far. It is the game's own: copy it before pushing.
func (g *Game) History() *History { return &g.history }

// Do plays a move. An illegal one is refused with an error that names it and the position, and changes nothing.
func (g *Game) Do(m Move) error {
	if !g.now.IsLegal(m) {
		return fmt.Errorf("illegal move %s in %s", m, g.now.SFEN())
	}
	g.now.Do(m)
	g.moves = append(g.moves, m)
	g.history.Push(&g.now)
	return nil
}

// Clone returns an independent copy.
func (g *Game) Clone() *Game {
	c := &Game{start: g.start, now: g.now, moves: append([]Move(nil), g.moves...)}
	c.history.CopyFrom(&g.history)
	return c
}

// USI returns the game as the arguments of USI's position command: "startpos" or "sfen …", and the moves if there are any.
func (g *Game) USI() string {
	var b strings.Builder
	if g.start == startPosition {
		b.WriteString("startpos")
	} else {
		b.WriteString("sfen " + g.start.SFEN())
	}
	for i, m := range g.moves {
		if i == 0 {
			b.WriteString(" moves")
		}
		b.WriteString(" " + m.String())
	}
	return b.String()
}

// ParsePosition reads the arguments of USI's position command: "startpos" or "sfen …", then optionally "moves …". The word
// "position" itself may stand first, "sfen" may be missing, "moves" may be followed by nothing, and a last word "resign" or
// "win" is skipped. An error names the bad token; for an illegal move also its number and the position.
func ParsePosition(text string) (*Game, error) {
	fields := strings.Fields(text)
	if len(fields) > 0 && fields[0] == "position" {
		fields = fields[1:]
	}
	if len(fields) == 0 {
		return nil, fmt.Errorf("bad position: want startpos or sfen")
	}
	var moves []string
	head := fields
	for i, f := range fields {
		if f == "moves" {
			head, moves = fields[:i], fields[i+1:]
			break
		}
	}
	start := startPosition
	if len(head) > 0 && head[0] == "startpos" {
		if len(head) > 1 {
			return nil, fmt.Errorf("bad position: unexpected %q after startpos", head[1])
		}
	} else {
		var err error
		if start, err = ParseSFEN(strings.Join(head, " ")); err != nil {
			return nil, err
		}
	}
	if n := len(moves); n > 0 && (moves[n-1] == "resign" || moves[n-1] == "win") {
		moves = moves[:n-1]
	}
	g := NewGame(start)
	for i, text := range moves {
		m, err := ParseMove(text)
		if err == nil {
			err = g.Do(m)
		}
		if err != nil {
			return nil, fmt.Errorf("bad position, move %d: %w", i+1, err)
		}
	}
	return g, nil
}
