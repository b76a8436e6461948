package main

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/usi"
)

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
