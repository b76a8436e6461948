package selfplay

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
)

// playedOn is the tag of a game that was played on where others resign.
var playedOn = record.Setting{Name: "resignation", Value: "played on"}

// worker plays games, one after the other.
type worker struct {
	config   *Config
	openings []match.Opening
	player   record.Player
	searcher *uct.Searcher
	policy   *policy.NetEvaluator
	options  uct.Options
	// game is in progress, written is what the record will say; it is over when written has an end.
	game    *shogi.Game
	written *record.Game
	random  *rand.Rand
	resign  resignWatch
}

// gameSalt keeps the random numbers of games apart from other uses of the seed.
const gameSalt = 0x73656c66706c6179 // "selfplay"

// gameSeed returns the seed of a game. A run's seeds differ from each other and from those of runs with another seed.
func gameSeed(seed uint64, number int64) uint64 {
	return rand.New(rand.NewPCG(seed, uint64(number))).Uint64()
}

// play plays the game with a number. It depends on nothing else but configuration, nets and openings. The error is ctx's.
func (w *worker) play(ctx context.Context, number int64) (*record.Game, error) {
	seed := gameSeed(w.config.Seed, number)
	w.random = rand.New(rand.NewPCG(seed, gameSalt))
	w.searcher.Clear()
	w.begin()
	w.written = &record.Game{Start: w.game.Start(), Black: w.player, White: w.player, Number: number, Seed: seed}
	for _, m := range w.game.Moves() {
		w.written.Moves = append(w.written.Moves, record.GameMove{Move: m})
	}
	w.written.OpeningPlies = len(w.written.Moves)
	w.resign = newResignWatch(w.config)
	if w.random.Float64() < w.config.PlayOn && w.config.Resign > 0 {
		w.written.Tags = append(w.written.Tags, playedOn)
	}
	for !w.over() {
		if w.move(ctx); ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	w.written.Ended = time.Now().UTC().Truncate(time.Second)
	return w.written, nil
}

// begin sets up the opening.
func (w *worker) begin() {
	w.game = shogi.NewGame(shogi.StartPosition())
	if w.random.Float64() < w.config.OpeningShare && len(w.openings) > 0 {
		w.game = w.openings[w.random.IntN(len(w.openings))].Game()
	}
	for range w.random.IntN(w.config.RandomPlies + 1) {
		if _, end, _ := outcome(w.game, w.config.MaxMoves); end != record.EndUnknown {
			return
		}
		last := shogi.MoveNone
		if moves := w.game.Moves(); len(moves) > 0 {
			last = moves[len(moves)-1]
		}
		w.do(drawByPolicy(w.game.Position(), last, w.policy, w.random))
	}
}

// do plays a legal move.
func (w *worker) do(m shogi.Move) {
	if err := w.game.Do(m); err != nil {
		panic("selfplay: the search plays an illegal move: " + err.Error())
	}
}

// end ends the game.
func (w *worker) end(result record.Result, end record.End, detail string) {
	w.written.Result, w.written.End, w.written.Detail = result, end, detail
}

// over looks whether the game is over.
func (w *worker) over() bool {
	if w.written.End == record.EndUnknown {
		w.end(outcome(w.game, w.config.MaxMoves))
	}
	return w.written.End != record.EndUnknown
}

// outcome tells how the position ends the game, EndUnknown when it does not.
func outcome(g *shogi.Game, maxMoves int) (record.Result, record.End, string) {
	p := g.Position()
	side := p.Side()
	switch r := g.History().Fourfold(); {
	case !p.HasLegalMove():
		return record.WinFor(side.Opponent()), record.EndMate, ""
	case r == shogi.RepetitionDraw:
		return record.Drawn, record.EndRepetition, ""
	case r == shogi.RepetitionWin:
		return record.WinFor(side), record.EndPerpetualCheck, ""
	case r == shogi.RepetitionLoss:
		return record.WinFor(side.Opponent()), record.EndPerpetualCheck, ""
	case p.Ply() > maxMoves:
		return record.Drawn, record.EndMaxPlies, ""
	}
	return record.NoResult, record.EndUnknown, ""
}

// move searches the position and plays a move, unless the side to move declares or resigns.
func (w *worker) move(ctx context.Context) {
	deep := w.random.Float64() < w.config.DeepShare
	nodes, options := w.config.FastNodes, w.options
	if deep {
		w.searcher.Clear()
		nodes = w.config.DeepNodes
		options.Noise = uct.RootNoise{Share: w.config.NoiseShare, Concentration: w.config.NoiseConcentration, Seed: w.random.Uint64()}
	}
	if err := w.searcher.SetOptions(options); err != nil {
		panic("selfplay: the checked settings are refused: " + err.Error())
	}
	begin := time.Now()
	result := w.searcher.Search(ctx, w.game, search.Limits{Nodes: nodes}, nil)
	if ctx.Err() != nil {
		return
	}
	if result.Reason == search.ReasonDeclare {
		w.declare(result.Best)
		return
	}
	root, moves := w.searcher.Root(), w.searcher.RootMoves()
	side := w.game.Position().Side()
	if w.resign.see(side, float32(root.WinRate)) && !w.isPlayedOn() {
		w.end(record.WinFor(side.Opponent()), record.EndResign, "")
		return
	}
	at := choose(moves, w.config.temperatureAt(w.game.Position().Ply()), w.random)
	m := w.note(&root, moves, deep)
	m.Move, m.Random, m.Reason, m.Time = moves[at].Move, at > 0, result.Reason, time.Since(begin)
	w.written.Moves = append(w.written.Moves, m)
	w.do(m.Move)
}

// note returns what is kept of a search.
func (w *worker) note(root *uct.Root, moves []uct.RootMove, deep bool) record.GameMove {
	m := record.GameMove{
		Known:     record.HasScore | record.HasRootValue | record.HasNetValue | record.HasTime,
		Score:     int16(uct.Centipawns(root.WinRate, w.options.EvalCoef)),
		RootValue: float32(root.WinRate),
		NetValue:  float32(root.Value),
		Mate:      int16(max(math.MinInt16, min(math.MaxInt16, root.Proof))),
		// When all moves lose, none of them is worth learning.
		Deep: deep && root.Proof >= 0,
	}
	if root.Proof > 0 { // the visits before the proof was found do not tell the best move
		m.Candidates = []record.Candidate{{Move: moves[0].Move, Visits: uint32(max(1, moves[0].Visits))}}
		return m
	}
	for i := range moves {
		if n := moves[i].Visits; n > 0 {
			m.Candidates = append(m.Candidates, record.Candidate{Move: moves[i].Move, Visits: uint32(n)})
		}
	}
	return m
}

// declare ends the game by a declaration. Under the rule that wants the king on a square, the best move brings it there.
func (w *worker) declare(best shogi.Move) {
	p := w.game.Position()
	side, d := p.Side(), p.Declaration(w.config.Declaration)
	if best.IsMove() {
		w.written.Moves = append(w.written.Moves, record.GameMove{Move: best, Reason: search.ReasonDeclare, Known: record.HasRootValue, RootValue: 1})
		w.do(best)
		w.end(record.WinFor(side), record.EndDeclaration, "the king reached its goal")
		return
	}
	w.end(record.WinFor(side), record.EndDeclaration, fmt.Sprintf("%d points", d.Points))
}

// isPlayedOn reports whether nobody resigns in the game.
func (w *worker) isPlayedOn() bool { return isPlayedOn(w.written) }

func isPlayedOn(g *record.Game) bool {
	for _, tag := range g.Tags {
		if tag == playedOn {
			return true
		}
	}
	return false
}

// resignWatch finds out when a side would resign.
type resignWatch struct {
	threshold float32
	wanted    int
	// low counts each side's last searches that were below the threshold.
	low [2]int
}

func newResignWatch(c *Config) resignWatch {
	return resignWatch{threshold: float32(c.Resign), wanted: c.ResignMoves}
}

// see looks at the win rate of a side's search and reports whether the side gives up.
func (r *resignWatch) see(side shogi.Color, winRate float32) bool {
	if winRate >= r.threshold {
		r.low[side] = 0
		return false
	}
	r.low[side]++
	return r.low[side] >= r.wanted
}
