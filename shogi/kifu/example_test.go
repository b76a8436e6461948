package kifu_test

import (
	"fmt"
	"os"

	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// Reading a file of any format and writing it in another.
func Example() {
	records, format, err := kifu.Read([]byte("V2.2\nN+Habu\nPI\n+\n+7776FU,T12\n-3334FU,T6\n'*a quiet start\n%TORYO\n"))
	fmt.Println(format, len(records), err, records[0].Result() == kifu.WhiteWins)
	dropped, err := kifu.Write(os.Stdout, kifu.KI2U, records...)
	fmt.Println(dropped, err)
	// Output:
	// csa 1 <nil> true
	// #KI2 version=2.0 encoding=UTF-8
	// 手合割：平手
	// 先手：Habu
	// ▲７六歩 △３四歩
	// *a quiet start
	// まで2手で後手の勝ち
	// [times: 2] <nil>
}
