// Package alphabeta is the family of searches that began with minimax: alpha-beta, SCOUT, principal variation search,
// MTD(f), SSS* and DUAL*, with the techniques that make them quick. Each technique is a field of one Config, so that
// it can be switched off and its effect counted.
//
// It has three users. CaptureSearch looks at exchanges before a value net judges a leaf of the tree search. Engine plays
// shogi as an opponent of the tree search. The workbench studies positions with chosen configurations.
//
// # Words
//
// A score is an integer for the side to move: hundredths of a pawn, or Mate less the number of plies to the mate. A
// driver is the way in which the tree is walked. The window (alpha, beta) is what the caller wants to know of a score:
// a score at or below alpha, or at or above beta, may be a bound only. A search fails high when its score is at or above
// beta, low when it is at or below alpha. A null window holds no integer, so the answer is only «above» or «not above».
// A cut-off ends a node because one move is good enough to refute the one before. A line is the moves that both sides are
// expected to play; at its end stands the position whose value the score is.
//
// # Drivers
//
//	minimax    every move of every node: the measure for the others
//	alphabeta  fail-soft alpha-beta
//	scout      Pearl's SCOUT: value the first move, test whether another is better, value it again if so
//	pvs        NegaScout, or principal variation search: the same within a window
//	mtdf       null windows only, from a guess; the table remembers
//	sss        null windows from above; visits the leaves of Stockman's SSS*
//	dual       null windows from below
//	sss-open   Stockman's SSS* itself, best-first with its OPEN list
//	dual-open  the same with the sides exchanged
//
// # A node
//
//	node(alpha, beta, depth)
//	  over by the rules?         ─▶ score
//	  depth 0?                   ─▶ captures until it is quiet (quiesce), or the static value
//	  table: bound good enough?  ─▶ score; else its move comes first
//	  moves, in the order of order.go
//	    for each: Do, node(-beta, -alpha, depth-1), Undo
//	    score ≥ beta?            ─▶ remember the move as killer, counter-move, in history; cut
//	  table: store bound and move
//
// A Game keeps one line of play that Do and Undo walk. Shogi's keeps a stack of positions (copy-make), so Undo only steps
// back.
//
// # Path facts
//
// A score that rests on a repetition holds for the path on which it was found, but reaches the table like any other, as
// in most engines. The table is therefore good for playing and not for proofs. Config.EqualDepth and a Game without
// repetition give searches whose scores are exactly minimax's.
package alphabeta
