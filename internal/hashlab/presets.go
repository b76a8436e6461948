package hashlab

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/yomi-shogi/yomi/nodehash/classic"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/value"
	"github.com/yomi-shogi/yomi/value/alphabeta"
)

// TableRun is a search with a textbook table.
type TableRun struct {
	Name      string // the table's function, or «Go map»
	Buckets   int    // 0 for a map
	Failed    string // the error of the function, or that the search gave up
	Score     int
	Move      string
	Nodes     int64
	Probes    int64
	Hits      int64
	Counters  classic.Counters
	Occupied  int
	Different int // positions that were stored

	Nanoseconds float64 // a hash of these positions
}

// trial is what the advice looks at.
func (r *TableRun) trial() Trial {
	b, n := float64(r.Buckets), float64(r.Different)
	return Trial{r.Name, r.Buckets, r.Different, int(r.Counters.Calls), r.Occupied, b * -math.Expm1(n*math.Log1p(-1/b)),
		int(r.Counters.Collisions), int(r.Counters.Evictions), r.Nanoseconds}
}

// toy is a game with what a textbook table needs to know of it.
type toy[M comparable] struct {
	game   alphabeta.Game[M]
	key    func() classic.Key
	number func(M) uint32
	move   func(uint32) M
	text   func(M) string
}

// elements makes a key of a position's numbers.
func elements(numbers []int) classic.Key {
	keys := make([]classic.Key, len(numbers))
	for i, n := range numbers {
		keys[i] = classic.Int(int64(n))
	}
	return classic.Seq(keys...)
}

func chopsticks() toy[alphabeta.ChopsticksMove] {
	g := alphabeta.NewChopsticks()
	return toy[alphabeta.ChopsticksMove]{g, func() classic.Key { return elements(g.Elements()) },
		func(m alphabeta.ChopsticksMove) uint32 {
			return uint32(m.Kind)<<12 | uint32(m.From)<<8 | uint32(m.To)<<4 | uint32(m.Shift)
		},
		func(n uint32) alphabeta.ChopsticksMove {
			return alphabeta.ChopsticksMove{Kind: alphabeta.ChopsticksKind(n >> 12), From: int8(n >> 8 & 15), To: int8(n >> 4 & 15), Shift: int8(n & 15)}
		},
		func(m alphabeta.ChopsticksMove) string {
			if m.Kind == alphabeta.Tap {
				return fmt.Sprintf("tap %d→%d", m.From, m.To)
			}
			return fmt.Sprintf("shift %d: %d→%d", m.Shift, m.From, m.To)
		}}
}

func nim() toy[alphabeta.NimMove] {
	g := alphabeta.NewNim([]int{5, 5, 5, 5}, 0, true)
	return toy[alphabeta.NimMove]{g, func() classic.Key { return elements(g.Elements()) },
		func(m alphabeta.NimMove) uint32 { return uint32(m.Pile)<<8 | uint32(m.Take) },
		func(n uint32) alphabeta.NimMove { return alphabeta.NimMove{Pile: int8(n >> 8), Take: int8(n & 255)} },
		func(m alphabeta.NimMove) string { return fmt.Sprintf("%d from pile %d", m.Take, m.Pile+1) }}
}

// mostNodes ends the search with a table that forgets too much.
const mostNodes = 300_000

// mateProblem is a mate in five if every move must be check, as problems demand; a quiet move is quicker.
func mateProblem() toy[shogi.Move] {
	game, err := shogi.ParsePosition("sfen " + mateSFEN)
	if err != nil {
		panic(err) // it is a constant
	}
	g := alphabeta.NewShogiValue(value.NewEven(), 1, alphabeta.ShogiRules{NoRepetition: true})
	g.Reset(game)
	return toy[shogi.Move]{g, func() classic.Key {
		var cells [Cells]byte
		fill(&cells, g.Position())
		return classic.Bytes(cells[:])
	}, func(m shogi.Move) uint32 { return uint32(m) }, func(n uint32) shogi.Move { return shogi.Move(n) }, shogi.Move.String}
}

const (
	mateSFEN  = "6nk1/9/7p1/6R1+P/6L2/9/9/9/K8 b P 1"
	mateDepth = 5
)

// run searches a game with a table. A function that does not take the game's keys ends it.
func run[M comparable](ctx context.Context, t toy[M], c alphabeta.Config, depth int, name string, h *classic.Hasher, results *classic.Results) (TableRun, error) {
	table := &GameTable[M]{Results: results, Key: t.key, Number: t.number, Move: t.move}
	s, err := alphabeta.New(t.game, c, table)
	if err != nil {
		return TableRun{}, err
	}
	out := s.Run(alphabeta.Goal[M]{Depth: depth, Nodes: mostNodes, Stop: func() bool { return table.Err != nil || ctx.Err() != nil }})
	if err := ctx.Err(); err != nil {
		return TableRun{}, err
	}
	r := TableRun{Name: name, Score: out.Score(), Move: t.text(out.Move()), Nodes: out.Stats.Nodes, Probes: out.Stats.Probes, Hits: out.Stats.Hits,
		Counters: results.Counters(), Occupied: results.Len(), Different: table.Different()}
	switch {
	case table.Err != nil:
		r.Failed = failure(table.Err)
	case out.Stopped:
		r.Failed = fmt.Sprintf("gave up after %d nodes", mostNodes)
	}
	if h != nil {
		r.Buckets = h.Buckets()
		if r.Failed == "" {
			keys := make([]classic.Key, 0, len(table.seen))
			for _, key := range table.seen {
				keys = append(keys, key)
			}
			r.Nanoseconds, err = timeEach(len(keys), func(i int) (int, error) { return h.Index(keys[i]) })
		}
	}
	return r, err
}

// everyFunction searches a game with every textbook function and with a Go map.
func everyFunction[M comparable](ctx context.Context, make func() toy[M], c alphabeta.Config, depth, buckets int) ([]TableRun, error) {
	whole, err := run(ctx, make(), c, depth, "Go map", nil, classic.NewResults())
	if err != nil {
		return nil, err
	}
	runs := []TableRun{whole}
	for _, name := range classic.FunctionNames() {
		h, err := Scheme{name, Faithful}.hasher(buckets)
		if err != nil {
			return nil, err
		}
		r, err := run(ctx, make(), c, depth, name, h, classic.NewBucketResults(h))
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// Chopsticks searches the hand game to a depth with DUAL* and 32 buckets, as easyAI's example does with its JSW function;
// here with every function.
func Chopsticks(ctx context.Context, depth int) ([]TableRun, error) {
	const buckets = 32
	return everyFunction(ctx, chopsticks, alphabeta.Config{Driver: alphabeta.Dual}, depth, buckets)
}

// Solution is a solved game: searched, saved, loaded into another table and asked again.
type Solution struct {
	Game      string
	Table     string
	First     TableRun // the search
	Saved     int      // positions in the file
	FileBytes int64
	Again     TableRun // the search with the loaded table: no nodes
}

// solve searches a game, saves the table and asks again.
func solve[M comparable](ctx context.Context, game string, make func() toy[M], c alphabeta.Config, depth int, fresh func() (*classic.Results, error), table, path string) (Solution, error) {
	results, err := fresh()
	if err != nil {
		return Solution{}, err
	}
	s := Solution{Game: game, Table: table}
	if s.First, err = run(ctx, make(), c, depth, table, nil, results); err != nil {
		return s, err
	}
	if err := results.Save(path); err != nil {
		return s, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return s, err
	}
	s.Saved, s.FileBytes = results.Len(), info.Size()
	loaded, err := fresh()
	if err != nil {
		return s, err
	}
	if err := loaded.Load(path); err != nil {
		return s, err
	}
	s.Again, err = run(ctx, make(), c, depth, table, nil, loaded)
	return s, err
}

// nimDepth is the number of pieces of Nim: no game is longer.
const nimDepth = 20

// solving searches for the exact value, so that the table gets an exact value and a move for the root, whoever wins.
func solving() alphabeta.Config {
	return alphabeta.Config{Driver: alphabeta.AlphaBeta, Ordering: alphabeta.OrderHeuristic, TableAnswers: true}
}

// Solved solves Nim with four piles of five (who takes the last piece loses) and a mate problem, saving the tables in a
// folder.
func Solved(ctx context.Context, dir string) ([]Solution, error) {
	var out []Solution
	for _, t := range solvedTables() {
		s, err := solve(ctx, "Nim 5 5 5 5", nim, solving(), nimDepth, t.fresh, t.name, filepath.Join(dir, "nim-"+t.file+".results"))
		if err != nil {
			return nil, err
		}
		out = append(out, s)
		if s, err = solve(ctx, "mate problem", mateProblem, solving(), mateDepth, t.fresh, t.name, filepath.Join(dir, "mate-"+t.file+".results")); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// solvedTable is a kind of table that Solved tries.
type solvedTable struct {
	name, file string
	fresh      func() (*classic.Results, error)
}

func solvedTables() []solvedTable {
	const buckets = 1 << 16
	return []solvedTable{
		{"Go map", "map", func() (*classic.Results, error) { return classic.NewResults(), nil }},
		{fmt.Sprintf("FNV 32-bit, %d buckets", buckets), "buckets", func() (*classic.Results, error) {
			h, err := Scheme{"FNV", Wide32}.hasher(buckets)
			if err != nil {
				return nil, err
			}
			return classic.NewBucketResults(h), nil
		}},
	}
}

// NimFunctions finds out who wins Nim with every textbook function in 4096 buckets.
func NimFunctions(ctx context.Context) ([]TableRun, error) {
	const buckets = 4096
	return everyFunction(ctx, nim, alphabeta.Config{Driver: alphabeta.AlphaBeta, WinLoss: true}, nimDepth, buckets)
}
