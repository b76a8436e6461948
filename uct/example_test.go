package uct_test

import (
	"context"
	"fmt"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
	"github.com/yomi-shogi/yomi/uct"
	"github.com/yomi-shogi/yomi/value"
)

// A Searcher keeps its tree from search to search; here it finds a mate with the gold in hand.
func ExampleSearcher() {
	s, err := uct.New(uct.Config{
		NewPolicy: func() uct.Policy { return policy.NewHeuristic() },
		NewValue:  func() uct.Value { return value.NewMaterial() },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	game, err := shogi.ParsePosition("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	result := s.Search(context.Background(), game, search.Limits{Nodes: 1000}, nil)
	fmt.Println(result.Best, result.Reason, result.Lines[0].Score.Plies)
	// Output: G*5b proved 1
}
