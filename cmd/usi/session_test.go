package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// fakeEngine plays the first legal move. It answers when its limits say so, at once for a clock or a node limit.
type fakeEngine struct {
	*engine.Engine // for everything that is not faked
	searching      atomic.Int32
	readies, games int
}

func newFake() *fakeEngine { return &fakeEngine{Engine: engine.New()} }

func (f *fakeEngine) Ready() []string { f.idle(); f.readies++; return nil }
func (f *fakeEngine) NewGame()        { f.idle(); f.games++ }
func (f *fakeEngine) Memory(searching bool) []string {
	return []string{fmt.Sprintf("hash: fake %t", searching)}
}

// Mate knows a mate in one for the position of TestMate, and none for others; without a time limit it waits to be stopped.
func (f *fakeEngine) Mate(ctx context.Context, game *shogi.Game, limit time.Duration, _ time.Time, _ func([]search.Info)) usi.Checkmate {
	f.idle()
	if limit == 0 {
		<-ctx.Done()
		return usi.Checkmate{Outcome: usi.MateTimeout}
	}
	if m, err := shogi.ParseMove("G*5b"); err == nil && game.Position().IsLegal(m) {
		return usi.Checkmate{Outcome: usi.MateFound, Moves: []shogi.Move{m}}
	}
	return usi.Checkmate{Outcome: usi.MateNone}
}

func (f *fakeEngine) Set(s usi.Setting) error {
	f.idle()
	return f.Engine.Set(s)
}

func (f *fakeEngine) Bench(ctx context.Context, nodes int64, say func(string)) error {
	say(fmt.Sprintf("bench %d", nodes))
	if nodes == 666 {
		return errors.New("no luck")
	}
	return nil
}

// idle panics when a method that needs an idle engine is called during a search.
func (f *fakeEngine) idle() {
	if f.searching.Load() != 0 {
		panic("called during a search")
	}
}

func (f *fakeEngine) Search(ctx context.Context, game *shogi.Game, l search.Limits, report func([]search.Info)) search.Result {
	if f.searching.Add(1) != 1 {
		panic("two searches at a time")
	}
	defer f.searching.Add(-1)
	moves := game.Position().AppendLegal(nil)
	if len(moves) == 0 {
		moves = append(moves, shogi.MoveResign)
	}
	lines := []search.Info{{MultiPV: 1, Depth: 1, PV: moves[:1]}, {MultiPV: 2, Depth: 1, PV: moves[:1]}}
	report([]search.Info{{Text: "thinking"}})
	report(lines)
	if l.PonderHit != nil {
		select {
		case <-ctx.Done():
		case <-l.PonderHit:
			if c := l.HitTimes(); c != nil {
				report([]search.Info{{Text: fmt.Sprintf("hit with byoyomi %v", c.Byoyomi)}})
			}
		}
	}
	if l.Infinite {
		<-ctx.Done()
	}
	if l.Nodes == 7 { // a search that ends by itself after a while
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
	report(lines)
	return search.Result{Best: moves[0], Lines: lines}
}

// session is a running dialogue, seen from the GUI.
type session struct {
	t         *testing.T
	in        *io.PipeWriter
	lines     chan string
	ended     chan struct{}
	terminate chan os.Signal
	engine    *fakeEngine // nil when the real one plays
}

func newSession(t *testing.T) *session {
	t.Helper()
	fake := newFake()
	s := startSession(t, fake)
	s.engine = fake
	return s
}

func startSession(t *testing.T, e engineAPI) *session {
	t.Helper()
	s := &session{t: t, lines: make(chan string, 100_000), ended: make(chan struct{}), terminate: make(chan os.Signal, 1)}
	inReader, inWriter := io.Pipe()
	outReader, outWriter := io.Pipe()
	s.in = inWriter
	go func() {
		defer close(s.ended)
		defer outWriter.Close()
		newProtocol(e, outWriter).run(inReader, s.terminate)
	}()
	go func() {
		defer close(s.lines)
		for r := bufio.NewScanner(outReader); r.Scan(); {
			s.lines <- r.Text()
		}
	}()
	t.Cleanup(func() { s.in.Close(); s.wait() })
	return s
}

// send writes all lines at once.
func (s *session) send(lines ...string) {
	s.t.Helper()
	_, err := io.WriteString(s.in, strings.Join(lines, "\n")+"\n")
	require.NoError(s.t, err)
}

const limit = time.Minute

// until reads lines up to one with the prefix and returns all.
func (s *session) until(prefix string) []string {
	s.t.Helper()
	var got []string
	late := time.After(limit)
	for {
		select {
		case line, ok := <-s.lines:
			require.True(s.t, ok, "output ended, waiting for %q after %q", prefix, got)
			got = append(got, line)
			if strings.HasPrefix(line, prefix) {
				return got
			}
		case <-late:
			require.Fail(s.t, "late", "waiting for %q after %q", prefix, got)
		}
	}
}

// quiet fails when a bestmove comes although none should.
func (s *session) quiet() {
	s.t.Helper()
	for wait := time.After(30 * time.Millisecond); ; {
		select {
		case line := <-s.lines:
			require.NotContains(s.t, line, "bestmove")
		case <-wait:
			return
		}
	}
}

// wait waits for the end of the dialogue and returns what was not read yet.
func (s *session) wait() []string {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(limit):
		require.Fail(s.t, "the dialogue does not end")
	}
	var rest []string
	for line := range s.lines {
		rest = append(rest, line)
	}
	return rest
}

func count(lines []string, prefix string) int {
	n := 0
	for _, line := range lines {
		if strings.HasPrefix(line, prefix) {
			n++
		}
	}
	return n
}

func requirePlain(t *testing.T, line string) {
	t.Helper()
	for _, r := range line {
		require.True(t, r >= ' ' && r <= '~', "%q", line)
	}
}
