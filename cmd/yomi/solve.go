package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/mate"
)

// solveCmd solves mate problems.
type solveCmd struct {
	Files []string      `arg:"" optional:"" type:"existingfile" help:"Problem files: one position a line, as SFEN, sfen ..., position sfen ... or startpos moves ...; # begins a comment."`
	SFEN  []string      `name:"sfen" sep:"none" placeholder:"SFEN" help:"A position to solve. May be given several times."`
	Nodes int64         `default:"0" help:"Most positions to look at for a problem, 0 for no limit (${default})."`
	Time  time.Duration `default:"1m" help:"Most time for a problem, 0 for no limit (${default})."`
	Plies int           `default:"0" help:"Longest mate to look for, 0 for any (${default})."`
	Hash  int           `default:"256" placeholder:"MB" help:"Memory for what is proved (${default})."`
	Tree  string        `enum:",text,dot" default:"" placeholder:"text|dot" help:"Print the proof too: for every defence the answer, as text or as a graph for Graphviz."`
	Max   int           `name:"tree-max" default:"5000" help:"Most positions of a proof to print (${default})."`
}

// Help shows examples.
func (solveCmd) Help() string {
	return `Examples:
  yomi solve problems.sfen
  yomi solve --sfen "9/9/9/9/9/9/4K4/9/4k1+P1R b - 1"
  yomi solve --tree text --sfen "7k1/5+Bp2/7Ss/9/9/9/1n7/9/9 b 2rb4g2s4n3l17p 1"
  yomi solve --tree dot --sfen "pk7/9/G8/2LKP4/9/9/9/9/9 b Bn 1" | dot -Tsvg > mate.svg

A mate is by checks only, and every defence counts, useless interpositions too. The exit status is 0 when every problem was
decided, mate or not, and 1 otherwise.`
}

// mateProblem is a position to solve and where it came from.
type mateProblem struct {
	from string
	pos  shogi.Position
}

// Run solves the problems one after the other and prints a summary.
func (c *solveCmd) Run(ctx context.Context, s streams) error {
	problems, err := c.problems()
	if err != nil {
		return err
	}
	if len(problems) == 0 {
		return errors.New("no problem is given, for example: yomi solve problems.sfen")
	}
	if c.Hash < 1 || c.Hash > 1<<16 {
		return fmt.Errorf("bad --hash %d: want 1 to %d MB", c.Hash, 1<<16)
	}
	solver := mate.NewSolver(c.Hash << 20)
	out := s.Out
	if c.Tree == "dot" {
		out = s.Err // the graph alone goes to the standard output
	}
	var sum mateSummary
	bar := newProgressBar(s.Err, "problems", 0, int64(len(problems)))
	defer bar.end()
	for i := range problems {
		r, took := c.solve(ctx, solver, &problems[i].pos)
		if ctx.Err() != nil {
			break
		}
		sum.add(&r, took)
		describeMate(out, i+1, &problems[i], &r, took)
		if c.Tree != "" && r.Outcome == mate.Mate {
			if err := c.writeTree(s.Out, solver, &problems[i].pos); err != nil {
				return fmt.Errorf("%s: %w", problems[i].from, err)
			}
		}
		bar.set(int64(i+1), "")
	}
	sum.write(out, len(problems))
	switch {
	case ctx.Err() != nil:
		return errInterrupted
	case sum.unknown > 0:
		return fmt.Errorf("%d of %d problems were not decided within the limits", sum.unknown, len(problems))
	}
	return nil
}

// solve solves one problem within the limits.
func (c *solveCmd) solve(ctx context.Context, solver *mate.Solver, p *shogi.Position) (mate.Result, time.Duration) {
	if c.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Time)
		defer cancel()
	}
	began := time.Now()
	r := solver.Solve(p, mate.Limits{Nodes: c.Nodes, Plies: c.Plies, Context: ctx})
	return r, time.Since(began)
}

// problems reads all problems before the first is solved, so that a bad line is known at once.
func (c *solveCmd) problems() ([]mateProblem, error) {
	var problems []mateProblem
	for _, text := range c.SFEN {
		pos, err := parseMateProblem(text)
		if err != nil {
			return nil, fmt.Errorf("--sfen: %w", err)
		}
		problems = append(problems, mateProblem{text, pos})
	}
	for _, path := range c.Files {
		read, err := readMateFile(path)
		if err != nil {
			return nil, err
		}
		problems = append(problems, read...)
	}
	return problems, nil
}

func readMateFile(path string) ([]mateProblem, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readMateProblems(path, f)
}

// readMateProblems reads a problem file. Blank lines and what follows # are skipped.
func readMateProblems(name string, r io.Reader) ([]mateProblem, error) {
	var problems []mateProblem
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		from := fmt.Sprintf("%s:%d", name, number)
		pos, err := parseMateProblem(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		problems = append(problems, mateProblem{from, pos})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return problems, nil
}

// parseMateProblem reads a bare SFEN or the arguments of USI's position command.
func parseMateProblem(text string) (shogi.Position, error) {
	switch first, _, _ := strings.Cut(text, " "); first {
	case "position", "startpos", "sfen":
	default:
		text = "sfen " + text
	}
	g, err := shogi.ParsePosition(text)
	if err != nil {
		return shogi.Position{}, err
	}
	return *g.Position(), nil
}

// mateSummary counts results.
type mateSummary struct {
	mates, none, unknown int
	nodes                int64
	took, longest        time.Duration
}

func (s *mateSummary) add(r *mate.Result, took time.Duration) {
	switch r.Outcome {
	case mate.Mate:
		s.mates++
	case mate.NoMate:
		s.none++
	default:
		s.unknown++
	}
	s.nodes += r.Nodes
	s.took += took
	s.longest = max(s.longest, took)
}

func (s *mateSummary) write(w io.Writer, given int) {
	fmt.Fprintf(w, "%d of %d problems: %d mates, %d without mate, %d not decided; %d nodes in %s, the slowest %s\n",
		s.mates+s.none+s.unknown, given, s.mates, s.none, s.unknown, s.nodes, s.took.Round(time.Millisecond), s.longest.Round(time.Millisecond))
}

// describeMate prints the answer to a problem.
func describeMate(w io.Writer, number int, p *mateProblem, r *mate.Result, took time.Duration) {
	fmt.Fprintf(w, "%d. %s\n   %s, %d nodes, %s\n", number, p.from, mateVerdict(r), r.Nodes, took.Round(time.Millisecond/10))
	if r.Outcome != mate.Mate {
		return
	}
	pos := p.pos
	var moves, japanese []string
	for _, m := range r.Line {
		moves = append(moves, m.String())
		japanese = append(japanese, pos.JapaneseMove(m))
		pos.Do(m)
	}
	fmt.Fprintf(w, "   %s\n   %s\n", strings.Join(moves, " "), strings.Join(japanese, " "))
}

// mateVerdict says in words what the solver found.
func mateVerdict(r *mate.Result) string {
	switch {
	case r.Outcome == mate.NoMate:
		return "no mate"
	case r.Outcome == mate.Unknown:
		return "not decided (" + r.Reason.String() + ")"
	case r.Minimal:
		return fmt.Sprintf("mate in %d", r.Plies)
	}
	return fmt.Sprintf("mate in %d or fewer", r.Plies)
}
