package train

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClamp(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, x := range []float32{-inf, -1e30, -1, -1e-40, 0, 1e-40, .25, math.Nextafter32(1, 0), 1, math.Nextafter32(1, 2), 7, 1e30, inf} {
		want := min(max(x, 0), 1)
		require.Equal(t, want, clamp(x), "%g", x)
		kept := float32(0)
		if x >= 0 && x <= 1 {
			kept = 5
		}
		require.Equal(t, kept, within(5, x, clamp(x)), "%g", x)
	}
}
