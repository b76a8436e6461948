package shogi

// Perft returns the number of leaves of the tree of legal moves to the depth (0 gives 1). The last ply is counted in bulk:
// the moves are listed, not made.
func Perft(p *Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	var buffer [MaxMoves]Move
	moves := p.AppendLegal(buffer[:0])
	if depth == 1 {
		return uint64(len(moves))
	}
	var leaves uint64
	for _, m := range moves {
		next := *p
		next.Do(m)
		leaves += Perft(&next, depth-1)
	}
	return leaves
}
