// Command usi is the engine that a shogi GUI starts. It speaks the USI protocol on its standard input and output and
// prints nothing before it is spoken to.
//
//	usi              speak USI until quit
//	usi bench [N]    search fixed positions with N playouts each and print speed and a signature
//	usi -cpuprofile FILE …   the same, and write a CPU profile
//	usi -h           explain the commands and options
//
// main.go wires the parts and owns everything that only a process has: arguments, signals, memory limits, exit status.
// protocol.go is the dialogue, commands.go what each command does, job.go a search in progress.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"

	"github.com/yomi-shogi/yomi/internal/engine"
)

const author = "the yomi developers"

// name is what the engine calls itself.
var name = "yomi " + engine.Version()

// garbagePercent is how far the Go heap may grow between two collections. The tree's memory counts as heap but never
// becomes garbage; a small share keeps the garbage small beside it.
const garbagePercent = 20

func main() {
	debug.SetGCPercent(garbagePercent)
	terminate := make(chan os.Signal, 1)
	signal.Notify(terminate, syscall.SIGTERM, os.Interrupt)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, terminate))
}

// run is the program with its surroundings given; it returns the exit status.
func run(args []string, in io.Reader, out, errs io.Writer, terminate <-chan os.Signal) int {
	if len(args) >= 1 && (args[0] == "-cpuprofile" || args[0] == "--cpuprofile") {
		return profiled(args[1:], errs, func(rest []string) int { return run(rest, in, out, errs, terminate) })
	}
	switch {
	case len(args) == 0:
		e := engine.New()
		newProtocol(e, out).run(in, terminate)
		_ = e.Close() // what it writes last was already written when its search ended
		return 0
	case args[0] == "bench":
		if err := bench(args[1:], out, terminate); err != nil {
			fmt.Fprintln(errs, "usi bench:", err)
			return 1
		}
		return 0
	case args[0] == "-h" || args[0] == "--help" || args[0] == "help":
		fmt.Fprint(out, helpText())
		return 0
	}
	fmt.Fprintf(errs, "usi: unknown argument %q; usi -h explains\n", args[0])
	return 2
}

// profiled runs the program with the arguments behind the first one, the file to which a CPU profile is written.
func profiled(args []string, errs io.Writer, program func(rest []string) int) int {
	if len(args) == 0 {
		fmt.Fprintln(errs, "usi: -cpuprofile: want a file, for example: usi -cpuprofile cpu.out bench")
		return 2
	}
	file, err := os.Create(args[0])
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	if err != nil {
		fmt.Fprintln(errs, "usi: -cpuprofile:", err)
		return 1
	}
	status := program(args[1:])
	pprof.StopCPUProfile()
	if err := file.Close(); err != nil {
		fmt.Fprintln(errs, "usi: -cpuprofile:", err)
		return 1
	}
	return status
}

// bench runs the bench from the command line.
func bench(args []string, out io.Writer, terminate <-chan os.Signal) error {
	nodes, err := benchNodes(args)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-terminate:
			cancel()
		case <-ctx.Done():
		}
	}()
	w := bufio.NewWriter(out)
	defer w.Flush()
	return engine.New().Bench(ctx, nodes, func(line string) {
		fmt.Fprintln(w, line)
		w.Flush()
	})
}

// benchNodes reads the arguments of bench: nothing or the playouts for each position.
func benchNodes(args []string) (int64, error) {
	if len(args) == 0 {
		return engine.BenchNodes, nil
	}
	n, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("bad bench %q: want a number of playouts for each position", args[0])
	}
	if len(args) > 1 {
		return 0, errors.New("bad bench: want one number at most")
	}
	return n, nil
}

// helpText explains the program.
func helpText() string {
	var b strings.Builder
	b.WriteString(`yomi plays shogi: it speaks the USI protocol with a GUI such as ShogiHome or ShogiGUI.

Usage:
  usi              speak USI on standard input and output
  usi bench [N]    search fixed positions with N playouts each; print speed and a signature
  usi -cpuprofile FILE [bench [N]]
                   the same, and write a CPU profile; go tool pprof -top FILE shows it
  usi -h           show this

USI commands: usi, isready, setoption, usinewgame, position, go, stop, ponderhit, gameover, quit.
go takes any of: btime wtime byoyomi binc winc movetime nodes depth infinite ponder searchmoves.

More commands:
  d              show the position, its key, checkers, repetition and declaration
  moves          list the legal moves
  eval           show what the evaluators say about the position
  go perft N     count the legal move paths of length N
  hash           show how full the tree's memory is and how long its probes are
  debug on [F]   from the next go on, say what the search does, up to 100 lines a second; F is a filter such as
                 debug depth 1..3 type MAX,LEAF move 7g7f square 5e event prune
  debug off      stop that
  bench [N]      like usi bench
  help           show this

Options (setoption name NAME value VALUE):
`)
	b.WriteString(engine.OptionHelp())
	return b.String()
}
