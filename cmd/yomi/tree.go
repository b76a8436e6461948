package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
)

// treeCmd shows searches thinking.
type treeCmd struct {
	Show treeShowCmd `cmd:"" default:"withargs" help:"Go through a trace, draw its trees, or search a position and look on (the default)."`
	Log  treeLogCmd  `cmd:"" help:"Print a trace readably."`

	Breakdown treeBreakdownCmd `cmd:"" help:"Take the evaluations of a position apart: pieces, policy terms, features, and why one move is liked better."`
}

// treeShowCmd goes through a trace, or searches.
type treeShowCmd struct {
	Trace string `arg:"" optional:"" type:"existingfile" help:"Trace to go through, written by the USI option Inspect_TraceFile or by --record. Without one a position is searched."`

	Script  string   `group:"What to do" type:"existingfile" placeholder:"FILE" help:"Commands, a line each, instead of those that are typed."`
	Step    bool     `group:"What to do" help:"Search step by step: stop at the first event, and at breakpoints."`
	Break   []string `group:"What to do" sep:"none" placeholder:"WHERE" help:"With --step: a breakpoint, such as 'move 7g7f', 'square 5e', 'ply 3', 'jump 0.2', 'key HEX', merge, prune or proof. May be given several times. The search then runs to the first that is hit."`
	Compare string   `group:"What to do" placeholder:"NAME=A,B" help:"Search by alpha-beta once for each value of a setting, such as ordering=none,heuristic, and draw the trees side by side."`
	Record  string   `group:"What to do" placeholder:"FILE" help:"Write a trace of the search."`
	Load    string   `group:"What to do" type:"existingfile" placeholder:"FILE" help:"Show the part of a tree saved by the USI option SaveTree that belongs to --position; with --nodes or --time the search goes on first."`
	Serve   bool     `group:"What to do" help:"Show the trace in a browser, on pages like those of a playing engine."`
	Address string   `group:"What to do" default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Address for --serve; port 0 takes any that is free (${default})."`
	Token   string   `group:"What to do" placeholder:"SECRET" help:"With --serve: what to give for looking on from other machines."`

	Position string        `group:"Search" default:"startpos" placeholder:"TEXT" help:"Position: startpos, sfen ..., each with moves ... (${default})."`
	Engine   string        `group:"Search" enum:"uct,alphabeta" default:"uct" help:"Who searches: uct or alphabeta (${default})."`
	Nodes    int64         `group:"Search" help:"Playouts, for alphabeta moves made. Without any limit 1000, for alphabeta depth 3."`
	Depth    int           `group:"Search" help:"Depth."`
	Time     time.Duration `group:"Search" help:"Time."`
	Option   []string      `group:"Search" sep:"none" placeholder:"NAME=VALUE" help:"An option of the engine, such as Threads=2. May be given several times."`

	Picture  string `group:"Picture" short:"o" placeholder:"FILE" help:"Draw the tree: .svg, .dot, or .png by Chromium."`
	Search   int    `group:"Picture" help:"With a trace: the number of the search to draw; the last by default."`
	Most     int    `group:"Picture" default:"50" help:"Most positions (${default})."`
	Plies    int    `group:"Picture" default:"0" help:"Longest line drawn, 0 for any (${default})."`
	Width    int    `group:"Picture" default:"5" help:"Most moves of a position, 0 for any number (${default})."`
	Visits   int64  `group:"Picture" default:"0" help:"Fewest visits of a move (${default})."`
	Boards   bool   `group:"Picture" help:"A small board in each position."`
	Japanese bool   `group:"Picture" help:"Moves as Japanese players write them."`
}

// Help shows examples.
func (treeShowCmd) Help() string {
	return `Examples:
  yomi tree --position "startpos moves 7g7f 3c3d" --nodes 10000 -o tree.svg
  yomi tree --engine alphabeta --depth 5 -o tree.png --boards
  yomi tree --compare ordering=none,heuristic --depth 4 -o orderings.svg
  yomi tree --step --break "move 2g2f" --break proof
  yomi tree --load long.tree --position "startpos moves 2g2f" -o tree.svg
  yomi tree --nodes 2000 --record think.trace
  yomi tree think.trace
  yomi tree --serve think.trace
  yomi tree log think.trace --filter "debug depth 0..1 event select,backup"

Commands while going through a trace:
` + replayHelp + `
Commands with --step:
` + stepHelp
}

// Run does what the flags say.
func (c *treeShowCmd) Run(ctx context.Context, s streams, k *kong.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := c.checkEffect(givenFlags(k)); err != nil {
		return err
	}
	switch {
	case c.Compare != "":
		return c.compare(ctx, s)
	case c.Serve:
		return c.serve(ctx, s)
	case c.Trace != "":
		return c.replay(s)
	}
	return c.search(ctx, s)
}

// check refuses flags that do not go together.
func (c *treeShowCmd) check() error {
	switch {
	case c.Trace != "" && (c.Step || c.Compare != "" || c.Record != ""):
		return errors.New("a trace goes with none of --step, --compare and --record")
	case c.Compare != "" && c.Step:
		return errors.New("--compare does not go with --step")
	case c.Compare != "" && c.Picture == "":
		return errors.New("--compare needs --picture, for example: -o orderings.svg")
	case len(c.Break) > 0 && !c.Step:
		return errors.New("--break needs --step")
	case c.Most < 1 || c.Width < 0 || c.Plies < 0 || c.Visits < 0:
		return errors.New("--most must be at least 1, and --width, --plies and --visits at least 0")
	case c.Nodes < 0 || c.Depth < 0 || c.Time < 0:
		return errors.New("--nodes, --depth and --time must not be negative")
	}
	return errors.Join(c.checkServe(), c.checkLoad(), checkPictureName(c.Picture))
}

// commands returns where commands come from.
func (c *treeShowCmd) commands() (io.ReadCloser, error) {
	if c.Script == "" {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(c.Script)
}

// limits returns the limits of the search.
func (c *treeShowCmd) limits() search.Limits {
	l := search.Limits{Nodes: c.Nodes, Depth: c.Depth, MoveTime: c.Time}
	switch {
	case l.Nodes > 0 || l.Depth > 0 || l.MoveTime > 0:
	case c.Engine == search.EngineAlphaBeta || c.Compare != "":
		l.Depth = 3
	case c.Load != "":
		l.Nodes = 1
	default:
		l.Nodes = 1000
	}
	return l
}

// drawn returns how much of a tree to draw.
func (c *treeShowCmd) drawn() inspect.Limits {
	return inspect.Limits{Nodes: c.Most, Depth: c.Plies, Width: c.Width, Visits: c.Visits}
}

// newEngine returns the engine with its options. more are options in the form NAME=VALUE that come first.
func (c *treeShowCmd) newEngine(more ...string) (*engine.Engine, error) {
	e := engine.New()
	var names []string
	for _, o := range e.Options() {
		names = append(names, o.Name)
	}
	for _, text := range append(append([]string{"USI_Hash=64", "Resign_Threshold=0", "USI_OwnBook=false", "SearchEngine=" + c.Engine}, more...), c.Option...) {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("bad --option %q: want NAME=VALUE", text)
		}
		err := e.Set(usi.Setting{Name: name, Value: value, HasValue: true})
		switch {
		case errors.Is(err, engine.ErrUnknownOption):
			return nil, fmt.Errorf("bad --option %q: unknown option%s", text, nearest(name, names))
		case err != nil:
			return nil, fmt.Errorf("bad --option %q: %w", text, err)
		}
	}
	return e, nil
}

// search searches the position, step by step if so asked, and draws its tree.
func (c *treeShowCmd) search(ctx context.Context, s streams) (err error) {
	game, err := shogi.ParsePosition(c.Position)
	if err != nil {
		return fmt.Errorf("--position: %w", err)
	}
	e, err := c.newEngine(c.loadOptions()...)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := c.load(s, e); err != nil {
		return err
	}
	var sinks inspect.Tee
	builder := inspect.NewBuilder(0)
	if c.Engine == search.EngineAlphaBeta {
		sinks = append(sinks, builder)
	}
	if c.Record != "" {
		f, failed := os.Create(c.Record)
		if failed != nil {
			return failed
		}
		w := inspect.NewWriter(f, search.LevelDebug)
		sinks = append(sinks, w)
		defer func() { err = errors.Join(err, w.Flush(), f.Close()) }()
	}
	var result search.Result
	think := func() {
		result = e.Search(ctx, game, c.limits(), func(infos []search.Info) { sayErrors(s.Err, infos) })
	}
	if c.Step {
		err = c.stepThrough(s, e, sinks, think)
	} else {
		e.SetSink(sinks)
		think()
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "bestmove %s because of %s\n", result.Best, result.Reason)
	for _, l := range result.Lines {
		fmt.Fprintln(s.Out, usi.FormatInfo(&l))
	}
	tree := e.Tree(c.drawn())
	if c.Engine == search.EngineAlphaBeta {
		whole := builder.Tree()
		tree = whole.Cut(c.drawn())
	}
	c.sayUnknown(s, &tree)
	return c.show(s, &tree)
}

// sayErrors prints the messages that tell of errors.
func sayErrors(w io.Writer, infos []search.Info) {
	for i := range infos {
		if strings.HasPrefix(infos[i].Text, "Error") {
			fmt.Fprintln(w, infos[i].Text)
		}
	}
}

// show draws the tree to the file that is asked for, or else prints it.
func (c *treeShowCmd) show(s streams, tree *inspect.Tree) error {
	if c.Picture == "" {
		_, err := io.WriteString(s.Out, tree.Text())
		return err
	}
	title := "no search"
	if len(tree.Nodes) > 0 {
		p := &tree.Nodes[0].Position
		title = fmt.Sprintf("Move %d, %s to move: %d visits", p.Ply(), sideName(p), tree.Nodes[0].Visits)
		if tree.Engine == search.EngineAlphaBeta {
			title = fmt.Sprintf("Move %d, %s to move: alpha-beta, depth %d, %d moves made, %d pruned", p.Ply(), sideName(p), tree.Depth, tree.Searched, tree.Skipped())
		}
	}
	return writePicture(s, c.Picture, []*inspect.Tree{tree}, c.picture(title), nil)
}

// picture returns how to draw.
func (c *treeShowCmd) picture(title string) inspect.Picture {
	return inspect.Picture{Title: title, Boards: c.Boards, Japanese: c.Japanese}
}

// sideName names the side to move.
func sideName(p *shogi.Position) string { return [2]string{"Black", "White"}[p.Side()&1] }
