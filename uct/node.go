package uct

import (
	"math"
	"math/bits"
	"runtime"
	"sync/atomic"

	"github.com/yomi-shogi/yomi/shogi"
)

// node is what is remembered of a position at a ply: 48 bytes without pointers.
//
// state, visits and sum may be read at any time; the rest belongs to the holder of the lock bit, or, while the state is stateEmpty, to
// the worker that claimed the slot.
type node struct {
	state   atomic.Uint32 // stage, lock bit, proof
	visits  atomic.Uint32 // N = 1 + Σn, for a terminal node just the number of visits
	sum     atomic.Uint64 // W as the bits of a float64
	squares float64       // sum of the squared values that playouts brought
	edges   uint32        // first cell of the edge list
	stats   uint32        // first cell of the statistics
	value   float32       // v₀, of the first visit
	spread  float32       // lnImpurity of the priors
	edgeLen uint16        // legal moves, of which the edge list may hold only the first ones
	visited uint16        // edges that have statistics: a prefix of the edge list
	room    uint16        // cells taken for statistics
	last    shogi.Move    // what the policy was told as the move before
}

// A node's state: one of four stages, the lock bit, the level of mate searches (mates.go), stateWhole, and in the upper half the proof.
const (
	stateEmpty    uint32 = iota // claimed; its worker is finding the value
	stateLeaf                   // has its value, moves not yet listed
	stateExpanded               // has its edges
	stateTerminal               // the game is over here; value is exact
	stateMask     uint32 = 3
	stateLock     uint32 = 4
	stateWhole    uint32 = 1 << 6 // the edge list holds all legal moves, however many
	proofShift           = 16
)

func (n *node) stage() uint32 { return n.state.Load() & stateMask }

func (n *node) lock() {
	for n.state.Or(stateLock)&stateLock != 0 {
		runtime.Gosched()
	}
}

func (n *node) unlock() { n.state.And(^stateLock) }

// firstEdges is the number of moves in an edge list until more are needed. In a middle game with the nets one of 250 nodes that have
// moves comes to that, and whole lists would take two thirds of the arena.
const firstEdges = 4 * edgesPerCell

// listed returns the number of moves in the edge list.
func (n *node) listed() int {
	if n.state.Load()&stateWhole != 0 {
		return int(n.edgeLen)
	}
	return min(int(n.edgeLen), firstEdges)
}

// await waits until the worker that claimed the node has set its value, and returns the stage.
func (n *node) await() uint32 {
	for {
		if s := n.stage(); s != stateEmpty {
			return s
		}
		runtime.Gosched()
	}
}

// publish gives a claimed node its value, stage and proof.
func (n *node) publish(value float32, stage uint32, p proof) {
	n.value = value
	n.squares = float64(value) * float64(value)
	n.sum.Store(math.Float64bits(float64(value)))
	n.visits.Store(1)
	n.state.Store(stage | p.bits())
}

// setStage moves a locked node to another stage.
func (n *node) setStage(stage uint32) { n.state.Store(n.state.Load()&^stateMask | stage) }

// add puts a change of W and one visit to the node, and the value that the playout brought. In a proved node every visit has the
// proved value. The caller holds the lock.
func (n *node) add(change, brought float64) {
	n.squares += brought * brought
	visits := n.visits.Add(1)
	sum := n.total() + change
	if p := n.proof(); p != unproved {
		sum = float64(visits) * p.value()
	}
	n.sum.Store(math.Float64bits(sum))
}

// total returns W.
func (n *node) total() float64 { return math.Float64frombits(n.sum.Load()) }

// revisit adds a visit to a node that is over and returns its value.
func (n *node) revisit() float64 {
	value := float64(n.value)
	if p := n.proof(); p != unproved {
		value = p.value()
	}
	n.lock()
	n.add(value, value)
	n.unlock()
	return value
}

// winRate returns Q. While another worker updates the node it may mix two neighbouring states, which is a difference of the order
// of 1/N.
func (n *node) winRate() float64 {
	return max(0, min(1, n.total()/float64(n.visits.Load())))
}

// edge is a legal move and its prior in 4 bytes: move in the low half, prior in units of 1/65535, at least 1, in the high one.
type edge uint32

const priorUnit = 1.0 / 65535

func newEdge(m shogi.Move, prior float32) edge {
	p := uint32(max(1, min(65535, prior*65535+0.5)))
	return edge(uint32(m) | p<<16)
}

func (e edge) move() shogi.Move { return shogi.Move(e & 0xffff) }

// atMost returns the edge with a prior that is no larger than another's.
func (e edge) atMost(o edge) edge { return e&0xffff | min(e, o)&^0xffff }

func (e edge) prior() float64 { return float64(e>>16) * priorUnit }

// edgeStat is what is known of a visited edge: 24 bytes. The sums are float32: w is set anew from the child's float64 sum at each
// visit, so rounding does not add up.
type edgeStat struct {
	child  uint32  // slot of the child, a hint to be checked
	n      uint32  // visits
	w      float32 // sum of their values for the side to move at the parent
	r      uint32  // those decided by the path
	rho    float32 // their sum of values
	flying uint16  // playouts under way through this edge
	proof  proof   // what is proved of the move, for the side that makes it
}

// settle adds one finished visit and returns by how much w changed. brought is the playout's value for the parent's side;
// child is nil when its statistics are not known.
func (s *edgeStat) settle(brought float64, decided bool, child *node) float64 {
	before := s.w
	s.n++
	switch own := s.n - s.r; {
	case decided:
		s.r++
		s.rho = addUp(s.rho, brought, s.n)
		s.w = addUp(s.w, brought, s.n)
	case child != nil && (child.visits.Load() >= own || child.proof() != unproved):
		s.w = float32(float64(s.rho) + float64(own)*opponent(child.winRate()))
	default:
		s.w = addUp(s.w, brought, s.n)
	}
	return float64(s.w) - float64(before)
}

// exactSum is below where a float32 loses the value of one visit: its steps grow to 1 at 2²³.
const exactSum = 1 << 20

// addUp returns sum + value. In a long analysis sums grow so large that rounding to the nearest float32 would drop each value,
// and the mean would fall to 0. There it rounds up as often as is right on average: the reversed bits of the count are
// spread evenly over 0..1.
func addUp(sum float32, value float64, count uint32) float32 {
	if sum < exactSum {
		return sum + float32(value)
	}
	exact := float64(sum) + value
	low := float32(exact)
	if float64(low) > exact {
		low = math.Nextafter32(low, 0)
	}
	high := math.Nextafter32(low, math.MaxFloat32)
	share := (exact - float64(low)) / (float64(high) - float64(low))
	if share > float64(bits.Reverse32(count))/(1<<32) {
		return high
	}
	return low
}
