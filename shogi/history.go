package shogi

// Repetition is what the return of a position means for the side to move in it.
type Repetition uint8

// The kinds of repetition. Superior and inferior are no end of a game: the same board came back, but the side to move holds
// more, or fewer, pieces than then. A search may take them for won and lost.
const (
	NoRepetition Repetition = iota
	RepetitionDraw
	// RepetitionWin: the opponent has given check with every move in between (perpetual check) and loses.
	RepetitionWin
	// RepetitionLoss: the side to move has given check with every move in between.
	RepetitionLoss
	RepetitionSuperior
	RepetitionInferior
)

// String returns "none", "draw", "win", "loss", "superior" or "inferior".
func (r Repetition) String() string {
	return [...]string{"none", "draw", "win", "loss", "superior", "inferior"}[r]
}

// occurrence is what is remembered of a position of the game.
type occurrence struct {
	boardKey uint64
	// hand is the hand of the side to move. The other hand follows, because no piece leaves the game.
	hand Hand
	// checks[c] is how many moves in a row side c has given check with, up to now.
	checks [2]uint16
	side   Color
}

const historyFilter = 1 << 11

// History remembers the positions of a game, and after them those of the path that a search walks, to find repetitions.
// Positions are compared by board, both hands and side to move; the move number plays no part. The zero value is empty.
type History struct {
	seen []occurrence
	// filter counts the positions by the low bits of their board key, so that most look-ups end at once.
	filter [historyFilter]uint16
}

// Len returns the number of positions.
func (h *History) Len() int { return len(h.seen) }

// Push adds a position: the first one, or the one after a move.
func (h *History) Push(p *Position) {
	o := occurrence{boardKey: p.boardKey, hand: p.hands[p.side&1], side: p.side}
	if n := len(h.seen); n > 0 {
		o.checks = h.seen[n-1].checks
		mover := (p.side ^ 1) & 1
		if p.InCheck() {
			o.checks[mover]++
		} else {
			o.checks[mover] = 0
		}
	}
	h.seen = append(h.seen, o)
	h.filter[o.boardKey%historyFilter]++
}

// Truncate forgets all positions after the first n.
func (h *History) Truncate(n int) {
	for i := n; i < len(h.seen); i++ {
		h.filter[h.seen[i].boardKey%historyFilter]--
	}
	h.seen = h.seen[:n]
}

// CopyFrom makes h equal to the other history. It keeps its own memory.
func (h *History) CopyFrom(other *History) {
	h.seen = append(h.seen[:0], other.seen...)
	h.filter = other.filter
}

// Recurrence compares the last position with its latest earlier occurrence on the same board and says what the return means.
func (h *History) Recurrence() Repetition {
	last := len(h.seen) - 1
	if last < 4 || h.filter[h.seen[last].boardKey%historyFilter] < 2 {
		return NoRepetition
	}
	now := &h.seen[last]
	for i := last - 4; i >= 0; i -= 2 {
		then := &h.seen[i]
		if then.boardKey != now.boardKey {
			continue
		}
		switch {
		case then.hand == now.hand:
			return h.verdict(i, last)
		case now.hand.Covers(then.hand):
			return RepetitionSuperior
		case then.hand.Covers(now.hand):
			return RepetitionInferior
		}
	}
	return NoRepetition
}

// Occurrences returns how often the last position has been on the board, itself included; 0 for an empty history.
func (h *History) Occurrences() int {
	n := 0
	for i := len(h.seen) - 1; i >= 0; i = h.earlier(i) {
		n++
	}
	return n
}

// Fourfold returns how the game ends when the last position is there for the fourth time: a draw, or a loss for the side whose
// moves since the first of the four have all been checks. It is NoRepetition when the game goes on.
func (h *History) Fourfold() Repetition {
	last := len(h.seen) - 1
	i := last
	for range 3 {
		if i = h.earlier(i); i < 0 {
			return NoRepetition
		}
	}
	return h.verdict(i, last)
}

// earlier returns the index of the latest earlier occurrence of position i, negative when there is none.
func (h *History) earlier(i int) int {
	if i < 0 || h.filter[h.seen[i].boardKey%historyFilter] < 2 {
		return -1
	}
	now := &h.seen[i]
	for j := i - 4; j >= 0; j -= 2 {
		if h.seen[j].boardKey == now.boardKey && h.seen[j].hand == now.hand {
			return j
		}
	}
	return -1
}

// verdict says what the repetition of position first at position last means for the side to move. Both sides giving check
// all the time is not defined by the rules; it is taken for a draw.
func (h *History) verdict(first, last int) Repetition {
	moves := uint16((last - first) / 2)
	now := &h.seen[last]
	checked, checking := now.checks[now.side^1] >= moves, now.checks[now.side] >= moves
	switch {
	case checked && !checking:
		return RepetitionWin
	case checking && !checked:
		return RepetitionLoss
	}
	return RepetitionDraw
}
