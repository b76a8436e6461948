package shogi

// Perft returns the number of leaves of the tree of legal moves to the depth (0 gives 1). The last ply is counted in bulk:
// the moves are listed, not made.
func Perft(p *Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(p, depth, make([]Move, 0, depth*MaxMoves))
}

// perft lists the moves of each ply behind those of the ply before, in one stack of moves.
func perft(p *Position, depth int, stack []Move) uint64 {
	moves := p.AppendLegal(stack)
	if depth == 1 {
		return uint64(len(moves))
	}
	var leaves uint64
	var next Position // declared outside the loop, otherwise it would be on the heap
	for _, m := range moves {
		next = *p
		next.Do(m)
		leaves += perft(&next, depth-1, moves[len(moves):])
	}
	return leaves
}
