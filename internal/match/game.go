package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// lateTime is how long the match still waits for a player that is over its time, to tell a late answer from none.
const lateTime = 2 * time.Second

// Table is what a game is played with: players, time controls, margins (0 for that of the rules) and seeds by colour.
type Table struct {
	Players  [2]Player
	Controls [2]TimeControl
	Margins  [2]time.Duration
	Seeds    [2]uint64
	Rules    Rules
}

// Play plays one game from the opening and returns its record without the fields that the schedule knows. The rules are
// decided here: the players' moves are checked, and the end of the game is found without asking them. The error is ctx's.
func Play(ctx context.Context, table Table, opening Opening) (Record, error) {
	g := &playing{Table: table, game: opening.Game(), record: Record{Start: opening.Text, Plies: []Ply{}}}
	g.judge.rules = &g.Rules
	for c, t := range table.Controls {
		g.clocks[c] = NewClock(t)
	}
	for c, player := range g.Players {
		if err := player.NewGame(ctx, g.Seeds[c]); err != nil {
			if ctx.Err() != nil {
				return Record{}, ctx.Err()
			}
			g.fault(shogi.Color(c), err)
			return g.finish(), nil
		}
	}
	for !g.over() {
		g.move(ctx)
		if ctx.Err() != nil {
			return Record{}, ctx.Err()
		}
	}
	return g.finish(), nil
}

// playing is a game in progress. It is over when the record has an outcome.
type playing struct {
	Table
	game   *shogi.Game
	clocks [2]Clock
	judge  adjudicator
	record Record
}

// end ends the game.
func (g *playing) end(result Result, outcome Outcome, detail string) {
	g.record.Result, g.record.Outcome, g.record.Detail = result, outcome, detail
}

// lose ends the game by the player's fault, with what it said last.
func (g *playing) lose(c shogi.Color, outcome Outcome, detail string) {
	g.end(winFor(c.Opponent()), outcome, detail)
	g.record.Lines, g.record.Stderr = g.Players[c].Evidence()
}

// fault ends the game by a player's failure.
func (g *playing) fault(c shogi.Color, err error) {
	var f *usi.Failure
	if !errors.As(err, &f) {
		f = &usi.Failure{Kind: usi.Crash, Detail: err.Error()}
	}
	g.end(winFor(c.Opponent()), Outcome(f.Kind), f.Detail)
	g.record.Lines, g.record.Stderr = f.Lines, f.Stderr
}

// over looks whether the position ends the game.
func (g *playing) over() bool {
	if g.record.Outcome != "" {
		return true
	}
	p := g.game.Position()
	side := p.Side()
	switch r := g.game.History().Fourfold(); {
	case !p.HasLegalMove():
		g.end(winFor(side.Opponent()), OutcomeMate, "")
	case r == shogi.RepetitionDraw:
		g.end(Drawn, OutcomeRepetition, "")
	case r == shogi.RepetitionWin:
		g.end(winFor(side), OutcomePerpetualCheck, "")
	case r == shogi.RepetitionLoss:
		g.end(winFor(side.Opponent()), OutcomePerpetualCheck, "")
	case g.Rules.MaxPlies > 0 && p.Ply() > g.Rules.MaxPlies:
		g.end(Drawn, OutcomeMaxPlies, "")
	default:
		return false
	}
	return true
}

// move asks the side to move and plays its answer.
func (g *playing) move(ctx context.Context) {
	side := g.game.Position().Side()
	clock := &g.clocks[side]
	margin := g.Margins[side]
	if margin == 0 {
		margin = g.Rules.Margin
	}
	limit, limited := clock.Limit()
	allowed := limit + margin
	if !limited {
		limit, allowed = g.Rules.Hang, g.Rules.Hang
	}
	patience, cancel := context.WithTimeout(ctx, allowed+lateTime)
	defer cancel()
	answer, err := g.Players[side].Think(patience, Turn{Game: g.game, Control: g.Controls[side],
		Left: [2]time.Duration{g.clocks[shogi.Black].Left, g.clocks[shogi.White].Left}})
	switch {
	case ctx.Err() != nil:
	case err != nil:
		g.fault(side, err)
	case answer.Wall > allowed:
		g.lose(side, OutcomeTimeLoss, fmt.Sprintf("%s after %s, allowed %s and %s margin", answer.Text, answer.Wall.Round(time.Millisecond), limit, allowed-limit))
	default:
		clock.Spend(answer.Wall)
		g.take(side, &answer)
	}
}

// take plays an answer that came in time.
func (g *playing) take(side shogi.Color, a *Answer) {
	rule := g.Rules.declaration()
	position := g.game.Position()
	switch a.Move {
	case shogi.MoveResign:
		g.end(winFor(side.Opponent()), OutcomeResign, "")
		return
	case shogi.MoveWin:
		switch d := position.Declaration(rule); {
		case rule == shogi.NoEnteringKing || rule == shogi.TryRule || d.Result == shogi.DeclarationLoses:
			g.lose(side, OutcomeIllegalDeclaration, fmt.Sprintf("%d points, %d pieces in the camp under %s in %s", d.Points, d.PiecesInCamp, rule, position.SFEN()))
		case d.Result == shogi.DeclarationDraws:
			g.end(Drawn, OutcomeDeclaration, fmt.Sprintf("%d points", d.Points))
		default:
			g.end(winFor(side), OutcomeDeclaration, fmt.Sprintf("%d points", d.Points))
		}
		return
	}
	if !a.Move.IsMove() || !position.IsLegal(a.Move) {
		g.lose(side, OutcomeIllegalMove, fmt.Sprintf("%q in %s", usi.Text(a.Text), position.SFEN()))
		return
	}
	tried, try := position.CanDeclare(rule)
	if err := g.game.Do(a.Move); err != nil {
		panic("match: " + err.Error())
	}
	ply := newPly(a)
	g.record.Plies = append(g.record.Plies, ply)
	if rule == shogi.TryRule && try && a.Move == tried {
		g.end(winFor(side), OutcomeDeclaration, "the king reached its goal")
		return
	}
	if g.over() {
		return
	}
	score, known := ply.centipawns()
	switch outcome, winner := g.judge.see(side, score, known, g.game.Position().Ply()-1); outcome {
	case OutcomeAdjudicatedWin:
		g.end(winFor(winner), outcome, "")
	case OutcomeAdjudicatedDraw:
		g.end(Drawn, outcome, "")
	}
}

// newPly returns what is kept of an answer.
func newPly(a *Answer) Ply {
	p := Ply{Move: a.Move.String(), Wall: a.Wall.Milliseconds()}
	if a.HasInfo {
		p.Engine, p.Nodes, p.Depth = a.Info.Time.Milliseconds(), a.Info.Nodes, a.Info.Depth
		if s := a.Info.Score; s.Mate {
			p.Mate = &s.Plies
		} else {
			p.Score = &s.CP
		}
	}
	return p
}

// finish tells the players the result and returns the record.
func (g *playing) finish() Record {
	for c, player := range g.Players {
		switch g.record.Result {
		case Drawn:
			player.GameOver("draw")
		case winFor(shogi.Color(c)):
			player.GameOver("win")
		default:
			player.GameOver("lose")
		}
	}
	g.record.Ended = time.Now().UTC().Format(time.RFC3339)
	return g.record
}
