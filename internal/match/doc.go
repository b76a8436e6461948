// Package match plays games between two shogi engines and says what they tell about strength.
//
// Words: player A and player B are the two sides of a match; a colour (Black, White) is a side of one game. A pair is two
// games from one opening with colours swapped; it is the unit of statistics, because its two results depend on each other.
// An outcome says how a game ended (resign, repetition, crash …), a result who won it. The journal is the file to which
// each finished game is written at once; a match that was interrupted goes on from it.
//
//	openings ─▶ schedule: game 2k = pair k with A as Black, game 2k+1 with B as Black
//	               │
//	slots ─────────┼─▶ Play: one game; rules are decided here, not by the players ─▶ Record
//	(concurrency)  │                                                                   │
//	               └──◀── stop feeding (SPRT bound, Ctrl-C) ◀── Standings ◀── Journal ◀─┘
//	                                                                │
//	                                          report: text, PGN, CSA, HTML
//
// Every difference in strength is A − B: positive when A is the stronger one.
package match
