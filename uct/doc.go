// Package uct is the Monte-Carlo tree search: it plays many short walks down a tree of positions and sends each walk where
// the policy's advice and the results so far promise most.
//
// # Words
//
// A node is a position at a ply (move number); it lives in a nodehash.Table and is found by the position's key, so a position
// reached by two move orders is one node. An edge is a move out of a node with its prior, the share of attention that the
// policy gives it. A playout is one walk: select edges down to a new position, expand on the way, evaluate the end, back up.
// Visits counts playouts, a win rate is 0..1 for the side to move at the node in question.
//
// # Memory
//
// Everything is taken once and holds no pointers; positions, move lists and priors are each worker's scratch.
//
//	nodehash.Table[node]                            arena: cells of 24 bytes
//	slot  key (16 B)        node (48 B)
//	┌───┬──────────────────┬───────────────────┐    ┌────────────────────────────────────────┐
//	│ 0 │ hash  turn  ply  │ N  W  v₀  edges ──┼──▶ │ move·prior │ move·prior │ … 6 in a cell │ the legal moves,
//	├───┼──────────────────┼──────────── stats ┼─┐  └────────────────────────────────────────┘ best prior first
//	│ 1 │ free             │                   │ │  ┌──────────────┬──────────────┬──────────┐
//	├───┼──────────────────┼───────────────────┤ └▶ │ child n w r ρ│ child n w r ρ│ (room)   │ only for the first
//	│ … │                  │                   │    └───────┬──────┴──────────────┴──────────┘ «visited» edges; the
//	└───┴──────────────────┴───────────────────┘            └─▶ a slot, only a hint             room doubles
//
// A node's value is asked at its first visit, its moves and priors at the second. Because edges are sorted by prior, selection
// reads the visited ones and the first unvisited one, nothing else. So a list begins with only the first 24 moves; when all of them are
// visited the policy is asked again and the list becomes whole. The root's list is whole, and it has statistics for all its edges.
//
// # Sums that are right in a graph
//
// Edges count what came through them, nodes what came to them from anywhere:
//
//	edge: n visits, w sum of values; of these r visits with sum ρ were decided by the path
//	node: N = 1 + Σn   W = v₀ + Σw   Q = W/N
//
// The path decides when a position repeats one of the game or of the walk itself (draw, perpetual check, a better or worse
// hand). The same node may be reached without a repetition, so such a result goes to r and ρ of the edge and never to the
// child. After any other visit w is set anew to ρ + (n−r)·(1−Q(child)), so what other parents learned about the child counts.
// A walk that comes to a child with more visits than the edge has had stops there and takes Q(child). Ply is part of the key,
// so the graph has no cycles. Maximum ply and declaration are facts of the position, its ply and the rules in force, and may be
// kept in the node.
//
// # Workers
//
// Each node has a lock bit, held while a worker selects, expands, grows or updates that node's edges. Edges in flight count as
// visits that lost (the virtual loss), so that workers spread out. With one worker and a node limit a search is the same
// every time.
//
// # Certain results
//
// A node may have a proof: a win or loss with its length in plies, as at mate. One won move proves a win, a loss needs all moves
// to lose. The sums of a proved node are put right at once, walks end there, and moves that are proved lost are not chosen
// again. Only what holds whatever path led here counts: a repetition never proves anything.
//
// # Full memory
//
// When slots or cells run short, workers stop between two playouts while one of them forgets nodes: a clock hand goes round the table
// and frees those with few visits, sooner when it was another search that visited them last. The gaps are closed, so other nodes move. What their parents know stays in the
// edges; a walk that comes to a forgotten position makes its node anew. Which cells of the arena are free is a bit each, so that
// neighbours that were freed at different times are one run:
//
//	cells   │ edges of A │ stats of B │ ░░░░░░ free ░░░░░░ │ edges of C │ ░ │ …
//	vacant    0 0 0 0 0    0 0          1 1 1 1 1 1 1 1 1   0 0 0 0      1
//	                                    └─ a worker takes a run and cuts its next blocks from it
package uct
