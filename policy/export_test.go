package policy

import "github.com/yomi-shogi/yomi/internal/simd"

// UsePlain makes the evaluator use the plain kernels.
func (e *NetEvaluator) UsePlain() { e.kernels = simd.Plain() }
