package kifu

import (
	"fmt"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// Error says where and why reading a record stopped.
type Error struct {
	// Line is the line's number in the file, from 1.
	Line int
	// Token is the text that could not be read.
	Token string
	// Reason says what is wrong with it.
	Reason string
	// Illegal says that the token is a move against the rules.
	Illegal bool
}

// Error returns the message in one line.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %q: %s", e.Line, e.Token, e.Reason) }

// step is a node with what the next move needs to know.
type step struct {
	node *Node
	// pos is the position after the node's move, before it where that is illegal.
	pos  shogi.Position
	side shogi.Color
	// to is where the last move went, NoSquare when that is not known.
	to shogi.Square
	// totals are the times that the sides took so far.
	totals [2]time.Duration
}

// builder puts a record together, move by move.
type builder struct {
	rec *Record
	// steps[i] is the node read last with i moves before it and itself, steps[0] the root. Behind the current one are
	// those of earlier lines: a variation branches from the line read last that is long enough.
	steps []step
	now   int
	// illegal is an illegal move that no end word has explained yet.
	illegal *Error
	// line is the number of the line being read.
	line int
}

func newBuilder() *builder {
	rec := New(shogi.StartPosition())
	return &builder{rec: rec, steps: []step{{node: rec.Root}}}
}

// start sets the start position. last is where the move before it went, NoSquare if unknown.
func (b *builder) start(p shogi.Position, last shogi.Square) {
	b.rec.Start = p
	b.steps[0] = step{node: b.rec.Root, pos: p, side: p.Side(), to: last}
}

func (b *builder) current() *step { return &b.steps[b.now] }

func (b *builder) fail(token, reason string, args ...any) *Error {
	return &Error{Line: b.line, Token: token, Reason: fmt.Sprintf(reason, args...)}
}

// open returns an error when nothing can follow the current node.
func (b *builder) open(token string) *Error {
	if b.illegal != nil {
		return b.illegal
	}
	if n := b.current().node; n.End != NoEnd || n.Illegal {
		return b.fail(token, "the line has ended before")
	}
	return nil
}

func (b *builder) add(s step) {
	b.current().node.Add(s.node)
	b.now++
	if b.now == len(b.steps) {
		b.steps = append(b.steps, s)
		return
	}
	b.steps[b.now] = s
}

// play appends a move. An illegal one that can be written down is appended too; it becomes an error unless an end explains it.
func (b *builder) play(m shogi.Move, token string) *Error {
	if err := b.open(token); err != nil {
		return err
	}
	s := *b.current()
	s.node = &Node{Move: m}
	s.side = s.side.Opponent()
	s.to = m.To()
	if s.pos.IsLegal(m) {
		s.pos.Do(m)
		b.add(s)
		return nil
	}
	if !describable(&s.pos, m) {
		return b.fail(token, "no such move in %s", s.pos.SFEN())
	}
	s.node.Illegal = true
	b.illegal = b.fail(token, "illegal move in %s", s.pos.SFEN())
	b.illegal.Illegal = true
	b.add(s)
	return nil
}

// describable reports whether an illegal move can be written down: a drop, or a move of a piece that stands there.
func describable(p *shogi.Position, m shogi.Move) bool {
	if !m.IsMove() || m.To() >= shogi.NumSquares {
		return false
	}
	if m.IsDrop() {
		return !m.IsPromotion() && m.DropType() >= shogi.Pawn && m.DropType() <= shogi.Gold
	}
	if m.From() >= shogi.NumSquares {
		return false
	}
	piece := p.PieceAt(m.From())
	return piece != shogi.Empty && piece.Color() == p.Side() && (!m.IsPromotion() || piece.Type().CanPromote())
}

// end closes the line.
func (b *builder) end(e End, text, token string) *Error {
	if e.saysIllegal() {
		b.illegal = nil
	}
	if n := b.current().node; b.illegal != nil || n.End != NoEnd {
		return b.open(token)
	}
	s := *b.current()
	s.node = &Node{End: e, EndText: text}
	b.add(s)
	return nil
}

// branch goes back to the node with n moves before it and itself; the next move begins a variation there.
func (b *builder) branch(n int, token string) *Error {
	if b.illegal != nil {
		return b.illegal
	}
	if n < 0 || n >= len(b.steps) {
		return b.fail(token, "no line has a move before it")
	}
	b.now = n
	return b.open(token)
}

// timed sets the current node's time. A negative total stands for the sum of the side's times so far. Before the first
// move there is nobody who could have used it.
func (b *builder) timed(t, total time.Duration) {
	if b.now == 0 {
		return
	}
	s := b.current()
	mover := s.side.Opponent()
	if s.node.End != NoEnd {
		mover = s.side
	}
	before := b.steps[b.now-1].totals[mover]
	if total < 0 {
		total = before + t
	}
	s.totals[mover] = total
	s.node.Timed, s.node.Time, s.node.Total = true, t, total
}

// finish returns the record and, in it, the error err or that of an unexplained illegal move.
func (b *builder) finish(err *Error) *Record {
	if err == nil {
		err = b.illegal
	}
	if err != nil {
		b.rec.Err = err
	}
	return b.rec
}
