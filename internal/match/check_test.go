package match

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// The check finds what the test engine cannot do: it never stops a search, knows no time, and dies of bad positions.
func TestCheckUSI(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	results := make(map[string]CheckResult)
	require.NoError(t, CheckUSI(context.Background(), fake(t, "plays well").Command, func(r CheckResult) {
		require.NotContains(t, results, r.ID, "each id once")
		results[r.ID] = r
	}))
	require.Len(t, results, len(scenarios()))
	for _, id := range []string{"H01", "H03", "H08", "H10", "H11", "H12", "O01", "O02", "O03", "P01", "P04", "T01", "T10", "S13", "I01"} {
		require.NoError(t, results[id].Err, id)
	}
	for id, want := range map[string]string{
		"H05": `"Skill Level" has a blank`, "P14": "ended while", "S01": "before it was asked for", "D01": "before it was asked for", "M01": `checkmate`,
	} {
		require.ErrorContains(t, results[id].Err, want, id)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, CheckUSI(cancelled, nil, nil), context.Canceled)
}
