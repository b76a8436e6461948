package classic_test

import (
	"fmt"

	"github.com/yomi-shogi/yomi/nodehash/classic"
)

// mine is a hash function of one's own: three methods.
type mine struct{}

func (mine) Before(classic.Key) classic.Num { return classic.NumOf(7) }
func (mine) Join(state, element classic.Num) classic.Num {
	return state.Mul(classic.NumOf(31)).Xor(element)
}
func (mine) After(_ classic.Key, h classic.Num) classic.Num { return h.Add(h.Shl(3)) }

func ExampleFunction() {
	key := classic.Seq(classic.Text("player"), classic.Int(5), classic.Text("row35"))
	faithful, err := classic.NewFaithful(mine{}, 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	wide, err := classic.NewWide(mine{}, 32, 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range []*classic.Hasher{faithful, wide} {
		hash, _ := h.Hash(key)
		index, _ := h.Index(key)
		fmt.Println(hash, index)
	}
	_, err = faithful.Hash(classic.Seq(classic.Int(1), classic.Text("")))
	fmt.Println(err)
	// Output:
	// 8343 343
	// 1023512919 919
	// classic: TypeError: "": an empty string has no code point
}
