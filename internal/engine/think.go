package engine

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// Search thinks about the game's position until a limit is reached or ctx is cancelled. It calls report, from its own goroutine,
// with blocks of lines, best first, and with messages; the last block is the result's lines. An infinite search and one that
// ponders keep their answer back until they are told.
func (e *Engine) Search(ctx context.Context, game *shogi.Game, limits search.Limits, report func([]search.Info)) search.Result {
	for _, m := range e.Ready() {
		report([]search.Info{{Text: m}})
	}
	if result, ok := e.fromBook(ctx, game, limits, report); ok {
		return result
	}
	if n := e.set.nodes; n > 0 && !limits.Infinite && (limits.Nodes == 0 || n < limits.Nodes) {
		limits.Nodes = n
	}
	weaker := e.set.strength < maxStrength && !limits.Infinite
	varied := !limits.Infinite && int64(game.Position().Ply()) <= e.set.randomPly
	heard := report
	switch {
	case weaker:
		limits = weakerLimits(limits, e.set.strength)
		heard = nil
	case (varied || e.set.debug) && !limits.Infinite && limits.PonderHit == nil: // else the last lines may have to be seen for long
		heard = butLast(report)
	}
	e.setOptions(weaker || varied, game.Position().Side())
	e.watch(report)
	end := e.beginPages(ctx)
	if e.pages.live != nil {
		heard = e.pages.live.Listen(heard)
	}
	result := e.think(ctx, game, limits, heard)
	end()
	e.watched(game, report)
	if weaker || varied {
		result = e.choose(result, weaker)
	}
	if !e.set.ponder {
		result.Ponder = shogi.MoveNone
	}
	e.sayDecision(&result, report)
	if (weaker || varied || e.set.debug) && len(result.Lines) > 0 {
		report(result.Lines)
	}
	return result
}

// think searches. With Stochastic_Ponder a search that ponders thinks about the position before the expected reply, so about all
// replies, until the reply is known.
func (e *Engine) think(ctx context.Context, game *shogi.Game, limits search.Limits, report func([]search.Info)) search.Result {
	moves := game.Moves()
	if limits.PonderHit == nil || !e.set.stochastic || len(moves) == 0 {
		return e.thinker.Search(ctx, game, limits, report)
	}
	before := shogi.NewGame(game.Start())
	for _, m := range moves[:len(moves)-1] {
		if err := before.Do(m); err != nil {
			panic("engine: a game's own move is refused: " + err.Error())
		}
	}
	hit := e.pondering(ctx, before, &limits)
	limits.Start = time.Now()
	if hit && limits.HitTimes != nil {
		if times := limits.HitTimes(); times != nil {
			limits.Clock = times
		}
	}
	limits.PonderHit, limits.HitTimes = nil, nil
	if !hit || ctx.Err() != nil {
		limits = search.Limits{Nodes: 1, SearchMoves: limits.SearchMoves} // stop wants an answer, and what the tree says is enough
		return e.thinker.Search(context.WithoutCancel(ctx), game, limits, report)
	}
	return e.thinker.Search(ctx, game, limits, report)
}

// pondering thinks about the game until the hit comes, which it reports, or ctx ends, with no more playouts than the limits allow. Its
// lines are about another position than the GUI's, so they are not shown.
func (e *Engine) pondering(ctx context.Context, game *shogi.Game, limits *search.Limits) (hit bool) {
	until, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.thinker.Search(until, game, search.Limits{Infinite: true, Nodes: limits.Nodes}, nil)
	}()
	select {
	case <-limits.PonderHit:
		hit = true
	case <-ctx.Done():
	}
	cancel()
	<-done
	return hit
}

// setOptions gives the search what is set. When there is to be a choice, alpha-beta must be asked for several lines; the tree has them.
// What a draw is worth is told as our side sees it, also for the other side's positions, which are thought about while pondering.
func (e *Engine) setOptions(choice bool, us shogi.Color) {
	if e.alphaBeta == nil {
		o := e.options()
		o.DrawValue[us.Opponent()] = o.DrawValue[us]
		mustFit(e.searcher.SetOptions(o))
		return
	}
	o := e.alphaBetaOptions()
	o.DrawValue[us.Opponent()] = o.DrawValue[us]
	if choice {
		o.MultiPV = max(o.MultiPV, candidates)
	}
	mustFit(e.alphaBeta.SetOptions(o))
}

// butLast passes each report on when the next one comes, so the last one, the final lines, stays out. Whoever has more to say then
// can say it before these lines, which belong directly before the answer.
func butLast(report func([]search.Info)) func([]search.Info) {
	var held []search.Info
	return func(infos []search.Info) {
		if held != nil {
			report(held)
		}
		held = infos
	}
}

// choose replaces the search's answer by one of its candidates, as Strength or Random_Ply want it.
func (e *Engine) choose(result search.Result, weaker bool) search.Result {
	if !result.Best.IsMove() || result.Reason == search.ReasonDeclare {
		return result
	}
	var visits []int64
	if e.searcher != nil {
		result.Lines = e.searcher.Lines(candidates)
		for _, m := range e.searcher.RootMoves()[:len(result.Lines)] {
			visits = append(visits, m.Visits)
		}
	}
	if weaker {
		result = pickWeaker(result, visits, e.set.strength, e.dice())
	} else {
		result = pickVaried(result, visits, float64(e.set.randomTemperature)/1000, float64(e.set.randomCutoff)/1000, e.dice())
	}
	result.Lines = result.Lines[:min(int(e.set.multiPV), len(result.Lines))]
	return result
}

// dice returns the random numbers of Strength and of book moves.
func (e *Engine) dice() *rand.Rand {
	if e.random == nil {
		seed := uint64(e.set.seed)
		if seed == 0 {
			seed = rand.Uint64()
		}
		e.random = rand.New(rand.NewPCG(seed, seed))
	}
	return e.random
}
