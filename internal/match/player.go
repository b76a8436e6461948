package match

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// Player is a side of a match: a program or yomi in this process. Its methods are for one goroutine at a time. Errors of
// the methods are *usi.Failure; after one, the next NewGame starts afresh.
type Player interface {
	// NewGame makes the player ready for a game. The seed is for engines that take one; it depends on match and game only.
	NewGame(ctx context.Context, seed uint64) error
	// Think asks for a move. The context's deadline is the time at which the match gives up waiting.
	Think(ctx context.Context, t Turn) (Answer, error)
	// GameOver tells the player the result: "win", "lose" or "draw".
	GameOver(result string)
	// Evidence returns the last lines of the dialogue and of the standard error, for the report of what the match finds wrong.
	Evidence() (lines []string, stderr string)
	// Close ends the player.
	Close()
}

// Turn is what a player is asked.
type Turn struct {
	Game *shogi.Game
	// Control is the player's own time control, Left both sides' main time before the increment, by colour.
	Control TimeControl
	Left    [2]time.Duration
}

// limits returns the turn as limits of a search.
func (t *Turn) limits() search.Limits {
	l := search.Limits{MoveTime: t.Control.MoveTime, Nodes: t.Control.Nodes, Depth: t.Control.Depth, Start: time.Now()}
	if t.Control.HasClock() {
		l.Clock = &search.ClockTimes{Main: t.Left, Increment: [2]time.Duration{t.Control.Increment, t.Control.Increment}, Byoyomi: t.Control.Byoyomi}
	}
	return l
}

// command returns the turn as a go command. swap exchanges the sides' clocks.
func (t *Turn) command(swap bool) string {
	var b strings.Builder
	b.WriteString("go")
	word := func(name string, n int64) { fmt.Fprintf(&b, " %s %d", name, n) }
	if t.Control.HasClock() {
		black, white := t.Left[shogi.Black], t.Left[shogi.White]
		if swap {
			black, white = white, black
		}
		word("btime", black.Milliseconds())
		word("wtime", white.Milliseconds())
		if t.Control.Byoyomi > 0 || t.Control.Increment == 0 {
			word("byoyomi", t.Control.Byoyomi.Milliseconds())
		}
		if t.Control.Increment > 0 {
			word("binc", t.Control.Increment.Milliseconds())
			word("winc", t.Control.Increment.Milliseconds())
		}
	}
	if t.Control.MoveTime > 0 {
		word("movetime", t.Control.MoveTime.Milliseconds())
	}
	if t.Control.Nodes > 0 {
		word("nodes", t.Control.Nodes)
	}
	if t.Control.Depth > 0 {
		word("depth", int64(t.Control.Depth))
	}
	return b.String()
}

// Answer is a player's move.
type Answer struct {
	// Move is the move, MoveResign or MoveWin; MoveNone when Text is no move at all.
	Move shogi.Move
	// Text is what the player said.
	Text string
	// Wall is the measured time, Info what the player said about its thinking (Info.Time is its own measure of the time).
	Wall    time.Duration
	Info    search.Info
	HasInfo bool
}

// newPlayer returns the player of a spec. cpu is the core for its program, 0 for any.
func newPlayer(s Spec, rules Rules, cpu int) Player {
	switch {
	case len(s.Command) == 0:
		return newInProcess(s, rules)
	case s.preset().dialect:
		return newGnushogi(s, rules, cpu)
	}
	return newProgram(s, rules, cpu)
}

// inProcess is yomi as a player.
type inProcess struct {
	spec   Spec
	rules  Rules
	engine *engine.Engine
}

func newInProcess(s Spec, rules Rules) *inProcess { return &inProcess{spec: s, rules: rules} }

// start makes the engine and sets its options.
func (p *inProcess) start() error {
	e := engine.New()
	settings, err := p.spec.settings(e.Options(), p.rules)
	if err != nil {
		return &usi.Failure{Kind: usi.Crash, Detail: err.Error()}
	}
	for _, o := range settings {
		if err := e.Set(usi.Setting{Name: o.Name, Value: o.Value, HasValue: true}); err != nil {
			return &usi.Failure{Kind: usi.Crash, Detail: err.Error()}
		}
	}
	p.engine = e
	return nil
}

func (p *inProcess) NewGame(_ context.Context, seed uint64) (err error) {
	defer p.recovered(&err)
	if p.engine == nil || p.rules.Restart {
		if err := p.start(); err != nil {
			return err
		}
	}
	if p.seedIsFree() {
		if err := p.engine.Set(usi.Setting{Name: "Seed", Value: fmt.Sprint(seed>>1 | 1), HasValue: true}); err != nil {
			return &usi.Failure{Kind: usi.Crash, Detail: err.Error()}
		}
	}
	p.engine.Ready()
	p.engine.NewGame()
	return nil
}

// seedIsFree reports whether the user has left the seed to the match.
func (p *inProcess) seedIsFree() bool {
	for _, o := range p.spec.Options {
		if strings.EqualFold(o.Name, "Seed") {
			return false
		}
	}
	return true
}

func (p *inProcess) Think(ctx context.Context, t Turn) (a Answer, err error) {
	defer p.recovered(&err)
	limits := t.limits()
	result := p.engine.Search(ctx, t.Game, limits, func([]search.Info) {})
	a = Answer{Move: result.Best, Text: result.Best.String(), Wall: time.Since(limits.Start)}
	if len(result.Lines) > 0 {
		a.Info, a.HasInfo = result.Lines[0], true
	}
	return a, nil
}

// recovered turns a panic of the engine into a crash of the player.
func (p *inProcess) recovered(err *error) {
	if r := recover(); r != nil {
		p.engine = nil
		*err = &usi.Failure{Kind: usi.Crash, Detail: fmt.Sprint("panic: ", r), Stderr: string(debug.Stack())}
	}
}

func (p *inProcess) GameOver(string) {}

func (p *inProcess) Evidence() ([]string, string) { return nil, "" }

func (p *inProcess) Close() { p.engine = nil }
