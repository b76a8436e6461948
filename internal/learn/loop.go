package learn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/yomi-shogi/yomi/internal/journal"
	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/selfplay"
	"github.com/yomi-shogi/yomi/internal/train"
)

// Stage is a part of a generation.
type Stage string

// The stages, in their order.
const (
	SelfPlay    Stage = "self-play"
	TrainPolicy Stage = "policy"
	TrainValue  Stage = "value"
	GateMatch   Stage = "gate"
)

// Loop is a loop with its folder, which no other program can write to.
type Loop struct {
	// Config is what the folder's config.json says.
	Config Config
	// History are the finished generations.
	History []Generation

	dir      string
	stored   *stored
	openings []match.Opening
	journal  *journal.Writer
	options  Options
	// now is the generation in progress.
	now Generation
	// clock measures the stage in progress.
	clock stageClock
	// handed is the handed data once it was read; own are the window's data while the nets of a generation are trained.
	handed *train.Loaded
	own    *ownData
}

// Options say how a loop is run; they do not change what it makes.
type Options struct {
	// Generations is the number at which to stop, those of earlier runs included; 0 for never.
	Generations int
	// Workers is the number of games at the same time.
	Workers int
	// Disk is the most bytes that the folder may take. Too little for the window makes the window smaller, which does change the result.
	Disk int64
	// Program identifies the program in the records of games.
	Program string
	// Report, when not nil, is told how far the loop is, from one goroutine at a time.
	Report func(Progress)
}

// Progress is how far a loop is.
type Progress struct {
	Generation int
	Stage      Stage
	// Done of Total games or batches, Total 0 while it is not known; Text says more.
	Done, Total int64
	Text        string
	// Line is worth to be kept: what a stage has brought. It is set when a stage or a generation ends.
	Line string
}

// Start names the nets to begin with, files of nets; "" stands for the net that the program carries.
type Start struct{ Policy, Value string }

// Open begins a loop in a folder, or goes on with the one that is there. That is refused when a setting differs from the one it was
// begun with, when a file that it names has another content, or when another program is at it. Paths of files should be absolute.
func Open(dir string, c Config, start Start) (*Loop, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	now, openings, err := identify(c)
	if err != nil {
		return nil, err
	}
	then, err := readStored(filepath.Join(dir, configName))
	if errors.Is(err, os.ErrNotExist) {
		return create(dir, now, openings, start)
	}
	if err != nil {
		return nil, err
	}
	now.Nets = then.Nets
	if start != (Start{}) { // otherwise the copies in the folder count, even if the program's own nets are others by now
		nets, err := selfplay.LoadNets(start.Policy, start.Value)
		if err != nil {
			return nil, err
		}
		now.Nets = nets.Hash()
	}
	return goOn(dir, then, now, openings)
}

// Resume goes on with the loop in a folder, with the settings of its config.json.
func Resume(dir string) (*Loop, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	then, err := readStored(filepath.Join(dir, configName))
	if err != nil {
		return nil, err
	}
	now, openings, err := identify(then.Config)
	if err != nil {
		return nil, err
	}
	now.Nets = then.Nets
	return goOn(dir, then, now, openings)
}

// create begins a loop. Its config.json is written last.
func create(dir string, s *stored, openings []match.Opening, start Start) (*Loop, error) {
	nets, err := selfplay.LoadNets(start.Policy, start.Value)
	if err != nil {
		return nil, err
	}
	if err := s.Config.fits(nets); err != nil {
		return nil, err
	}
	policyFile, valueFile, err := nets.Encode()
	if err != nil {
		return nil, err
	}
	l := &Loop{Config: s.Config, dir: dir, stored: s, openings: openings}
	if err := os.MkdirAll(l.folder(0), 0o777); err != nil {
		return nil, err
	}
	j, history, err := openJournal(filepath.Join(dir, historyName))
	if err != nil {
		return nil, err
	}
	l.journal = j
	if len(history) > 0 {
		return nil, errors.Join(fmt.Errorf("%s holds generations, but no %s", dir, configName), l.Close())
	}
	s.Nets = nets.Hash()
	err = errors.Join(writeBytes(l.net(0, train.Policy), policyFile), writeBytes(l.net(0, train.Value), valueFile))
	if err == nil {
		err = writeJSON(filepath.Join(dir, configName), s)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// goOn opens a loop that is there, if nothing has changed.
func goOn(dir string, then, now *stored, openings []match.Opening) (*Loop, error) {
	changed, err := then.changed(now)
	if err == nil && changed != "" {
		err = fmt.Errorf("the loop in %s cannot go on: %s", dir, changed)
	}
	if err != nil {
		return nil, err
	}
	l := &Loop{Config: then.Config, dir: dir, stored: then, openings: openings}
	if l.journal, l.History, err = openJournal(filepath.Join(dir, historyName)); err != nil {
		return nil, err
	}
	return l, nil
}

// Close gives the folder free.
func (l *Loop) Close() error { return l.journal.Close() }

// Best returns the generation whose nets are the best, 0 for the start nets.
func (l *Loop) Best() int {
	for i := range slices.Backward(l.History) {
		if l.History[i].Promoted {
			return l.History[i].Number
		}
	}
	return 0
}

// Files returns the names of a generation's net files. Those of rejected generations are removed after the gate.
func (l *Loop) Files(generation int) (policyFile, valueFile string) {
	return l.net(generation, train.Policy), l.net(generation, train.Value)
}

// folder returns a generation's folder, file a file in it, net a net file.
func (l *Loop) folder(generation int) string {
	return filepath.Join(l.dir, fmt.Sprintf("gen-%04d", generation))
}

func (l *Loop) file(generation int, name string) string {
	return filepath.Join(l.folder(generation), name)
}

func (l *Loop) net(generation int, kind train.Kind) string {
	return l.file(generation, string(kind)+".nn")
}

func (l *Loop) checkpoint(generation int, kind train.Kind) string {
	return l.file(generation, string(kind)+".checkpoint")
}

func writeBytes(path string, data []byte) error {
	return train.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Purposes of random numbers, so that no two uses of the seed are alike.
const (
	playSeed = iota + 1
	policySeed
	valueSeed
	gateSeed
	drawSeed
)

// seed returns the seed of a generation for a purpose, short enough to copy.
func (l *Loop) seed(purpose uint64) uint64 {
	return rand.New(rand.NewPCG(l.Config.Seed, uint64(l.now.Number)<<8|purpose)).Uint64() >> 16
}

// Run makes generations. When ctx ends it stops at once and returns ctx's error; the next Run, of this loop or of one opened later, goes
// on where it was.
func (l *Loop) Run(ctx context.Context, o Options) error {
	l.options = o
	if err := l.writeReport(); err != nil {
		return err
	}
	for o.Generations == 0 || len(l.History) < o.Generations {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.tidy(); err != nil {
			return err
		}
		if err := l.generation(ctx); err != nil {
			return err
		}
		if err := l.writeReport(); err != nil {
			return err
		}
	}
	return l.tidy()
}

// generation makes the next generation, or the rest of it.
func (l *Loop) generation(ctx context.Context) error {
	if err := l.begin(); err != nil {
		return err
	}
	for _, stage := range []struct {
		name Stage
		run  func(context.Context) error
	}{
		{SelfPlay, l.play},
		{TrainPolicy, func(ctx context.Context) error { return l.train(ctx, train.Policy) }},
		{TrainValue, func(ctx context.Context) error { return l.train(ctx, train.Value) }},
		{GateMatch, l.gate},
	} {
		if slices.Contains(l.now.Done, stage.name) {
			continue
		}
		l.clock = stageClock{loop: l, stage: stage.name, from: time.Now(), before: l.now.Seconds[stage.name]}
		err := stage.run(ctx)
		l.clock.stop()
		if err == nil {
			l.now.Done = append(l.now.Done, stage.name)
		}
		if err := errors.Join(err, l.saveState()); err != nil {
			return fmt.Errorf("generation %d, %s: %w", l.now.Number, stage.name, err)
		}
		l.report(Progress{Stage: stage.name, Line: l.now.stageLine(stage.name)})
	}
	l.own = nil
	done := l.now
	done.Done, done.Ended = nil, time.Now().UTC().Truncate(time.Second)
	if err := l.journal.Append(&done); err != nil {
		return err
	}
	l.History = append(l.History, done)
	l.report(Progress{Line: done.line()})
	return nil
}

// begin takes up the next generation as far as it is.
func (l *Loop) begin() error {
	l.now = Generation{Number: len(l.History) + 1, Best: l.Best()}
	if err := os.MkdirAll(l.folder(l.now.Number), 0o777); err != nil {
		return err
	}
	path := l.file(l.now.Number, stateName)
	data, err := os.ReadFile(path)
	if err == nil {
		best := l.now.Best
		if err = json.Unmarshal(data, &l.now); err == nil && (l.now.Number != len(l.History)+1 || l.now.Best != best) {
			err = fmt.Errorf("it is of generation %d after the best of %d, want %d after %d", l.now.Number, l.now.Best, len(l.History)+1, best)
		}
	} else if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if l.now.Seconds == nil {
		l.now.Seconds = make(map[Stage]float64)
	}
	return nil
}

// saveState keeps what is known about the generation in progress.
func (l *Loop) saveState() error { return writeJSON(l.file(l.now.Number, stateName), &l.now) }

// report tells how far the generation is.
func (l *Loop) report(p Progress) {
	if p.Generation = l.now.Number; l.options.Report != nil {
		l.options.Report(p)
	}
}

// stageClock adds up the time of a stage over all the runs in which it was at work.
type stageClock struct {
	loop   *Loop
	stage  Stage
	from   time.Time
	before float64
	saved  time.Time
}

// tick is called now and then while the stage is at work, so that a kill costs only some seconds of the figure.
func (c *stageClock) tick() error {
	const often = 10 * time.Second
	if time.Since(c.saved) < often {
		return nil
	}
	c.stop()
	c.saved = time.Now()
	return c.loop.saveState()
}

// stop notes the time until now.
func (c *stageClock) stop() { c.loop.now.Seconds[c.stage] = c.before + time.Since(c.from).Seconds() }
