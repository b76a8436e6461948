// Package engine is the whole engine as a value: the option table, the evaluators and the tree search, wired together.
// cmd/usi serves it to a GUI; matches and self-play run it in their own process.
//
// Words: an option is what a user sets by name and text; it has one row in one table, from which the declaration to the
// GUI, the checks, the help and the README's table come. A setting is the value of an option. Options are read once, at
// the start of a search; those that need new memory or evaluators take effect when Ready is called, or else at the next
// search.
package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
	"github.com/yomi-shogi/yomi/value"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// thinker is a search: the tree search or alpha-beta.
type thinker interface {
	Search(ctx context.Context, game *shogi.Game, limits search.Limits, report func([]search.Info)) search.Result
	Clear()
}

// tree is a tree search and the size of its memory in MB.
type tree struct {
	searcher *uct.Searcher
	mb       int64
}

// Engine is an engine with its options and its tree. Its methods are for one goroutine at a time, except that Options,
// LogPath, Rule, Evaluate and Memory may be called while Search runs.
type Engine struct {
	table []option
	set   settings
	// thinker is what thinks, nil before the first Ready and when it must be built anew. It is one of the two behind it.
	thinker   thinker
	searcher  *uct.Searcher
	alphaBeta *alphabeta.Engine
	wantTree  bool       // LoadTree was pressed
	said      []string   // what options had to say
	random    *rand.Rand // for Strength and book moves; nil until the first use and after the seed has changed
	nets      nets
	openings  openings
	watching  watching
	pages     pages
	// published is the tree search's memory, for Memory; nil without one.
	published atomic.Pointer[tree]
	// machineMB is the most memory that a tree may take on this machine, 0 when that is not known.
	machineMB int64
}

// New returns an engine with every option at its default. It allocates nothing large; Ready does.
func New() *Engine {
	table := optionTable()
	return &Engine{table: table, set: defaults(table), machineMB: MachineMB()}
}

// Options returns the options that the engine declares.
func (e *Engine) Options() []usi.Option {
	var out []usi.Option
	for i := range e.table {
		out = append(out, e.table[i].Option)
	}
	return out
}

// ErrUnknownOption says that there is no option of the name. GUIs send options that an engine does not have, so it is harmless.
var ErrUnknownOption = errors.New("unknown option")

// Set changes an option, named by its name or an alias in any case. The error names an unknown option or the bad value;
// nothing has changed then.
func (e *Engine) Set(s usi.Setting) error {
	o := find(e.table, s.Name)
	if o == nil {
		return fmt.Errorf("%w %q is ignored", ErrUnknownOption, s.Name)
	}
	if o.Type == usi.Button {
		return e.press(o)
	}
	if !s.HasValue {
		return fmt.Errorf("option %s: the value is missing", o.Name)
	}
	value, err := o.Check(s.Value)
	if err != nil {
		return err
	}
	before := e.set
	o.put(&e.set, value)
	if err := e.set.check(); err != nil {
		e.set = before
		return fmt.Errorf("bad value %q for %s: %w", s.Value, o.Name, err)
	}
	if e.set == before {
		return nil
	}
	if o.rebuilds {
		e.apart(func() { e.thinker, e.searcher, e.alphaBeta = nil, nil, nil })
		e.published.Store(nil)
	}
	if e.thinker != nil {
		e.said = append(e.said, e.openPages()...)
	}
	if e.set.seed != before.seed {
		e.random = nil
	}
	return nil
}

// check tells what the ranges of single options cannot.
func (s *settings) check() error {
	if s.slots&(s.slots-1) != 0 {
		return fmt.Errorf("want 0 or a power of two")
	}
	return errors.Join(s.checkAlphaBeta(), s.checkInspect())
}

// LogPath returns the file that the dialogue is to be written to, "" for none.
func (e *Engine) LogPath() string { return e.set.logPath }

// Rule returns the declaration rule in force.
func (e *Engine) Rule() shogi.DeclarationRule {
	rule, _ := shogi.ParseDeclarationRule(e.set.rule)
	return rule
}

// Ready takes the memory and makes the evaluators, unless that is done, and reads the tree that LoadTree asked for. What the user
// should know comes back as messages. After an error message the engine still works, with less memory.
func (e *Engine) Ready() []string {
	messages := append(e.prepare(), e.openPages()...)
	if !e.wantTree {
		return messages
	}
	e.wantTree = false
	var text string
	var err error
	e.apart(func() { text, err = e.loadTree() })
	if err != nil {
		text = "Error: " + err.Error()
	}
	return append(messages, text)
}

// press does what a button stands for.
func (e *Engine) press(o *option) error {
	text, err := o.press(e)
	if err == nil {
		e.said = append(e.said, text)
	}
	return err
}

// Said returns what options had to say that were set since the last call.
func (e *Engine) Said() []string {
	said := e.said
	e.said = nil
	return said
}

// prepare takes the memory, makes the evaluators and reads the book, unless that is done.
func (e *Engine) prepare() []string {
	messages := e.openings.load(&e.set.book)
	if e.thinker != nil {
		return messages
	}
	debug.FreeOSMemory() // the last tree's memory goes back before the new one is taken
	messages = append(messages, e.nets.load(e.set.policyFile, e.set.valueFile)...)
	if limit := e.machineMB; limit > 0 && e.set.hashMB > limit {
		messages = append(messages, fmt.Sprintf("USI_Hash %d is more than this machine has to give; using %d", e.set.hashMB, limit))
		e.set.hashMB = limit
	}
	if e.set.engine == engineAlphaBeta {
		alphaBeta, err := e.newAlphaBeta()
		mustFit(err)
		e.thinker, e.alphaBeta = alphaBeta, alphaBeta
		return messages
	}
	searcher, err := uct.New(e.config())
	if err != nil {
		messages = append(messages, fmt.Sprintf("Error: %v; UCT_Hash_Size is set to 0", err))
		e.set.slots = 0
		searcher, err = uct.New(e.config())
		mustFit(err)
	}
	e.thinker, e.searcher = searcher, searcher
	e.published.Store(&tree{searcher, e.set.hashMB})
	return messages
}

// mustFit is for options that were checked before: that a search refuses them is a mistake in this package.
func mustFit(err error) {
	if err != nil {
		panic("engine: the checked options are refused: " + err.Error())
	}
}

// HashMB returns the size of the tree's memory in MB.
func (e *Engine) HashMB() int64 { return e.set.hashMB }

// NewGame forgets the last game's tree.
func (e *Engine) NewGame() {
	if e.thinker != nil {
		e.apart(e.thinker.Clear)
	}
	if e.pages.live != nil {
		e.pages.live.NewGame()
	}
}

// config returns what a searcher is built from.
func (e *Engine) config() uct.Config {
	newPolicy, newValue := e.evaluators()
	return uct.Config{NewPolicy: newPolicy, NewValue: newValue, HashMB: int(e.set.hashMB), Slots: int(e.set.slots), Options: e.options()}
}

// evaluators returns how to make the evaluators that are set.
func (e *Engine) evaluators() (func() uct.Policy, func() uct.Value) {
	newPolicy := map[string]func() uct.Policy{
		policyNetwork:   func() uct.Policy { return policy.NewNetEvaluator(e.nets.policyNet()) },
		policyHeuristic: func() uct.Policy { return policy.NewHeuristic() },
		policyUniform:   func() uct.Policy { return policy.NewUniform() },
	}[e.set.policy]
	newValue := map[string]func() uct.Value{
		valueNetwork:  func() uct.Value { return value.NewNetEvaluator(e.nets.valueNet()) },
		valueMaterial: func() uct.Value { return value.NewMaterial() },
		valueEven:     func() uct.Value { return value.NewEven() },
		valueCapture:  e.newCapture,
	}[e.set.value]
	return newPolicy, newValue
}

// options returns the options of a search.
func (e *Engine) options() uct.Options {
	s := &e.set
	o := uct.Options{
		Threads:           int(s.threads),
		Params:            e.params(),
		PolicyTemperature: float64(s.softmax) / 100,
		// Each option is what a draw is worth to the side that thinks; the search wants it as Black sees it.
		DrawValue:       [2]float32{float32(s.drawBlack) / 1000, 1 - float32(s.drawWhite)/1000},
		MaxMovesToDraw:  int(s.maxMoves),
		Declaration:     e.Rule(),
		EvalCoef:        e.evalCoef(),
		ResignThreshold: float64(s.resign) / 1000,
		MultiPV:         int(s.multiPV),
		PVInterval:      time.Duration(s.pvInterval) * time.Millisecond,
		Clock: search.ClockOptions{
			Delay:         time.Duration(s.delay) * time.Millisecond,
			MoveTimeDelay: time.Duration(s.moveTimeDelay) * time.Millisecond,
			SlowMover:     int(s.slowMover),
		},
	}
	if s.formula == formulaUCB1 {
		o.Formula = uct.UCB1
	}
	return o
}
