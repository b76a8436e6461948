// Package hashlab measures hash functions and hash tables on real shogi positions: yomi's Zobrist keys and node table
// against the textbook functions and tables of nodehash/classic.
//
// # Words
//
// A set is a stream of positions as records give them, repetitions included; its positions are told apart by comparing
// them whole. A scheme is a way to turn a position into a bucket: Zobrist, or a textbook function in faithful or wide
// mode. The load of a table is the number of different positions put into it, divided by its buckets. In a bucket table
// a collision is a position that comes to a full bucket; an eviction is a collision in which another position is lost.
// A node table loses nothing; there a longer way to the position is what a collision costs.
//
// # Parts
//
//	Set          positions from records or random games
//	Grid         schemes × sizes × loads in bucket tables
//	Keys         collisions of whole keys and of keys cut to a few bits, against the birthday odds; uniformity
//	Probes       the node table: probe lengths, runs, freed slots, against the theory of linear probing
//	Sweeps       nodes that the book's table loses when it deletes, in a search that plays moves
//	EasyAI       a published experiment and its true numbers
//	Chopsticks   a textbook's set-up for a small game; Solved: a table of solved games, saved and read again
//	Report       tables, charts and findings of all that: text, JSON, CSV, one HTML page
package hashlab
