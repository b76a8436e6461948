// Package mate finds forced mates by checks (tsume): the attacker, who is to move, gives check with every move, and the defender,
// whatever he replies, is mated in the end.
//
// # Words
//
//	proof number      how many positions must at least still be shown to be won, that the node is a mate; 0 when it is one
//	disproof number   how many must be shown to hold, that it is none; 0 when it is none
//	limit             plies in which the mate must come
//	need              the pieces in the attacker's hand that a proof uses
//
// # How it works
//
// The search is depth-first proof-number search (A. Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its Applications,
// 2002): it always goes on where least is left to prove, or to disprove. What it learns is kept in a table of fixed size.
//
//	attacker   ●  the least of the children's proof numbers, the sum of their disproof numbers
//	          ╱ ╲
//	defender ●   ●  the sum of the children's proof numbers, the least of their disproof numbers
//
// The table holds facts of positions only, with these rules:
//
//   - More in the attacker's hand, and thereby less in the defender's, never hurts the attacker: neither a move nor the law against
//     mate by a pawn drop depends on it otherwise. So a proof holds for all hands that cover what it needs, a disproof for all
//     hands that it covers.
//   - A check that comes back to a position of the path is no progress; the shortest mate never does that. A disproof that rests
//     on such a return to a position above the node belongs to its path and is kept apart, under the path's key. So loops end,
//     perpetual check wins nothing, and no position is called safe because of how it was reached.
//   - A proof has a length, a disproof a limit up to which it holds. A search under a limit keeps its open numbers apart from
//     those of others. So the same table serves to show that no mate is shorter.
//
// Interpositions on one square are looked at one after the other, and the need of a proof settles most of them without a search.
// Moves without promotion of pieces that only gain by it come last; they serve to avoid mate by a pawn drop.
//
// # Rules
//
// Every defence counts, useless interpositions too, so lengths may be larger than those printed with problems. Mate by a pawn
// drop is illegal. The attacker may be in check and may have no king. Positions of the game before the question are not known
// here: a position that comes up for the fourth time on the way is the caller's business.
package mate
