package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// mark says how bad a move was.
type mark uint8

const (
	noMark mark = iota
	mistake
	blunder
)

// sign is what stands behind a move in a list of moves.
func (m mark) sign() string { return [...]string{"", "?", "??"}[m] }

// analysedGame is the main line of a game with what the searches found.
type analysedGame struct {
	record *kifu.Record
	// game is the same game with all it holds, nil for records for people.
	game *record.Game
	// moves lead from positions[i] to positions[i+1]; nodes[i] is the record's node of positions[i]. texts are the moves as people write them.
	moves     []shogi.Move
	positions []shogi.Position
	nodes     []*kifu.Node
	texts     []string
	japanese  bool
	// verdicts are about the positions, for their side to move; lines are the best lines as written.
	verdicts []verdict
	lines    []string
	// losses is how much win rate each move gave away, marks how bad that was.
	losses []float64
	marks  []mark
}

// verdict is what a search says of a position.
type verdict struct {
	score search.Score
	pv    []shogi.Move
	// over says that the game was over by rule; the score is the result.
	over bool
}

// prepare walks through the record.
func (g *analysedGame) prepare(f *analysedFile) error {
	g.japanese = f.japanese
	p := g.record.Start
	if p.KingSquare(shogi.Black) == shogi.NoSquare || p.KingSquare(shogi.White) == shogi.NoSquare {
		return errors.New("a king is missing, there is nothing to analyse")
	}
	g.positions, g.nodes = []shogi.Position{p}, []*kifu.Node{g.record.Root}
	for _, n := range g.record.Main() {
		if n.End != kifu.NoEnd || n.Illegal {
			break
		}
		if !p.IsLegal(n.Move) {
			return fmt.Errorf("illegal move %s in %s", n.Move, p.SFEN())
		}
		p.Do(n.Move)
		g.moves, g.positions, g.nodes = append(g.moves, n.Move), append(g.positions, p), append(g.nodes, n)
	}
	g.texts = f.writeMoves(g.record.Start, g.moves)
	return nil
}

// name returns a player's name.
func (g *analysedGame) name(c shogi.Color) string {
	if name := g.record.Get([]string{kifu.KeyBlack, kifu.KeyWhite}[c]); name != "" {
		return name
	}
	return g.side(c)
}

// analyst searches positions.
type analyst struct {
	engine *engine.Engine
	limits search.Limits
	// mistake and blunder are losses of win rate, 0..1.
	mistake, blunder float64
	bar              *progressBar
	searched         int64
}

// analyse searches all positions of a game, from the last to the first. The tree stays, so each search begins with what is known about the
// move that was played, and judges it by what followed.
func (a *analyst) analyse(ctx context.Context, g *analysedGame) error {
	a.engine.NewGame()
	g.verdicts = make([]verdict, len(g.positions))
	for i := len(g.positions) - 1; i >= 0; i-- {
		game := shogi.NewGame(g.record.Start)
		for _, m := range g.moves[:i] {
			if err := game.Do(m); err != nil {
				return err
			}
		}
		g.verdicts[i] = a.look(ctx, game)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		a.searched++
		a.bar.set(a.searched, "")
	}
	a.judge(g)
	return nil
}

// look searches a position, unless the rules have ended the game.
func (a *analyst) look(ctx context.Context, game *shogi.Game) verdict {
	p := game.Position()
	decided := func(winRate float64) verdict { return verdict{over: true, score: search.Score{WinRate: winRate}} }
	switch r := game.History().Fourfold(); {
	case !p.HasLegalMove() || r == shogi.RepetitionLoss:
		return decided(0)
	case r == shogi.RepetitionDraw:
		return decided(0.5)
	case r == shogi.RepetitionWin:
		return decided(1)
	}
	result := a.engine.Search(ctx, game, a.limits, func([]search.Info) {})
	if len(result.Lines) == 0 {
		return decided(0.5)
	}
	return verdict{score: result.Lines[0].Score, pv: result.Lines[0].PV}
}

// judge finds what each move gave away: the mover's win rate before it less that after it, nothing for the move that the search would
// have played itself.
func (a *analyst) judge(g *analysedGame) {
	for i, m := range g.moves {
		loss := 0.0
		if v := &g.verdicts[i]; len(v.pv) > 0 && v.pv[0] != m {
			loss = max(0, v.score.WinRate-(1-g.verdicts[i+1].score.WinRate))
		}
		found := noMark
		switch {
		case loss >= a.blunder:
			found = blunder
		case loss >= a.mistake:
			found = mistake
		}
		g.losses, g.marks = append(g.losses, loss), append(g.marks, found)
	}
}

// tally is how well a side played.
type tally struct {
	Moves, Mistakes, Blunders int
	// MeanLoss is in percentage points of win rate a move.
	MeanLoss float64
}

func (g *analysedGame) tally(c shogi.Color) tally {
	var t tally
	for i, found := range g.marks {
		if g.positions[i].Side() != c {
			continue
		}
		t.Moves++
		t.MeanLoss += 100 * g.losses[i]
		switch found {
		case mistake:
			t.Mistakes++
		case blunder:
			t.Blunders++
		}
	}
	t.MeanLoss /= float64(max(1, t.Moves))
	return t
}

// blackRate returns the win rate of Black in a position.
func (g *analysedGame) blackRate(i int) float64 {
	rate := g.verdicts[i].score.WinRate
	if g.positions[i].Side() == shogi.White {
		return 1 - rate
	}
	return rate
}
