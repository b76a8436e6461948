// Package tune finds better values for number options of the engine by SPSA: simultaneous perturbation stochastic
// approximation. Instead of asking what each option does alone, each iteration shifts all of them at once, every one up or
// down by chance, and lets the engine play against itself with the opposite shift. Who wins moves all values a little.
//
// Words: a parameter is an option that is tuned, with its start, range and step. A pair is two games from one opening with
// colours swapped. An iteration is one random shift with its pairs; plus and minus are its two players. The journal is the
// file to which each iteration is written when it is over; a run that was interrupted goes on from it.
//
//	values θ ──▶ Δ: up or down for each, by the seed
//	   ▲            │
//	   │            ├─▶ plus  = θ + c·Δ ─┐
//	   │            └─▶ minus = θ − c·Δ ─┴─▶ pairs of games ─▶ wins − losses of plus ─▶ Journal
//	   │                                                            │
//	   └────────────── θ + R·c·Δ·(wins − losses) ◀──────────────────┘
//
// # Gains
//
// The k-th pair of N has Spall's gains (J. C. Spall, Implementation of the Simultaneous Perturbation Algorithm, 1998):
//
//	a(k) = a / (A + k)^0.602    c(k) = c / k^0.101    A = N/10
//
// a and c say little to a person. As in Stockfish's fishtest, a run is told what they come to at its end instead: each
// parameter has a step, which is c(N), and all share a rate r, which is R(N) with R(k) = a(k)/c(k)². So at the end the two
// players are two steps apart, and a game that plus wins moves each value by r steps; at the begin both are larger:
//
//	c(k)      = step · (N/k)^0.101
//	R(k)·c(k) = r · step · ((A+N)/(A+k))^0.602 · (k/N)^0.101
//
// A good step is one that costs a few Elo: too small and the games tell nothing, too large and the optimum blurs. With r too
// large the values follow chance: after N pairs of equals they have strayed by about 2·r·√N steps. DefaultR suits two thousand
// pairs; for n times as many divide it by √n. A report says what chance would have done in its games.
//
// Options are whole numbers. The values are kept with their fractions; what the players get is rounded. All values stay in
// their ranges.
package tune
