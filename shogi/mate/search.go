package mate

import (
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/zobrist"
)

const (
	// maxDepth is the longest path in plies.
	maxDepth = 512
	// maxChildren is the room for the moves of all nodes on the path.
	maxChildren = 12 << 10
	pathFilter  = 1 << 11
)

// node is a position on the path.
type node struct {
	pos shogi.Position
	key uint64 // board and side to move
	// path is a hash of the positions above.
	path uint64
	// hand is the attacker's, whoever is to move.
	hand shogi.Hand
	// limit is the number of plies in which the mate must come, or unlimited.
	limit    uint16
	attacker bool // is to move
}

// child is a move from a node with what is known of the position behind it.
type child struct {
	knowledge
	key    uint64
	hand   shogi.Hand
	played shogi.Move
	// after is the index of the brother that must be settled first, or -1. A drop on a square waits for the drops of lesser
	// pieces there, a move without promotion for that with it: they seldom differ, and a sum over all of them would
	// frighten the search away from every check from afar.
	after int16
}

// waits reports whether the child is left out of the sums for now.
func (c *child) waits(brothers []child) bool {
	if c.after < 0 || c.proof == 0 || c.disproof == 0 {
		return false
	}
	before := &brothers[c.after]
	return before.proof != 0 && before.disproof != 0
}

// search looks at the node at the depth until its proof or disproof number reaches the given bound: depth-first proof-number
// search (Nagai 2002). The proof number is about how many positions must still be shown to be won, the disproof number how
// many must be shown to hold; at each node the search goes on where least is left to do.
func (s *Solver) search(depth int, maxProof, maxDisproof uint32) knowledge {
	n := &s.nodes[depth]
	first, began := s.top, s.count
	s.onPath[n.key%pathFilter]++
	s.expand(depth)
	children := s.children[first:s.top]
	var k knowledge
	for {
		var best int
		var second uint32
		best, second, k = sum(children, n.attacker)
		if k.proof >= maxProof || k.disproof >= maxDisproof || s.halted() {
			break
		}
		c := &children[best]
		s.descend(depth, c)
		second += second/4 + 1
		if n.attacker {
			c.knowledge = s.search(depth+1, min(maxProof, second), maxDisproof-(k.disproof-c.disproof))
		} else {
			c.knowledge = s.search(depth+1, maxProof-(k.proof-c.proof), min(maxDisproof, second))
		}
	}
	s.settle(depth, children, &k)
	s.top = first
	s.onPath[n.key%pathFilter]--
	switch {
	case k.disproof == 0 && k.loop != noLoop:
		s.looped = true
		s.loops.store(n.loopKey(), s.table.age, &k)
	case s.reason == running || k.proof == 0 || k.disproof == 0:
		s.table.store(n.key, n.hand, n.limit, &k, uint32(min(s.count-began, infinite)))
	}
	return k
}

// sum returns the node's numbers, the child to look at next, and the number of the second best one. For the side to move one
// move is enough, so its number is the least of the children's; for the other side all moves count, so the numbers add up.
func sum(children []child, attacker bool) (best int, second uint32, k knowledge) {
	least, total := uint32(infinite), uint32(0)
	second = infinite
	for i := range children {
		c := &children[i]
		if c.waits(children) {
			continue
		}
		one, all := c.proof, c.disproof
		if !attacker {
			one, all = all, one
		}
		switch {
		case one < least:
			best, second, least = i, least, one
		case one < second:
			second = one
		}
		total = min(total+all, infinite-1)
	}
	if least == 0 {
		total = infinite
	}
	k = knowledge{proof: least, disproof: total, loop: noLoop}
	if !attacker {
		k.proof, k.disproof = total, least
	}
	return best, second, k
}

// descend prepares the node below for the child.
func (s *Solver) descend(depth int, c *child) {
	n, next := &s.nodes[depth], &s.nodes[depth+1]
	next.pos = n.pos
	next.pos.Do(c.played)
	s.count++
	next.key, next.hand, next.attacker = c.key, c.hand, !n.attacker
	next.limit = below(n.limit)
	next.path = n.below()
}

// below returns the limit one ply deeper.
func below(limit uint16) uint16 {
	if limit == unlimited {
		return unlimited
	}
	return limit - 1
}

// above returns the number of plies one ply higher.
func above(plies uint16) uint16 {
	if plies >= unlimited-1 {
		return unlimited
	}
	return plies + 1
}

// mix spreads the bits of a number: the finisher of SplitMix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below returns the path hash of the nodes below n.
func (n *node) below() uint64 { return mix(n.path + n.key ^ uint64(n.hand)) }

// loopKey identifies the node with its path and limit.
func (n *node) loopKey() uint64 { return n.below() ^ uint64(n.limit)<<48 }

// expand lists the node's moves on the stack of children, each with what is known or guessed of it.
func (s *Solver) expand(depth int) {
	n := &s.nodes[depth]
	if n.attacker {
		s.expandAttacker(depth, appendChecks(&n.pos, s.moves[:0]))
		return
	}
	var lastOn [shogi.NumSquares]int16
	first := s.top
	for _, m := range n.pos.AppendLegal(s.moves[:0]) {
		c := s.push(n, m)
		if m.IsDrop() {
			to := m.To()
			c.after, lastOn[to] = lastOn[to]-1, int16(s.top-first)
		}
		if !s.known(depth, c) {
			c.knowledge = knowledge{proof: 1, disproof: 1, loop: noLoop}
		}
	}
}

// expandAttacker is expand for the attacker. Each check not known yet is made and its replies are counted, so a mate in one is
// seen here.
func (s *Solver) expandAttacker(depth int, checks []shogi.Move) {
	n, next := &s.nodes[depth], &s.nodes[depth+1]
	first := s.top
	for _, m := range checks {
		c := s.push(n, m)
		if i := s.top - first - 2; i >= 0 && n.seldomBetter(m, s.children[first+i].played) {
			c.after = int16(i)
		}
		if s.known(depth, c) {
			continue
		}
		next.pos = n.pos
		next.pos.Do(m)
		s.count++
		replies := next.pos.AppendLegal(s.replies[:0])
		switch {
		case len(replies) > 0:
			c.knowledge = knowledge{proof: ways(replies), disproof: 2, loop: noLoop}
			if n.limit == 1 {
				c.knowledge = knowledge{proof: infinite, plies: 0, loop: noLoop}
			}
		case m.IsDrop() && m.DropType() == shogi.Pawn:
			s.top-- // mate by a pawn drop is illegal
		default:
			c.knowledge = knowledge{disproof: infinite, need: blockers(&next.pos, c.hand), loop: noLoop}
		}
	}
}

// seldomBetter reports whether the move is the one before without its promotion, of a piece that only gains by it: such a move
// serves only to avoid mate by a pawn drop.
func (n *node) seldomBetter(m, before shogi.Move) bool {
	if m.IsDrop() || m.IsPromotion() || before != shogi.NewPromotion(m.From(), m.To()) {
		return false
	}
	t := n.pos.PieceAt(m.From()).Type()
	return t == shogi.Pawn || t == shogi.Bishop || t == shogi.Rook
}

// ways counts replies, all drops on a square as one.
func ways(replies []shogi.Move) uint32 {
	var squares shogi.Bitboard
	count := 0
	for _, m := range replies {
		if m.IsDrop() {
			squares = squares.Or(shogi.SquareSet(m.To()))
		} else {
			count++
		}
	}
	return uint32(count + squares.Count())
}

// push adds a child for the move: keys and hand, nothing known.
func (s *Solver) push(n *node, m shogi.Move) *child {
	c := &s.children[s.top]
	s.top++
	*c = child{key: n.key ^ zobrist.Turn(), hand: n.hand, played: m, after: -1}
	us, to := n.pos.Side(), m.To()
	if m.IsDrop() {
		t := m.DropType()
		c.key ^= zobrist.Piece(uint8(us), uint8(t), uint8(to))
		if n.attacker {
			c.hand = c.hand.Add(t, -1)
		}
		return c
	}
	from := m.From()
	t := n.pos.PieceAt(from).Type()
	c.key ^= zobrist.Piece(uint8(us), uint8(t), uint8(from))
	if m.IsPromotion() {
		t = t.Promote()
	}
	c.key ^= zobrist.Piece(uint8(us), uint8(t), uint8(to))
	if captured := n.pos.PieceAt(to).Type(); captured != shogi.NoPieceType {
		c.key ^= zobrist.Piece(uint8(us.Opponent()), uint8(captured), uint8(to))
		if n.attacker {
			c.hand = c.hand.Add(captured.Unpromote(), 1)
		}
	}
	return c
}

// known fills in what the path and the tables tell of the child. A position that has been on the path with at least as much in
// the attacker's hand leads nowhere: the shortest mate from there never comes back to it.
func (s *Solver) known(depth int, c *child) bool {
	if s.onPath[c.key%pathFilter] != 0 {
		for i := depth - 1; i >= 0; i -= 2 {
			if a := &s.nodes[i]; a.key == c.key && a.hand.Covers(c.hand) {
				c.knowledge = knowledge{proof: infinite, plies: unlimited, loop: uint16(i)}
				return true
			}
		}
	}
	n := &s.nodes[depth]
	limit := below(n.limit)
	k, found := s.table.find(c.key, c.hand, limit)
	if found && (k.proof == 0 || k.disproof == 0) {
		c.knowledge = k
		return true
	}
	if depth+2 >= maxDepth || s.top > maxChildren-2*shogi.MaxMoves {
		s.cut = true
		c.knowledge = knowledge{proof: infinite, plies: unlimited, loop: 0}
		return true
	}
	if s.looped {
		at := node{key: c.key, hand: c.hand, limit: limit, path: n.below()}
		if looping, ok := s.loops.find(at.loopKey(), s.table.age); ok {
			c.knowledge = looping
			return true
		}
	}
	if found {
		c.knowledge = k
	}
	return found
}

// settle completes what is known of a node whose numbers are final.
func (s *Solver) settle(depth int, children []child, k *knowledge) {
	n := &s.nodes[depth]
	switch {
	case k.proof == 0 && n.attacker:
		best := -1
		for i := range children {
			if c := &children[i]; c.proof == 0 && (best < 0 || c.plies < children[best].plies) {
				best = i
			}
		}
		c := &children[best]
		k.plies, k.move, k.need = above(c.plies), c.played, n.needBefore(c)
	case k.proof == 0:
		for i := range children {
			k.plies = max(k.plies, above(children[i].plies))
			k.need = join(k.need, children[i].need)
		}
		k.need = join(k.need, blockers(&n.pos, n.hand))
	case k.disproof == 0:
		k.refute(children, n.attacker)
		if int(k.loop) >= depth {
			k.loop = noLoop // the loop closes at or below this node, so no path to it matters
		}
	}
}

// refute fills in how far a disproof holds and on which repetition it rests: on all of the attacker's moves, or on the best of
// the defender's.
func (k *knowledge) refute(children []child, attacker bool) {
	k.plies, k.loop = unlimited, noLoop
	if attacker {
		for i := range children {
			k.plies, k.loop = min(k.plies, above(children[i].plies)), min(k.loop, children[i].loop)
		}
		return
	}
	var best *child
	for i := range children {
		c := &children[i]
		if c.disproof == 0 && (best == nil || c.loop > best.loop || c.loop == best.loop && c.plies > best.plies) {
			best = c
		}
	}
	k.plies, k.loop = above(best.plies), best.loop
}

// needBefore returns what the attacker needs in hand before the move of a won child.
func (n *node) needBefore(c *child) shogi.Hand {
	if c.played.IsDrop() {
		return c.need.Add(c.played.DropType(), 1)
	}
	if captured := n.pos.PieceAt(c.played.To()).Type(); captured != shogi.NoPieceType && c.need.Has(captured.Unpromote()) {
		return c.need.Add(captured.Unpromote(), -1)
	}
	return c.need
}

// join returns the larger count of each type.
func join(a, b shogi.Hand) shogi.Hand {
	if a.Covers(b) {
		return a
	}
	if b.Covers(a) {
		return b
	}
	for t := shogi.Pawn; t <= shogi.Gold; t++ {
		if more := b.Count(t) - a.Count(t); more > 0 {
			a = a.Add(t, more)
		}
	}
	return a
}

// blockers returns what the attacker must hold so that the side in check cannot hold it and drop it between: where a drop could
// stop the check, all pieces of the types that the side in check does not have.
func blockers(p *shogi.Position, attacker shogi.Hand) shogi.Hand {
	checkers := p.Checkers()
	if checkers.More() || attacker == 0 {
		return 0
	}
	checker, king := checkers.First(), p.KingSquare(p.Side())
	d := king.DirectionTo(checker)
	if d == shogi.NoDirection || king.Neighbour(d) == checker {
		return 0
	}
	own := p.Hand(p.Side())
	var need shogi.Hand
	for t := shogi.Pawn; t <= shogi.Gold; t++ {
		if !own.Has(t) {
			need = need.Add(t, attacker.Count(t))
		}
	}
	return need
}
