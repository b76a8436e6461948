package engine

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/yomi-shogi/yomi/internal/inspect"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
)

// inspectSettings are the values of the options with which one watches the search.
type inspectSettings struct {
	traceFile, traceLevel, treeFile string
	address, token                  string
	treeNodes                       int64
}

// tokenOption is the option whose value is not shown.
const tokenOption = "Inspect_Token"

// The levels of Inspect_TraceLevel.
const (
	traceDebug = "debug"
	traceInfo  = "info"
)

// inspectOptions returns the options with which one watches the search.
func inspectOptions() []option {
	text := func(name, help string, field func(*settings) *string) option {
		return option{Option: usi.Option{Name: name, Type: usi.String}, help: help, field: func(s *settings) any { return field(s) }}
	}
	const mostNodes = 10_000
	return []option{
		text("Inspect_TraceFile", "file to which each search's events are added, for yomi tree",
			func(s *settings) *string { return &s.inspect.traceFile }),
		combo("Inspect_TraceLevel", traceDebug, []string{traceDebug, traceInfo}, "how much goes there: everything, or the course of the search and values",
			func(s *settings) *string { return &s.inspect.traceLevel }),
		text("Inspect_TreeFile", "picture of the search tree, .svg or .dot, written after every go",
			func(s *settings) *string { return &s.inspect.treeFile }),
		spin("Inspect_TreeNodes", 50, 1, mostNodes, "most positions in that picture",
			func(s *settings) *int64 { return &s.inspect.treeNodes }),
		text("Inspect_Address", "address of the live dashboard, such as 127.0.0.1:8080 or, for any free port, 127.0.0.1:0",
			func(s *settings) *string { return &s.inspect.address }),
		text(tokenOption, "secret that lets a page of the dashboard set breakpoints and step; needed for other addresses than this machine's own",
			func(s *settings) *string { return &s.inspect.token }),
	}
}

// checkInspect returns an error that names what is wrong in these settings.
func (s *settings) checkInspect() error {
	switch filepath.Ext(s.inspect.treeFile) {
	case ".svg", ".dot":
		return nil
	}
	if s.inspect.treeFile == "" {
		return nil
	}
	return fmt.Errorf("want a name that ends in .svg or .dot")
}

// watching is who gets a search's events.
type watching struct {
	extra   search.Sink
	live    atomic.Pointer[inspect.Filter]
	path    string // of the trace that is open
	level   string
	file    *os.File
	trace   *inspect.Writer
	builder *inspect.Builder // of the search under way, where a picture needs it
}

// SetSink sends the events of the searches from now on to the sink too; nil is for none. No search may run.
func (e *Engine) SetSink(sink search.Sink) { e.watching.extra = sink }

// SetLive says events that the filter shows as messages, from the next search on; nil says none. The search's goroutines then call
// the report function too. It may be called while Search runs.
func (e *Engine) SetLive(filter *inspect.Filter) { e.watching.live.Store(filter) }

// watch sets the search's sinks up.
func (e *Engine) watch(report func([]search.Info)) {
	w := &e.watching
	var sinks inspect.Tee
	if w.extra != nil {
		sinks = append(sinks, w.extra)
	}
	if err := w.open(&e.set.inspect); err != nil {
		report([]search.Info{{Text: "Error: Inspect_TraceFile: " + err.Error()}})
	}
	if w.trace != nil {
		sinks = append(sinks, w.trace)
	}
	if f := w.live.Load(); f != nil {
		sinks = append(sinks, inspect.NewLive(*f, func(line string) { report([]search.Info{{Text: line}}) }))
	}
	if w.builder = nil; e.set.inspect.treeFile != "" && e.alphaBeta != nil {
		w.builder = inspect.NewBuilder(0)
		sinks = append(sinks, w.builder)
	}
	if e.pages.live != nil {
		sinks = append(sinks, e.pages.live)
	}
	var sink search.Sink
	switch len(sinks) {
	case 0:
	case 1:
		sink = sinks[0]
	default:
		sink = sinks
	}
	if e.alphaBeta != nil {
		e.alphaBeta.SetSink(sink)
	} else {
		e.searcher.SetSink(sink)
	}
}

// open opens the trace that is set, and closes another one.
func (w *watching) open(s *inspectSettings) error {
	if s.traceFile == w.path && s.traceLevel == w.level {
		return nil
	}
	err := w.close()
	w.path, w.level = s.traceFile, s.traceLevel
	if s.traceFile == "" || err != nil {
		return err
	}
	w.file, err = os.OpenFile(s.traceFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	level := search.LevelDebug
	if s.traceLevel == traceInfo {
		level = search.LevelInfo
	}
	w.trace = inspect.NewWriter(w.file, level)
	return nil
}

func (w *watching) close() error {
	if w.file == nil {
		return nil
	}
	err := errors.Join(w.trace.Flush(), w.file.Close())
	w.file, w.trace = nil, nil
	return err
}

// watched writes what is wanted after a search.
func (e *Engine) watched(game *shogi.Game, report func([]search.Info)) {
	if w := &e.watching; w.trace != nil {
		if err := w.trace.Flush(); err != nil {
			report([]search.Info{{Text: "Error: Inspect_TraceFile: " + err.Error()}})
			_ = w.close()
		}
	}
	path := e.set.inspect.treeFile
	if path == "" {
		return
	}
	if err := e.drawTree(path, game); err != nil {
		report([]search.Info{{Text: "Error: Inspect_TreeFile: " + err.Error()}})
	}
}

// Tree returns the most important nodes of the last search's tree, empty before the first. For alpha-beta there is one only where
// Inspect_TreeFile is set. It may be called while Search runs.
func (e *Engine) Tree(l inspect.Limits) inspect.Tree {
	if e.searcher != nil {
		snapshot := e.searcher.Snapshot(uct.SnapshotLimits{Nodes: l.Nodes, Depth: l.Depth, Width: l.Width, Visits: l.Visits})
		return inspect.FromSnapshot(&snapshot)
	}
	if e.watching.builder == nil {
		return inspect.Tree{}
	}
	tree := e.watching.builder.Tree()
	return tree.Cut(l)
}

// drawTree writes the picture of the tree beside its place and then puts it there, so that a viewer never sees half of it.
func (e *Engine) drawTree(path string, game *shogi.Game) error {
	tree := e.Tree(inspect.Limits{Nodes: int(e.set.inspect.treeNodes), Width: pictureWidth})
	picture := inspect.Picture{Title: fmt.Sprintf("Move %d, %s to move", game.Position().Ply(), sideNames[game.Position().Side()&1])}
	write := func(w io.Writer) error { return tree.SVG(w, picture) }
	if strings.HasSuffix(path, ".dot") {
		write = func(w io.Writer) error { return tree.DOT(w, picture) }
	}
	f, err := os.Create(path + ".partial")
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(path+".partial", path)
}

// pictureWidth is the most moves of a position in the picture.
const pictureWidth = 5

var sideNames = [2]string{"Black", "White"}
