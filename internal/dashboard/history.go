package dashboard

import (
	"slices"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// history is the game that is played, with what its searches ended with.
type history struct {
	start string
	game  *shogi.Game
	// longest are the moves of the longest line that was followed: an analysis that goes back keeps the points ahead.
	longest []shogi.Move
	points  []HistoryPoint
	changes int
}

// follow goes to a position. Where it leaves the line that was followed before, the points of that line's other moves are forgotten; all are
// when it is another game, with another start or another first move.
func (h *history) follow(g *shogi.Game) {
	start := g.Start()
	text := start.SFEN()
	if begin := shogi.StartPosition(); text == begin.SFEN() {
		text = "startpos"
	}
	moves := g.Moves()
	common := 0
	for common < min(len(moves), len(h.longest)) && moves[common] == h.longest[common] {
		common++
	}
	switch {
	case h.game == nil || text != h.start || common == 0 && len(moves) > 0 && len(h.longest) > 0:
		h.points, h.longest = nil, slices.Clone(moves)
	case common < len(moves):
		last := start.Ply() + common
		h.points = slices.DeleteFunc(h.points, func(p HistoryPoint) bool { return p.Ply > last })
		h.longest = slices.Clone(moves)
	}
	h.start, h.game = text, g
	h.changes++
}

// takeBack forgets the points from a position on that was searched before and is gone back to: it is played from there anew.
func (h *history) takeBack(from, to *shogi.Game) {
	ply := to.Position().Ply()
	searched := slices.ContainsFunc(h.points, func(p HistoryPoint) bool { return p.Ply == ply })
	if searched && len(to.Moves()) < len(from.Moves()) {
		h.points = slices.DeleteFunc(h.points, func(p HistoryPoint) bool { return p.Ply >= ply })
		h.longest = slices.Clone(to.Moves())
	}
}

// forget drops the points: another game begins.
func (h *history) forget() {
	h.points, h.longest = nil, nil
	h.changes++
}

// add adds a point in the order of plies; it replaces one for the same ply.
func (h *history) add(p HistoryPoint) {
	i, found := slices.BinarySearchFunc(h.points, p.Ply, func(q HistoryPoint, ply int) int { return q.Ply - ply })
	if found {
		h.points[i] = p
	} else {
		h.points = slices.Insert(h.points, i, p)
	}
	h.changes++
}

// message returns the game as a message.
func (h *history) message() Game {
	m := Game{Type: TypeGame, Start: h.start, Moves: []string{}, History: slices.Clone(h.points)}
	position := shogi.StartPosition()
	if h.game != nil {
		position = *h.game.Position()
		m.Moves = moveWords(h.game.Moves())
	}
	m.Position, m.Check = position.SFEN(), position.InCheck()
	return m
}

// moveWords returns moves as words.
func moveWords(moves []shogi.Move) []string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = m.String()
	}
	return words
}

// milliseconds returns a time as messages have it; a time that stands for «no limit» is 0.
func milliseconds(d time.Duration) float32 {
	if d > 1<<60 {
		return 0
	}
	return float32(float64(d) / float64(time.Millisecond))
}
