package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/mate"
)

const (
	// mateTableMB is the memory of a search for mate on command: a quarter of USI_Hash up to this.
	mateTableMB = 64
	// mateLineNodes is what may be looked at to write out a mate that was found just before the time was over.
	mateLineNodes = 500_000
)

// Mate looks for a forced mate by checks in the game's position, for at most the given time (0 for no limit), counted from start, or until
// ctx is cancelled. report gets what was found as a line of thinking, or a message. The tree of Search is not touched.
func (e *Engine) Mate(ctx context.Context, game *shogi.Game, limit time.Duration, start time.Time, report func([]search.Info)) usi.Checkmate {
	if limit > 0 {
		var cancel context.CancelFunc
		margin := min(time.Duration(e.set.moveTimeDelay)*time.Millisecond, limit/5)
		ctx, cancel = context.WithDeadline(ctx, start.Add(limit-margin))
		defer cancel()
	}
	solver := mate.NewSolver(int(max(1, min(mateTableMB, e.set.hashMB/4))) << 20)
	p := game.Position()
	result := solver.Solve(p, mate.Limits{Context: ctx})
	nodes := result.Nodes
	if result.Outcome == mate.Mate && len(result.Line) < result.Plies {
		result = solver.Solve(p, mate.Limits{Nodes: mateLineNodes})
		nodes += result.Nodes
	}
	elapsed := max(time.Since(start), time.Microsecond)
	info := search.Info{MultiPV: 1, Nodes: nodes, NPS: int64(float64(nodes) / elapsed.Seconds()), Time: elapsed}
	switch result.Outcome {
	case mate.NoMate:
		return usi.Checkmate{Outcome: usi.MateNone}
	case mate.Unknown:
		return usi.Checkmate{Outcome: usi.MateTimeout}
	}
	if err := playable(game, result.Line); err != nil {
		report([]search.Info{{Text: "the mate that was found does not count here: " + err.Error()}})
		return usi.Checkmate{Outcome: usi.MateTimeout}
	}
	info.PV = append([]shogi.Move(nil), result.Line...)
	info.Depth, info.SelDepth = len(info.PV), len(info.PV)
	info.Score = search.Score{Mate: true, Plies: result.Plies, WinRate: 1}
	report([]search.Info{info})
	return usi.Checkmate{Outcome: usi.MateFound, Moves: info.PV}
}

// playable returns an error when the line brings a position of the game for the fourth time.
func playable(game *shogi.Game, line []shogi.Move) error {
	g := game.Clone()
	for i, m := range line {
		if err := g.Do(m); err != nil {
			return err
		}
		if g.History().Fourfold() != shogi.NoRepetition {
			return fmt.Errorf("move %d, %s, brings a position for the fourth time", i+1, m)
		}
	}
	return nil
}
