package kifu

import (
	"fmt"
	"slices"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// Record is one game with its variations.
type Record struct {
	// Start is the position before the first move.
	Start shogi.Position
	// Header holds what is known about the game, in the order of the file.
	Header []Field
	// Root is the start position's node. It has no move; its comments stand before the first move.
	Root *Node
	// Err says why reading stopped before the end of the game, nil when all of it was read. It is an *Error.
	Err error
}

// Field is one line of a header: who plays, where, when. Key and Value are one line each, without blanks around them.
// The keys that CSA and KIF share have KIF's names, see the Key constants.
type Field struct {
	Key, Value string
}

// Header keys that CSA and KIF share. Others are kept under the name that they have in the file.
const (
	KeyBlack     = "先手"   // CSA N+; 下手 in handicap games
	KeyWhite     = "後手"   // CSA N-; 上手 in handicap games
	KeyEvent     = "棋戦"   // CSA $EVENT
	KeySite      = "場所"   // CSA $SITE
	KeyStartTime = "開始日時" // CSA $START_TIME
	KeyEndTime   = "終了日時" // CSA $END_TIME
	KeyTimeLimit = "持ち時間" // CSA $TIME_LIMIT
	KeyOpening   = "戦型"   // CSA $OPENING
	KeyMaxMoves  = "最大手数" // CSA $MAX_MOVES
	KeyNote      = "備考"   // CSA $NOTE
)

// Node is a move, the end of a line, or the root of a record.
type Node struct {
	// Move is the move made, MoveNone in the root and where End is set.
	Move shogi.Move
	// Illegal says that Move breaks the rules. Only an end may follow.
	Illegal bool
	// End says how the line ended. A node with an End has no children.
	End End
	// EndText is the file's word where End is OtherEnd.
	EndText string
	// Timed says that Time and Total are known.
	Timed bool
	// Time is what the mover took for the move, Total what that side took so far.
	Time, Total time.Duration
	// Comments are lines of text about the position after the move.
	Comments []string
	// Bookmark is the name under which a viewer finds the node, usually empty.
	Bookmark string
	// Children are the continuations. The first one is the main line.
	Children []*Node
}

// Result is how a game came out.
type Result uint8

// The results. NoResult stands for games that were broken off and for ends that do not tell.
const (
	NoResult Result = iota
	BlackWins
	WhiteWins
	Draw
)

// New returns a record without moves.
func New(start shogi.Position) *Record { return &Record{Start: start, Root: &Node{}} }

// FromGame returns the record of a game without its end.
func FromGame(g *shogi.Game) *Record {
	r := New(g.Start())
	node := r.Root
	for _, m := range g.Moves() {
		node = node.Add(&Node{Move: m})
	}
	return r
}

// Add appends a continuation and returns it. The first one added is the main line.
func (n *Node) Add(child *Node) *Node {
	n.Children = append(n.Children, child)
	return child
}

// Get returns the value of the first header field with the key, "" when there is none.
func (r *Record) Get(key string) string {
	for _, f := range r.Header {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// Set changes the value of the first header field with the key, or appends the field.
func (r *Record) Set(key, value string) {
	i := slices.IndexFunc(r.Header, func(f Field) bool { return f.Key == key })
	if i < 0 {
		r.Header = append(r.Header, Field{key, value})
		return
	}
	r.Header[i].Value = value
}

// Main returns the nodes of the main line: its moves, and last the end if there is one. The root is not among them.
func (r *Record) Main() []*Node {
	var line []*Node
	for n := r.Root; len(n.Children) > 0; {
		n = n.Children[0]
		line = append(line, n)
	}
	return line
}

// Game returns the main line as a game, without an illegal move at its end. For a move that is illegal without being
// marked so it returns the game before it and an error.
func (r *Record) Game() (*shogi.Game, error) {
	g := shogi.NewGame(r.Start)
	for i, n := range r.Main() {
		if n.Illegal || n.End != NoEnd {
			break
		}
		if err := g.Do(n.Move); err != nil {
			return g, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return g, nil
}

// Result returns how the main line came out: whoever made an illegal move lost; else the end word decides; without an
// end word, a side to move that has no legal move lost.
func (r *Record) Result() Result {
	g, err := r.Game()
	if err != nil {
		return NoResult
	}
	side := g.Position().Side()
	rest := r.Main()[len(g.Moves()):]
	if len(rest) == 0 && g.Position().HasLegalMove() {
		return NoResult
	}
	if len(rest) == 0 || rest[0].Illegal {
		return winFor(side.Opponent())
	}
	return rest[0].End.result(side)
}

func winFor(c shogi.Color) Result {
	if c == shogi.Black {
		return BlackWins
	}
	return WhiteWins
}
