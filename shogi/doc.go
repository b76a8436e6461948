// Package shogi holds the rules of shogi: squares, pieces, hands, moves, the position with its legal moves, attack maps
// and static exchange, the game with its repetition rules, the entering-king declaration, SFEN and USI text, and perft.
//
// A Position is a plain value. It is copied to make a move (copy-make), there is no undo:
//
//	next := pos
//	next.Do(move)
//
// A Bitboard holds a set of squares in two words, files 1 to 7 and files 8 to 9:
//
//	        file  9  8 | 7  6  5  4  3  2  1
//	rank a       72 63 | 54 45 36 27 18  9  0      square index = (file-1)*9 + (rank-1)
//	rank b       73 64 | 55 46 37 28 19 10  1
//	 …            Hi   |        Lo
//	rank i       80 71 | 62 53 44 35 26 17  8
//
// so a file lies in one word, and a sliding piece's attack needs one subtraction a direction: for the directions of
// growing index o^(o-1) cuts the ray behind the first blocker, for the falling ones the same after reversing the bytes
// (a ray has at most one square in each byte, because its steps are 8 or more), and within a file a count of leading zeros.
package shogi
