package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// besideHash is what the process may use beside the tree's memory before the garbage collector works harder, in bytes.
const besideHash = 64 << 20

// engineAPI is what the protocol needs of an engine. Only the methods named in the command table as not needing an idle
// engine are called while a search runs.
type engineAPI interface {
	// Options are the options to declare.
	Options() []usi.Option
	// Set changes an option; the error names what is wrong, and nothing has changed then.
	Set(usi.Setting) error
	// Said is what options had to say that were set.
	Said() []string
	// LogPath is the file for the dialogue, "" for none.
	LogPath() string
	// Rule is the declaration rule in force.
	Rule() shogi.DeclarationRule
	// Ready prepares everything that takes time and returns messages for the user.
	Ready() []string
	// HashMB is the size of the tree's memory in MB.
	HashMB() int64
	// NewGame forgets what belongs to the last game.
	NewGame()
	// Search thinks about the game's position. Its last report is the final lines.
	Search(ctx context.Context, game *shogi.Game, limits search.Limits, report func([]search.Info)) search.Result
	// Mate looks for a mate by checks for a time, 0 for no limit.
	Mate(ctx context.Context, game *shogi.Game, limit time.Duration, start time.Time, report func([]search.Info)) usi.Checkmate
	// Evaluate asks the evaluators about a position. It may run beside a search.
	Evaluate(p *shogi.Position) engine.Evaluation
	// SetLive says events as messages from the next search on, nil none. It may be called beside a search.
	SetLive(filter *inspect.Filter)
	// Memory describes the tree's memory, a line each, in short while Search runs.
	Memory(searching bool) []string
	// Bench runs the bench, giving its lines to say.
	Bench(ctx context.Context, nodes int64, say func(string)) error
}

// command is a row of the command table.
type command struct {
	do func(p *protocol, args string)
	// needsIdle says that the command ends a running search, or waits for a count or bench, before it acts.
	needsIdle bool
}

// commands are the words that the program understands. Others are ignored, as the protocol wants it. Quit is handled where
// lines are read.
var commands = map[string]command{
	"usi":        {do: (*protocol).doUSI},
	"isready":    {do: (*protocol).doIsReady},
	"setoption":  {do: (*protocol).doSetOption},
	"usinewgame": {do: (*protocol).doNewGame, needsIdle: true},
	"position":   {do: (*protocol).doPosition},
	"go":         {do: (*protocol).doGo, needsIdle: true},
	"stop":       {do: (*protocol).doStop},
	"ponderhit":  {do: (*protocol).doPonderHit},
	"gameover":   {do: (*protocol).doStop},
	"d":          {do: (*protocol).doDisplay},
	"moves":      {do: (*protocol).doMoves},
	"eval":       {do: (*protocol).doEval},
	"hash":       {do: (*protocol).doHash},
	"debug":      {do: (*protocol).doDebug},
	"bench":      {do: (*protocol).doBench, needsIdle: true},
	"help":       {do: (*protocol).doHelp},
}

func (p *protocol) doUSI(string) {
	p.say("id name "+usi.Text(name), "id author "+usi.Text(author))
	for _, o := range p.engine.Options() {
		p.say(o.String())
	}
	p.say("usiok")
}

// doIsReady answers at once, as the protocol wants it. What a search in progress is using cannot change under it, so the
// preparation then follows the search.
func (p *protocol) doIsReady(string) {
	if p.job == nil {
		p.ready()
	} else {
		p.makeReady = true
	}
	p.say("readyok")
}

// ready prepares the engine, which is idle, and keeps the Go heap close to the size of the tree's memory.
func (p *protocol) ready() {
	p.makeReady = false
	debug.SetMemoryLimit(math.MaxInt64)
	p.tell(p.engine.Ready()...)
	debug.SetMemoryLimit(p.engine.HashMB()<<20 + besideHash)
}

func (p *protocol) doSetOption(args string) {
	s, err := usi.ParseSetOption(args)
	switch {
	case err != nil:
		p.tell("Error: " + err.Error())
	case p.job != nil:
		p.settings = append(p.settings, s)
	default:
		p.set(s)
	}
}

// logOption is the engine's option that names the log file, which this program writes.
const logOption = "WriteDebugLog"

// set changes an option of the idle engine.
func (p *protocol) set(s usi.Setting) {
	switch err := p.engine.Set(s); {
	case errors.Is(err, engine.ErrUnknownOption):
		p.tell(err.Error())
		return
	case err != nil:
		p.tell("Error: " + err.Error())
		return
	}
	p.tell(p.engine.Said()...)
	if !strings.EqualFold(s.Name, logOption) {
		return
	}
	if err := p.log.open(p.engine.LogPath()); err != nil {
		p.tell("Error: " + logOption + ": " + err.Error())
	}
}

func (p *protocol) doNewGame(string) { p.engine.NewGame() }

func (p *protocol) doPosition(args string) {
	game, err := shogi.ParsePosition(args)
	if err != nil {
		p.tell("Error: position: " + err.Error())
		return
	}
	p.game = game
}

func (p *protocol) doGo(args string) {
	start := time.Now()
	g, err := usi.ParseGo(args)
	if err != nil {
		p.tell("Error: go: " + err.Error())
	}
	switch {
	case g.Mate:
		p.startMate(g.MateTime, start)
	case g.Perft > 0:
		p.startPerft(g.Perft)
	case g.Perft == 0:
		g.Limits.Start = start
		p.startSearch(g)
	}
}

func (p *protocol) startSearch(g usi.Go) {
	p.ready()
	l := &g.Limits
	j := &job{endsItself: !l.Infinite && !g.Ponder && l.Clock == nil}
	l.SearchMoves = p.legalOnly(l.SearchMoves)
	if g.Ponder {
		j.hit = make(chan struct{})
		l.PonderHit = j.hit
		l.HitTimes = func() *search.ClockTimes { return j.hitTimes }
	}
	game := p.game.Clone()
	p.start(j, func(ctx context.Context) answer {
		r := p.engine.Search(ctx, game, g.Limits, j.mail.report)
		return answer{usi.FormatBestMove(r.Best, r.Ponder)}
	})
}

// startMate looks for a mate by checks; its answer is checkmate.
func (p *protocol) startMate(limit time.Duration, start time.Time) {
	game := p.game.Clone()
	j := &job{endsItself: true}
	p.start(j, func(ctx context.Context) answer {
		return answer{p.engine.Mate(ctx, game, limit, start, j.mail.report).String()}
	})
}

// legalOnly returns the moves that are legal now, and names the others.
func (p *protocol) legalOnly(moves []shogi.Move) []shogi.Move {
	var legal []shogi.Move
	for _, m := range moves {
		if p.game.Position().IsLegal(m) {
			legal = append(legal, m)
		} else {
			p.tell("Error: go: searchmoves: illegal move " + m.String())
		}
	}
	return legal
}

func (p *protocol) doStop(string) {
	if p.job != nil {
		p.job.cancel()
	}
}

// doPonderHit starts the clock of a search that ponders; with times behind the word, they are the clock. A ponderhit
// without a search that ponders is ignored.
func (p *protocol) doPonderHit(args string) {
	if p.job == nil || p.job.hit == nil {
		return
	}
	times, err := usi.ParseClock(args)
	if err != nil {
		p.tell("Error: ponderhit: " + err.Error())
	}
	p.job.hitTimes = times
	close(p.job.hit)
	p.job.hit = nil
}

// startPerft counts the legal move paths of the given length, a line for each first move.
func (p *protocol) startPerft(depth int) {
	j := &job{batch: true}
	root := *p.game.Position()
	p.start(j, func(ctx context.Context) answer {
		var total uint64
		for _, m := range root.AppendLegal(nil) {
			next := root
			next.Do(m)
			n, ok := perft(ctx, &next, depth-1)
			if !ok {
				return answer{"info string perft stopped"}
			}
			j.mail.text(fmt.Sprintf("%s: %d", m, n))
			total += n
		}
		return answer{fmt.Sprintf("Nodes searched: %d", total)}
	})
}

// perft is shogi.Perft that a context can stop: it looks at the context above the last plies, which take milliseconds.
func perft(ctx context.Context, p *shogi.Position, depth int) (leaves uint64, ok bool) {
	const unwatched = 3
	if depth <= unwatched {
		return shogi.Perft(p, depth), ctx.Err() == nil
	}
	for _, m := range p.AppendLegal(nil) {
		next := *p
		next.Do(m)
		n, ok := perft(ctx, &next, depth-1)
		if !ok {
			return 0, false
		}
		leaves += n
	}
	return leaves, true
}

// doDisplay shows the position, what a repetition of it means, and whether the side to move may declare.
func (p *protocol) doDisplay(string) {
	pos, history := p.game.Position(), p.game.History()
	p.say(strings.Split(strings.TrimRight(pos.String(), "\n"), "\n")...)
	p.say("sfen "+pos.SFEN(), fmt.Sprintf("key %016x", pos.Key()))
	var checkers []string
	for set := pos.Checkers(); !set.IsEmpty(); {
		checkers = append(checkers, set.PopFirst().String())
	}
	p.say(strings.TrimRight("checkers "+strings.Join(checkers, " "), " "))
	p.say("repetition: "+history.Recurrence().String(), fmt.Sprintf("occurrences: %d", history.Occurrences()))
	d := pos.Declaration(p.engine.Rule())
	verdict := "no"
	if d.Result == shogi.DeclarationWins {
		verdict = "win"
	}
	p.say(fmt.Sprintf("declaration: %s (%d)", verdict, d.Points))
}

// doMoves shows all legal moves on one line, in the order of their text.
func (p *protocol) doMoves(string) {
	var text []string
	for _, m := range p.game.Position().AppendLegal(nil) {
		text = append(text, m.String())
	}
	slices.Sort(text)
	p.say(strings.Join(text, " "))
}

// doEval shows what the evaluators say: the value for the side to move and the moves that the policy likes best.
func (p *protocol) doEval(string) {
	const shown = 10
	e := p.engine.Evaluate(p.game.Position())
	p.say(fmt.Sprintf("value: %.4f (cp %d)", e.WinRate, e.CP), fmt.Sprintf("moves: %d", len(e.Moves)))
	for _, m := range e.Moves[:min(shown, len(e.Moves))] {
		p.say(fmt.Sprintf("%-5s %.4f", m.Move, m.Prior))
	}
}

func (p *protocol) doHash(string) { p.say(p.engine.Memory(p.job != nil)...) }

// doDebug turns messages about what the search does on and off.
func (p *protocol) doDebug(args string) {
	word, rest := usi.Split(args)
	switch word {
	case "off":
		p.engine.SetLive(nil)
	case "on":
		filter, err := inspect.ParseFilter(rest)
		if err != nil {
			p.tell("Error: debug: " + err.Error())
			return
		}
		p.engine.SetLive(&filter)
	default:
		p.tell("Error: debug: want on or off")
	}
}

// doBench runs the bench as a job, so that it can be stopped.
func (p *protocol) doBench(args string) {
	nodes, err := benchNodes(usi.Tokens(args))
	if err != nil {
		p.tell("Error: " + err.Error())
		return
	}
	j := &job{batch: true}
	p.start(j, func(ctx context.Context) answer {
		if err := p.engine.Bench(ctx, nodes, j.mail.text); err != nil {
			return answer{"info string " + usi.Text("Error: bench: "+err.Error())}
		}
		return answer{}
	})
}

func (p *protocol) doHelp(string) { p.say(strings.Split(strings.TrimRight(helpText(), "\n"), "\n")...) }
