package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
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
func (f *fakeEngine) Memory() []string {
	f.idle()
	return []string{"hash: fake"}
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

const limit = 10 * time.Second

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

func TestHandshake(t *testing.T) {
	s := newSession(t)
	s.quiet()
	s.send("usi")
	got := s.until("usiok")
	require.Equal(t, []string{"id name " + name, "id author " + author}, got[:2])
	require.Contains(t, got, "option name USI_Hash type spin default 256 min 1 max 65536")
	require.Equal(t, "usiok", got[len(got)-1])
	s.send("  isready \r")
	require.Equal(t, []string{"readyok"}, s.until("ready"))
}

func TestBlankLinesAndUnknownCommands(t *testing.T) {
	s := newSession(t)
	s.send("", "  ", "\t", "foo bar", "debug on", "register later", "# note", "stop", "ponderhit", "gameover win", "isready")
	require.Equal(t, []string{"readyok"}, s.until("ready"))
}

func TestLongLine(t *testing.T) {
	s := newSession(t)
	moves := strings.Repeat(" 2h3h 8b7b 3h2h 7b8b", 20_000)
	s.send("position startpos moves"+moves, "d")
	got := s.until("occurrences")
	require.Contains(t, got, "occurrences: 20001")
	s.send("foo " + strings.Repeat("x", 1<<20))
	s.send("isready")
	s.until("readyok")
}

// A bad line gets one message that names the token, and the position stays.
func TestBadLines(t *testing.T) {
	for line, text := range map[string]string{
		"position startpos moves 7g7e":             "7g7e",
		"position foo":                             "foo",
		"position sfen 9/9/9 b - 1":                "9/9/9",
		"setoption":                                "name",
		"setoption USI_Hash 64":                    `"USI_Hash"`,
		"setoption name USI_Hash":                  "value is missing",
		"setoption name USI_Hash value abc":        `"abc"`,
		"setoption name USI_Hash value 0":          `"0"`,
		"setoption name USI_Variant value shogi":   `"USI_Variant"`,
		"setoption name UCT_Hash_Size value 3":     `"3"`,
		"setoption name EnteringKingRule value no": `"no"`,
		"go perft x":                               `"x"`,
		"bench many":                               `"many"`,
		"setoption name \u8aad value 1":            `"?"`,
	} {
		s := newSession(t)
		s.send("position startpos moves 7g7f", line, "d")
		got := s.until("sfen")
		require.Equal(t, 1, count(got, "info string "), "%q: %q", line, got)
		require.Contains(t, got[0], text)
		require.Equal(t, "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2", got[len(got)-1])
	}
}

// A go with a bad number is answered all the same.
func TestBadGoIsAnswered(t *testing.T) {
	s := newSession(t)
	s.send("go btime abc", "go nodes x")
	got := append(s.until("bestmove"), s.until("bestmove")...)
	require.Equal(t, 2, count(got, "info string Error: go: bad"))
	s.send("go nodes 1 searchmoves 7g7e 2g2f")
	require.Contains(t, s.until("bestmove"), "info string Error: go: searchmoves: illegal move 7g7e")
}

func TestGoGivesLinesThenBestMove(t *testing.T) {
	s := newSession(t)
	s.send("position startpos", "go nodes 1")
	got := s.until("bestmove")
	require.Contains(t, got, "info string thinking")
	require.True(t, strings.HasPrefix(got[len(got)-2], "info depth 1 seldepth 0 multipv 2 "), got)
	require.True(t, strings.HasPrefix(got[len(got)-3], "info depth 1 seldepth 0 multipv 1 "), got)
	s.quiet()
}

func TestInfiniteWaitsForStop(t *testing.T) {
	s := newSession(t)
	s.send("go infinite")
	s.quiet()
	s.send("isready")
	s.until("readyok")
	s.quiet()
	s.send("stop", "stop")
	s.until("bestmove")
	s.quiet()
}

func TestPonder(t *testing.T) {
	s := newSession(t)
	s.send("go ponder btime 0 wtime 0 byoyomi 500")
	s.quiet()
	s.send("ponderhit", "ponderhit")
	s.until("bestmove")
	s.send("go ponder", "ponderhit btime 0 wtime 0 byoyomi 700")
	require.Contains(t, s.until("bestmove"), "info string hit with byoyomi 700ms")
	s.send("go ponder")
	s.quiet()
	s.send("stop")
	s.until("bestmove")
	s.quiet()
}

// Commands that need an idle engine come in order, each go with its answer.
func TestOrder(t *testing.T) {
	s := newSession(t)
	s.send("position startpos", "go infinite", "stop", "position startpos moves 7g7f", "go infinite", "stop")
	first, second := s.until("bestmove"), s.until("bestmove")
	require.NotEqual(t, first[len(first)-1], second[len(second)-1])
	s.send("go infinite", "position startpos", "go infinite", "usinewgame", "go ponder", "stop")
	s.until("bestmove")
	s.until("bestmove")
	s.until("bestmove")
	s.quiet()
	s.send("hash")
	s.until("hash: fake")
	require.Equal(t, 1, s.engine.games)
}

// Options and isready during a search take effect when it has ended; isready is answered at once.
func TestSettingsWait(t *testing.T) {
	s := newSession(t)
	s.send("go infinite", "setoption name MultiPV value 3", "setoption name MultiPV value x", "isready")
	require.Zero(t, count(s.until("readyok"), "info string Error"))
	s.send("stop")
	got := s.until("info string Error")
	require.Equal(t, 1, count(got, "bestmove"))
	s.send("isready")
	s.until("readyok")
	require.GreaterOrEqual(t, s.engine.readies, 3, "before the search, after it, now")
}

func TestPerft(t *testing.T) {
	s := newSession(t)
	s.send("position startpos", "go perft 2", "isready", "go nodes 1")
	got := s.until("bestmove")
	require.Contains(t, got, "7g7f: 30")
	require.Contains(t, got, "Nodes searched: 900")
	s.send("go perft 20", "stop")
	s.until("info string perft stopped")
}

func TestMate(t *testing.T) {
	s := newSession(t)
	s.send("go mate infinite", "go infinite", "go mate 100")
	got := append(s.until("checkmate"), s.until("checkmate")...)
	require.Equal(t, 2, count(got, "checkmate notimplemented"))
	require.Equal(t, 1, count(got, "bestmove"))
}

func TestDisplay(t *testing.T) {
	s := newSession(t)
	s.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", "moves")
	require.Contains(t, s.until("5c5b")[0], "G*5b")
	s.send("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 2", "d")
	got := s.until("declaration")
	require.Contains(t, got, "checkers 5b")
	require.Contains(t, got, "repetition: none")
	s.send("position startpos moves 2h3h 8b7b 3h2h 7b8b", "d")
	got = s.until("declaration")
	require.Contains(t, got, "repetition: draw")
	require.Contains(t, got, "occurrences: 2")
	s.send("position sfen K+P+P+P+P+P+P+P+P/+R+R+B+B5/9/9/9/9/9/9/4k4 b 4g4s4n4l10p 1", "d")
	require.Contains(t, s.until("declaration"), "declaration: win (28)")
	s.send("setoption name EnteringKingRule value CSARule24", "d")
	require.Contains(t, s.until("declaration"), "declaration: no (28)")
	s.send("position startpos", "eval")
	require.Contains(t, s.until("moves:"), "moves: 30")
	s.send("help")
	s.until("Options")
}

func TestBenchCommand(t *testing.T) {
	s := newSession(t)
	s.send("bench 5", "bench 666")
	s.until("bench 5")
	require.Contains(t, s.until("info string"), "info string Error: bench: no luck")
}

func TestWriteDebugLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "my log.txt")
	s := newSession(t)
	s.send("setoption name WriteDebugLog value "+path, "go nodes 1")
	s.until("bestmove")
	s.send("setoption name WriteDebugLog value ", "isready")
	s.until("readyok")
	s.send("setoption name WriteDebugLog value "+t.TempDir(), "isready")
	require.Equal(t, 1, count(s.until("readyok"), "info string Error: WriteDebugLog"))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "> go nodes 1\n")
	require.Contains(t, string(text), "< bestmove ")
	require.NotContains(t, string(text), "isready", "the log was closed")
}

func requirePlain(t *testing.T, line string) {
	t.Helper()
	for _, r := range line {
		require.True(t, r >= ' ' && r <= '~', "%q", line)
	}
}

// Whatever ends the process, it ends, and every go that was sent has its answer.
func TestEnds(t *testing.T) {
	for _, script := range [][]string{
		{}, {"go infinite"}, {"go ponder"}, {"go infinite", "go infinite", "go ponder"}, {"go nodes 7"}, {"stop"},
	} {
		for _, end := range []string{"quit", "eof", "last line"} {
			s := newSession(t)
			for _, line := range script {
				s.send(line)
			}
			switch end {
			case "quit":
				s.send("quit")
			case "last line":
				_, err := io.WriteString(s.in, "quit")
				require.NoError(t, err)
				s.in.Close()
			default:
				s.in.Close()
			}
			require.Equal(t, count(script, "go"), count(s.wait(), "bestmove"), "%v %s", script, end)
		}
	}
}

func TestPipeGetsWholeAnswers(t *testing.T) {
	s := newSession(t)
	s.send("go nodes 7", "go perft 1", "bench 5")
	s.in.Close()
	got := s.wait()
	require.Contains(t, got, "Nodes searched: 30")
	require.Contains(t, got, "bench 5")
	require.Equal(t, 1, count(got, "bestmove"))
}

func TestTerminate(t *testing.T) {
	s := newSession(t)
	s.send("go infinite", "go perft 20", "isready")
	s.terminate <- syscall.SIGTERM
	s.wait()
}

// Random dialogues: one bestmove a go, one readyok an isready, in every order and at every speed.
func TestRaces(t *testing.T) {
	words := []string{
		"go infinite", "go nodes 1", "go nodes 7", "go ponder btime 1 wtime 1", "go ponder", "go mate 100", "go perft 1", "go btime 0 wtime 0",
		"stop", "stop", "stop", "ponderhit", "ponderhit", "ponderhit btime 0 wtime 0 byoyomi 10", "isready", "usinewgame", "gameover win",
		"position startpos moves 7g7f", "position startpos", "setoption name MultiPV value 2", "setoption name Hash value 3",
		"d", "moves", "hash", "nonsense", "position nonsense",
	}
	dialogues := 150
	if testing.Short() {
		dialogues = 40
	}
	for seed := range dialogues {
		dice := rand.New(rand.NewPCG(uint64(seed), 1))
		s := newSession(t)
		if seed%5 == 0 {
			s = startSession(t, engine.New())
			s.send("setoption name USI_Hash value 2", "setoption name Threads value 2")
		}
		var script, batch []string
		for range 1 + dice.IntN(25) {
			word := words[dice.IntN(len(words))]
			script, batch = append(script, word), append(batch, word)
			if dice.IntN(2) == 0 {
				s.send(batch...)
				batch = nil
				time.Sleep(time.Duration(dice.IntN(3)) * time.Millisecond)
			}
		}
		s.send(append(batch, "stop")...)
		if dice.IntN(2) == 0 {
			s.send("quit")
		} else {
			s.in.Close()
		}
		got := s.wait()
		searches := count(script, "go") - count(script, "go mate") - count(script, "go perft")
		require.Equal(t, searches, count(got, "bestmove"), "bestmoves of %q in %q", script, got)
		require.Equal(t, count(script, "go mate"), count(got, "checkmate"), "%q", script)
		require.Equal(t, count(script, "isready"), count(got, "readyok"), "%q", script)
		for _, line := range got {
			requirePlain(t, line)
		}
	}
}

// Any input: the dialogue ends, each go before quit has its answer, and nothing but plain lines comes out.
func FuzzProtocol(f *testing.F) {
	f.Add("usi\nisready\nusinewgame\nposition startpos moves 7g7f\ngo btime 1 wtime 1\nstop\nquit\n")
	f.Add("go infinite\ngo ponder\nponderhit btime x\r\nsetoption name multipv value 2\nd\nmoves\neval\nhash\nquit")
	f.Add("position sfen 4k4/9/9/9/9/9/4p4/4g4/4K4 b - 1\n\tgo nodes 5 searchmoves 7g7f\ngo mate 5\n\n\xff\n")
	f.Fuzz(func(t *testing.T, input string) {
		lower := strings.ToLower(input)
		if strings.Contains(lower, "perft") || strings.Contains(lower, "log") {
			t.Skip("takes long, or writes files")
		}
		searches, mates := 0, 0
		for _, line := range strings.Split(input, "\n") {
			command, args := usi.Split(line)
			if command == "quit" {
				break
			}
			if command == "go" {
				if g, _ := usi.ParseGo(args); g.Mate {
					mates++
				} else {
					searches++
				}
			}
		}
		var out strings.Builder
		newProtocol(newFake(), &out).run(strings.NewReader(input), nil)
		lines := strings.Split(out.String(), "\n")
		require.Equal(t, searches, count(lines, "bestmove "))
		require.Equal(t, mates, count(lines, "checkmate "))
		for _, line := range lines {
			requirePlain(t, line)
		}
	})
}
