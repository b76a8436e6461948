package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
)

// stepHelp explains the commands of stepping.
const stepHelp = `  s [N]          go on for N events (1)
  p              go on to the next playout, for alpha-beta the next node
  c              continue to the next breakpoint
  break WHERE    add a breakpoint: move 7g7f, square 5e, ply 3, jump 0.2, key HEX, merge, prune, proof, event NAME, playout N
  remove N       take breakpoint N away
  breaks         list the breakpoints
  board          print the position of the event and the moves to it
  candidates     print the moves of the selection with all its numbers
  window         print alpha, beta and depth
  tree           print the tree so far
  q              let the search end without stopping
`

// stepping is a search under commands.
type stepping struct {
	c    *treeShowCmd
	out  io.Writer
	s    *inspect.Stepper
	stop inspect.Stop
}

// stepThrough runs the search under commands.
func (c *treeShowCmd) stepThrough(s streams, e *engine.Engine, sinks inspect.Tee, think func()) error {
	in, err := c.commands()
	if err != nil {
		return err
	}
	defer in.Close()
	st := &stepping{c: c, out: s.Out, s: inspect.NewStepper()}
	for _, text := range c.Break {
		if err := st.add(text); err != nil {
			return err
		}
	}
	e.SetSink(append(sinks, st.s))
	done := make(chan struct{})
	go func() {
		defer close(done)
		think()
	}()
	commands := bufio.NewScanner(in)
	first := true
	for {
		select {
		case <-done:
			return commands.Err()
		case st.stop = <-st.s.Stops():
		}
		if first && len(c.Break) > 0 {
			first = false
			st.s.Continue()
			continue
		}
		first = false
		st.where()
		for on := false; !on; {
			if !commands.Scan() {
				st.s.Detach(true)
				break
			}
			line, _, _ := strings.Cut(commands.Text(), "#")
			if line = strings.TrimSpace(line); line != "" {
				on = st.do(line)
			}
		}
	}
}

// where prints the event and why the search stopped.
func (st *stepping) where() {
	why := ""
	if n := st.stop.Breakpoint; n > 0 {
		why = fmt.Sprintf("breakpoint %d (%s): ", n, st.s.Breakpoints()[n])
	}
	fmt.Fprintln(st.out, why+inspect.EventText(&st.stop.Event))
}

func (st *stepping) add(text string) error {
	b, err := inspect.ParseBreakpoint(text)
	if err != nil {
		return err
	}
	fmt.Fprintf(st.out, "breakpoint %d: %s\n", st.s.Add(b), b.Text)
	return nil
}

// do does a command and reports whether the search goes on.
func (st *stepping) do(line string) (on bool) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "s", "n":
		n := 1
		if rest != "" {
			var err error
			if n, err = strconv.Atoi(rest); err != nil || n < 1 {
				fmt.Fprintf(st.out, "bad number %q\n", rest)
				return false
			}
		}
		st.s.Step(n)
	case "p":
		st.s.StepPlayout(st.stop.Event.Playout)
	case "c":
		st.s.Continue()
	case "q", "quit":
		st.s.Detach(true)
	default:
		st.print(word, rest)
		return false
	}
	return true
}

// print does a command that leaves the search where it is.
func (st *stepping) print(word, rest string) {
	e := &st.stop.Event
	switch word {
	case "break":
		if err := st.add(rest); err != nil {
			fmt.Fprintln(st.out, err)
		}
	case "remove":
		n, err := strconv.Atoi(rest)
		if err != nil || !st.s.Remove(n) {
			fmt.Fprintf(st.out, "there is no breakpoint %q\n", rest)
		}
	case "breaks":
		texts := st.s.Breakpoints()
		for _, n := range slices.Sorted(maps.Keys(texts)) {
			fmt.Fprintf(st.out, "breakpoint %d: %s\n", n, texts[n])
		}
	case "board", "path":
		io.WriteString(st.out, inspect.Board(st.stop.Root, st.stop.Line))
	case "candidates", "formula":
		if e.Kind != search.EventSelect {
			fmt.Fprintln(st.out, "no move is selected here; break event select")
			return
		}
		io.WriteString(st.out, inspect.Formula(e))
	case "window":
		io.WriteString(st.out, inspect.Window(e))
	case "tree":
		whole := st.s.Tree()
		tree := whole.Cut(st.c.drawn())
		io.WriteString(st.out, tree.Text())
	case "help":
		io.WriteString(st.out, stepHelp)
	default:
		fmt.Fprintf(st.out, "unknown command %q%s; help explains the commands\n", word,
			nearest(word, []string{"break", "remove", "breaks", "board", "candidates", "window", "tree", "help", "quit"}))
	}
}
