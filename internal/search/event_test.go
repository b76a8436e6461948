package search

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEventNames(t *testing.T) {
	for k := range EventKind(NumEventKinds) {
		require.NotEmpty(t, k.String())
		back, err := ParseEventKind(k.String())
		require.NoError(t, err)
		require.Equal(t, k, back)
	}
	_, err := ParseEventKind("selekt")
	require.ErrorContains(t, err, `unknown event "selekt": want one of start, end,`)
	for _, n := range []NodeType{NodeMax, NodeMin, NodeLeaf, NodeTerminal, NoNodeType} {
		back, err := ParseNodeType(strings.ToLower(n.String()))
		require.NoError(t, err)
		require.Equal(t, n, back)
	}
	_, err = ParseNodeType("ROOT")
	require.ErrorContains(t, err, `unknown node type "ROOT"`)
	require.Equal(t, NodeMax, InnerType(0))
	require.Equal(t, NodeMin, InnerType(3))
}

func TestEventTexts(t *testing.T) {
	require.Equal(t, "win in 3", ProofText(3))
	require.Equal(t, "loss in 0", ProofText(-1))
	require.Empty(t, ProofText(0))
	c := Candidate{Visits: 4, Flying: 1, Prior: 0.25, WinRate: 0.5, Explore: 0.125}
	require.Contains(t, c.String(), "0.6250 = Q 0.5000 + U 0.1250 (N 4, in flight 1, P 0.2500)")
	c.Proof = -3
	require.Contains(t, c.String(), "N 4, loss in 2")
}

type lazySink struct{}

func (lazySink) Event(*Event)          {}
func (lazySink) Paused() time.Duration { return time.Second }

func TestPausedBy(t *testing.T) {
	require.Equal(t, time.Second, PausedBy(lazySink{}))
	require.Zero(t, PausedBy(nil))
}
