package uct

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/tinylib/msgp/msgp"

	"github.com/yomi-shogi/yomi/nodehash"
	"github.com/yomi-shogi/yomi/shogi"
)

const (
	treeMagic   = "yomi tree"
	treeVersion = 3
)

// Save writes the searcher's tree in MessagePack: a savedTree, then its nodes, those with the most visits first. No search may run.
func Save(w io.Writer, s *Searcher) error {
	out := msgp.NewWriter(w)
	start := shogi.StartPosition()
	head := savedTree{
		Magic:       treeMagic,
		Version:     treeVersion,
		KeyCheck:    start.Key(),
		DrawBlack:   s.facts.drawBlack,
		MaxMoves:    s.facts.maxMoves,
		Declaration: uint8(s.facts.declaration),
		Temperature: s.facts.temperature,
		Nodes:       s.table.Used(),
	}
	if err := head.EncodeMsg(out); err != nil {
		return fmt.Errorf("save tree: %w", err)
	}
	var saved savedNode
	for _, slot := range s.byVisits() {
		s.pack(&saved, s.table.Entry(int(slot)), s.table.Node(int(slot)))
		if err := saved.EncodeMsg(out); err != nil {
			return fmt.Errorf("save tree: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("save tree: %w", err)
	}
	return nil
}

// byVisits returns the used slots, those with the most visits first.
func (s *Searcher) byVisits() []uint32 {
	slots := make([]uint32, 0, s.table.Used())
	for slot := range s.table.Cap() {
		if s.table.Entry(slot).Used {
			slots = append(slots, uint32(slot))
		}
	}
	slices.SortFunc(slots, func(a, b uint32) int {
		if c := cmp.Compare(s.table.Node(int(b)).visits.Load(), s.table.Node(int(a)).visits.Load()); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	return slots
}

// pack copies a node; saved's slices are used again.
func (s *Searcher) pack(saved *savedNode, entry nodehash.Entry, n *node) {
	edges, stats := saved.Edges[:0], saved.Stats[:0]
	for _, e := range s.arena.edges(n) {
		edges = append(edges, uint32(e))
	}
	for _, st := range s.arena.stats(n) {
		stats = append(stats, savedEdge{Visits: st.n, Sum: st.w, Decided: st.r, DecidedSum: st.rho, Proof: int16(st.proof)})
	}
	*saved = savedNode{
		Hash: entry.Hash, Turn: entry.Turn, Moves: entry.Moves,
		Stage: uint8(n.stage()), Visits: n.visits.Load(), Sum: n.total(), Squares: n.squares,
		Value: n.value, Spread: n.spread, Proof: int16(n.proof()), Legal: n.edgeLen, Last: uint16(n.last), Edges: edges, Stats: stats,
	}
}

func entryKey(e nodehash.Entry) nodehash.Key {
	return nodehash.Key{Hash: e.Hash, Turn: e.Turn, Moves: e.Moves}
}

// Load replaces the searcher's tree by a saved one. The memory may have another size; of a tree that does not fit the
// most visited nodes are kept. The next search clears the tree if its options disagree with those of the saved one. The evaluators must be
// those that the tree was made with. That a node's moves are legal cannot be checked here: the file must come from Save. An error says what is wrong, and leaves an empty tree. No search may run.
func Load(r io.Reader, s *Searcher) error {
	s.Clear()
	if err := s.load(msgp.NewReader(r)); err != nil {
		s.Clear()
		return fmt.Errorf("load tree: %w", err)
	}
	return nil
}

func (s *Searcher) load(in *msgp.Reader) error {
	in.SetMaxElements(shogi.MaxMoves)
	var head savedTree
	if err := head.DecodeMsg(in); err != nil {
		return err
	}
	start := shogi.StartPosition()
	switch {
	case head.Magic != treeMagic:
		return fmt.Errorf("%q is not %q", head.Magic, treeMagic)
	case head.Version != treeVersion:
		return fmt.Errorf("version %d, want %d", head.Version, treeVersion)
	case head.KeyCheck != start.Key():
		return fmt.Errorf("made with other position keys")
	}
	memory := allocator{arena: s.arena}
	defer memory.release()
	s.facts = facts{drawBlack: head.DrawBlack, maxMoves: head.MaxMoves, declaration: shogi.DeclarationRule(head.Declaration), temperature: head.Temperature}
	var saved savedNode
	for i := range head.Nodes {
		if err := saved.DecodeMsg(in); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		if err := saved.check(); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		fits, err := s.unpack(&saved, &memory)
		if err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		if !fits {
			return nil
		}
	}
	return nil
}

// check returns an error when the search could not have left the node like this.
func (n *savedNode) check() error {
	visits, stage := uint64(1), uint32(n.Stage)
	for i, e := range n.Edges {
		if !edge(e).move().IsMove() || i > 0 && edge(e).prior() > edge(n.Edges[i-1]).prior() {
			return fmt.Errorf("bad move %d, %#x", i, e)
		}
	}
	for _, st := range n.Stats {
		if st.Decided > st.Visits || !(st.Sum >= 0 && st.DecidedSum >= 0) || math.IsInf(float64(st.Sum+st.DecidedSum), 0) {
			return fmt.Errorf("bad edge %+v", st)
		}
		visits += uint64(st.Visits)
	}
	legal, listed := int(n.Legal), len(n.Edges)
	switch expanded := stage == stateExpanded; {
	case stage < stateLeaf || stage > stateTerminal:
		return fmt.Errorf("bad stage %d", n.Stage)
	case expanded != (listed > 0), len(n.Stats) > listed, legal > shogi.MaxMoves, listed != legal && listed != min(legal, firstEdges):
		return fmt.Errorf("stage %d with %d of %d moves, %d visited", n.Stage, listed, legal, len(n.Stats))
	case expanded && visits != uint64(n.Visits), n.Visits == 0:
		return fmt.Errorf("%d visits, of the moves %d", n.Visits, visits-1)
	case !(n.Value >= 0 && n.Value <= 1 && n.Sum >= -1 && n.Squares >= 0), math.IsInf(n.Sum+n.Squares, 0):
		return fmt.Errorf("bad value %v, sum %v, squares %v", n.Value, n.Sum, n.Squares)
	case n.Proof != 0 && n.Sum != float64(n.Visits)*proof(n.Proof).value():
		return fmt.Errorf("proof %d with a sum of %v in %d visits", n.Proof, n.Sum, n.Visits)
	case !(n.Spread <= 1 && n.Spread >= -100):
		return fmt.Errorf("bad spread %v", n.Spread)
	}
	return nil
}

// unpack puts a checked node into the tree; fits is false when there is no room for it.
func (s *Searcher) unpack(saved *savedNode, memory *allocator) (fits bool, err error) {
	var made node
	if len(saved.Edges) > 0 {
		first, ok := memory.takeEdges(len(saved.Edges))
		if !ok {
			return false, nil
		}
		made.edges, made.edgeLen, made.last = first, saved.Legal, shogi.Move(saved.Last)
	}
	if want := len(saved.Stats); want > 0 && !memory.grow(&made, want) {
		return false, nil
	}
	made.visited = uint16(len(saved.Stats))
	slot, isNew, ok := s.findOrClaim(nodehash.Key{Hash: saved.Hash, Turn: saved.Turn, Moves: saved.Moves})
	if !ok {
		return false, nil
	}
	if !isNew {
		return false, fmt.Errorf("key %016x, move %d is there twice", saved.Hash, saved.Moves)
	}
	n := s.table.Node(slot)
	n.edges, n.edgeLen, n.last = made.edges, made.edgeLen, made.last
	n.stats, n.visited, n.room = made.stats, made.visited, made.room
	for i, edges := 0, s.arena.edgesAt(n.edges, len(saved.Edges)); i < len(edges); i++ {
		edges[i] = edge(saved.Edges[i])
	}
	for i, st := range saved.Stats {
		s.arena.stats(n)[i] = edgeStat{n: st.Visits, w: st.Sum, r: st.Decided, rho: st.DecidedSum, proof: proof(st.Proof)}
	}
	n.publish(saved.Value, uint32(saved.Stage), proof(saved.Proof))
	if len(saved.Edges) > firstEdges {
		n.state.Or(stateWhole)
	}
	n.spread, n.squares = saved.Spread, saved.Squares
	n.sum.Store(math.Float64bits(saved.Sum))
	n.visits.Store(saved.Visits)
	return true, nil
}
