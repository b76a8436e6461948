package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExchangeBucket(t *testing.T) {
	for _, c := range []struct{ see, want int }{
		{-30000, 0}, {-1500, 0}, {-1499, 1}, {-900, 1}, {-899, 2}, {-500, 2}, {-499, 3}, {-100, 3}, {-99, 4}, {-1, 4}, {0, 5},
		{1, 6}, {199, 6}, {200, 7}, {499, 7}, {500, 8}, {899, 8}, {900, 9}, {1249, 9}, {1250, 10}, {1749, 10}, {1750, 11}, {30000, 11},
	} {
		require.Equal(t, c.want, exchangeBucket(c.see), "%d", c.see)
	}
}
