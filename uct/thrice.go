package uct

import "github.com/yomi-shogi/yomi/shogi"

// A search for mate knows nothing of the game. When a position of the game has been there three times, a mate on whose way it may come
// again is none, for then the game ends by repetition. The walks of the tree do know the game.

// thrice returns the positions that were there three times or more, and a number that tells such sets apart, 0 for none.
func thrice(g *shogi.Game) (found []shogi.Position, name uint64) {
	const needed = 3
	p, count := g.Start(), make(map[uint64]int)
	note := func() {
		if count[p.Key()]++; count[p.Key()] == needed {
			found = append(found, p)
			name ^= p.Key()
		}
	}
	note()
	for _, m := range g.Moves() {
		p.Do(m)
		note()
	}
	return found, name
}

// mayReturn reports whether one of the positions may be reached from p in a number of plies. It looks at how many squares differ, of which
// a move changes two.
func mayReturn(positions []shogi.Position, p *shogi.Position, plies int) bool {
	for i := range positions {
		differ := 0
		for s := range shogi.NoSquare {
			if positions[i].PieceAt(s) != p.PieceAt(s) {
				differ++
			}
		}
		if differ <= 2*plies {
			return true
		}
	}
	return false
}
