package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

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
	require.Equal(t, 1, s.engine.games)
}

// The state of the memory is told at any time, and no search ends by it.
func TestHash(t *testing.T) {
	s := newSession(t)
	s.send("hash")
	s.until("hash: fake false")
	s.send("go infinite", "hash")
	require.Zero(t, count(s.until("hash: fake true"), "bestmove"))
	s.send("stop")
	s.until("bestmove")
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
	require.Contains(t, s.until("checkmate"), "checkmate timeout", "go ends the search before it")
	got := s.until("checkmate")
	require.Contains(t, got, "checkmate nomate")
	require.Equal(t, 1, count(got, "bestmove"))
	s.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", "go mate 1000")
	require.Equal(t, []string{"checkmate G*5b"}, s.until("checkmate"))
	s.send("go mate", "stop")
	s.until("checkmate timeout")
	s.send("go mate -5")
	got = s.until("checkmate")
	require.Equal(t, 1, count(got, "info string Error: go: bad mate"))
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
	s.send("setoption name writedebuglog value "+t.TempDir(), "setoption name MultiPV value 2", "isready")
	require.Equal(t, 1, count(s.until("readyok"), "info string Error: WriteDebugLog"))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "> go nodes 1\n")
	require.Contains(t, string(text), "< bestmove ")
	require.NotContains(t, string(text), "isready", "the log was closed")
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
