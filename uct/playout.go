package uct

import "github.com/yomi-shogi/yomi/internal/search"

// playout walks once from the root to a position that is new or whose result is known, and brings its value back.
func (w *worker) playout() {
	w.begin()
	w.telling.closely = w.run.s.closely()
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
			if w.run.s.inspected() {
				w.tellValue(search.EventRepeat, value, stateLeaf, unproved)
			}
			w.backup(value, true)
			return
		}
		s := &w.path[len(w.path)-1]
		isNew := w.enter(s)
		n = s.child
		switch {
		case n == nil: // no room for a node
			value, stage, proved := w.evaluate()
			if w.run.s.inspected() {
				w.tellValue(search.EventEvaluate, float64(value), stage, proved)
			}
			w.backup(float64(value), false)
			return
		case isNew:
			w.backup(w.create(n), false)
			return
		case n.await() == stateTerminal || n.proof() != unproved:
			if w.run.s.inspected() {
				w.tellArrival(search.EventRevisit, n, s.own)
			}
			w.backup(n.revisit(), false)
			return
		case n.visits.Load() > s.own: // other paths know it better than this edge does
			if w.run.s.inspected() {
				w.tellArrival(search.EventMerge, n, s.own)
			}
			w.backup(n.winRate(), false)
			return
		}
	}
}

// selectEdge chooses a move at the node, expanding the node first if need be, and puts it on the path with its edge in flight. It
// reports false when memory for that is missing, or when the node's result has just been proved.
func (w *worker) selectEdge(n *node) bool {
	expanded, chosen := w.selectLocked(n)
	if w.telling.closely || !chosen && w.run.s.inspected() {
		w.tellSelection(n, expanded, chosen)
	}
	return chosen
}

// selectLocked does the work of selectEdge under the node's lock. expanded says that the node got its moves now.
func (w *worker) selectLocked(n *node) (expanded, chosen bool) {
	n.lock()
	defer n.unlock()
	if n.stage() == stateLeaf {
		if p := w.quickMate(); p != unproved {
			n.prove(p)
			return false, false
		}
		if !w.expand(n) {
			return false, false
		}
		expanded = true
	}
	if int(n.visited) == n.listed() {
		w.complete(n)
	}
	arena := w.run.s.arena
	if w.run.s.inspected() {
		w.noteKey()
	}
	if w.telling.closely {
		w.note(n)
	}
	i := w.choose(n, true)
	if i == int(n.visited) {
		if w.memory.grow(n, i+1) {
			n.visited++
		} else {
			i = w.choose(n, false)
		}
	}
	if i < 0 {
		return expanded, false
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
	return expanded, true
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
	value, stage, proved := w.fill(n)
	if w.run.s.inspected() {
		w.tellValue(search.EventEvaluate, float64(value), stage, proved)
	}
	return float64(value)
}

// fill gives a new node the value of the worker's position.
func (w *worker) fill(n *node) (value float32, stage uint32, proved proof) {
	value, stage, proved = w.evaluate()
	n.publish(value, stage, proved)
	return value, stage, proved
}

// backup takes the value, which is for the side to move at the end of the path, up to the root. decided says that the path
// alone decided it.
func (w *worker) backup(value float64, decided bool) {
	arena := w.run.s.arena
	w.run.noteDepth(len(w.path))
	inspected, closely := w.run.s.inspected(), w.telling.closely
	for i := len(w.path) - 1; i >= 0; i-- {
		value = opponent(value)
		s := &w.path[i]
		s.parent.lock()
		before := s.parent.proof()
		stat := &arena.stats(s.parent)[s.edge]
		stat.flying--
		stat.child = s.slot
		s.parent.add(stat.settle(value, decided, s.child), value)
		if !decided && s.child != nil && stat.proof == unproved {
			if p := s.child.proof(); p != unproved {
				arena.conclude(s.parent, stat, p)
			}
		}
		brought := value
		if p := s.parent.proof(); p != unproved {
			value = p.value()
		}
		isProved := before == unproved && s.parent.proof() != unproved
		tell := closely || inspected && isProved
		if tell {
			w.noteBackup(i, stat, brought)
		}
		s.parent.unlock()
		if tell {
			w.tellBackup(closely, isProved)
		}
		decided = false
	}
}
