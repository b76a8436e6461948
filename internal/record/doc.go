// Package record reads and writes training records: positions with the move that was played, a score and the game's result.
//
// Words: a game (Game) is a start position and moves with what was thought; a sample (Sample) is one position of a game. Files
// hold games (.yomi, .hcpe3) or samples (.psv, .hcpe). Open reads the samples of any of them.
//
// The project's own format, .yomi, loses nothing. Its games stand in blocks that are whole or not there:
//
//	file     "yomi games" 0 version │ block │ block │ …
//
//	block    mark         4 bytes, f7 'Y' 'G' 0a
//	         length       4 bytes, of the payload; all numbers little-endian
//	         games        4 bytes, how many the payload holds
//	         sum          4 bytes, CRC-32C of the payload
//	         head's sum   4 bytes, CRC-32C of the 16 bytes above
//	         payload      a zstd frame: games one after the other, each a MessagePack map
//
// A program that is killed while it writes leaves a block that was cut at the end of the file. A reader ends before it, and
// AppendGames cuts it off. A damaged block elsewhere is passed over: the next one is found by its mark and the head's sum.
//
// The foreign formats are psv (PackedSfenValue, 40 bytes), hcpe and hcpe2 (38 bytes) and hcpe3 (whole games). They begin with the
// position in 32 bytes, a stream of bits in which every byte is filled from its low bit:
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
