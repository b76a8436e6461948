package value_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/value"
)

// TestDefault: the embedded net can be read and says where it comes from.
func TestDefault(t *testing.T) {
	require.NotEmpty(t, value.Default().About().Provenance)
	require.Same(t, value.Default(), value.Default())
}
