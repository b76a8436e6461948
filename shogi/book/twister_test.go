package book

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The C++ standard gives the 10000th number of std::mt19937_64 with its default seed ([rand.predef]).
func TestTwister(t *testing.T) {
	random := newTwister()
	for range 9999 {
		random.next()
	}
	require.Equal(t, uint64(9981545732273789042), random.next())
}
