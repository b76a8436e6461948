package match

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// CheckResult is the result of one scenario of a check of the USI protocol.
type CheckResult struct {
	ID, Title string
	// Must says that the protocol or a widely used GUI breaks otherwise; else it is what users expect.
	Must bool
	// Err says what was wrong, nil when the scenario passed. Skipped scenarios do not apply to the engine.
	Err     error
	Skipped bool
}

// CheckSlack is how far an answer may be over its time in a check: pipe and scheduler.
const CheckSlack = 100 * time.Millisecond

// errSkip says that a scenario does not apply.
var errSkip = errors.New("does not apply")

// scenario is one check.
type scenario struct {
	id    string
	must  bool
	title string
	run   func(d *dialogue) error
}

// errNoEngine says that a program does not answer usi, so that there is nothing to check.
var errNoEngine = errors.New("the program does not answer usi")

// CheckUSI puts an engine through scenarios of the USI protocol, each with a fresh process, and calls report after each. It
// gives up after the first one when the program is no USI engine.
func CheckUSI(ctx context.Context, command []string, report func(CheckResult)) error {
	for _, s := range scenarios() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		d := &dialogue{command: command, cancelled: ctx.Done(), wake: make(chan struct{}, 1)}
		err := s.run(d)
		d.end()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		report(CheckResult{ID: s.id, Title: s.title, Must: s.must, Err: err, Skipped: errors.Is(err, errSkip)})
		if errors.Is(err, errNoEngine) {
			return err
		}
	}
	return nil
}

// heard is a line from the engine with the time when it came.
type heard struct {
	line string
	at   time.Time
}

// dialogue is a conversation with an engine. Only the last lines are kept.
type dialogue struct {
	command   []string
	cancelled <-chan struct{} // closed when the check is to end
	client    *usi.Client
	mu        sync.Mutex
	lines     []heard // not yet looked at, without info lines
	info      string  // the last info line with a pv
	strange   string  // the first line that is not printable ASCII
	wake      chan struct{}
}

// maxHeard is how many lines are kept for a scenario to look at.
const maxHeard = 10_000

// Times that a scenario waits.
const (
	startTime  = 60 * time.Second
	answerTime = 15 * time.Second
	quietTime  = 700 * time.Millisecond
)

// open starts the process without a word.
func (d *dialogue) open() error {
	client, err := usi.Start(usi.Program{Path: d.command[0], Args: d.command[1:], Tap: d.hear})
	d.client = client
	return err
}

// hear keeps a line. It runs in the client's goroutine.
func (d *dialogue) hear(line string, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.strange == "" && strings.IndexFunc(line, func(r rune) bool { return r != '\t' && (r < ' ' || r > '~') }) >= 0 {
		d.strange = line
	}
	if word, _ := usi.Split(line); word == "info" {
		if strings.Contains(line, " pv ") {
			d.info = line
		}
		return
	}
	if len(d.lines) < maxHeard {
		d.lines = append(d.lines, heard{line, at})
	}
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// send writes lines, all in one write.
func (d *dialogue) send(lines ...string) { _ = d.client.Send(strings.Join(lines, "\n")) }

// wait takes lines until one begins with the word.
func (d *dialogue) wait(word string, limit time.Duration) (heard, error) {
	deadline := time.After(limit)
	for {
		d.mu.Lock()
		for len(d.lines) > 0 {
			h := d.lines[0]
			d.lines = d.lines[1:]
			if first, _ := usi.Split(h.line); first == word {
				d.mu.Unlock()
				return h, nil
			}
		}
		d.mu.Unlock()
		select {
		case <-d.wake:
		case <-d.client.Ended():
			select {
			case <-d.wake:
				continue
			case <-time.After(quietTime):
			}
			return heard{}, fmt.Errorf("the engine ended while %q was awaited (status %d)", word, d.client.ExitCode())
		case <-d.cancelled:
			return heard{}, context.Canceled
		case <-deadline:
			return heard{}, fmt.Errorf("no %q in %s", word, limit)
		}
	}
}

// quiet is an error when a line that begins with the word comes within the time.
func (d *dialogue) quiet(word string, limit time.Duration, when string) error {
	if h, err := d.wait(word, limit); err == nil {
		return fmt.Errorf("%q %s", h.line, when)
	}
	return nil
}

// begin brings the engine to readyok.
func (d *dialogue) begin() error {
	if err := d.open(); err != nil {
		return err
	}
	d.send("usi")
	if _, err := d.wait("usiok", startTime); err != nil {
		return err
	}
	for _, o := range d.client.Options() {
		if o.Name == "UCI_Variant" { // an engine of many variants must be told
			d.send("setoption name UCI_Variant value shogi")
		}
	}
	return d.ready()
}

// ready waits for readyok, which also shows that the engine lives.
func (d *dialogue) ready() error {
	d.send("isready")
	_, err := d.wait("readyok", startTime)
	return err
}

// think sends position and go and checks that the answer is a legal move or resign. It returns the move and its time.
func (d *dialogue) think(position, command string) (string, time.Duration, error) {
	d.send(position)
	start := time.Now()
	d.send(command)
	return d.best(position, start)
}

// best waits for the answer to a search of the position.
func (d *dialogue) best(position string, start time.Time) (string, time.Duration, error) {
	h, err := d.wait("bestmove", answerTime)
	if err != nil {
		return "", 0, err
	}
	_, args := usi.Split(h.line)
	move, ponder, err := usi.ParseBestMove(args)
	if err != nil {
		return "", 0, err
	}
	game, err := shogi.ParsePosition(position)
	if err != nil {
		return "", 0, err
	}
	if !move.IsMove() {
		return move.String(), h.at.Sub(start), nil
	}
	if err := game.Do(move); err != nil {
		return "", 0, err
	}
	if ponder != shogi.MoveNone {
		if err := game.Do(ponder); err != nil {
			return "", 0, fmt.Errorf("ponder move: %w", err)
		}
	}
	return move.String(), h.at.Sub(start), nil
}

// within thinks and checks the time.
func (d *dialogue) within(position, command string, limit time.Duration) error {
	_, took, err := d.think(position, command)
	if err == nil && took > limit+CheckSlack {
		err = fmt.Errorf("%q took %s, allowed %s", command, took.Round(time.Millisecond), limit)
	}
	return err
}

// gone waits for the end of the process.
func (d *dialogue) gone(limit time.Duration) error {
	select {
	case <-d.client.Ended():
		return nil
	case <-time.After(limit):
		return fmt.Errorf("still there after %s", limit)
	}
}

// end ends the process.
func (d *dialogue) end() {
	if d.client != nil {
		d.client.Kill()
	}
}
