package selfplay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/policy"
)

// Job is a run to begin or to go on with.
type Job struct {
	Config
	// AnySeed takes the seed of the games that the file has, if it has any, instead of Config's.
	AnySeed bool
	Nets    *Nets
	// Openings are what games begin from; see Config.OpeningShare.
	Openings []match.Opening
	// Path is the file of games (.yomi), Games is how many it is to have.
	Path  string
	Games int64
	// Workers is the number of games at the same time, each with a tree of its own.
	Workers int
	// Program identifies the program in the records, for example "program " and its hash.
	Program string
}

// maxWorkers is the largest Workers, what the engine takes for threads.
const maxWorkers = 512

// Run is a run with its file open for writing.
type Run struct {
	job     Job
	out     *record.GameWriter
	done    map[int64]bool
	summary Summary
	// settings are what decides the games.
	settings []record.Setting
}

// Open opens the file of a run, or begins it. It is refused when the games in the file were made with other settings or nets, when
// a number is there twice, or when another program writes to it.
func Open(job Job) (*Run, error) {
	if err := job.Check(); err != nil {
		return nil, err
	}
	if format, err := record.FormatOf(job.Path); err != nil || format != record.Yomi {
		return nil, fmt.Errorf("bad file %q: its name must end in .yomi", job.Path)
	}
	if job.Games < 1 || job.Workers < 1 || job.Workers > maxWorkers {
		return nil, fmt.Errorf("bad games %d or workers %d: want at least 1, and at most %d workers", job.Games, job.Workers, maxWorkers)
	}
	out, err := record.AppendGames(job.Path)
	if err != nil {
		return nil, err
	}
	r := &Run{job: job, out: out, done: make(map[int64]bool), summary: Summary{Wanted: job.Games}, settings: job.settings(job.Openings)}
	if err := r.read(); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return r, nil
}

// read reads the games that are there.
func (r *Run) read() error {
	in, err := record.OpenGames(r.job.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		var g record.Game
		err := in.Next(&g)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = r.accept(&g)
		}
		if err != nil {
			return fmt.Errorf("%s: game %d: %w", r.job.Path, in.Number(), err)
		}
	}
}

// accept takes over a game that is there.
func (r *Run) accept(g *record.Game) error {
	if r.summary.Games == 0 && r.job.AnySeed {
		for _, s := range g.Black.Options {
			if seed, err := strconv.ParseUint(s.Value, 10, 64); err == nil && s.Name == seedSetting {
				r.job.Seed = seed
			}
		}
		r.settings = r.job.settings(r.job.Openings)
	}
	if err := r.sameSettings(g); err != nil {
		return err
	}
	if r.done[g.Number] {
		return fmt.Errorf("number %d is there twice", g.Number)
	}
	r.done[g.Number] = true
	r.summary.add(g, &r.job.Config)
	return nil
}

// sameSettings returns an error that names the first setting that differs from those of the game. The program may be another one: each
// game tells its own.
func (r *Run) sameSettings(g *record.Game) error {
	theirs := g.Black.Options
	for i, s := range r.settings {
		if i >= len(theirs) || theirs[i].Name != s.Name {
			return errors.New("it is no game of self-play by this version")
		}
		if theirs[i] != s {
			return fmt.Errorf("it was played with %s %s, now %s", s.Name, theirs[i].Value, s.Value)
		}
	}
	if was := netsOf(g.Black.Hash); was != r.job.Nets.Hash() {
		return fmt.Errorf("it was played with other nets: %s, now %s", was, r.job.Nets.Hash())
	}
	return nil
}

// Seed returns the seed of the run.
func (r *Run) Seed() uint64 { return r.job.Seed }

// Summary returns what the run has made so far.
func (r *Run) Summary() *Summary { return &r.summary }

// Close closes the file.
func (r *Run) Close() error { return r.out.Close() }

// identity returns what players' hashes say: the program, then the nets.
func identity(program string, nets *Nets) string {
	if program == "" {
		return nets.Hash()
	}
	return program + " " + nets.Hash()
}

// netsHashLength is the length of what Nets.Hash returns.
const netsHashLength = len("policy ") + 64 + len(" value ") + 64

// netsOf returns the part of a player's hash that tells its nets.
func netsOf(hash string) string { return hash[max(0, len(hash)-netsHashLength):] }

// newWorker returns a worker with a tree of its own.
func (r *Run) newWorker() (*worker, error) {
	searcher, err := r.job.Nets.searcher(&r.job.Config)
	if err != nil {
		return nil, err
	}
	options := r.job.Nets.options(&r.job.Config)
	return &worker{
		config: &r.job.Config, openings: r.job.Openings, searcher: searcher,
		policy: policy.NewNetEvaluator(r.job.Nets.policy), options: options,
		player: record.Player{
			Name: "yomi", Options: r.settings, Hash: identity(r.job.Program, r.job.Nets),
			Limits: fmt.Sprintf("nodes=%d or %d", r.job.DeepNodes, r.job.FastNodes), EvalCoef: options.EvalCoef,
		},
	}, nil
}

// Play plays the games that are missing and writes each at once. report, which may be nil, is called after each; the summary is valid
// during the call only. When ctx ends, games in progress are given up, to be played again by a later run; the error is ctx's then.
func (r *Run) Play(ctx context.Context, report func(*Summary)) error {
	var workers []*worker
	for range r.job.Workers {
		w, err := r.newWorker()
		if err != nil {
			return err
		}
		workers = append(workers, w)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	numbers, games := make(chan int64), make(chan *record.Game)
	go feed(inner, r.missing(), numbers)
	var group sync.WaitGroup
	for _, w := range workers {
		group.Go(func() { w.work(inner, numbers, games) })
	}
	go func() {
		group.Wait()
		close(games)
	}()
	err := r.collect(games, cancel, report)
	if err == nil && r.left() > 0 {
		err = ctx.Err()
	}
	return err
}

// collect writes games as they come. After an error it cancels the others.
func (r *Run) collect(games <-chan *record.Game, cancel func(), report func(*Summary)) (err error) {
	begin := time.Now()
	for g := range games {
		if err != nil {
			continue
		}
		if err = r.out.Write(g); err != nil {
			cancel()
			continue
		}
		r.done[g.Number] = true
		r.summary.add(g, &r.job.Config)
		r.summary.played(g, time.Since(begin))
		if report != nil {
			report(&r.summary)
		}
	}
	return err
}

// missing walks through the numbers of the games that are not there now.
func (r *Run) missing() iter.Seq[int64] {
	done := maps.Clone(r.done) // the run's own grows meanwhile
	return func(yield func(int64) bool) {
		for n := range r.job.Games {
			if number := n + 1; !done[number] && !yield(number) {
				return
			}
		}
	}
}

// left returns how many games are not there.
func (r *Run) left() int64 {
	left := r.job.Games
	for number := range r.done {
		if number >= 1 && number <= r.job.Games {
			left--
		}
	}
	return left
}

// feed hands out numbers.
func feed(ctx context.Context, missing iter.Seq[int64], numbers chan<- int64) {
	defer close(numbers)
	for n := range missing {
		select {
		case numbers <- n:
		case <-ctx.Done():
			return
		}
	}
}

// work plays games until there are no more numbers or ctx ends.
func (w *worker) work(ctx context.Context, numbers <-chan int64, games chan<- *record.Game) {
	for number := range numbers {
		g, err := w.play(ctx, number)
		if err != nil {
			return
		}
		games <- g
	}
}
