package tune

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// Game is a game to be played.
type Game struct {
	// Number counts all games of the run from 0; games 2n and 2n+1 are a pair.
	Number int
	// Plus and Minus are the parameters' values of the two players.
	Plus, Minus []match.Setting
	// PlusColor is the colour of plus: Black in the first game of a pair.
	PlusColor shogi.Color
	Opening   match.Opening
	// Seeds are for the players, by colour. They depend on the run's seed and the game's number only.
	Seeds [2]uint64
}

// values returns the named player's parameters as text.
func (g *Game) values(player string) string {
	settings := g.Plus
	if player == "minus" {
		settings = g.Minus
	}
	var words []string
	for _, o := range settings {
		words = append(words, o.Name+"="+o.Value)
	}
	return strings.Join(words, " ")
}

// Result is how a game ended.
type Result struct {
	// Points are plus's half points: 2 for a win, 1 for a draw, 0 for a loss.
	Points int
	// Fault says how a player spoiled the game, "" when none did.
	Fault string
}

// Opponents are a pair of players that live through several games. They are for one goroutine at a time.
type Opponents interface {
	// Play plays a game. The error is ctx's, or one that ends the run.
	Play(ctx context.Context, g *Game) (Result, error)
	// Close ends the players.
	Close()
}

// gameSeeds returns the players' seeds in a game.
func gameSeeds(seed uint64, number int) [2]uint64 {
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	return [2]uint64{random.Uint64(), random.Uint64()}
}

// engines are two engines in this process.
type engines struct {
	rules       match.Rules
	time        match.TimeControl
	plus, minus enginePlayer
}

// newEngines returns opponents for the run.
func newEngines(h *Header) *engines {
	e := &engines{rules: h.Rules, time: h.Time}
	for _, p := range []*enginePlayer{&e.plus, &e.minus} {
		p.fixed = h.Identity.Options
	}
	return e
}

func (e *engines) Play(ctx context.Context, g *Game) (Result, error) {
	e.plus.values, e.minus.values = g.Plus, g.Minus
	minus := g.PlusColor.Opponent()
	table := match.Table{Rules: e.rules, Controls: [2]match.TimeControl{e.time, e.time}, Seeds: g.Seeds}
	table.Players[g.PlusColor], table.Players[minus] = &e.plus, &e.minus
	r, err := match.Play(ctx, table, g.Opening)
	if err != nil {
		return Result{}, err
	}
	r.Black = match.PlayerA // player A is plus
	if g.PlusColor == shogi.White {
		r.Black = match.PlayerB
	}
	result := Result{Points: r.PointsA()}
	if r.Outcome.IsFault() {
		loser := "plus"
		if r.PointsA() > 0 {
			loser = "minus"
		}
		result.Fault = fmt.Sprintf("game %d: %s of %s (%s): %s", g.Number, r.Outcome, loser, g.values(loser), r.Detail)
	}
	return result, nil
}

func (e *engines) Close() { e.plus.Close(); e.minus.Close() }

// enginePlayer is an engine as a player of games, whose options may change between them.
type enginePlayer struct {
	fixed, values []match.Setting
	engine        *engine.Engine
}

func (p *enginePlayer) NewGame(_ context.Context, seed uint64) (err error) {
	defer p.recovered(&err)
	settings := p.values
	if p.engine == nil {
		p.engine = engine.New()
		settings = append(append([]match.Setting(nil), p.fixed...), p.values...)
	}
	if !p.hasSeed() {
		settings = append(settings[:len(settings):len(settings)], match.Setting{Name: "Seed", Value: strconv.FormatUint(seed>>1|1, 10)})
	}
	for _, o := range settings {
		if err := p.engine.Set(usi.Setting{Name: o.Name, Value: o.Value, HasValue: true}); err != nil {
			return &usi.Failure{Kind: usi.Crash, Detail: err.Error()}
		}
	}
	p.engine.Ready()
	p.engine.NewGame()
	return nil
}

// hasSeed reports whether the user has given the engine a seed.
func (p *enginePlayer) hasSeed() bool {
	for _, o := range p.fixed {
		if strings.EqualFold(o.Name, "Seed") {
			return true
		}
	}
	return false
}

func (p *enginePlayer) Think(ctx context.Context, t match.Turn) (a match.Answer, err error) {
	defer p.recovered(&err)
	c := &t.Control
	limits := search.Limits{MoveTime: c.MoveTime, Nodes: c.Nodes, Depth: c.Depth, Start: time.Now()}
	if c.HasClock() {
		limits.Clock = &search.ClockTimes{Main: t.Left, Increment: [2]time.Duration{c.Increment, c.Increment}, Byoyomi: c.Byoyomi}
	}
	r := p.engine.Search(ctx, t.Game, limits, func([]search.Info) {})
	a = match.Answer{Move: r.Best, Text: r.Best.String(), Wall: time.Since(limits.Start)}
	if len(r.Lines) > 0 {
		a.Info, a.HasInfo = r.Lines[0], true
	}
	return a, nil
}

// recovered turns a panic of the engine into a crash of the player.
func (p *enginePlayer) recovered(err *error) {
	if r := recover(); r != nil {
		p.engine = nil
		*err = &usi.Failure{Kind: usi.Crash, Detail: fmt.Sprint("panic: ", r), Stderr: string(debug.Stack())}
	}
}

func (p *enginePlayer) GameOver(string) {}

func (p *enginePlayer) Evidence() (lines []string, stderr string) { return nil, "" }

func (p *enginePlayer) Close() { p.engine = nil }
