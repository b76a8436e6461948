package policy_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
)

// The parts add up to the logit, and the logits give the priors.
func TestExplainAddsUp(t *testing.T) {
	e := policy.NewNetEvaluator(policy.Default())
	var seen [policy.NumMoveGroups]bool
	samplePositions(t, 400, func(p *shogi.Position, moves []shogi.Move) {
		last := moves[len(moves)/2] // any square will do
		priors := make([]float32, len(moves))
		e.Priors(p, last, moves, priors)
		parts := e.Explain(p, last, moves)
		require.Len(t, parts, len(moves))
		highest, total := math.Inf(-1), 0.0
		for i, m := range parts {
			require.Equal(t, moves[i], m.Move)
			require.Equal(t, parts[0].Base, m.Base, "the same for all moves")
			sum := m.Base
			for g, share := range m.Shares {
				sum += share
				seen[g] = seen[g] || share != 0 && m.Effects[g] != 0
			}
			require.InDelta(t, m.Logit, sum, 1e-9, "%s %s", p.SFEN(), m.Move)
			highest = max(highest, m.Logit)
		}
		for _, m := range parts {
			total += math.Exp(m.Logit - highest)
		}
		for i, m := range parts {
			require.InDelta(t, priors[i], math.Exp(m.Logit-highest)/total, 1e-5)
		}
	})
	for g := range policy.NumMoveGroups {
		require.True(t, seen[g], g)
	}
}

// A drop has no source, a quiet position no check, and without moves there is nothing to explain.
func TestExplainGroups(t *testing.T) {
	p, err := shogi.ParseSFEN("4k4/9/9/9/9/9/9/9/4K4 b R 1")
	require.NoError(t, err)
	e := policy.NewNetEvaluator(policy.Default())
	moves := p.AppendLegal(nil)
	for _, m := range e.Explain(&p, shogi.MoveNone, moves) {
		require.Equal(t, m.Move.IsDrop(), m.Shares[policy.GroupSource] == 0, m.Move)
		require.Equal(t, p.GivesCheck(m.Move), m.Shares[policy.GroupGivesCheck] != 0, m.Move)
	}
	require.Empty(t, e.Explain(&p, shogi.MoveNone, nil))
	require.Equal(t, "gives_check", policy.GroupGivesCheck.String())
	require.Equal(t, "last", (policy.NumMoveGroups - 1).String())
}
