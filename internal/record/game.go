package record

import (
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

//go:generate go tool msgp -file game.go -o game_gen.go -tests=false -io=false
//msgp:limit arrays:65535 maps:64
//msgp:clearomitted
//msgp:timezone utc
//msgp:tuple Candidate Setting
//msgp:shim shogi.Move as:uint16 using:uint16/shogi.Move
//msgp:shim shogi.Position as:string using:positionText/shogi.ParseSFEN mode:convert
//msgp:shim search.Reason as:string using:string/search.Reason

// Game is a game with all that is known about it. Move i of Moves is played in position i; Positions walks through them. What is
// not known is left at its zero value, except where a field says otherwise.
type Game struct {
	// Start is the position before the first move. Its move number counts.
	Start shogi.Position `msg:"start"`
	// Black and White are the players.
	Black Player `msg:"black"`
	White Player `msg:"white"`
	// Number tells the games of one run apart, for example to find which are there after an interruption.
	Number int64 `msg:"number,omitempty"`
	// Seed is the seed of everything random in this game.
	Seed uint64 `msg:"seed,omitempty"`
	// OpeningPlies is how many of the first moves the players did not choose: from an opening list, or random.
	OpeningPlies int `msg:"opening,omitempty"`
	// Ended is when the game was over.
	Ended time.Time `msg:"ended,omitempty"`
	// Moves are the moves, all legal. An illegal one that ended the game stands in Detail.
	Moves []GameMove `msg:"moves"`
	// Result says who won, End why.
	Result Result `msg:"result"`
	End    End    `msg:"end,omitempty"`
	// Detail explains the end where its name is not enough.
	Detail string `msg:"detail,omitempty"`
	// Tags are further facts in their order, for example the header lines of a game record.
	Tags []Setting `msg:"tags,omitempty"`
	// Comment is what was said before the first move.
	Comment string `msg:"comment,omitempty"`
}

// Player is who played a side, and how to play it so again.
type Player struct {
	Name string `msg:"name,omitempty"`
	// Options are the options that were set, in their order.
	Options []Setting `msg:"options,omitempty"`
	// Hash is the SHA-256 of the program and of its nets, in words such as "program 3f2a… policy 77c0…".
	Hash string `msg:"hash,omitempty"`
	// Limits is what ended its searches, for example "10+0.1" or "nodes=800".
	Limits string `msg:"limits,omitempty"`
	// EvalCoef is the scale of its scores: cp = -EvalCoef·ln(1/p - 1) for a win rate p. 0 stands for DefaultEvalCoef.
	EvalCoef float64 `msg:"eval_coef,omitempty"`
	// Outside says that it is another program than the one whose training games these are.
	Outside bool `msg:"outside,omitempty"`
}

// Setting is a name with a value.
type Setting struct {
	Name, Value string
}

// GameMove is a move with what its player thought. Scores and win rates are for the side to move.
type GameMove struct {
	Move shogi.Move `msg:"m"`
	// Candidates are the root's moves that were visited, in any order.
	Candidates []Candidate `msg:"c,omitempty"`
	// Known says which of Score, RootValue, NetValue and Time are known.
	Known Facts `msg:"k,omitempty"`
	// Score is the search's value in centipawns on the scale of the player's EvalCoef.
	Score int16 `msg:"s,omitempty"`
	// Mate is the number of plies to the end when the result was proved: positive for a win, negative for a loss, 0 for no proof.
	Mate int16 `msg:"x,omitempty"`
	// RootValue is the win rate that the search found, NetValue the one that the value net saw at once; 0..1.
	RootValue float32 `msg:"r,omitempty"`
	NetValue  float32 `msg:"n,omitempty"`
	// Time is the time the move took.
	Time time.Duration `msg:"t,omitempty"`
	// Reason is why the search ended.
	Reason search.Reason `msg:"e,omitempty"`
	// Deep says that the search was deep enough for its visits, or the move, to teach a policy.
	Deep bool `msg:"d,omitempty"`
	// Random says that the move was drawn by chance rather than the best of the search.
	Random bool `msg:"z,omitempty"`
	// Comment is what was said about the move.
	Comment string `msg:"w,omitempty"`
}

// Candidate is a move of the root with its visits.
type Candidate struct {
	Move   shogi.Move
	Visits uint32
}

// Facts is a set of what is known about a move.
type Facts uint8

// The facts.
const (
	HasScore Facts = 1 << iota
	HasRootValue
	HasNetValue
	HasTime
)

// Result says who won a game.
type Result uint8

// The results. NoResult is a game that was not played to an end, or whose end is not known.
const (
	NoResult Result = iota
	BlackWins
	WhiteWins
	Drawn
)

// String returns "none", "black", "white" or "draw".
func (r Result) String() string {
	if r > Drawn {
		return "bad result"
	}
	return [...]string{"none", "black", "white", "draw"}[r]
}

// WinFor returns the result of a win of the side.
func WinFor(c shogi.Color) Result {
	if c == shogi.Black {
		return BlackWins
	}
	return WhiteWins
}

// For returns the result for a side: 1 won, 0 drawn, -1 lost. It is 0 too when there is no result.
func (r Result) For(c shogi.Color) int8 {
	switch r {
	case BlackWins, WhiteWins:
		if r == WinFor(c) {
			return 1
		}
		return -1
	}
	return 0
}

// End is the machine-readable cause of a game's end. Files may hold words that are not listed here.
type End string

// How games end.
const (
	EndUnknown        End = ""
	EndMate           End = "mate" // no legal move
	EndResign         End = "resign"
	EndRepetition     End = "repetition"      // the fourth time
	EndPerpetualCheck End = "perpetual check" // the checking side loses
	EndDeclaration    End = "declaration"     // a declaration that wins, or draws by its rule
	EndImpasse        End = "impasse"         // both kings entered, agreed or judged
	EndAgreed         End = "agreed draw"
	EndMaxPlies       End = "maximum plies"
	EndAdjudicated    End = "adjudicated"
	EndIllegalMove    End = "illegal move"
	EndTime           End = "time loss"
	EndFault          End = "fault"       // a player crashed, hung or went away
	EndInterrupted    End = "interrupted" // nobody's fault; there may be no result
)

func positionText(p shogi.Position) (string, error) { return p.SFEN(), nil }
