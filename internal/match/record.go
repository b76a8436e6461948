package match

import (
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// Outcome says how a game ended.
type Outcome string

// The outcomes by rule.
const (
	OutcomeMate           Outcome = "mate" // no legal move
	OutcomeResign         Outcome = "resign"
	OutcomeDeclaration    Outcome = "declaration"     // a declaration that wins, or that draws by the 24-point rule
	OutcomeRepetition     Outcome = "repetition"      // the fourth time
	OutcomePerpetualCheck Outcome = "perpetual check" // the checking side loses
	OutcomeMaxPlies       Outcome = "maximum plies"
)

// The outcomes by adjudication.
const (
	OutcomeAdjudicatedWin  Outcome = "adjudicated win"
	OutcomeAdjudicatedDraw Outcome = "adjudicated draw"
)

// The outcomes by a player's fault. The player at fault loses.
const (
	OutcomeCrash              Outcome = "crash"
	OutcomeStall              Outcome = "stall"       // no usiok or readyok
	OutcomeNoBestMove         Outcome = "no bestmove" // not even after stop
	OutcomeDisconnect         Outcome = "disconnect"
	OutcomeIllegalMove        Outcome = "illegal move"
	OutcomeIllegalDeclaration Outcome = "illegal declaration"
	OutcomeTimeLoss           Outcome = "time loss"
)

// IsFault reports whether a player spoiled the game.
func (o Outcome) IsFault() bool {
	switch o {
	case OutcomeCrash, OutcomeStall, OutcomeNoBestMove, OutcomeDisconnect, OutcomeIllegalMove, OutcomeIllegalDeclaration, OutcomeTimeLoss:
		return true
	}
	return false
}

// Result says who won a game.
type Result string

// The results.
const (
	BlackWins Result = "black"
	WhiteWins Result = "white"
	Drawn     Result = "draw"
)

// winFor returns the result of a win.
func winFor(c shogi.Color) Result {
	if c == shogi.Black {
		return BlackWins
	}
	return WhiteWins
}

// The two players of a match.
const (
	PlayerA = "A"
	PlayerB = "B"
)

// Record is a finished game.
type Record struct {
	// Game is its number in the schedule, Pair that of its pair, both from 0; Opening is the opening's place in the list.
	Game    int `json:"game"`
	Pair    int `json:"pair"`
	Opening int `json:"opening"`
	// Start is the opening as USI's position command gives it.
	Start string `json:"start"`
	// Black is the player that had Black: A or B.
	Black   string  `json:"black"`
	Result  Result  `json:"result"`
	Outcome Outcome `json:"outcome"`
	// Detail explains the outcome where its name is not enough.
	Detail string `json:"detail,omitempty"`
	// Plies are the moves after the opening.
	Plies []Ply `json:"plies"`
	// Lines and Stderr are what the player at fault said last.
	Lines  []string `json:"lines,omitempty"`
	Stderr string   `json:"stderr,omitempty"`
	// Ended is the time at which the game was over, RFC 3339.
	Ended string `json:"ended"`
}

// Ply is a move with what its player said about it.
type Ply struct {
	Move string `json:"move"`
	// Wall is the measured time in milliseconds, Engine the player's own.
	Wall   int64 `json:"wall_ms"`
	Engine int64 `json:"engine_ms"`
	// Score is in centipawns for the mover, Mate the plies to mate, negative when mated; both nil when the player said nothing.
	Score *int  `json:"cp,omitempty"`
	Mate  *int  `json:"mate,omitempty"`
	Nodes int64 `json:"nodes,omitempty"`
	Depth int   `json:"depth,omitempty"`
}

// White returns the player that had White.
func (r *Record) White() string {
	if r.Black == PlayerA {
		return PlayerB
	}
	return PlayerA
}

// Player returns the player that had the colour.
func (r *Record) Player(c shogi.Color) string {
	if c == shogi.Black {
		return r.Black
	}
	return r.White()
}

// PointsA returns player A's half points: 2 for a win, 1 for a draw, 0 for a loss.
func (r *Record) PointsA() int {
	switch {
	case r.Result == Drawn:
		return 1
	case (r.Result == BlackWins) == (r.Black == PlayerA):
		return 2
	}
	return 0
}

// Winner returns the player that won, "" for a draw.
func (r *Record) Winner() string {
	switch r.Result {
	case BlackWins:
		return r.Black
	case WhiteWins:
		return r.White()
	}
	return ""
}

// Moves returns the moves after the opening, separated by blanks.
func (r *Record) Moves() string {
	var b strings.Builder
	for i, p := range r.Plies {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.Move)
	}
	return b.String()
}

// Position returns the whole game, opening included, as the arguments of USI's position command.
func (r *Record) Position() string {
	if len(r.Plies) == 0 {
		return r.Start
	}
	if strings.Contains(r.Start, " moves ") {
		return r.Start + " " + r.Moves()
	}
	return r.Start + " moves " + r.Moves()
}

// BlackScores returns each move's score in centipawns as Black sees it, mates as ±30000, and whether there is one.
func (r *Record) BlackScores() (scores []int, known []bool) {
	g := Opening{Text: r.Start}.Game()
	black := g.Position().Side() == shogi.Black
	for _, p := range r.Plies {
		score, ok := p.centipawns()
		if !black {
			score = -score
		}
		scores, known = append(scores, score), append(known, ok)
		black = !black
	}
	return scores, known
}

// centipawns returns the score for the mover.
func (p *Ply) centipawns() (score int, ok bool) {
	switch {
	case p.Mate != nil && *p.Mate > 0:
		return mateScore, true
	case p.Mate != nil:
		return -mateScore, true
	case p.Score != nil:
		return max(-mateScore, min(mateScore, *p.Score)), true
	}
	return 0, false
}
