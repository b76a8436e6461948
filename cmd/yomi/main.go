// Command yomi is the workbench: what engine authors and players do with the engine beside playing against it. Each
// subcommand has a file of its own; main.go wires them and owns what only a process has: arguments, signals, exit status.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/yomi-shogi/yomi/internal/engine"
)

// cli lists the subcommands.
type cli struct {
	Analyze  analyzeCmd  `cmd:"" help:"Analyse game records: comments, blunders and win-rate graphs."`
	Book     bookCmd     `cmd:"" help:"Make, show and convert opening books."`
	Convert  convertCmd  `cmd:"" help:"Convert training records and game records into other formats."`
	Hashlab  hashlabCmd  `cmd:"" help:"Measure hash functions and tables on shogi positions."`
	Match    matchCmd    `cmd:"" help:"Play a match between two engines and say what it tells about their strength."`
	Openings openingsCmd `cmd:"" help:"Make a list of balanced openings from game records or by play."`
	Selfplay selfplayCmd `cmd:"" help:"Play games of the engine against itself, to learn from."`
	Study    studyCmd    `cmd:"" help:"Compare ways of searching and weights on positions, and solve test cases."`
	Solve    solveCmd    `cmd:"" help:"Solve mate problems and print the proofs."`
	Train    trainCmd    `cmd:"" help:"Train the policy and value nets on game records."`
	Tree     treeCmd     `cmd:"" help:"See a search think: traces, pictures of trees, stepping and breakpoints."`
	Tune     tuneCmd     `cmd:"" help:"Tune number options of the engine by matches against itself."`

	Version kong.VersionFlag `help:"Print the version."`
}

// streams is where a subcommand writes: results to Out, progress and remarks to Err.
type streams struct {
	Out, Err io.Writer
}

// errInterrupted says that the user ended the command; what to do next has been printed.
var errInterrupted = errors.New("interrupted")

// Exit statuses.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130 // as shells say for Ctrl-C
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the program at once
	}()
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdout, os.Stderr}))
}

// run is the program with its surroundings given; it returns the exit status.
func run(ctx context.Context, args []string, s streams) int {
	status := -1
	parser, err := kong.New(&cli{}, kong.Name("yomi"), kong.Description("The workbench of the shogi engine yomi."),
		kong.Writers(s.Out, s.Err), kong.UsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Exit(func(code int) { status = code }), kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(s), selfplayDefaults(),
		kong.Vars{"version": "yomi " + engine.Version()})
	if err != nil {
		fmt.Fprintln(s.Err, "yomi:", err)
		return exitFailed
	}
	command, err := parser.Parse(args)
	switch {
	case status >= 0: // the help was printed
		return status
	case err != nil:
		fmt.Fprintln(s.Err, "yomi:", err)
		return exitUsage
	}
	switch err := command.Run(); {
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case err != nil:
		fmt.Fprintln(s.Err, "yomi:", err)
		return exitFailed
	}
	return 0
}
