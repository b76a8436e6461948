package alphabeta

// Game is a game of two sides with perfect information, at one position: a line of play that Do and Undo walk. M is the type of
// its moves; the zero M must be no move. A search calls the methods from one goroutine and allocates nothing of its own, so a
// Game that allocates nothing makes a search that allocates nothing.
type Game[M comparable] interface {
	// Moves appends all legal moves, always in the same order for a position. A side without one has lost.
	Moves(list []M) []M
	// Do makes a legal move, Undo takes the last one back.
	Do(m M)
	Undo()
	// Over reports whether the game has ended for another reason than a side without moves, and the score for the side to move:
	// Mate, -Mate, or anything within ±MaxValue. It is not asked at the root.
	Over() (score int, over bool)
	// Value judges the position for the side to move, without search, within ±MaxValue.
	Value() int
	// Key identifies the position, its side to move included, for the table.
	Key() uint64
}

// Orderer is a Game that knows which moves are likely to be good.
type Orderer[M comparable] interface {
	// Prepare is called once for a position, before Rank.
	Prepare()
	// Rank says how promising a move of the position is. At least LoudRank are moves to try at once, below 0 those that seem
	// to lose something; ranks are within ±MaxRank.
	Rank(m M) int
	// Slot puts moves that do the same thing into one of Slots() classes, for history and counter-moves.
	Slot(m M) int
	Slots() int
}

// Ranks of Orderer.
const (
	LoudRank = 10_000
	MaxRank  = 1 << 20
)

// Quieter is a Game in which some positions are not quiet enough to be judged.
type Quieter[M comparable] interface {
	// Urgent reports whether the side to move is in check: it may not stand pat, and all its moves are looked at.
	Urgent() bool
	// Captures appends the moves to look at in other positions, the best ones first.
	Captures(list []M) []M
}

// Identified is a Game that tells positions apart without the key.
type Identified interface {
	// Identity returns a comparable value that is equal for equal positions only.
	Identity() any
}

// Scores. A mate in n plies is Mate-n for the side that mates.
const (
	// Mate is the score of a won game.
	Mate = 32_000
	// MateBound is below every mate score and above every other.
	MateBound = 31_000
	// MaxValue is the largest value of a position that is not a proved end.
	MaxValue = 30_000
	// infinity is above every score.
	infinity = Mate + 1
)

// MaxPly is the longest line that a search walks.
const MaxPly = 200

// IsMate reports whether a score is a proved win or loss, and returns the number of plies to it, positive for a win.
func IsMate(score int) (plies int, ok bool) {
	switch {
	case score > MateBound:
		return Mate - score, true
	case score < -MateBound:
		return -Mate - score, true
	}
	return 0, false
}

// atDistance turns the score of an ended game into the score at so many plies from the root.
func atDistance(score, ply int) int {
	switch {
	case score > MateBound:
		return score - ply
	case score < -MateBound:
		return score + ply
	}
	return score
}

// toTable turns a score counted from the root into one counted from the node; fromTable turns it back. So a mate that is found again
// on another path has its right length.
func toTable(score, ply int) int { return atDistance(score, -ply) }

func fromTable(score, ply int) int { return atDistance(score, ply) }
