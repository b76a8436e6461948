package uct

import "github.com/yomi-shogi/yomi/internal/search"

// playout walks once from the root to a position that is new or whose result is known, and brings its value back.
func (w *worker) playout() {
	w.begin()
	n := w.run.root
	for {
		if !w.selectEdge(n) {
			if n == w.run.root {
				w.run.finish(search.ReasonProved)
			}
			w.backup(n.winRate(), false) // the walk ends here
			return
		}
		w.follow()
		if value, decided := w.repetition(); decided {
			w.backup(value, true)
			return
		}
		s := &w.path[len(w.path)-1]
		isNew := w.enter(s)
		n = s.child
		switch {
		case n == nil: // no room for a node
			value, _, _ := w.evaluate()
			w.backup(float64(value), false)
			return
		case isNew:
			w.backup(w.create(n), false)
			return
		case n.await() == stateTerminal || n.proof() != unproved:
			w.backup(n.revisit(), false)
			return
		case n.visits.Load() > s.own: // other paths know it better than this edge does
			w.backup(n.winRate(), false)
			return
		}
	}
}

// selectEdge chooses a move at the node, expanding the node first if need be, and puts it on the path with its edge in flight. It
// reports false when memory for that is missing, or when the node's result has just been proved.
func (w *worker) selectEdge(n *node) bool {
	n.lock()
	defer n.unlock()
	if n.stage() == stateLeaf {
		if p := w.quickMate(); p != unproved {
			n.prove(p)
			return false
		}
		if !w.expand(n) {
			return false
		}
	}
	arena := w.run.s.arena
	i := w.choose(n, true)
	if i == int(n.visited) {
		if w.memory.grow(n, i+1) {
			n.visited++
		} else {
			i = w.choose(n, false)
		}
	}
	if i < 0 {
		return false
	}
	s := &arena.stats(n)[i]
	w.path = append(w.path, step{
		parent: n,
		edge:   uint16(i),
		move:   arena.edges(n)[i].move(),
		slot:   s.child,
		known:  s.n > 0,
		own:    s.n - s.r + uint32(s.flying),
	})
	s.flying++
	return true
}

// follow plays the path's last move.
func (w *worker) follow() {
	w.last = w.path[len(w.path)-1].move
	w.position.Do(w.last)
	w.history.Push(&w.position)
}

// enter finds or makes the node of the worker's position and puts it into the step; isNew says that it is this worker's to fill. The
// step's child stays nil when there is no free slot.
func (w *worker) enter(s *step) (isNew bool) {
	table, key := w.run.s.table, keyOf(&w.position)
	if s.known && table.Holds(int(s.slot), key) {
		s.child = table.Node(int(s.slot))
		table.Touch(int(s.slot), w.run.s.generation)
		return false
	}
	slot, isNew, ok := w.run.s.findOrClaim(key)
	if ok {
		s.slot, s.child = uint32(slot), table.Node(slot)
		table.Touch(slot, w.run.s.generation)
	}
	return isNew
}

// create fills a new node and returns its value.
func (w *worker) create(n *node) float64 {
	value, stage, proved := w.evaluate()
	n.publish(value, stage, proved)
	return float64(value)
}

// backup takes the value, which is for the side to move at the end of the path, up to the root. decided says that the path
// alone decided it.
func (w *worker) backup(value float64, decided bool) {
	arena := w.run.s.arena
	w.run.noteDepth(len(w.path))
	for i := len(w.path) - 1; i >= 0; i-- {
		value = opponent(value)
		s := &w.path[i]
		s.parent.lock()
		stat := &arena.stats(s.parent)[s.edge]
		stat.flying--
		stat.child = s.slot
		s.parent.add(stat.settle(value, decided, s.child), value)
		if !decided && s.child != nil && stat.proof == unproved {
			if p := s.child.proof(); p != unproved {
				arena.conclude(s.parent, stat, p)
			}
		}
		if p := s.parent.proof(); p != unproved {
			value = p.value()
		}
		s.parent.unlock()
		decided = false
	}
}
