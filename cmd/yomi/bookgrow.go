package main

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/book"
)

// bookGrower finds the position that a growing book needs most: the likeliest one, from the start positions, that is not
// in it yet. A move's likelihood is its share of its position's counts, the likelihood of a line is the product, and that of
// a position is the largest of its lines. Since shares are at most 1, the frontier can be walked best first (Dijkstra's way).
//
// Everything comes from the book's counts, so a grower that is built from a saved book goes on as the first one would have.
type bookGrower struct {
	book     *book.Book
	plies    int
	frontier frontier
	// passed are the positions whose moves have been put into the frontier.
	passed map[uint64]struct{}
}

// frontierPosition is a position that a book move leads to, or a start.
type frontierPosition struct {
	position   shogi.Position
	likelihood float64
}

// frontier is a heap of positions, the likeliest first; of equals the earlier one, then the one with the smaller key.
type frontier []*frontierPosition

func (f frontier) Len() int      { return len(f) }
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(*frontierPosition)) }
func (f *frontier) Pop() any {
	last := len(*f) - 1
	x := (*f)[last]
	*f = (*f)[:last]
	return x
}

func (f frontier) Less(i, j int) bool {
	a, b := f[i], f[j]
	return cmp.Or(cmp.Compare(b.likelihood, a.likelihood), cmp.Compare(a.position.Ply(), b.position.Ply()),
		cmp.Compare(a.position.Key(), b.position.Key())) < 0
}

// newBookGrower returns a grower for the book. Positions after move number plies are not asked for.
func newBookGrower(b *book.Book, starts []shogi.Position, plies int) *bookGrower {
	g := &bookGrower{book: b, plies: plies, passed: make(map[uint64]struct{})}
	for _, p := range starts {
		heap.Push(&g.frontier, &frontierPosition{p, 1})
	}
	return g
}

// next returns the likeliest position that is not in the book, false when there is none. Put stores its moves.
func (g *bookGrower) next() (*frontierPosition, bool) {
	for len(g.frontier) > 0 {
		at := heap.Pop(&g.frontier).(*frontierPosition)
		if _, ok := g.passed[at.position.Key()]; ok || at.position.Ply() > g.plies {
			continue
		}
		found, ok := g.book.Find(&at.position, false)
		if !ok {
			return at, true
		}
		g.follow(at, found.Moves)
	}
	return nil, false
}

// put stores the moves of a position that next returned. Without moves the position is passed over from now on.
func (g *bookGrower) put(at *frontierPosition, moves []book.Move) {
	if len(moves) > 0 {
		g.book.Put(&at.position, moves)
	}
	g.follow(at, moves)
}

// follow puts the positions after the moves into the frontier.
func (g *bookGrower) follow(at *frontierPosition, moves []book.Move) {
	g.passed[at.position.Key()] = struct{}{}
	total := 0.0
	for _, m := range moves {
		total += float64(m.Count)
	}
	for _, m := range moves {
		share := 1 / float64(len(moves))
		if total > 0 {
			share = float64(m.Count) / total
		}
		next := &frontierPosition{at.position, at.likelihood * share}
		next.position.Do(m.Move)
		heap.Push(&g.frontier, next)
	}
}

// backUp brings the values of later positions back to earlier ones: the value of a move after which the book goes on becomes that of the
// position there, with the other sign. A position is worth its best such move; its most counted move is compared too
// when the book does not go on there, but no other move, because the value of a move that was hardly searched is not worth
// much. The compared moves come first, best first, the others behind them by count.
//
// A move back to a position with a smaller or equal move number, which transpositions can make, keeps the value that its
// search gave. So there are no cycles.
func backUp(b *book.Book) error {
	var entries []*book.Entry
	for e := range b.All() {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(x, y *book.Entry) int { return cmp.Compare(y.Ply, x.Ply) })
	for _, e := range entries {
		p, err := shogi.ParseSFEN(e.SFEN)
		if err != nil {
			return err
		}
		compared := make(map[shogi.Move]bool)
		most := 0
		for i := range e.Moves {
			if e.Moves[i].Count > e.Moves[most].Count || e.Moves[i].Count == e.Moves[most].Count && e.Moves[i].Move < e.Moves[most].Move {
				most = i
			}
			next := p
			next.Do(e.Moves[i].Move)
			if after := b.Get(&next); after != nil && after.Ply > e.Ply && len(after.Moves) > 0 && after.Moves[0].HasValue {
				best := &after.Moves[0]
				m := &e.Moves[i]
				m.Value, m.HasValue, m.Depth, m.Ponder = -best.Value, true, best.Depth+1, best.Move
				compared[m.Move] = true
			}
		}
		if len(e.Moves) > 0 {
			compared[e.Moves[most].Move] = true
		}
		slices.SortFunc(e.Moves, func(x, y book.Move) int { return compareBackedUp(&x, &y, compared) })
	}
	return nil
}

// compareBackedUp orders moves: the compared ones by value, then the others by count.
func compareBackedUp(x, y *book.Move, compared map[shogi.Move]bool) int {
	switch {
	case compared[x.Move] != compared[y.Move]:
		if compared[x.Move] {
			return -1
		}
		return 1
	case compared[x.Move]:
		return cmp.Or(cmp.Compare(y.Value, x.Value), cmp.Compare(y.Count, x.Count), cmp.Compare(x.Move, y.Move))
	}
	return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Move, y.Move))
}
