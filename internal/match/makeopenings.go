package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// OpeningRules says which positions become openings. Plies are moves made since the start.
type OpeningRules struct {
	// Count is how many openings are wanted.
	Count int
	// MinPly and MaxPly limit the number of moves played before the opening.
	MinPly, MaxPly int
	// MaxScore is the largest |score| in centipawns that counts as balanced.
	MaxScore int
	// Seed decides which ones are taken.
	Seed uint64
}

// Check refuses rules that make no sense.
func (r OpeningRules) Check() error {
	switch {
	case r.Count < 1:
		return fmt.Errorf("bad count %d: want at least 1", r.Count)
	case r.MinPly < 0 || r.MaxPly < r.MinPly:
		return fmt.Errorf("bad plies %d-%d", r.MinPly, r.MaxPly)
	case r.MaxScore < 0:
		return fmt.Errorf("bad score limit %d", r.MaxScore)
	}
	return nil
}

// fits reports whether a position after so many plies, with that score, is an opening: in range, balanced, no check.
func (r OpeningRules) fits(p *shogi.Position, score int) bool {
	plies := p.Ply() - 1
	return plies >= r.MinPly && plies <= r.MaxPly && score >= -r.MaxScore && score <= r.MaxScore && !p.InCheck() && p.HasLegalMove()
}

// positionText returns the SFEN without the move number, by which openings are told apart.
func positionText(p *shogi.Position) string {
	sfen := p.SFEN()
	return sfen[:strings.LastIndexByte(sfen, ' ')]
}

// candidate is a position that fits, with a random number that decides whether it is taken.
type candidate struct {
	position shogi.Position
	draw     uint64
}

// OpeningsFromRecords makes openings from files of training records whose scores are centipawns. Of each game at most one
// position is taken, no position twice, and among all candidates the seed decides. Records of one game must follow each other.
// When ctx ends, the error is ctx's.
func OpeningsFromRecords(ctx context.Context, paths []string, rules OpeningRules) ([]string, error) {
	if err := rules.Check(); err != nil {
		return nil, err
	}
	s := &recordSampler{rules: rules, random: rand.New(rand.NewPCG(rules.Seed, openingSalt)), seen: make(map[string]bool)}
	for _, path := range paths {
		if err := s.file(ctx, path); err != nil {
			return nil, err
		}
	}
	if len(s.found) < rules.Count {
		return nil, fmt.Errorf("only %d positions fit, %d are wanted", len(s.found), rules.Count)
	}
	slices.SortFunc(s.found, func(a, b candidate) int { return cmp.Compare(a.draw, b.draw) })
	return sortedOpenings(s.found[:rules.Count]), nil
}

// sortedOpenings writes the openings one a line in alphabetical order, so that a list that is remade differs little.
func sortedOpenings(list []candidate) []string {
	var lines []string
	for i := range list {
		lines = append(lines, "sfen "+list[i].position.SFEN())
	}
	slices.Sort(lines)
	return lines
}

// recordSampler draws one position of each game.
type recordSampler struct {
	rules  OpeningRules
	random *rand.Rand
	seen   map[string]bool
	found  []candidate
	// game holds the positions that fit of the game being read, lastPly the move number of its last record read.
	game    []shogi.Position
	lastPly int
	// direction is 1 in a game whose records follow each other forwards, -1 backwards, 0 while that is not known.
	direction int
}

// file reads a file.
func (s *recordSampler) file(ctx context.Context, path string) error {
	r, err := record.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	s.lastPly = 0
	for ctx.Err() == nil {
		sample, err := r.Next()
		var bad *record.BadRecord
		switch {
		case errors.Is(err, io.EOF):
			s.endGame()
			return nil
		case errors.As(err, &bad):
			continue
		case err != nil:
			return err
		}
		s.add(&sample)
	}
	return ctx.Err()
}

// add looks at a record. A game's records follow each other by one ply, forwards or backwards; a jump is another game.
func (s *recordSampler) add(sample *record.Sample) {
	ply := sample.Position.Ply()
	step := ply - s.lastPly
	direction := 1
	if step < 0 {
		direction = -1
	}
	switch {
	case s.lastPly == 0:
	case step == 0 || step < -2 || step > 2 || s.direction == -direction:
		s.endGame()
	default:
		s.direction = direction
	}
	s.lastPly = ply
	if s.rules.fits(&sample.Position, int(sample.Score)) {
		s.game = append(s.game, sample.Position)
	}
}

// endGame draws one of the game's positions.
func (s *recordSampler) endGame() {
	if len(s.game) > 0 {
		p := s.game[s.random.IntN(len(s.game))]
		draw := s.random.Uint64()
		if text := positionText(&p); !s.seen[text] {
			s.seen[text] = true
			s.found = append(s.found, candidate{p, draw})
		}
	}
	s.game, s.direction = s.game[:0], 0
}

// PlayRules says how openings are made by play.
type PlayRules struct {
	OpeningRules
	// Temperature spreads the random moves: a move's chance grows with prior^(1/Temperature). 1 plays as the policy says.
	Temperature float64
	// Nodes is the number of playouts of the check that says whether the position is balanced.
	Nodes int64
	// Options are set on the engine.
	Options []usi.Setting
}

// maxTries is how many positions are played for each opening that is wanted before giving up.
const maxTries = 1000

// OpeningsByPlay makes openings with the engine alone: random moves by its policy from the start position, then a search that
// keeps the balanced ones. progress is called with the number found; it may be nil. When ctx ends, what was found so far is
// returned with ctx's error.
func OpeningsByPlay(ctx context.Context, rules PlayRules, progress func(found int)) ([]string, error) {
	if err := rules.Check(); err != nil {
		return nil, err
	}
	if !(rules.Temperature > 0) || rules.Nodes < 1 {
		return nil, fmt.Errorf("bad temperature %v or nodes %d: both must be positive", rules.Temperature, rules.Nodes)
	}
	e := engine.New()
	for _, o := range rules.Options {
		if err := e.Set(o); err != nil {
			return nil, err
		}
	}
	random := rand.New(rand.NewPCG(rules.Seed, openingSalt))
	seen := make(map[string]bool)
	var found []candidate
	for tries := 0; len(found) < rules.Count; tries++ {
		if err := ctx.Err(); err != nil {
			return sortedOpenings(found), err
		}
		if tries == maxTries*rules.Count {
			return sortedOpenings(found), fmt.Errorf("only %d of %d openings found in %d tries", len(found), rules.Count, tries)
		}
		game := randomGame(e, random, rules)
		if game == nil || seen[positionText(game.Position())] {
			continue
		}
		seen[positionText(game.Position())] = true
		if !balancedAfter(ctx, e, game, rules) {
			continue
		}
		found = append(found, candidate{position: *game.Position()})
		if progress != nil {
			progress(len(found))
		}
	}
	return sortedOpenings(found), nil
}

// randomGame plays random moves to a random length in range. It returns nil when the position does not fit.
func randomGame(e *engine.Engine, random *rand.Rand, rules PlayRules) *shogi.Game {
	game := shogi.NewGame(shogi.StartPosition())
	for plies := rules.MinPly + random.IntN(rules.MaxPly-rules.MinPly+1); plies > 0; plies-- {
		priors := e.Evaluate(game.Position()).Moves
		if len(priors) == 0 {
			return nil
		}
		if err := game.Do(drawMove(priors, rules.Temperature, random)); err != nil {
			panic("match: the engine lists an illegal move: " + err.Error())
		}
	}
	if !rules.fits(game.Position(), 0) {
		return nil
	}
	return game
}

// drawMove draws a move with chances prior^(1/temperature).
func drawMove(priors []engine.Prior, temperature float64, random *rand.Rand) shogi.Move {
	weights := make([]float64, len(priors))
	var sum float64
	for i, p := range priors {
		weights[i] = math.Pow(p.Prior, 1/temperature)
		sum += weights[i]
	}
	at := random.Float64() * sum
	for i, w := range weights {
		if at -= w; at < 0 {
			return priors[i].Move
		}
	}
	return priors[0].Move
}

// balancedAfter searches the position and reports whether its score is within the limit.
func balancedAfter(ctx context.Context, e *engine.Engine, game *shogi.Game, rules PlayRules) bool {
	e.NewGame()
	result := e.Search(ctx, game, search.Limits{Nodes: rules.Nodes}, func([]search.Info) {})
	if ctx.Err() != nil || len(result.Lines) == 0 || result.Lines[0].Score.Mate {
		return false
	}
	return rules.fits(game.Position(), result.Lines[0].Score.CP)
}
