package uct

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/nodehash"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/mate"
)

// facts is all that values and priors in the tree depend on beside position and ply. When it changes the tree is worthless.
type facts struct {
	drawBlack   float32 // what a draw is worth to Black
	maxMoves    int
	declaration shogi.DeclarationRule
	temperature float64
	thrice      uint64 // the positions of the game that were there three times, see thrice
}

// draw returns what a draw is worth to the side.
func (f *facts) draw(side shogi.Color) float32 {
	if side == shogi.Black {
		return f.drawBlack
	}
	return 1 - f.drawBlack
}

// factsFor returns the facts for a search from the position. A rule under which the game would be over already is left out,
// so that such a position can still be analysed.
func factsFor(o *Options, p *shogi.Position) facts {
	f := facts{
		drawBlack:   o.DrawValue[p.Side()&1],
		maxMoves:    o.MaxMovesToDraw,
		declaration: o.Declaration,
		temperature: o.PolicyTemperature,
	}
	if p.Ply() > f.maxMoves {
		f.maxMoves = 0
	}
	if _, ok := p.CanDeclare(f.declaration); ok {
		f.declaration = shogi.NoEnteringKing
	}
	return f
}

// Searcher is a tree and the workers that search it. Its methods, Stats, TableStats and Snapshot excepted, must not be called while Search runs.
type Searcher struct {
	newPolicy func() Policy
	newValue  func() Value
	opts      Options

	table   *nodehash.Table[node]
	arena   *arena
	limit   int          // slots that may be claimed
	reserve atomic.Int64 // cells that are kept free for playouts under way
	evals   atomic.Int64
	steps   atomic.Int64 // moves walked by playouts
	facts   facts
	growth  *growthTable // for opts.Params
	workers []*worker
	last    *run       // the latest search, nil after Clear
	viewing sync.Mutex // held while the tree is made ready for a search or cleared, and while others look at it
	sink    search.Sink

	lag      search.Lag
	reporter *mate.Solver // finds the moves of mates for the lines that are reported; nil until needed

	generation uint32 // counts searches since Clear
	recycler   recycler
}

// maxLoad is the part of the slots, in eighths, that is claimed at most: probing gets long in a fuller table.
const maxLoad = 7

// New takes the memory and returns a Searcher with an empty tree. The error names what is wrong in the configuration.
func New(c Config) (*Searcher, error) {
	if c.NewPolicy == nil || c.NewValue == nil {
		return nil, fmt.Errorf("uct: no policy or no value evaluator")
	}
	slots, cells, err := c.sizes()
	if err != nil {
		return nil, fmt.Errorf("uct: %w", err)
	}
	table, err := nodehash.New[node](slots)
	if err != nil {
		return nil, fmt.Errorf("uct: %w", err)
	}
	s := &Searcher{
		newPolicy: c.NewPolicy,
		newValue:  c.NewValue,
		table:     table,
		arena:     newArena(cells),
		limit:     max(1, slots*maxLoad/8),
	}
	s.recycler.reset()
	if c.Options == (Options{}) {
		c.Options = DefaultOptions()
	}
	return s, s.SetOptions(c.Options)
}

// SetOptions changes the options from the next search on. The error names the first bad one; then nothing is changed. A tree that
// does not fit the new draw values, policy temperature, declaration rule or length of the game is cleared by that search.
func (s *Searcher) SetOptions(o Options) error {
	if err := o.check(); err != nil {
		return fmt.Errorf("uct: %w", err)
	}
	s.opts = o
	if s.growth == nil || s.growth.params != o.Params {
		s.growth = newGrowthTable(&o.Params)
	}
	return nil
}

// Options returns the options in force.
func (s *Searcher) Options() Options { return s.opts }

// SetEvaluators changes the evaluators and clears the tree.
func (s *Searcher) SetEvaluators(newPolicy func() Policy, newValue func() Value) {
	s.newPolicy, s.newValue = newPolicy, newValue
	s.workers = nil
	s.Clear()
}

// Clear forgets the tree.
func (s *Searcher) Clear() {
	s.viewing.Lock()
	defer s.viewing.Unlock()
	s.clear()
}

func (s *Searcher) clear() {
	s.table.Clear()
	s.arena.clear()
	for _, w := range s.workers {
		w.memory.forget()
		w.mates = nil // what it remembers would make the next search another one
	}
	s.generation = 0
	s.recycler.reset()
	s.last = nil
}

// keyOf returns the key of a position's node.
func keyOf(p *shogi.Position) nodehash.Key {
	return nodehash.Key{Hash: p.Key(), Turn: uint8(p.Side()), Moves: uint16(p.Ply())}
}

// findOrClaim returns the slot of the key, claiming one when it has none and isNew is then true. ok is false when there is none
// and no room for one. Workers that look at the limit at the same time may pass it by one slot each, for which the table has room.
func (s *Searcher) findOrClaim(key nodehash.Key) (slot int, isNew, ok bool) {
	if s.table.Used() >= s.limit {
		slot, ok = s.table.FindSameHashIndex(key)
	} else {
		slot, isNew, ok = s.table.FindOrClaim(key)
	}
	return slot, isNew, ok
}

// find returns the position's node, or nil.
func (s *Searcher) find(p *shogi.Position) *node {
	slot, ok := s.table.FindSameHashIndex(keyOf(p))
	if !ok {
		return nil
	}
	return s.table.Node(slot)
}

// Stats is how full the memory is.
type Stats struct {
	// Slots and Cells are what there is of node slots and of arena cells of 24 bytes; the Used are in use.
	Slots, UsedSlots, Cells, UsedCells int
	// HashFull is the larger share in use, in permille of what may be used.
	HashFull int
	// Evaluations is the number of values asked for since New.
	Evaluations int64
	// Steps is the number of moves that all playouts walked since New.
	Steps int64
	// Recycled is the number of nodes that were forgotten to make room since New, in so many Pauses, of which the longest took LongestPause.
	Recycled, Pauses int64
	LongestPause     time.Duration
}

// UsedBytes returns the memory that nodes, edges and statistics in use take.
func (s *Stats) UsedBytes() int64 { return int64(s.UsedSlots)*slotBytes + int64(s.UsedCells)*cellBytes }

// Stats returns the memory's figures. It may be called while Search runs.
func (s *Searcher) Stats() Stats {
	st := Stats{
		Slots:       s.table.Cap(),
		UsedSlots:   s.table.Used(),
		Cells:       len(s.arena.cells) - 1,
		UsedCells:   s.arena.used(),
		Evaluations: s.evals.Load(),
		Steps:       s.steps.Load(),

		Recycled:     s.recycler.forgotten.Load(),
		Pauses:       s.recycler.pauses.Load(),
		LongestPause: time.Duration(s.recycler.longest.Load()),
	}
	st.HashFull = min(1000, max(st.UsedSlots*1000/s.limit, st.UsedCells*1000/max(1, st.Cells-int(s.reserve.Load()))))
	return st
}

// TableStats describes the node table: load, probe lengths, runs. It walks the whole table, a millisecond for 100,000 slots. It may be
// called while Search runs; workers that want to make room wait meanwhile.
func (s *Searcher) TableStats() nodehash.Stats {
	s.viewing.Lock()
	defer s.viewing.Unlock()
	if r := s.last; r != nil {
		r.parking.mu.Lock() // no node goes away meanwhile
		defer r.parking.mu.Unlock()
	}
	return s.table.Stats()
}
