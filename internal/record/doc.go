// Package record reads and writes training records: positions with the move that was played, a score and the game's result.
//
// The foreign formats are psv (PackedSfenValue, 40 bytes) and hcpe (38 bytes). Both begin with the position in 32 bytes, a
// stream of bits in which every byte is filled from its low bit:
//
//	side to move  1 bit
//	black king    7 bits, square index
//	white king    7 bits
//	board         the 79 other squares in index order, each a prefix code of piece, owner and promotion
//	hands         prefix codes, one a piece
//	box           the pieces that are not in the game, so that the stream always has 256 bits
//
// They differ in the codes. Readers take hands and box in any order, because programs write them in different orders.
package record
