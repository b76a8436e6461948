package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/policy"
)

// TestDefault: the embedded net can be read and says where it comes from.
func TestDefault(t *testing.T) {
	require.NotEmpty(t, policy.Default().About().Provenance)
	require.Same(t, policy.Default(), policy.Default())
}
