package uct

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

const (
	mateIn1  = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1"
	mated    = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 2"
	oneMove  = "sfen 8k/6G2/9/9/9/9/9/9/K8 w - 2"
	declared = "sfen 1+N2+N4/1K7/1+N+P6/9/5g3/4L1s2/1+l2pPg1+s/1s2b1b1+p/1+r4+p1k w 2Pr2gsn2l11p 378"
	middle   = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b"
)

func TestNodesAreCountedExactly(t *testing.T) {
	for _, threads := range []int{1, 3} {
		for _, n := range []int64{1, 2, 777} {
			c := randomConfig(1)
			c.Threads = threads
			s := newSearcher(t, c)
			r := nodes(s, game(t, middle), n)
			require.Equal(t, search.ReasonNodes, r.Reason)
			require.Equal(t, n, r.Lines[0].Nodes)
			sum := int64(0)
			for _, m := range s.RootMoves() {
				sum += m.Visits
			}
			require.Equal(t, n, sum)
		}
	}
}

func TestSameSearchTwice(t *testing.T) {
	run := func() ([]RootMove, search.Result) {
		s := newSearcher(t, randomConfig(5))
		g := game(t, middle)
		nodes(s, g, 3000)
		require.NoError(t, g.Do(s.RootMoves()[0].Move))
		r := nodes(s, g, 3000)
		for i := range r.Lines {
			r.Lines[i].Time, r.Lines[i].NPS = 0, 0
		}
		return s.RootMoves(), r
	}
	moves, result := run()
	for range 3 {
		againMoves, again := run()
		require.Equal(t, moves, againMoves)
		require.Equal(t, result, again)
	}
}

func TestWorkersLeaveACleanTree(t *testing.T) {
	for _, text := range []string{middle, smallPositions[1], smallPositions[3]} {
		c := randomConfig(2)
		c.Threads = 4
		s := newSearcher(t, c)
		g := game(t, text)
		for range 3 {
			nodes(s, g, 2000)
			checkTree(t, s)
		}
	}
}

func TestMateInOne(t *testing.T) {
	s := newSearcher(t, Config{
		NewPolicy: func() Policy { return uniformPolicy{} },
		NewValue:  func() Value { return evenValue{} },
	})
	r := nodes(s, game(t, mateIn1), 1000)
	require.Equal(t, "G*5b", r.Best.String())
	require.Equal(t, search.ReasonProved, r.Reason)
	require.Equal(t, search.Score{Mate: true, Plies: 1, WinRate: 1}, r.Lines[0].Score)

	o := s.Options()
	o.MultiPV = 3
	require.NoError(t, s.SetOptions(o))
	r = nodes(s, game(t, mateIn1), 1000)
	require.Equal(t, search.ReasonNodes, r.Reason, "the other lines are wanted too")
	require.Len(t, r.Lines, 3)
	require.True(t, r.Lines[0].Score.Mate)
	require.False(t, r.Lines[1].Score.Mate)

	r = s.Search(context.Background(), game(t, mateIn1), search.Limits{Nodes: 100, SearchMoves: []shogi.Move{move(t, "5i5h")}}, nil)
	require.Equal(t, "5i5h", r.Best.String())
	require.False(t, r.Lines[0].Score.Mate)
}

func TestOverAtRoot(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	r := nodes(s, game(t, mated), 100)
	require.Equal(t, search.Result{Best: shogi.MoveResign, Reason: search.ReasonNoMove}, r)

	r = nodes(s, game(t, declared), 100)
	require.Equal(t, shogi.MoveWin, r.Best)
	require.Equal(t, search.ReasonDeclare, r.Reason)

	o := s.Options()
	o.Declaration = shogi.NoEnteringKing
	require.NoError(t, s.SetOptions(o))
	r = nodes(s, game(t, declared), 100)
	require.True(t, r.Best.IsMove())
	require.Equal(t, search.ReasonNodes, r.Reason)
}

func TestSearchMovesAndLines(t *testing.T) {
	c := randomConfig(3)
	c.MultiPV = 3
	s := newSearcher(t, c)
	g := game(t, middle)
	r := nodes(s, g, 2000)
	require.Len(t, r.Lines, 3)
	seen := map[shogi.Move]bool{}
	for i, line := range r.Lines {
		require.Equal(t, i+1, line.MultiPV)
		require.Equal(t, len(line.PV), line.Depth)
		require.GreaterOrEqual(t, line.SelDepth, line.Depth)
		require.False(t, seen[line.PV[0]])
		seen[line.PV[0]] = true
		play := g.Clone()
		for _, m := range line.PV {
			require.NoError(t, play.Do(m))
		}
	}
	require.Equal(t, r.Best, r.Lines[0].PV[0])
	require.Equal(t, r.Ponder, r.Lines[0].PV[1])

	only := []shogi.Move{move(t, "9g9f"), move(t, "1g1f")}
	r = s.Search(context.Background(), g, search.Limits{Nodes: 500, SearchMoves: only}, nil)
	require.Len(t, r.Lines, 2)
	require.Contains(t, only, r.Best)
}

func TestResign(t *testing.T) {
	c := randomConfig(1)
	c.ResignThreshold = 0.9
	s := newSearcher(t, c)
	r := nodes(s, game(t, middle), 100)
	require.Equal(t, shogi.MoveResign, r.Best)
	require.Equal(t, search.ReasonResign, r.Reason)
}

// The answers that must be kept back, in a bubble whose clock stands while nothing can run.
func TestReports(t *testing.T) {
	c := randomConfig(1)
	c.PVInterval = 10 * time.Millisecond
	c.HashMB = 256
	s := newSearcher(t, c)
	var blocks [][]search.Info
	r := s.Search(context.Background(), game(t, middle), search.Limits{MoveTime: 500 * time.Millisecond}, func(lines []search.Info) {
		blocks = append(blocks, lines)
	})
	require.Greater(t, len(blocks), 2)
	require.Equal(t, r.Lines, blocks[len(blocks)-1], "the last report is the answer's")
	for i := 1; i < len(blocks); i++ {
		require.GreaterOrEqual(t, blocks[i][0].Nodes, blocks[i-1][0].Nodes)
		require.GreaterOrEqual(t, blocks[i][0].Time, blocks[i-1][0].Time)
	}
}

func TestTreeIsKept(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	g := game(t, middle)
	nodes(s, g, 5000)
	visits := func(g *shogi.Game) int64 {
		slot, ok := s.table.FindSameHashIndex(keyOf(g.Position()))
		require.True(t, ok)
		return int64(s.table.Node(slot).visits.Load())
	}
	for _, plies := range []int{1, 2} {
		next := g.Clone()
		for range plies {
			slot, _ := s.table.FindSameHashIndex(keyOf(next.Position()))
			require.NoError(t, next.Do(s.bestMove(s.table.Node(slot))))
		}
		before := visits(next)
		require.Greater(t, before, int64(10))
		r := nodes(s, next, 500)
		require.Equal(t, int64(500), r.Lines[0].Nodes, "kept visits are no new playouts")
		require.Equal(t, before+500, visits(next))
	}
	before := visits(g)
	require.GreaterOrEqual(t, before, int64(5001), "taking moves back keeps the tree")
	nodes(s, g, 10)
	require.Equal(t, before+10, visits(g))
	checkTree(t, s)
}

func TestWhatClearsTheTree(t *testing.T) {
	change := map[string]func(*Options){
		"draw value":  func(o *Options) { o.DrawValue = [2]float32{0.4, 0.4} },
		"max moves":   func(o *Options) { o.MaxMovesToDraw = 256 },
		"declaration": func(o *Options) { o.Declaration = shogi.CSARule24 },
		"temperature": func(o *Options) { o.PolicyTemperature = 1.5 },
		"nothing":     func(o *Options) { o.Threads, o.MultiPV, o.EvalCoef = 2, 2, 400 },
	}
	for name, f := range change {
		s := newSearcher(t, randomConfig(1))
		nodes(s, game(t, middle), 1000)
		o := s.Options()
		f(&o)
		require.NoError(t, s.SetOptions(o))
		nodes(s, game(t, middle), 10)
		require.Equal(t, name == "nothing", s.Stats().UsedSlots > 500, name)
	}
}

func TestFullMemory(t *testing.T) {
	for name, config := range map[string]func(*Config){
		"slots": func(c *Config) { c.Slots = 256 },
		"cells": func(c *Config) { c.HashMB, c.Slots = 1, 1<<13 },
	} {
		t.Run(name, func(t *testing.T) {
			c := randomConfig(1)
			config(&c)
			c.Threads = 2
			s := newSearcher(t, c)
			g := game(t, middle)
			var texts []string
			search1 := func(n int64) search.Result {
				return s.Search(context.Background(), g, search.Limits{Nodes: n}, func(lines []search.Info) {
					if lines[0].Text != "" {
						texts = append(texts, lines[0].Text)
					}
				})
			}
			r := search1(9000)
			require.Equal(t, int64(9000), r.Lines[0].Nodes)
			require.Len(t, texts, 1, "said once")
			require.Contains(t, texts[0], "full")
			stats := s.Stats()
			require.GreaterOrEqual(t, r.Lines[0].HashFull, 700)
			// Workers that look at the limit at the same time may each take one slot more.
			require.LessOrEqual(t, stats.UsedSlots, stats.Slots*maxLoad/8+c.Threads-1)
			require.Positive(t, stats.Recycled)
			checkTree(t, s)

			search1(1000)
			require.Greater(t, s.Stats().Evaluations, stats.Evaluations+100, "new nodes even so")
			require.GreaterOrEqual(t, s.last.root.visits.Load(), uint32(10_001), "the root stays")
			checkTree(t, s)
		})
	}
}

func TestDrawValues(t *testing.T) {
	o := DefaultOptions()
	o.DrawValue = [2]float32{0.4, 0.3}
	f := factsFor(&o, game(t, "startpos").Position())
	require.InDelta(t, 0.4, f.draw(shogi.Black), 1e-6)
	require.InDelta(t, 0.6, f.draw(shogi.White), 1e-6)
	f = factsFor(&o, game(t, "startpos moves 7g7f").Position())
	require.InDelta(t, 0.3, f.draw(shogi.Black), 1e-6)
	require.InDelta(t, 0.7, f.draw(shogi.White), 1e-6)
}

func TestMaximumPly(t *testing.T) {
	c := randomConfig(1)
	g := game(t, middle)
	c.MaxMovesToDraw = g.Position().Ply() // after one more move the game is drawn
	c.DrawValue = [2]float32{0.7, 0.7}
	s := newSearcher(t, c)
	nodes(s, g, 300)
	for _, m := range s.RootMoves() {
		if m.Visits > 0 {
			require.InDelta(t, 0.7, m.WinRate, 1e-6)
		}
	}
	c.MaxMovesToDraw = 3 // over long ago: analysed without the rule
	s = newSearcher(t, c)
	r := nodes(s, g, 300)
	require.Greater(t, r.Lines[0].SelDepth, 1)
}

func TestDeclarationInsideTheTree(t *testing.T) {
	for rule, want := range map[shogi.DeclarationRule]bool{shogi.CSARule27: true, shogi.NoEnteringKing: false} {
		c := randomConfig(1)
		c.Declaration = rule
		s := newSearcher(t, c)
		nodes(s, game(t, middle), 1)
		w := s.workers[0]
		w.position = *game(t, declared).Position()
		value, stage, proved := w.evaluate()
		require.Equal(t, want, stage == stateTerminal)
		require.Equal(t, want, value == 1)
		require.Equal(t, want, proved == won(1))
	}
}

func TestBadConfigs(t *testing.T) {
	bad := map[string]func(*Config){
		"evaluator":   func(c *Config) { c.NewValue = nil },
		"power":       func(c *Config) { c.Slots = 1000 },
		"room":        func(c *Config) { c.HashMB, c.Slots = 1, 1<<14 },
		"memory":      func(c *Config) { c.HashMB = -1 },
		"threads":     func(c *Config) { c.Threads = 0 },
		"multipv":     func(c *Config) { c.MultiPV = 0 },
		"temperature": func(c *Config) { c.PolicyTemperature = 0 },
		"coefficient": func(c *Config) { c.EvalCoef = 0 },
		"draw":        func(c *Config) { c.DrawValue[1] = 2 },
		"moves":       func(c *Config) { c.MaxMovesToDraw = -1 },
		"C_puct":      func(c *Config) { c.Params = DefaultParams(); c.Params[CPuct] = -1 },
	}
	for word, f := range bad {
		c := randomConfig(1)
		f(&c)
		_, err := New(c)
		require.ErrorContains(t, err, word)
	}
}

// Each line that was asked for gets visits, however little the policy thinks of its move.
func TestLinesGetVisits(t *testing.T) {
	for _, lines := range []int{1, 2, 5, 40} {
		s := sensible(t, false)
		o := s.Options()
		o.MultiPV = lines
		require.NoError(t, s.SetOptions(o))
		g := game(t, "startpos")
		nodes(s, g, 4000)
		checkTree(t, s)
		moves := s.RootMoves()
		if lines == 1 {
			require.Less(t, moves[4].Visits, int64(4000/4/5), "without lines the fifth move gets little")
			continue
		}
		for i, m := range moves[:min(lines, len(moves))] {
			require.GreaterOrEqual(t, m.Visits, int64(4000/linePart/lines)-1, "line %d of %d", i+1, lines)
		}
		r := nodes(s, g, 10)
		require.Len(t, r.Lines, min(lines, len(moves)))
	}
	// With moves chosen by the user, those are the lines.
	s := sensible(t, false)
	o := s.Options()
	o.MultiPV = 3
	require.NoError(t, s.SetOptions(o))
	chosen := []shogi.Move{move(t, "9g9f"), move(t, "1g1f")}
	r := s.Search(context.Background(), game(t, "startpos"), search.Limits{Nodes: 400, SearchMoves: chosen}, nil)
	require.Len(t, r.Lines, 2)
	for _, m := range s.RootMoves() {
		require.Contains(t, chosen, m.Move)
		require.Greater(t, m.Visits, int64(30))
	}
}
