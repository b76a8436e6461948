package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/internal/usi"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
	"github.com/yomi-shogi/yomi/value"
)

// settings holds the value of every option, in the option's own unit.
type settings struct {
	hashMB, slots, threads, multiPV, nodes, seed int64
	strength                                     int64
	softmax, evalCoef                            int64
	pvInterval, resign                           int64
	drawBlack, drawWhite, maxMoves               int64
	delay, moveTimeDelay, slowMover              int64
	params                                       [uct.NumParams]int64
	ponder, debug                                bool
	formula, policy, value, rule, logPath        string
	policyFile, valueFile                        string
	engine, alphaBeta, judge                     string
	treePath                                     string
	randomPly, randomTemperature, randomCutoff   int64
	stochastic                                   bool
	book                                         bookSettings
	inspect                                      inspectSettings
}

// option is a row of the option table. What the engine declares, accepts, explains and documents all comes from here.
type option struct {
	usi.Option
	// aliases are names that other engines give the same thing; accepted, not declared.
	aliases []string
	// rebuilds says that the searcher must be built anew for a change to take effect.
	rebuilds bool
	help     string
	// field returns the value's place: *int64 for a Spin, *bool for a Check, *string for the others; nil for a Button.
	field func(*settings) any
	// press is what a Button does.
	press func(*Engine) (string, error)
}

// The words of the combo options.
const (
	formulaPUCT     = "puct"
	formulaUCB1     = "ucb1"
	policyNetwork   = "net"
	policyUniform   = "uniform"
	policyHeuristic = "heuristic"
	valueNetwork    = "net"
	valueEven       = "even"
	valueMaterial   = "material"
)

// paramUnit is the number of steps in 1.0 of a search tunable whose option is a whole number.
const paramUnit = 10000

func spin(name string, def, lo, hi int64, help string, field func(*settings) *int64) option {
	return option{Option: usi.Option{Name: name, Type: usi.Spin, Default: strconv.FormatInt(def, 10), Min: lo, Max: hi}, help: help,
		field: func(s *settings) any { return field(s) }}
}

func check(name string, def bool, help string, field func(*settings) *bool) option {
	return option{Option: usi.Option{Name: name, Type: usi.Check, Default: strconv.FormatBool(def)}, help: help,
		field: func(s *settings) any { return field(s) }}
}

// combo puts the default first in the list: uci2wb, the bridge to xboard, always sends the first word.
func combo(name, def string, vars []string, help string, field func(*settings) *string) option {
	i := slices.Index(vars, def)
	vars = append([]string{def}, slices.Delete(slices.Clone(vars), i, i+1)...)
	return option{Option: usi.Option{Name: name, Type: usi.Combo, Default: def, Vars: vars}, help: help,
		field: func(s *settings) any { return field(s) }}
}

func file(name, help string, field func(*settings) *string) option {
	return option{Option: usi.Option{Name: name, Type: usi.Filename}, help: help, field: func(s *settings) any { return field(s) }}
}

// button is an action; it says what it did.
func button(name, help string, press func(*Engine) (string, error)) option {
	return option{Option: usi.Option{Name: name, Type: usi.Button}, help: help, press: press}
}

// also gives the option more names.
func (o option) also(aliases ...string) option { o.aliases = aliases; return o }

// rebuilding marks an option that needs a new searcher.
func (o option) rebuilding() option { o.rebuilds = true; return o }

// optionTable returns the option table, in the order of declaration.
func optionTable() []option {
	clock := search.DefaultClockOptions()
	const maxNodes = 1<<63 - 1
	table := []option{
		spin("USI_Hash", 256, 1, 65536, "memory of the search tree in MB, taken at isready",
			func(s *settings) *int64 { return &s.hashMB }).rebuilding().also("Hash"),
		check("USI_Ponder", false, "name the expected reply with each move, so that the GUI can let the engine think on the opponent's time",
			func(s *settings) *bool { return &s.ponder }).also("Ponder"),
		check("Stochastic_Ponder", false, "ponder about all replies, not just the expected one",
			func(s *settings) *bool { return &s.stochastic }),
		spin("Threads", 1, 1, 512, "goroutines that think",
			func(s *settings) *int64 { return &s.threads }).also("UCT_Threads"),
		spin("MultiPV", 1, 1, shogi.MaxMoves, "number of candidate moves to show",
			func(s *settings) *int64 { return &s.multiPV }).also("USI_MultiPV"),
		spin("Strength", maxStrength, 0, maxStrength, "below 100 plays weaker against people: thinks less, and chooses among the good moves by chance",
			func(s *settings) *int64 { return &s.strength }).also("Skill_Level"),
		spin("Random_Ply", 0, 0, 1000, "move number up to which moves are drawn by chance among the good ones, for variety",
			func(s *settings) *int64 { return &s.randomPly }),
		spin("Random_Temperature", 1000, 10, 10000, "how even that draw is: chances go with visits^(1/T), in 1/1000",
			func(s *settings) *int64 { return &s.randomTemperature }),
		spin("Random_Cutoff", 30, 0, 1000, "win rate in 1/1000 that a drawn move may be worse than the best",
			func(s *settings) *int64 { return &s.randomCutoff }),
		spin("NodesLimit", 0, 0, maxNodes, "new playouts for a move, 0 for no limit",
			func(s *settings) *int64 { return &s.nodes }).also("Const_Playout"),
		spin("PV_Interval", 500, 0, 1<<31-1, "milliseconds between reports, 0 to report only at the end",
			func(s *settings) *int64 { return &s.pvInterval }).also("PvInterval"),
		spin("Resign_Threshold", 10, 0, 1000, "win rate in 1/1000 below which the engine resigns, 0 for never",
			func(s *settings) *int64 { return &s.resign }),
		spin("Draw_Value_Black", 500, 0, 1000, "what a draw is worth to the engine in 1/1000 when it thinks for Black",
			func(s *settings) *int64 { return &s.drawBlack }).also("DrawValueBlack"),
		spin("Draw_Value_White", 500, 0, 1000, "what a draw is worth to the engine in 1/1000 when it thinks for White",
			func(s *settings) *int64 { return &s.drawWhite }).also("DrawValueWhite"),
		spin("MaxMovesToDraw", 0, 0, 100000, "move number after which the game is a draw, 0 for none",
			func(s *settings) *int64 { return &s.maxMoves }).also("Draw_Ply", "USI_MaxPly"),
		combo("EnteringKingRule", shogi.CSARule27.String(), shogi.DeclarationRuleNames(), "rule by which an entered king wins",
			func(s *settings) *string { return &s.rule }),
		spin("NetworkDelay", clock.Delay.Milliseconds(), 0, 10000, "milliseconds kept back from a game clock for the way to the GUI and back",
			func(s *settings) *int64 { return &s.delay }).also("NetworkDelay2", "Byoyomi_Margin", "Time_Margin"),
		spin("MoveTimeDelay", clock.MoveTimeDelay.Milliseconds(), 0, 10000, "the same for go movetime",
			func(s *settings) *int64 { return &s.moveTimeDelay }),
		spin("SlowMover", int64(clock.SlowMover), 10, 1000, "percent of the usual share of the main time to use for a move",
			func(s *settings) *int64 { return &s.slowMover }),
		combo("PolicyEvaluator", policyNetwork, []string{policyNetwork, policyHeuristic, policyUniform}, "who proposes moves",
			func(s *settings) *string { return &s.policy }).rebuilding(),
		combo("ValueEvaluator", valueNetwork, []string{valueNetwork, valueCapture, valueMaterial, valueEven}, "who judges positions; capture looks at exchanges before the net judges",
			func(s *settings) *string { return &s.value }).rebuilding(),
		file("PolicyFile", "file of a policy net to use instead of the built-in one; read at isready",
			func(s *settings) *string { return &s.policyFile }).rebuilding(),
		file("ValueFile", "file of a value net to use instead of the built-in one; read at isready",
			func(s *settings) *string { return &s.valueFile }).rebuilding(),
		spin("Softmax_Temperature", 100, 1, 500, "flattens (above 100) or sharpens (below) the policy, in 1/100",
			func(s *settings) *int64 { return &s.softmax }),
		spin("Eval_Coef", value.EvalCoef, 1, 10000, "a score in centipawns is -Eval_Coef * ln(1/winrate - 1); at its default the value net's own is used",
			func(s *settings) *int64 { return &s.evalCoef }),
		combo("UCT_Formula", formulaPUCT, []string{formulaPUCT, formulaUCB1}, "how a move is selected: with the policy's priors, or the textbook's UCB1",
			func(s *settings) *string { return &s.formula }),
		spin("UCT_Hash_Size", 0, 0, 1<<32, "nodes of the tree, a power of two; 0 for as many as fit USI_Hash",
			func(s *settings) *int64 { return &s.slots }).rebuilding(),
	}
	table = append(append(table, bookOptions()...), paramOptions()...)
	table = append(table, inspectOptions()...)
	return append(table,
		combo("SearchEngine", engineUCT, []string{engineUCT, engineAlphaBeta}, "who thinks: the tree search, or alpha-beta",
			func(s *settings) *string { return &s.engine }).rebuilding(),
		combo("AlphaBeta_Evaluator", judgeFeatures, []string{judgeFeatures, judgeNet}, "who judges positions for alpha-beta: weighted features, or the value net",
			func(s *settings) *string { return &s.judge }).rebuilding(),
		option{Option: usi.Option{Name: "AlphaBeta_Settings", Type: usi.String},
			help:  "changes to how alpha-beta searches, such as driver=mtdf,killers=off; yomi study --help lists them",
			field: func(s *settings) any { return &s.alphaBeta }, rebuilds: true},
		spin("Seed", 0, 0, maxNodes, "start of the random numbers that Strength and book moves use, 0 for others in each run",
			func(s *settings) *int64 { return &s.seed }),
		file("TreeFile", "file for SaveTree and LoadTree",
			func(s *settings) *string { return &s.treePath }),
		button("SaveTree", "write the search tree, so that a long analysis goes on another day",
			func(e *Engine) (string, error) { return e.saveTree() }),
		button("LoadTree", "read the tree of TreeFile at the next isready",
			func(e *Engine) (string, error) { e.wantTree = true; return "the tree is read at the next isready", nil }),
		check("DebugMessage", false, "explain each decision in an info string",
			func(s *settings) *bool { return &s.debug }),
		option{Option: usi.Option{Name: "WriteDebugLog", Type: usi.String}, help: "file to which the dialogue with the GUI is written",
			field: func(s *settings) any { return &s.logPath }},
	)
}

// paramOptions returns a row for each tunable of the search. Small numbers are declared in 1/10000.
func paramOptions() []option {
	var rows []option
	for i, p := range uct.ParamTable() {
		unit, help := paramScale(p), p.Meaning
		if unit != 1 {
			help += ", in 1/" + strconv.Itoa(paramUnit)
		}
		rows = append(rows, spin(p.Name, toOption(p.Default, unit), toOption(p.Min, unit), toOption(p.Max, unit), help,
			func(s *settings) *int64 { return &s.params[i] }))
	}
	return rows
}

// paramScale returns the number of the option's units in 1.0 of the tunable: 1 for those counted in hundreds or more.
func paramScale(p uct.ParamInfo) float64 {
	if p.Max >= 100 {
		return 1
	}
	return paramUnit
}

func toOption(value, unit float64) int64 { return int64(value*unit + 0.5) }

// uctParams returns the search's tunables.
func (s *settings) uctParams() uct.Params {
	var out uct.Params
	for i, p := range uct.ParamTable() {
		out[i] = float64(s.params[i]) / paramScale(p)
	}
	return out
}

// put stores a checked value.
func (o *option) put(s *settings, value string) {
	switch field := o.field(s).(type) {
	case *int64:
		*field, _ = strconv.ParseInt(value, 10, 64)
	case *bool:
		*field = value == "true"
	case *string:
		*field = value
	}
}

// get returns the value as text.
func (o *option) get(s *settings) string {
	switch field := o.field(s).(type) {
	case *int64:
		return strconv.FormatInt(*field, 10)
	case *bool:
		return strconv.FormatBool(*field)
	case *string:
		return *field
	}
	return ""
}

// defaults returns the settings of a new engine.
func defaults(table []option) settings {
	var s settings
	for i := range table {
		if table[i].Type != usi.Button {
			table[i].put(&s, table[i].Default)
		}
	}
	return s
}

// find returns the row with the name or alias, without regard to case; nil when there is none.
func find(table []option, name string) *option {
	i := slices.IndexFunc(table, func(o option) bool {
		return strings.EqualFold(o.Name, name) ||
			slices.ContainsFunc(o.aliases, func(a string) bool { return strings.EqualFold(a, name) })
	})
	if i < 0 {
		return nil
	}
	return &table[i]
}

// OptionHelp explains the options, two lines each.
func OptionHelp() string {
	var b strings.Builder
	for _, o := range optionTable() {
		fmt.Fprintf(&b, "  %s (%s)\n      %s%s\n", o.Name, strings.TrimSuffix(o.valueText(), ", default "), o.help, o.aliasText("; also called "))
	}
	return b.String()
}

// OptionMarkdown returns the options as a table for the README.
func OptionMarkdown() string {
	var b strings.Builder
	b.WriteString("| option | values | meaning |\n|---|---|---|\n")
	for _, o := range optionTable() {
		fmt.Fprintf(&b, "| `%s` | %s | %s%s |\n", o.Name, strings.TrimSuffix(o.valueText(), ", default "), o.help, o.aliasText("; also "))
	}
	return b.String()
}

// valueText describes type, range and default.
func (o *option) valueText() string {
	what := string(o.Type)
	switch o.Type {
	case usi.Button:
		return what
	case usi.Spin:
		what = fmt.Sprintf("%d..%d", o.Min, o.Max)
	case usi.Check:
		what = "true or false"
	case usi.Combo:
		what = strings.Join(o.Vars, ", ")
	}
	return what + ", default " + o.Default
}

func (o *option) aliasText(lead string) string {
	if len(o.aliases) == 0 {
		return ""
	}
	return lead + strings.Join(o.aliases, ", ")
}
