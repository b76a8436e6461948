package nodehash_test

import (
	"fmt"

	"github.com/yomi-shogi/yomi/nodehash"
)

// A table of four slots, as the book walks through it: empty, an insert, a wrap around the end, full, not found.
func ExampleTable() {
	type node struct{ Visits int }
	table, err := nodehash.New[node](4)
	if err != nil {
		fmt.Println(err)
		return
	}
	key := func(hash uint64) nodehash.Key { return nodehash.Key{Hash: hash, Turn: 0, Moves: 1} }

	index, ok := table.FindSameHashIndex(key(3))
	fmt.Println("empty table:     find 3   ", index, ok)

	index, ok = table.SearchEmptyIndex(key(3))
	fmt.Println("insert:          insert 3 ", index, ok)
	table.Node(index).Visits = 10

	fmt.Println("same home:       home of 7", table.HashToIndex(7))
	index, ok = table.SearchEmptyIndex(key(7))
	fmt.Println("wraps around:    insert 7 ", index, ok)
	index, ok = table.FindSameHashIndex(key(7))
	fmt.Println("                 find 7   ", index, ok)

	table.SearchEmptyIndex(key(1))
	table.SearchEmptyIndex(key(2))
	fmt.Println("full:            used     ", table.Used(), "of", table.Cap())
	index, ok = table.SearchEmptyIndex(key(9))
	fmt.Println("                 insert 9 ", index, ok)
	index, ok = table.FindSameHashIndex(key(9))
	fmt.Println("not found:       find 9   ", index, ok)

	index, _ = table.FindSameHashIndex(key(3))
	fmt.Printf("slot %d:          %+v, %d visits\n", index, table.Entry(index), table.Node(index).Visits)
	// Output:
	// empty table:     find 3    4 false
	// insert:          insert 3  3 true
	// same home:       home of 7 3
	// wraps around:    insert 7  0 true
	//                  find 7    0 true
	// full:            used      4 of 4
	//                  insert 9  4 false
	// not found:       find 9    4 false
	// slot 3:          {Hash:3 Turn:0 Moves:1 Used:true}, 10 visits
}
