// Package selfplay lets the engine play against itself to make games to learn from.
//
// Words: a run is a number of games with one configuration and one seed, written to one file of game records; a game's number
// (from 1) and the seed decide everything random in it. A deep search is one whose visits teach a policy, a fast one only finds a
// move: most moves are played after fast searches, because a value net learns from many finished games and a policy net from
// few, well-searched moves. A game that is played on goes on where others resign, to find out how often that is wrong.
//
//	numbers that the file lacks
//	    │
//	    ├─▶ worker: own tree, own evaluators over shared weights ─▶ a whole game ─┐
//	    ├─▶ worker …                                                              ├─▶ file, a game at once ─▶ Summary
//	    └─▶ worker …                                                              ┘
//
// A run that was interrupted or killed goes on when it is opened again: finished games are never lost or played twice.
//
// The tree lives through fast searches, so that they begin with what the last one learned; a deep search begins with an empty one,
// because its visits must come from its own budget and noise.
package selfplay
