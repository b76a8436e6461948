package tune

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/journal"
	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/shogi"
)

// Config says what is to be tuned, and how.
type Config struct {
	Requests   []Request
	Iterations int
	Pairs      int
	R          float64
	Seed       uint64
	Time       match.TimeControl
	// Options are set on both players. A parameter among them starts at that value.
	Options []match.Setting
	// Openings is the opening file; empty means the embedded list.
	Openings string
	Rules    match.Rules
}

// Run is a run with its journal.
type Run struct {
	Header     Header
	Iterations []Iteration

	openings []match.Opening
	journal  *journal.Writer
	laps     map[int][]int // the openings' order, by how often the list was used up
}

// Create begins a run in a folder, which is made when missing. A folder that holds one already is refused, as are parameters
// that the engine does not have; the error names them.
func Create(ctx context.Context, dir string, c Config) (*Run, error) {
	path := filepath.Join(dir, JournalName)
	if _, err := os.Stat(path); err == nil {
		return nil, &os.PathError{Op: "create", Path: path, Err: os.ErrExist}
	}
	h := &Header{Version: journalVersion, Started: time.Now().UTC().Format(time.RFC3339), Time: c.Time, Openings: c.Openings, Rules: c.Rules,
		Plan: Plan{Iterations: c.Iterations, Pairs: c.Pairs, R: c.R, Seed: c.Seed}}
	if err := c.Rules.Check(); err != nil {
		return nil, err
	}
	// The match tells which options there are and which ones it sets itself.
	base, err := match.Identify(ctx, match.Spec{Name: match.InProcess, Options: c.Options, Time: c.Time}, c.Rules)
	if err != nil {
		return nil, err
	}
	if h.Params, err = resolve(c.Requests, engine.New().Options(), base.Options); err != nil {
		return nil, err
	}
	for _, o := range c.Options {
		if !h.tunes(o.Name) {
			h.Options = append(h.Options, o)
		}
	}
	h.Identity = base
	if len(h.Options) < len(c.Options) {
		err = h.identify(ctx)
	}
	for _, o := range base.Options {
		named := func(s match.Setting) bool { return strings.EqualFold(s.Name, o.Name) }
		if h.tunes(o.Name) && !slices.ContainsFunc(c.Options, named) {
			return nil, fmt.Errorf("%s cannot be tuned: the match decides it", o.Name)
		}
	}
	openings, failed := h.loadOpenings()
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	j, err := journal.Create(path, line{Tune: h})
	if err != nil {
		return nil, err
	}
	return &Run{Header: *h, openings: openings, journal: j}, nil
}

// tunes reports whether an option is a parameter.
func (h *Header) tunes(name string) bool {
	return slices.ContainsFunc(h.Params, func(p Param) bool { return strings.EqualFold(p.Name, name) })
}

// identify notes what this program is with the options of both players.
func (h *Header) identify(ctx context.Context) (err error) {
	h.Identity, err = match.Identify(ctx, match.Spec{Name: match.InProcess, Options: h.Options, Time: h.Time}, h.Rules)
	return err
}

// loadOpenings loads the openings and notes which they are.
func (h *Header) loadOpenings() ([]match.Opening, error) {
	openings, err := match.LoadOpenings(h.Openings)
	if err != nil {
		return nil, err
	}
	if most := h.Rules.MaxPlies; most > 0 {
		for _, o := range openings {
			if ply := o.Game().Position().Ply(); ply > most {
				return nil, fmt.Errorf("opening in line %d: it begins with move %d, but a game draws after %d", o.Line, ply, most)
			}
		}
	}
	h.OpeningsSHA256, h.OpeningsCount = match.HashOpenings(openings), len(openings)
	return openings, nil
}

// Resume goes on with the run in the folder. It is refused when the program, its nets or the openings have changed.
func Resume(ctx context.Context, dir string) (*Run, error) {
	j, history, err := openJournal(filepath.Join(dir, JournalName))
	if err != nil {
		return nil, err
	}
	now := history.Header
	openings, err := now.loadOpenings()
	if err == nil {
		err = now.identify(ctx)
	}
	if err == nil {
		if changed := history.Header.changed(&now); changed != "" {
			err = fmt.Errorf("the run in %s cannot go on: %s", dir, changed)
		}
	}
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return &Run{Header: history.Header, Iterations: history.Iterations, openings: openings, journal: j}, nil
}

// Close closes the journal.
func (r *Run) Close() error { return r.journal.Close() }

// Options says how a run is played; it does not change what is played.
type Options struct {
	// Concurrency is the number of games at the same time, each on one core. Games of one iteration run side by side, so more
	// than twice the pairs of an iteration are of no use.
	Concurrency int
	// NewOpponents makes the players of one of the games at a time; nil for two engines in this process.
	NewOpponents func() Opponents
	// Progress, when not nil, is called after each iteration.
	Progress func(it *Iteration)
}

// Play plays the iterations that are missing. When ctx ends, the iteration in progress is given up and played again by the next
// Play after Resume; the error is ctx's then. With a limit of nodes the values do not depend on the concurrency or on
// interruptions; with a limit of time the machine has its say.
func (r *Run) Play(ctx context.Context, o Options) error {
	if o.NewOpponents == nil {
		o.NewOpponents = func() Opponents { return newEngines(&r.Header) }
	}
	var crew []Opponents
	for range max(1, min(o.Concurrency, 2*r.Header.Pairs)) {
		opponents := o.NewOpponents()
		defer opponents.Close()
		crew = append(crew, opponents)
	}
	for len(r.Iterations) < r.Header.Iterations {
		it, err := r.iterate(ctx, crew, len(r.Iterations)+1)
		if err != nil {
			return err
		}
		if err := r.journal.Append(line{Iteration: it}); err != nil {
			return err
		}
		r.Iterations = append(r.Iterations, *it)
		if o.Progress != nil {
			o.Progress(it)
		}
	}
	return nil
}

// iterate plays an iteration.
func (r *Run) iterate(ctx context.Context, crew []Opponents, number int) (*Iteration, error) {
	h := &r.Header
	before := values(h, r.Iterations)
	it := &Iteration{Number: number}
	it.Plus, it.Minus = h.players(number, before)
	results, err := playAll(ctx, crew, r.games(it))
	if err != nil {
		return nil, err
	}
	for _, result := range results {
		switch result.Points {
		case 2:
			it.Wins++
		case 1:
			it.Draws++
		default:
			it.Losses++
		}
		if result.Fault != "" {
			it.Faults++
			if it.Fault == "" {
				it.Fault = result.Fault
			}
		}
	}
	it.Values = h.follow(number, before, it.Wins-it.Losses)
	it.Ended = time.Now().UTC().Format(time.RFC3339)
	return it, nil
}

// games returns the games of an iteration.
func (r *Run) games(it *Iteration) []Game {
	h := &r.Header
	first := (it.Number - 1) * h.Pairs
	var games []Game
	for pair := first; pair < first+h.Pairs; pair++ {
		for half, color := range []shogi.Color{shogi.Black, shogi.White} {
			number := 2*pair + half
			games = append(games, Game{Number: number, PlusColor: color, Opening: r.opening(pair), Seeds: gameSeeds(h.Seed, number),
				Plus: h.settings(it.Plus), Minus: h.settings(it.Minus)})
		}
	}
	return games
}

// openingSalt keeps the order of openings apart from other uses of the seed.
const openingSalt = 0x6f70656e00000000 // "open"

// opening gives each pair its opening: a seeded permutation of the list, and another one each time the list is used up.
func (r *Run) opening(pair int) match.Opening {
	n := len(r.openings)
	lap := pair / n
	if r.laps[lap] == nil {
		order := rand.New(rand.NewPCG(r.Header.Seed, openingSalt+uint64(lap))).Perm(n)
		r.laps = map[int][]int{lap: order}
	}
	return r.openings[r.laps[lap][pair%n]]
}

// settings returns values of the parameters as options.
func (h *Header) settings(values []int64) []match.Setting {
	var out []match.Setting
	for i, v := range values {
		out = append(out, match.Setting{Name: h.Params[i].Name, Value: strconv.FormatInt(v, 10)})
	}
	return out
}

// values returns the values after the iterations.
func values(h *Header, iterations []Iteration) []float64 {
	if len(iterations) == 0 {
		return h.start()
	}
	return iterations[len(iterations)-1].Values
}

// playAll plays the games, one at a time for each of the crew. The results are in the games' order.
func playAll(ctx context.Context, crew []Opponents, games []Game) ([]Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	numbers := make(chan int, len(games))
	for i := range games {
		numbers <- i
	}
	close(numbers)
	results := make([]Result, len(games))
	var failed error
	var first sync.Once
	var players sync.WaitGroup
	for _, opponents := range crew {
		players.Go(func() {
			for i := range numbers {
				result, err := opponents.Play(ctx, &games[i])
				if err != nil {
					first.Do(func() { failed = err })
					cancel()
					return
				}
				results[i] = result
			}
		})
	}
	players.Wait()
	return results, failed
}
