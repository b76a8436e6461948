// Package book reads and writes opening books: positions with moves that are known to be good in them.
//
//	format  files      position is stored as    read  written
//	DB2016  .db        SFEN with a move number  yes   yes      text, of YaneuraOu and most tools
//	Apery   book.bin   64-bit key               yes   yes      entries of 16 bytes, of Apery and dlshogi
//
// A book is read into memory and found by a key of board, both hands (in Apery's format: the hand of the side to move) and
// side to move. The move number plays no part, so a position is found however the game came to it. A position that is not
// there is also looked for with the board turned and the colours swapped, when the caller wants that.
//
// # DB2016
//
//	#YANEURAOU-DB2016 1.00
//	sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//	7g7f 3c3d 35 12 240
//	2g2f 8c8d 30 12 200
//	 │    │    │  │  └ how often it was played
//	 │    │    │  └ how deep it was searched
//	 │    │    └ its value in centipawns for the side to move
//	 │    └ the expected reply, or none
//	 └ a move, the best one first
//
// Columns on the right may be missing, "none" is a value or depth that is not known, and lines that begin with # or // are
// comments. The positions are sorted by their text. Of positions that differ in their move number only, the one with the
// least is kept.
//
// # Apery
//
//	key 8 bytes │ move 2 │ count 2 │ value 4          little-endian, sorted by key
//
// Keys come from the random numbers of mt19937_64 with its default seed, see AperyKey. The format has no positions, only
// their keys: Walk finds the positions again that lie on paths of book moves.
package book
