package alphabeta

// Small games, for tests of the drivers and of tables. All are Games with a mover's view of the score.

// NimMove takes Take pieces, 1 or more, from a pile.
type NimMove struct{ Pile, Take int8 }

// MaxPiles is the largest number of piles of Nim.
const MaxPiles = 8

// Nim is the game of piles: a move takes any number of pieces from one pile, and who takes the last piece wins, or, in misère play,
// loses.
type Nim struct {
	piles  [MaxPiles]int8
	count  int
	most   int8
	misere bool
	turn   uint8
	taken  []NimMove
}

// NewNim returns a game with these piles, at most MaxPiles of at most 100 pieces; more are cut off. A move takes at most most pieces,
// 0 for any number. In misère play who takes the last piece loses.
func NewNim(piles []int, most int, misere bool) *Nim {
	g := &Nim{count: min(len(piles), MaxPiles), most: int8(min(most, 100)), misere: misere}
	for i := range g.count {
		g.piles[i] = int8(min(piles[i], 100))
	}
	return g
}

// Moves appends the moves, pile by pile, few pieces first.
func (g *Nim) Moves(list []NimMove) []NimMove {
	for i, n := range g.piles[:g.count] {
		if g.most > 0 {
			n = min(n, g.most)
		}
		for take := int8(1); take <= n; take++ {
			list = append(list, NimMove{int8(i), take})
		}
	}
	return list
}

// Do makes a move.
func (g *Nim) Do(m NimMove) {
	g.piles[m.Pile] -= m.Take
	g.turn ^= 1
	g.taken = append(g.taken, m)
}

// Undo takes the last move back.
func (g *Nim) Undo() {
	m := g.taken[len(g.taken)-1]
	g.taken = g.taken[:len(g.taken)-1]
	g.piles[m.Pile] += m.Take
	g.turn ^= 1
}

// Over reports that nothing is left to take.
func (g *Nim) Over() (int, bool) {
	if g.piles != [MaxPiles]int8{} {
		return 0, false
	}
	if g.misere {
		return Mate, true
	}
	return -Mate, true
}

// Value is 0: who wins is not known before the end.
func (g *Nim) Value() int { return 0 }

// Key is different for different positions of up to 100 pieces a pile, up to chance.
func (g *Nim) Key() uint64 {
	key := mix(uint64(g.turn))
	for i, n := range g.piles {
		key ^= mix(uint64(i)<<16 | uint64(uint8(n))<<8 | 1<<32)
	}
	return key
}

// Elements returns the position as a list of numbers, the side to move first: a key for other kinds of table.
func (g *Nim) Elements() []int {
	e := []int{int(g.turn)}
	for _, n := range g.piles[:g.count] {
		e = append(e, int(n))
	}
	return e
}

// Identity returns piles and side.
func (g *Nim) Identity() any {
	return struct {
		piles [MaxPiles]int8
		turn  uint8
	}{g.piles, g.turn}
}

// ChopsticksMove is a tap of one's hand From on the opponent's hand To, or a shift of Shift fingers from hand From to one's own
// hand To.
type ChopsticksMove struct {
	Kind            ChopsticksKind
	From, To, Shift int8
}

// ChopsticksKind is the kind of a move.
type ChopsticksKind uint8

// The kinds. The zero value is no move.
const (
	Tap ChopsticksKind = 1 + iota
	Shift
)

// outFingers is the number of fingers at which a hand is out.
const outFingers = 6

// Chopsticks is the hand game: both begin with a finger on each of two hands. A tap adds the fingers of one's hand to a hand
// of the opponent; with six or more that hand is out. A shift moves fingers between one's own hands, not just swapping
// them. Who has no hand left has lost. The game can go round in circles, so it needs a depth.
type Chopsticks struct {
	hands [2][2]int8
	turn  uint8
	past  [][2][2]int8
}

// NewChopsticks returns the game at its start.
func NewChopsticks() *Chopsticks { return &Chopsticks{hands: [2][2]int8{{1, 1}, {1, 1}}} }

// Moves appends shifts, then taps.
func (g *Chopsticks) Moves(list []ChopsticksMove) []ChopsticksMove {
	own, other := &g.hands[g.turn], &g.hands[g.turn^1]
	for from := range int8(2) {
		to := 1 - from
		for n := int8(1); n <= min(own[from], outFingers-1-own[to]); n++ {
			if own[from] != own[to]+n {
				list = append(list, ChopsticksMove{Shift, from, to, n})
			}
		}
	}
	for from := range int8(2) {
		for to := range int8(2) {
			if own[from] != 0 && other[to] != 0 {
				list = append(list, ChopsticksMove{Kind: Tap, From: from, To: to})
			}
		}
	}
	return list
}

// Do makes a move.
func (g *Chopsticks) Do(m ChopsticksMove) {
	g.past = append(g.past, g.hands)
	own, other := &g.hands[g.turn], &g.hands[g.turn^1]
	if m.Kind == Shift {
		own[m.From] -= m.Shift
		own[m.To] += m.Shift
	} else if other[m.To] += own[m.From]; other[m.To] >= outFingers {
		other[m.To] = 0
	}
	g.turn ^= 1
}

// Undo takes the last move back.
func (g *Chopsticks) Undo() {
	g.hands = g.past[len(g.past)-1]
	g.past = g.past[:len(g.past)-1]
	g.turn ^= 1
}

// Over reports that the side to move has no hand left.
func (g *Chopsticks) Over() (int, bool) {
	return -Mate, g.hands[g.turn] == [2]int8{}
}

// Value is 0.
func (g *Chopsticks) Value() int { return 0 }

// Key is different for different positions.
func (g *Chopsticks) Key() uint64 {
	key := uint64(g.turn)
	for _, n := range g.Elements()[1:] {
		key = key*outFingers + uint64(n)
	}
	return mix(key)
}

// Elements returns the position as a list of numbers: side to move, first side's hands, second side's hands.
func (g *Chopsticks) Elements() []int {
	return []int{int(g.turn), int(g.hands[0][0]), int(g.hands[0][1]), int(g.hands[1][0]), int(g.hands[1][1])}
}

// Identity returns hands and side.
func (g *Chopsticks) Identity() any {
	return struct {
		hands [2][2]int8
		turn  uint8
	}{g.hands, g.turn}
}

// RandomTree is a tree of the same width everywhere with values from a seed. No two paths meet.
type RandomTree struct {
	shape TreeShape
	path  []treeNode
}

// TreeShape says how a RandomTree is made.
type TreeShape struct {
	Seed uint64
	// Width is the number of moves of each node, Depth the number of plies to the end.
	Width, Depth int
	// Spread is the size of values: evenly -Spread … Spread.
	Spread int
	// Additive makes a value the sum of what the moves on its path bring, each evenly -Spread … Spread for the side that makes
	// it, so that good moves can be guessed. Otherwise the values of leaves are independent.
	Additive bool
}

type treeNode struct {
	key   uint64
	value int
}

// TreeMove is the number of a child, from 1.
type TreeMove uint16

// NewRandomTree returns the tree of the shape, at its root.
func NewRandomTree(shape TreeShape) *RandomTree {
	return &RandomTree{shape: shape, path: append(make([]treeNode, 0, shape.Depth+1), treeNode{key: mix(shape.Seed)})}
}

func (g *RandomTree) now() *treeNode { return &g.path[len(g.path)-1] }

// Moves appends the numbers of the children.
func (g *RandomTree) Moves(list []TreeMove) []TreeMove {
	if len(g.path) > g.shape.Depth {
		return list
	}
	for i := range g.shape.Width {
		list = append(list, TreeMove(i+1))
	}
	return list
}

// spread turns a random number into a value.
func (g *RandomTree) spread(key uint64) int {
	return int(mix(key^spreadSalt)%uint64(2*g.shape.Spread+1)) - g.shape.Spread
}

const spreadSalt = 0x76616c7565 // "value"

// Do goes to a child.
func (g *RandomTree) Do(m TreeMove) {
	n := g.now()
	key := mix(n.key + uint64(m))
	value := g.spread(key)
	if g.shape.Additive {
		value = -(n.value + value)
	}
	g.path = append(g.path, treeNode{key, value})
}

// Undo goes back.
func (g *RandomTree) Undo() { g.path = g.path[:len(g.path)-1] }

// Over reports the end of the tree.
func (g *RandomTree) Over() (int, bool) { return g.now().value, len(g.path) > g.shape.Depth }

// Value returns the node's value.
func (g *RandomTree) Value() int { return g.now().value }

// Key identifies the node.
func (g *RandomTree) Key() uint64 { return g.now().key }

// Identity returns the key: nodes have nothing else.
func (g *RandomTree) Identity() any { return g.now().key }

// Prepare does nothing.
func (g *RandomTree) Prepare() {}

// Rank is what the move brings at once, in an additive tree; 0 otherwise.
func (g *RandomTree) Rank(m TreeMove) int {
	if !g.shape.Additive {
		return 0
	}
	return g.spread(mix(g.now().key + uint64(m)))
}

// Slot classes moves by side and number.
func (g *RandomTree) Slot(m TreeMove) int { return (len(g.path)&1)*(g.shape.Width+1) + int(m) }

// Slots returns the number of classes.
func (g *RandomTree) Slots() int { return 2 * (g.shape.Width + 1) }

// mix scrambles a number (the finaliser of SplitMix64, by Steele, Lea and Flood).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
