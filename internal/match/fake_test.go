package match

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// TestMain lets the test binary play more parts: engines with a bad habit, and a program that plays a match until
// it is killed.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 {
		switch os.Args[1] {
		case "fake-engine":
			(&fakeEngine{habit: os.Args[2], out: bufio.NewWriter(os.Stdout)}).run()
			os.Exit(0)
		case "fake-gnushogi":
			(&fakeGnushogi{habit: os.Args[2]}).run()
			os.Exit(0)
		case "play-match":
			os.Exit(playMatch(os.Args[2]))
		}
	}
	os.Exit(m.Run())
}

// fakeEngine is a USI engine that plays random moves, the same ones in the same position. It shows its habit when it has
// Black, from move 5 on, unless the habit belongs to the start.
type fakeEngine struct {
	habit string
	out   *bufio.Writer
	game  *shogi.Game
}

const fakeLate = 2 * time.Second

func (e *fakeEngine) say(format string, args ...any) {
	fmt.Fprintf(e.out, format+"\n", args...)
	e.out.Flush()
}

func (e *fakeEngine) run() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			e.immortal()
			return
		}
		word, args, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "usi":
			e.hello()
		case "isready":
			if e.habit == "stalls" {
				time.Sleep(time.Hour)
			}
			if e.habit == "has lost its net" {
				e.say("info string Error: no net\ninfo string loading\ninfo string warning: weak")
			}
			e.say("readyok")
		case "position":
			if e.game, err = shogi.ParsePosition(args); err != nil {
				panic(err)
			}
		case "go":
			e.move()
		case "quit":
			e.immortal()
			return
		}
	}
}

func (e *fakeEngine) hello() {
	if e.habit == "dies at start" {
		fmt.Fprintln(os.Stderr, "cannot load the network")
		os.Exit(7)
	}
	e.say("id name fake %s", e.habit)
	e.say("option name USI_Ponder type check default true")
	e.say("option name Threads type spin default 4 min 1 max 64")
	e.say("option name MaxMovesToDraw type spin default 0 min 0 max 1000")
	e.say("option name Skill Level type spin default 20 min 0 max 20")
	e.say("usiok")
}

// immortal keeps a program with that habit alive after it was told to quit.
func (e *fakeEngine) immortal() {
	if e.habit == "never quits" {
		time.Sleep(time.Hour)
	}
}

func (e *fakeEngine) move() {
	p := e.game.Position()
	moves := p.AppendLegal(nil)
	if len(moves) == 0 {
		e.say("bestmove resign")
		return
	}
	best := moves[rand.New(rand.NewPCG(p.Key(), 1)).IntN(len(moves))]
	e.say("info depth 1 score cp %d nodes 1 time 1 pv %s", int(p.Key()%200)-100, best)
	if p.Side() == shogi.Black && len(e.game.Moves()) >= 4 && e.misbehave() {
		return
	}
	e.say("bestmove %s", best)
}

// misbehave shows the habit. It reports whether the move has been answered.
func (e *fakeEngine) misbehave() bool {
	switch e.habit {
	case "crashes":
		fmt.Fprintln(os.Stderr, "panic: out of cheese")
		os.Exit(3)
	case "leaves":
		os.Exit(0)
	case "closes its output":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "hangs":
		time.Sleep(time.Hour)
	case "is late":
		time.Sleep(fakeLate)
	case "plays an illegal move":
		e.say("bestmove 5i5a")
		return true
	case "talks nonsense":
		e.say("bestmove (none)")
		return true
	case "declares":
		e.say("bestmove win")
		return true
	case "floods stdout":
		for range 50_000 {
			fmt.Fprintln(e.out, "info string all work and no play makes a dull engine")
		}
		e.say("%s", strings.Repeat("x", 3<<20))
	case "floods stderr":
		fmt.Fprintln(os.Stderr, strings.Repeat("y", 3<<20))
	}
	return false
}
