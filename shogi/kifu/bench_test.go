package kifu_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// BenchmarkRead reads a random game of about a hundred moves in each format.
func BenchmarkRead(b *testing.B) {
	for f := kifu.CSA; f <= kifu.USI; f++ {
		g := &generator{rand.New(rand.NewPCG(3, 3)), holds{comments: f != kifu.USI, ends: capacities[f].ends}}
		var out bytes.Buffer
		_, err := kifu.Write(&out, f, g.record(b))
		require.NoError(b, err)
		b.Run(f.String(), func(b *testing.B) {
			for b.Loop() {
				_, _, err := kifu.Read(out.Bytes())
				require.NoError(b, err)
			}
		})
	}
}
