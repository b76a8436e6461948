package uct

import "math"

// proof is a result that is certain whatever led to the position: n > 0 is a win in n plies for the side to move, n < 0 a loss in -n - 1, so
// that -1 is being mated now. It rests only on facts of position, ply and rules, never on a repetition, so it may be kept in a node
// that several paths reach. A declaration counts as one ply.
type proof int16

const unproved proof = 0

// maxProof keeps lengths within the bits they have.
const maxProof = 1 << 14

// won and lost return the proof of a win or loss in a number of plies.
func won(plies int) proof  { return proof(min(plies, maxProof)) }
func lost(plies int) proof { return proof(-1 - min(plies, maxProof)) }

// plies returns the length of a proved result.
func (p proof) plies() int {
	if p > 0 {
		return int(p)
	}
	return int(-1 - p)
}

// value returns the win rate of a proved result.
func (p proof) value() float64 {
	if p > 0 {
		return 1
	}
	return 0
}

// before returns what a proof of the position after a move proves of the move.
func (p proof) before() proof {
	if p > 0 {
		return lost(p.plies() + 1)
	}
	return won(p.plies() + 1)
}

// bits returns the proof as it lies in a node's state.
func (p proof) bits() uint32 { return uint32(uint16(p)) << proofShift }

// proof returns what is proved of the node.
func (n *node) proof() proof { return proof(int16(n.state.Load() >> proofShift)) }

// prove makes the result of the node certain and corrects what its visits brought before. The caller holds the lock. The first proof
// stays: walks end at the node from then on.
func (n *node) prove(p proof) {
	if n.proof() != unproved {
		return
	}
	n.state.Or(p.bits())
	n.squares = float64(n.visits.Load()) * p.value()
	n.sum.Store(math.Float64bits(n.squares))
}

// conclude puts what is proved of the child into the edge, and into the node if that decides it: one won move is enough, a loss needs all
// of them. The caller holds the node's lock.
func (a *arena) conclude(n *node, s *edgeStat, child proof) {
	s.proof = child.before()
	if s.proof > 0 {
		n.prove(s.proof)
		return
	}
	if n.visited < n.edgeLen {
		return
	}
	longest := s.proof
	for i := range a.stats(n) {
		other := a.stats(n)[i].proof
		if other >= 0 {
			return
		}
		longest = min(longest, other)
	}
	n.prove(longest)
}
