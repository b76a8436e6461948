// Package learn makes the nets stronger by games of the engine against itself, generation after generation.
//
// Words: a generation is one round of self-play, training and gate. The best nets are those that play: of the last generation that was
// promoted, at first the start nets, which are generation 0. The gate is a match of the new nets against the best; a sequential test
// (SPRT) decides it. The window is the last generations whose games are learnt from. Handed data is positions from elsewhere, mixed in
// at a fixed share. A stage is a part of a generation.
//
//	best nets ─▶ self-play ─▶ games ─┐
//	   ▲         games of the window ┼─▶ training ─▶ new nets ─▶ gate: new against best ─▶ promoted or rejected ─┐
//	   │         handed data ────────┘                                                                           │
//	   └─────────────────────────────────────────────────────────────────────────────────────────────────────────┘
//
// A loop lives in a folder:
//
//	config.json          all that decides the result
//	generations.jsonl    the finished generations with their figures, a line each
//	generations.md, .svg the same as a table and as a picture
//	gen-0000/            the nets that it began with
//	gen-0001/ …          state.json   what is done of a generation in progress
//	                     games.yomi   the games, in the order of their numbers
//	                     policy.nn, value.nn with checkpoint, curve and log of the training
//	                     gate/        the journal of the match
//
// Everything random comes from the seed, the generation and the game's number; searches are limited by nodes, and games are learnt
// from in the order of their numbers. So a loop gives the same nets when it is killed and continued, on a busy machine, and with any
// number of games at a time. Only a disk budget that is too small for the window, and the number of training workers, change the result.
package learn
