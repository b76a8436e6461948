package book_test

import (
	"fmt"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/shogi/book"
)

func Example() {
	b, err := book.ReadDB2016(strings.NewReader(`#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 35 12 240
2g2f 8c8d 30 12 200
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	start := shogi.StartPosition()
	found, _ := b.Find(&start, true)
	for _, m := range found.Moves {
		fmt.Println(m.Move, m.Value, m.Count)
	}
	// Output:
	// 7g7f 35 240
	// 2g2f 30 200
}
