package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// opinion is what a set of weights thinks of a position.
type opinion struct {
	line alphabeta.Line[shogi.Move]
	// end is the breakdown at the line's end, as the side to move at its start sees it.
	end alphabeta.Breakdown
}

// compareWeights lists the positions in which the changed weights prefer another move, and the feature that decides.
func (c *studyCmd) compareWeights(ctx context.Context, s streams, old, changed *alphabeta.Weights) error {
	if c.Evaluator == "net" {
		return errors.New("--weight changes the features; it has no effect on --evaluator net")
	}
	games, err := c.positions()
	if err != nil {
		return err
	}
	bar := newProgressBar(s.Err, "positions", 0, int64(len(games)))
	defer bar.end()
	out := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	changes := 0
	for i, g := range games {
		before, err := c.opinion(ctx, g, old, nil)
		if err != nil {
			return err
		}
		after, err := c.opinion(ctx, g, changed, nil)
		if err != nil {
			return err
		}
		bar.set(int64(i+1), "")
		if len(before.line.Moves) == 0 || len(after.line.Moves) == 0 || before.line.Moves[0] == after.line.Moves[0] {
			continue
		}
		changes++
		// What the changed weights say of the old move, searched alone, shows why they leave it.
		left, err := c.opinion(ctx, g, changed, before.line.Moves[:1])
		if err != nil {
			return err
		}
		printChange(out, g.Position().SFEN(), &before, &after, &left)
	}
	fmt.Fprintf(out, "%d of %d best moves changed at depth %d\n", changes, len(games), c.Depth)
	return out.Flush()
}

// opinion searches a position with weights; moves restricts the root.
func (c *studyCmd) opinion(ctx context.Context, g *shogi.Game, w *alphabeta.Weights, moves []shogi.Move) (opinion, error) {
	game := c.game(w)
	game.Reset(g)
	search, err := alphabeta.New[shogi.Move](game, alphabeta.Default(), nil)
	if err != nil {
		return opinion{}, err
	}
	out := search.Run(alphabeta.Goal[shogi.Move]{Depth: c.Depth, Nodes: c.Nodes, Moves: moves, Stop: func() bool { return ctx.Err() != nil }})
	if ctx.Err() != nil {
		return opinion{}, errInterrupted
	}
	var o opinion
	if len(out.Lines) == 0 {
		return o, nil
	}
	o.line = out.Lines[0]
	end := *g.Position()
	for _, m := range o.line.Moves {
		end.Do(m)
	}
	o.end = alphabeta.NewFeatures(w).Explain(&end)
	if end.Side() != g.Position().Side() {
		o.end = o.end.Flip()
	}
	return o, nil
}

// printChange explains a changed best move.
func printChange(out *tabwriter.Writer, sfen string, before, after, left *opinion) {
	fmt.Fprintln(out, sfen)
	fmt.Fprintf(out, "  old weights\t%s\t%s\n", scoreText(before.line.Score), lineText(before.line.Moves))
	fmt.Fprintf(out, "  new weights\t%s\t%s\n", scoreText(after.line.Score), lineText(after.line.Moves))
	fmt.Fprintf(out, "  of the old move\t%s\t%s\n", scoreText(left.line.Score), lineText(left.line.Moves))
	f, by := decider(&after.end, &left.end)
	fmt.Fprintf(out, "  decided by %s\t%+d\tof a difference of %+d at the ends of the lines\n", f, by, after.end.Score-left.end.Score)
}

// decider returns the feature that speaks most for a against b, and by how much.
func decider(a, b *alphabeta.Breakdown) (f alphabeta.Feature, by int) {
	for i := range a.Parts {
		if d := a.Parts[i].Score - b.Parts[i].Score; i == 0 || d > by {
			f, by = a.Parts[i].Feature, d
		}
	}
	return f, by
}
