package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/shogi"
)

var soakTime = flag.Duration("soak", 3*time.Second, "how long TestSoak sends random traffic")

// soaked is a random dialogue with the real engine, and what must come of it.
type soaked struct {
	*session
	dice *rand.Rand
	game *shogi.Game
	// searches are the go commands that have no bestmove yet, oldest first: the moves that may be answered.
	searches [][]string
	// mates is the number of go mate without an answer.
	mates int
	// waits says that the last go ends only by a stop or a ponder hit.
	waits bool
	sent  []string
}

// Random traffic, legal and not, for as long as -soak says: one bestmove a go in the order of the go commands, always a legal move, no
// goroutine and no memory left behind.
//
//	go test -race ./cmd/usi -run Soak -soak 30m -timeout 0
func TestSoak(t *testing.T) {
	seed := uint64(1)
	if *soakTime > time.Minute {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	e := engine.New()
	k := &soaked{session: startSession(t, e), dice: rand.New(rand.NewPCG(seed, 7)), game: shogi.NewGame(shogi.StartPosition())}
	k.tell("usi", "setoption name USI_Hash value 4", "setoption name TreeFile value "+filepath.Join(t.TempDir(), "soak.tree"), "isready")
	k.until("readyok")
	ends := time.Now().Add(*soakTime)
	dialogues, goroutines, heap := 0, 0, uint64(0)
	for time.Now().Before(ends) {
		for range 20 {
			k.step()
		}
		k.settle()
		dialogues++
		switch dialogues {
		case 10: // by now everything that is kept has been made
			goroutines, heap = runtime.NumGoroutine(), heapInUse()
		case 11:
			continue
		}
		if dialogues > 10 {
			require.LessOrEqual(t, calmGoroutines(goroutines), goroutines, "goroutines are left behind")
		}
	}
	if dialogues > 10 {
		const room = 24 << 20 // other sizes of the tree, the nets' scratch memory
		require.Less(t, heapInUse(), heap+room, "memory is left behind")
	}
	t.Logf("%d dialogues", dialogues)
	k.tell("quit")
	require.Zero(t, count(k.wait(), "bestmove"))
}

// heapInUse returns the bytes in use after a collection.
func heapInUse() uint64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// calmGoroutines waits a little for goroutines that are about to end, and returns how many there are.
func calmGoroutines(want int) int {
	for range 100 {
		if runtime.NumGoroutine() <= want {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// tell sends lines and remembers the latest for a failure's message.
func (k *soaked) tell(lines ...string) {
	for _, line := range lines {
		if len(line) > 100 { // the end of a game's moves is enough
			line = line[:40] + " ... " + line[len(line)-50:]
		}
		k.sent = append(k.sent, line)
	}
	k.sent = k.sent[max(0, len(k.sent)-40):]
	k.send(lines...)
}

// step sends something.
func (k *soaked) step() {
	switch n := k.dice.IntN(100); {
	case n < 25:
		k.position()
	case n < 55:
		k.search()
	case n < 70:
		k.tell("stop")
		k.waits = false
	case n < 76:
		k.ponderHit()
	case n < 86:
		k.option()
	case n < 94:
		k.tell(k.garbage())
	default:
		k.tell(pick(k.dice, "isready", "isready", "usinewgame", "gameover win", "gameover draw", "usi", "d", "moves", "hash", "eval", "debug on", "debug off", "go perft 1", "setoption name SaveTree", "setoption name LoadTree"))
	}
	if k.dice.IntN(3) == 0 {
		time.Sleep(time.Duration(k.dice.IntN(20)) * time.Millisecond)
	}
	k.listen(false)
}

// pick returns one of the words.
func pick(dice *rand.Rand, words ...string) string { return words[dice.IntN(len(words))] }

// position sends the next position of a random game, another game, or nonsense.
func (k *soaked) position() {
	if k.dice.IntN(12) == 0 {
		k.tell("position " + pick(k.dice, "startpos moves 7g7e", "sfen 9/9/9 b - 1", "startpos moves 7g7f 7g7f", "nowhere", "", "sfen 4k4/9/9/9/9/9/9/9/4K4 w - 1 moves 5a5a"))
		return // refused: the position stays
	}
	if legal := k.game.Position().AppendLegal(nil); len(legal) == 0 || k.dice.IntN(30) == 0 {
		starts := []string{
			"startpos", "sfen 4k4/9/4G4/9/4r4/9/9/9/4K4 b R2b3g4s4n4l18p 1", "sfen 4k4/9/9/9/9/9/4p4/4g4/4K4 b - 1", "sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1",
			"sfen ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62", "sfen +P+P+P+P+PKG2/9/9/9/9/9/9/9/3+p+p+pk2 b RB2G2S2L2N8Prbgsln 200",
		}
		game, err := shogi.ParsePosition(starts[k.dice.IntN(len(starts))])
		require.NoError(k.t, err)
		k.game = game
	} else {
		for range 1 + k.dice.IntN(3) {
			if legal = k.game.Position().AppendLegal(legal[:0]); len(legal) > 0 {
				require.NoError(k.t, k.game.Do(legal[k.dice.IntN(len(legal))]))
			}
		}
	}
	k.tell("position " + k.game.USI())
}

// search sends a go. Most end by themselves.
func (k *soaked) search() {
	n := 1 + k.dice.IntN(60) // 0 would be no limit
	limits := []string{
		fmt.Sprintf("nodes %d", n), fmt.Sprintf("movetime %d", n), fmt.Sprintf("depth %d", 1+n%3), fmt.Sprintf("btime %d wtime %d byoyomi %d", n, n, n),
		fmt.Sprintf("btime -%d wtime -%d binc %d winc %d", n, n, 2*n, 2*n), "btime 0 wtime 0", "btime 20 wtime 20 byoyomi x nodes", fmt.Sprintf("nodes %d searchmoves 7g7f 1a1b", n),
		"infinite", "ponder", fmt.Sprintf("ponder btime %d wtime %d", n, n), "", fmt.Sprintf("mate %d", n), "mate infinite",
	}
	i := k.dice.IntN(len(limits))
	k.tell("go " + limits[i])
	k.waits = slices.Contains([]string{"infinite", "ponder", "", "mate infinite"}, limits[i]) || strings.HasPrefix(limits[i], "ponder")
	if strings.HasPrefix(limits[i], "mate") {
		k.mates++
		return
	}
	answers := []string{"resign", "win"}
	for _, m := range k.game.Position().AppendLegal(nil) {
		answers = append(answers, m.String())
	}
	k.searches = append(k.searches, answers)
}

func (k *soaked) ponderHit() {
	k.tell(pick(k.dice, "ponderhit", "ponderhit btime 10 wtime 10 byoyomi 20", "ponderhit btime x"))
}

// option changes an option to a good or a bad value.
func (k *soaked) option() {
	k.tell("setoption " + pick(k.dice,
		"name MultiPV value 3", "name MultiPV value 1", "name MultiPV value 0", "name Threads value 2", "name Threads value 1", "name USI_Hash value 1", "name USI_Hash value 4",
		"name USI_Ponder value true", "name Stochastic_Ponder value true", "name Stochastic_Ponder value false", "name SearchEngine value alphabeta", "name SearchEngine value uct",
		"name ValueEvaluator value material", "name ValueEvaluator value capture", "name ValueEvaluator value net", "name PolicyEvaluator value heuristic", "name PolicyEvaluator value net",
		"name DebugMessage value true", "name DebugMessage value false", "name Strength value 30", "name Strength value 100", "name Draw_Value_Black value 400",
		"name MaxMovesToDraw value 210", "name MaxMovesToDraw value 0", "name Random_Ply value 300", "name Random_Ply value 0", "name EnteringKingRule value TryRule",
		"name EnteringKingRule value CSARule27", "name UCT_Formula value ucb1", "name UCT_Formula value puct", "name PV_Interval value 5", "name PV_Interval value 500",
		"name BookFile value /nowhere", "name Unknown value 3", "name MultiPV", "value 3", "", "name Threads value many", "name UCT_Hash_Size value 3"))
}

// garbage returns a line that no engine understands.
func (k *soaked) garbage() string {
	if k.dice.IntN(3) > 0 {
		return pick(k.dice, "", "   ", "\t", "xyzzy", "go-on", "stopp", "position", "ponderhitt", "\x00\x01\xff", "読み", "setoption name", strings.Repeat("a ", 5000), "debug", "bench x", "register later")
	}
	b := make([]byte, k.dice.IntN(40))
	for i := range b {
		b[i] = byte(k.dice.IntN(256))
		if b[i] == '\n' || b[i] == '\r' {
			b[i] = ' '
		}
	}
	return "x" + string(b) // not by chance a command
}

// listen reads what has come, with wait until every go is answered.
func (k *soaked) listen(wait bool) {
	late := time.After(limit)
	for {
		if wait && len(k.searches) == 0 && k.mates == 0 {
			return
		}
		var line string
		ok := true
		if wait {
			select {
			case line, ok = <-k.lines:
			case <-late:
				require.Fail(k.t, "late", "%d bestmoves and %d checkmates are missing after %q", len(k.searches), k.mates, k.sent)
			}
		} else {
			select {
			case line, ok = <-k.lines:
			default:
				return
			}
		}
		require.True(k.t, ok, "the output ended after %q", k.sent)
		k.hear(line)
	}
}

// hear checks a line of output.
func (k *soaked) hear(line string) {
	requirePlain(k.t, line)
	switch words := strings.Fields(line); {
	case len(words) == 0:
	case words[0] == "checkmate":
		k.mates--
		require.GreaterOrEqual(k.t, k.mates, 0, "one checkmate too many after %q", k.sent)
	case words[0] == "bestmove":
		require.NotEmpty(k.t, k.searches, "one bestmove too many after %q", k.sent)
		require.Contains(k.t, k.searches[0], words[1], "a move that is not legal after %q", k.sent)
		k.searches = k.searches[1:]
	}
}

// settle ends what runs and waits for all answers.
func (k *soaked) settle() {
	if k.waits || k.dice.IntN(2) == 0 {
		k.tell("stop")
		k.waits = false
	} else {
		k.tell("ponderhit")
	}
	k.listen(true)
	k.tell("isready")
	for _, line := range k.until("readyok") {
		k.hear(line)
	}
}
