package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/book"
	"github.com/yomi-shogi/yomi/uct"
)

// When the engine plays from a book. A book is asked before each search of the first BookMoves moves of a game, at any
// Strength, whatever the limits are, with three exceptions: infinite analysis, searches among moves that the user named,
// and positions in which a declaration wins. An answer while pondering is kept back until the GUI says that the opponent
// has moved, or stop.
//
// Of the book's moves these are left to the search: illegal ones, those that bring back a position of the game, those that
// are played too seldom (Book_Min_Count) or too bad (Min_Book_Score, BookEvalDiff). Of the others one is drawn by chance.

// bookSettings are the options that concern books.
type bookSettings struct {
	path                                  string
	own, best, flipped                    bool
	moves, minCount, evalDiff, leastValue int64
}

// noBook is what GUIs send in place of a file for no book.
const noBook = "no_book"

// bookPVMoves is the length of the lines that a book gives.
const bookPVMoves = 8

// bookOptions returns the rows of the option table that concern books.
func bookOptions() []option {
	return []option{
		file("BookFile", "opening book, DB2016 text (.db) or Apery's book.bin; read at isready",
			func(s *settings) *string { return &s.book.path }).also("Book_File"),
		check("USI_OwnBook", true, "play from the book of BookFile, if there is one",
			func(s *settings) *bool { return &s.book.own }).also("OwnBook"),
		spin("BookMoves", 16, 0, 10000, "move number up to which the book is used",
			func(s *settings) *int64 { return &s.book.moves }),
		check("Best_Book_Move", false, "always play the book's best move, instead of one drawn by chance in proportion to the counts",
			func(s *settings) *bool { return &s.book.best }),
		spin("BookEvalDiff", 30, 0, 99999, "centipawns by which a book move may be worse than the book's best",
			func(s *settings) *int64 { return &s.book.evalDiff }),
		spin("Min_Book_Score", -3000, -30000, 30000, "centipawns below which a book move is not played",
			func(s *settings) *int64 { return &s.book.leastValue }),
		spin("Book_Min_Count", 0, 0, 1<<31-1, "count below which a book move is not played",
			func(s *settings) *int64 { return &s.book.minCount }),
		check("FlippedBook", true, "look for positions also with the colours swapped",
			func(s *settings) *bool { return &s.book.flipped }),
	}
}

// openings is the book in use.
type openings struct {
	// book is nil when there is none. path is the file that it was read from, or that could not be read.
	book *book.Book
	path string
	// named are the illegal moves that the user has been told of.
	named map[namedMove]struct{}
}

// namedMove is a move in the position with the key.
type namedMove struct {
	key  uint64
	move shogi.Move
}

// load reads the book that is set, unless that is done. A file that cannot be read leaves the engine without a book.
func (o *openings) load(s *bookSettings) []string {
	path := s.path
	if path == noBook || !s.own {
		path = ""
	}
	if path == o.path {
		return nil
	}
	*o = openings{path: path, named: make(map[namedMove]struct{})}
	if path == "" {
		return nil
	}
	b, err := book.Open(path)
	var faults *book.Faults
	if err != nil && !errors.As(err, &faults) {
		return []string{fmt.Sprintf("Error: book: %v; there is no book", err)}
	}
	o.book = b
	message := fmt.Sprintf("book %s: %d positions, %d moves", path, b.Len(), b.Moves())
	if faults != nil {
		message += fmt.Sprintf("; left out: %v", faults)
	}
	return []string{message}
}

// fromBook answers from the book. It is false when the book has nothing to say here.
func (e *Engine) fromBook(ctx context.Context, game *shogi.Game, limits search.Limits, report func([]search.Info)) (search.Result, bool) {
	p := game.Position()
	if e.openings.book == nil || limits.Infinite || len(limits.SearchMoves) > 0 || int64(p.Ply()) > e.set.book.moves {
		return search.Result{}, false
	}
	if _, wins := p.CanDeclare(e.Rule()); wins {
		return search.Result{}, false
	}
	found, _ := e.openings.book.Find(p, e.set.book.flipped)
	e.nameIllegal(p, found.Illegal, report)
	moves := e.bookCandidates(game, found.Moves)
	if len(moves) == 0 {
		return search.Result{}, false
	}
	moves = e.chosenFirst(moves)
	holdBookMove(ctx, limits)
	result := search.Result{Best: moves[0].Move, Ponder: shogi.MoveNone, Reason: search.ReasonBook}
	for i := range moves[:min(len(moves), int(e.set.multiPV))] {
		line := e.bookLine(p, &moves[i])
		line.MultiPV = i + 1
		if !limits.Start.IsZero() {
			line.Time = time.Since(limits.Start)
		}
		result.Lines = append(result.Lines, line)
	}
	if pv := result.Lines[0].PV; e.set.ponder && len(pv) > 1 {
		result.Ponder = pv[1]
	}
	report([]search.Info{{Text: bookText(e.openings.path, &found, moves)}})
	e.sayDecision(&result, report)
	report(result.Lines)
	return result, true
}

// sayDecision tells why the answer is what it is, when the user wants to know.
func (e *Engine) sayDecision(r *search.Result, report func([]search.Info)) {
	if !e.set.debug {
		return
	}
	text := fmt.Sprintf("decision: %s because of %s", r.Best, r.Reason)
	if r.Extended {
		text += ", after more time for an unsettled best move"
	}
	report([]search.Info{{Text: text}})
}

// nameIllegal tells the user of illegal moves in the book, of each one once.
func (e *Engine) nameIllegal(p *shogi.Position, moves []shogi.Move, report func([]search.Info)) {
	for _, m := range moves {
		at := namedMove{p.Key(), m}
		if _, known := e.openings.named[at]; !known {
			e.openings.named[at] = struct{}{}
			report([]search.Info{{Text: fmt.Sprintf("book %s: the move %s is illegal in %s", filepath.Base(e.openings.path), m, p.SFEN())}})
		}
	}
}

// bookCandidates returns the moves that may be played, in their order. The book's best move is the first: a later one may have a
// higher value only because it was hardly searched.
func (e *Engine) bookCandidates(game *shogi.Game, moves []book.Move) []book.Move {
	s := &e.set.book
	var candidates []book.Move
	for _, m := range moves {
		value, worse := int64(m.Value), int64(0)
		if m.HasValue && moves[0].HasValue {
			worse = int64(moves[0].Value) - value
		}
		if m.Count >= s.minCount && (!m.HasValue || value >= s.leastValue) && worse <= s.evalDiff && !returns(game, m.Move) {
			candidates = append(candidates, m)
		}
	}
	return candidates
}

// returns reports whether the move brings back a position of the game.
func returns(game *shogi.Game, m shogi.Move) bool {
	after := game.Clone()
	return after.Do(m) == nil && after.History().Occurrences() > 1
}

// chosenFirst puts the move to play before the others.
func (e *Engine) chosenFirst(moves []book.Move) []book.Move {
	if e.set.book.best {
		return moves
	}
	total := 0.0
	for _, m := range moves {
		total += float64(m.Count)
	}
	chosen, throw := 0, e.dice().Float64()
	if total == 0 { // some books have no counts
		chosen = int(throw * float64(len(moves)))
	} else {
		for throw *= total; chosen < len(moves)-1; chosen++ {
			if throw -= float64(moves[chosen].Count); throw < 0 {
				break
			}
		}
	}
	first := moves[chosen]
	return append([]book.Move{first}, slices.Delete(slices.Clone(moves), chosen, chosen+1)...)
}

// holdBookMove waits while the engine ponders.
func holdBookMove(ctx context.Context, limits search.Limits) {
	if limits.PonderHit != nil {
		select {
		case <-limits.PonderHit:
		case <-ctx.Done():
		}
	}
}

// bookLine is a book move as a line of thinking. Where the book has no value for it, the value evaluator gives one.
func (e *Engine) bookLine(p *shogi.Position, m *book.Move) search.Info {
	next := *p
	next.Do(m.Move)
	line := search.Info{PV: append([]shogi.Move{m.Move}, e.bookReplies(next, m.Ponder)...)}
	line.Depth, line.SelDepth = len(line.PV), len(line.PV)
	switch {
	case !next.HasLegalMove():
		line.Score = search.Score{Mate: true, Plies: 1, WinRate: 1}
	case m.HasValue:
		rate := 1 / (1 + math.Exp(-float64(m.Value)/e.evalCoef()))
		line.Score = search.Score{CP: int(max(-30000, min(30000, m.Value))), WinRate: rate}
	default:
		rate := 1 - e.Evaluate(&next).WinRate
		line.Score = search.Score{CP: uct.Centipawns(rate, e.evalCoef()), WinRate: rate}
	}
	return line
}

// bookReplies goes on along the book's best moves. The first one is reply, if it is legal.
func (e *Engine) bookReplies(p shogi.Position, reply shogi.Move) []shogi.Move {
	var line []shogi.Move
	for len(line) < bookPVMoves-1 {
		if !p.IsLegal(reply) {
			found, ok := e.openings.book.Find(&p, e.set.book.flipped)
			if !ok {
				break
			}
			reply = found.Moves[0].Move
		}
		line = append(line, reply)
		p.Do(reply)
		reply = shogi.MoveNone
	}
	return line
}

// bookText says for people what was played and from where.
func bookText(path string, found *book.Found, moves []book.Move) string {
	var b strings.Builder
	m, total := &moves[0], int64(0)
	for _, o := range found.Moves {
		total += o.Count
	}
	fmt.Fprintf(&b, "book %s: %s, count %d of %d", m.Move, filepath.Base(path), m.Count, total)
	if m.HasValue {
		fmt.Fprintf(&b, ", value %d", m.Value)
	}
	if m.Depth != 0 {
		fmt.Fprintf(&b, ", depth %d", m.Depth)
	}
	if found.Flipped {
		b.WriteString(", with the colours swapped")
	}
	return b.String()
}

// RootMoves returns the moves of the latest search's root as uct.Searcher.RootMoves does; nil when alpha-beta thinks.
func (e *Engine) RootMoves() []uct.RootMove {
	if e.searcher == nil {
		return nil
	}
	return e.searcher.RootMoves()
}

// EvalCoef returns the scale of the engine's scores: cp = -EvalCoef·ln(1/winrate - 1).
func (e *Engine) EvalCoef() float64 { return e.evalCoef() }
