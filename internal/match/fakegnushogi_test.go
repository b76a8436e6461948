package match

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
)

// fakeGnushogi is a program that understands what GNU Shogi understands of the adapter's commands, and plays random moves. It
// knows the rules and ends with an error when it is told something that makes no sense. Its habit shows from its third move on.
type fakeGnushogi struct {
	habit   string
	game    *shogi.Game
	setup   shogi.Setup
	force   bool
	counter int // of its own moves, as GNU Shogi numbers them
	echoes  int
}

func (g *fakeGnushogi) run() {
	if g.habit == "stalls" {
		time.Sleep(time.Hour)
	}
	fmt.Println("GNU Shogi fake")
	g.game = shogi.NewGame(shogi.StartPosition())
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch word, rest, _ := strings.Cut(in.Text(), " "); word {
		case "new":
			g.game, g.force = shogi.NewGame(shogi.StartPosition()), false
		case "level":
			if rest != "0 0:01" {
				g.refuse("level " + rest)
			}
			fmt.Println("Clocks: 0 0")
		case "edit":
			fmt.Println(".   Exit to main")
			g.edit(in)
		case "black", "white":
			g.turn(word)
		case "force":
			g.force = true
		case "switch":
			g.force = false
			g.think()
		default:
			g.hear(in.Text())
		}
	}
}

func (g *fakeGnushogi) refuse(what string) {
	fmt.Fprintln(os.Stderr, "what is", what)
	os.Exit(3)
}

// edit reads pieces until the dot.
func (g *fakeGnushogi) edit(in *bufio.Scanner) {
	side := shogi.Black
	for in.Scan() {
		text := in.Text()
		switch {
		case text == ".":
			g.turn("black")
			return
		case text == "#":
			g.setup = shogi.Setup{}
		case text == "c":
			side = side.Opponent()
		default:
			g.put(side, text)
		}
	}
}

// put takes a piece: P7f, P7f+ or P*.
func (g *fakeGnushogi) put(side shogi.Color, text string) {
	for t := shogi.Pawn; t <= shogi.King; t++ {
		if t.String() != text[:1] {
			continue
		}
		if text[1:] == "*" {
			g.setup.Hands[side] = g.setup.Hands[side].Add(t, 1)
			return
		}
		square, err := shogi.ParseSquare(text[1:3])
		if err != nil || len(text) > 3 && text[3:] != "+" {
			g.refuse(text)
		}
		if len(text) > 3 {
			t = t.Promote()
		}
		g.setup.Board[square] = shogi.NewPiece(side, t)
		return
	}
	g.refuse(text)
}

// turn says whose move it is. A regular game begins with Black's.
func (g *fakeGnushogi) turn(side string) {
	if g.setup == (shogi.Setup{}) {
		if side != "black" {
			g.refuse(side)
		}
		return
	}
	g.setup.Side = shogi.Black
	if side == "white" {
		g.setup.Side = shogi.White
	}
	p, err := g.setup.Position()
	if err != nil && side == "white" {
		g.refuse(err.Error())
	}
	if err == nil {
		g.game = shogi.NewGame(p)
	}
}

// hear takes a move for either side, and answers it unless it was to be played only.
func (g *fakeGnushogi) hear(text string) {
	move, err := shogi.ParseMove(text)
	if err == nil {
		err = g.game.Do(move)
	}
	if err != nil || g.habit == "refuses" && g.counter == 2 {
		fmt.Println("Illegal move (no match)", text)
		return
	}
	g.echoes++
	fmt.Printf("%d. %s 0\n", g.echoes, text)
	if !g.force {
		g.think()
	}
}

// think plays a move.
func (g *fakeGnushogi) think() {
	p := g.game.Position()
	moves := p.AppendLegal(nil)
	move := moves[rand.New(rand.NewPCG(p.Key(), 2)).IntN(len(moves))]
	g.counter++
	if g.counter > 2 && g.misbehave() {
		return
	}
	if err := g.game.Do(move); err != nil {
		panic(err)
	}
	fmt.Printf("%d. ... %s 0\n", g.counter, move)
	if g.habit == "sees a draw" {
		fmt.Println("Drawn game!")
	}
}

// misbehave shows the habit. It reports whether the move has been answered.
func (g *fakeGnushogi) misbehave() bool {
	switch g.habit {
	case "hangs":
		time.Sleep(time.Hour)
	case "dies":
		fmt.Fprintln(os.Stderr, "segmentation fault")
		os.Exit(3)
	case "plays an illegal move":
		fmt.Println("3. ... 5i5a 0")
		return true
	case "gives up":
		fmt.Println("White mates!")
		return true
	}
	return false
}
