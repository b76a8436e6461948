// Package value says how good a position is: the expected result for the side to move, 0 (lost) to 1 (won).
//
// An evaluator is used by one goroutine at a time, so it may keep scratch memory; a search makes one for each worker.
package value

import "github.com/yomi-shogi/yomi/shogi"

// Even calls every position even. With it a search counts only proved results.
type Even struct{}

// NewEven returns an Even.
func NewEven() *Even { return &Even{} }

// WinRate returns 0.5.
func (*Even) WinRate(*shogi.Position) float32 { return 0.5 }
