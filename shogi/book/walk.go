package book

import (
	"slices"

	"github.com/yomi-shogi/yomi/shogi"
)

// Walk returns the book with the positions that are reached from the given ones by book moves, and the number of the book's
// positions that are not reached. Moves that are illegal where they are found are left out. It makes a book of Apery's format,
// which has only keys, one whose positions are known. Replies are the best moves of the positions that follow, where the book
// has no others.
func (b *Book) Walk(starts ...shogi.Position) (walked *Book, missed int) {
	out := New()
	reached := make(map[uint64]struct{})
	queue := slices.Clone(starts)
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		found, ok := b.Find(&p, false)
		if !ok || out.Get(&p) != nil {
			continue
		}
		reached[b.key(&p)] = struct{}{}
		for i := range found.Moves {
			m := &found.Moves[i]
			next := p
			next.Do(m.Move)
			if after, ok := b.Find(&next, false); ok && !next.IsLegal(m.Ponder) {
				m.Ponder = after.Moves[0].Move
			}
			if !next.IsLegal(m.Ponder) {
				m.Ponder = shogi.MoveNone
			}
			queue = append(queue, next)
		}
		out.Put(&p, found.Moves)
	}
	return out, b.Len() - len(reached)
}
