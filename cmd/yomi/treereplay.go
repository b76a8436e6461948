package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
)

// replayHelp explains the commands of a replay.
const replayHelp = `  n [N], b [N]   go N events forward or back (1)
  g N            go to event N
  s N            go to the end of search N
  /FILTER        go to the next event that the filter shows; ?FILTER to the one before
  tree           print the tree as it is now
  candidates     print the moves of the last selection at the root
  formula        print the last selection with all its numbers, for alpha-beta the window
  board          print the position of the event and the moves to it
  clock          print the last decision of the clock
  o FILE         draw the tree as it is now: .svg, .dot or .png
  q              quit
`

// replayer goes through a trace by commands.
type replayer struct {
	c *treeShowCmd
	s streams
	p *inspect.Replay
}

// replay goes through the trace, or draws one of its searches.
func (c *treeShowCmd) replay(s streams) error {
	f, err := os.Open(c.Trace)
	if err != nil {
		return err
	}
	defer f.Close()
	p, err := inspect.NewReplay(f)
	if err != nil {
		return err
	}
	if p.Cut {
		fmt.Fprintln(s.Err, "the end of the trace is missing")
	}
	if c.Picture != "" {
		number := c.Search
		if number == 0 {
			number = p.Searches()
		}
		if err := p.GotoSearch(number); err != nil {
			return err
		}
		whole := p.Tree()
		tree := whole.Cut(c.drawn())
		return c.show(s, &tree)
	}
	in, err := c.commands()
	if err != nil {
		return err
	}
	defer in.Close()
	r := &replayer{c: c, s: s, p: p}
	fmt.Fprintf(s.Out, "%d events of %d searches; help explains the commands\n", p.Len(), p.Searches())
	return eachCommand(in, func(line string) bool { return r.do(line) })
}

// eachCommand gives lines to do until it returns false.
func eachCommand(in io.Reader, do func(line string) bool) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if line = strings.TrimSpace(line); line != "" && !do(line) {
			break
		}
	}
	return lines.Err()
}

// do does a command, and returns false when it was to quit.
func (r *replayer) do(line string) bool {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case word == "q" || word == "quit":
		return false
	case line[0] == '/' || line[0] == '?':
		r.find(line[1:], line[0] == '?')
	case word == "n" || word == "b" || word == "g" || word == "s":
		r.walk(word, rest)
	case word == "o":
		r.draw(rest)
	default:
		r.print(word)
	}
	return true
}

// walk goes to another place.
func (r *replayer) walk(word, rest string) {
	n := 1
	if rest != "" {
		var err error
		if n, err = strconv.Atoi(rest); err != nil || n < 0 {
			fmt.Fprintf(r.s.Out, "bad number %q\n", rest)
			return
		}
	}
	switch word {
	case "n":
		r.p.Goto(r.p.At() + n)
	case "b":
		r.p.Goto(r.p.At() - n)
	case "g":
		r.p.Goto(n)
	case "s":
		if err := r.p.GotoSearch(n); err != nil {
			fmt.Fprintln(r.s.Out, err)
			return
		}
	}
	r.where()
}

// where prints the event.
func (r *replayer) where() {
	text := "beginning"
	if record := r.p.Record(); record != nil {
		text = record.Text()
	}
	fmt.Fprintf(r.s.Out, "%d/%d %s\n", r.p.At(), r.p.Len(), text)
}

func (r *replayer) find(text string, back bool) {
	if !strings.Contains(text, "event") && !strings.HasPrefix(text, "info") {
		text = "debug " + text
	}
	filter, err := inspect.ParseFilter(text)
	switch {
	case err != nil:
		fmt.Fprintln(r.s.Out, err)
	case !r.p.Find(&filter, back):
		fmt.Fprintln(r.s.Out, "not found")
	default:
		r.where()
	}
}

func (r *replayer) draw(path string) {
	err := checkPictureName(path)
	if err == nil {
		c := *r.c
		c.Picture = path
		whole := r.p.Tree()
		tree := whole.Cut(c.drawn())
		err = c.show(r.s, &tree)
	}
	if err != nil {
		fmt.Fprintln(r.s.Out, err)
	}
}

// print prints what the word asks for.
func (r *replayer) print(word string) {
	out := r.s.Out
	switch word {
	case "tree":
		whole := r.p.Tree()
		tree := whole.Cut(r.c.drawn())
		io.WriteString(out, tree.Text())
	case "board":
		if root, line, ok := r.p.Position(); ok {
			io.WriteString(out, inspect.Board(root, line))
		}
	case "candidates":
		r.formula(func(e *search.Event) bool {
			return e.Ply == 0 && (e.Kind == search.EventSelect || e.Kind == search.EventWindow)
		})
	case "formula":
		r.formula(func(e *search.Event) bool {
			return e.Kind == search.EventSelect || e.Kind == search.EventEnter || e.Kind == search.EventWindow || e.Kind == search.EventPrune
		})
	case "clock":
		if record := r.p.Latest(func(e *search.Event) bool { return e.Kind == search.EventClock }); record != nil {
			fmt.Fprintln(out, record.Text())
		} else {
			fmt.Fprintln(out, "no clock runs")
		}
	case "help":
		io.WriteString(out, replayHelp)
	default:
		fmt.Fprintf(out, "unknown command %q%s; help explains the commands\n", word,
			nearest(word, []string{"tree", "candidates", "formula", "board", "clock", "help", "quit"}))
	}
}

// formula prints the latest event of a kind with its numbers.
func (r *replayer) formula(wanted func(*search.Event) bool) {
	record := r.p.Latest(wanted)
	switch {
	case record == nil:
		fmt.Fprintln(r.s.Out, "nothing has been selected yet")
	case record.Kind == search.EventSelect:
		io.WriteString(r.s.Out, inspect.Formula(&record.Event))
	default:
		fmt.Fprintln(r.s.Out, record.Text())
		io.WriteString(r.s.Out, inspect.Window(&record.Event))
	}
}
