// Package kifu reads and writes game records (kifu): CSA, KIF, KI2 and lines of USI.
//
//	format  files        text         variations  times     several games
//	CSA     .csa         UTF-8 (a)    no          yes       yes, "/" between them
//	KIF     .kif         Shift_JIS    yes         yes (s)   no
//	KIFU    .kifu        UTF-8        yes         yes (s)   no
//	KI2     .ki2         Shift_JIS    yes         no        no
//	KI2U    .ki2u        UTF-8        yes         no        no
//	USI     .usi, .sfen  UTF-8        no          no        yes, one a line
//
// (a) plain ASCII of version 2.2 where that holds everything, else version 3.0; (s) whole seconds.
//
// Read finds out format and encoding by itself. It looks at the bytes, because neither the file's name nor the encoding
// that a file declares can be relied on. Shift_JIS stands for the variant that Windows uses (code page 932).
//
// A Record is a tree. The root stands for the start position and holds the comments before the first move; each other node is
// a move, or, as the last of a line, how the line ended:
//
//	root ── 7g7f ── 3c3d ── 8h2b+ ── 3a2b ── 投了          first children: the game itself
//	                  │        └──── 8b2b ── 2h8h          変化：4手, a variation of move 4
//	                  └───── 2g2f ── 2b8h+                 変化：3手
//
// # Errors
//
// An error names the line and the token. A file that is readable in part gives the moves before the error, and the error too:
// Record.Err of the game concerned, joined with those of other games in what Read returns.
//
// # Illegal moves
//
// A game may have ended by an illegal move. Such a move stays in the record as the last move of its line, its node marked
// Illegal. It is an error unless the end word after it says that the rules were broken (反則勝ち, 反則負け,
// %ILLEGAL_MOVE, %+ILLEGAL_ACTION, %-ILLEGAL_ACTION). A move that makes no sense at all, for example of a piece that does not
// stand there, is an error and does not stay.
//
// # What is kept
//
// What a format can hold comes back unchanged after writing and reading; Write tells what had to be left out. Not kept is what
// carries no information of its own: the spelling (竜 or 龍, 同　銀 or 同銀), lines that begin with # in KIF, and the closing line
// まで…手 where an end word stands already.
package kifu
