// Package inspect shows a search thinking: it takes the events that the searches send and keeps them in trace files, prints them, goes through
// them forwards and backwards, draws trees and stops a search where one wants to look.
//
// # Words
//
// A record is an event with the time and the number of its search. A trace is a file of records. A filter says which
// events one wants to see. A tree is what is drawn: nodes are positions, edges are moves, and a node that several moves
// lead to is there once. A builder makes a tree from events. A replay is a trace with a place in it. A stepper holds a
// search up at its breakpoints.
//
//	search ──events──▶ Sink ┬─ Writer ──▶ trace file ──▶ Read ──▶ Replay ──▶ Builder ──▶ Tree
//	                        ├─ Builder ─▶ Tree ──Cut──▶ SVG, DOT
//	                        ├─ Live ────▶ info strings
//	                        └─ Stepper ─▶ board, path, candidates, window
//	uct.Snapshot ─────────────────────▶ Tree
//
// Win rates and scores in events are for the side to move at the node. Pictures show all of them as the root's side to move sees
// them, so that they can be compared down a line.
package inspect
