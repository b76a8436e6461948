package train

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/shogi"
)

// visitGames writes games in which the first move comes from a deep search, the second from a fast one and the third is deep with its
// move alone known.
func visitGames(t *testing.T, count int) string {
	line := playLine(t, "7g7f", "3c3d", "2g2f")
	other, err := shogi.ParseMove("2g2f")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "x.yomi")
	w, err := record.AppendGames(path)
	require.NoError(t, err)
	for range count {
		g := record.Game{Start: line[0].Position, Result: record.BlackWins, Moves: []record.GameMove{
			{Move: line[0].Move, Deep: true, Candidates: []record.Candidate{{Move: line[0].Move, Visits: 250}, {Move: other, Visits: 750}}},
			{Move: line[1].Move, Candidates: []record.Candidate{{Move: line[1].Move, Visits: 9}}},
			{Move: line[2].Move, Deep: true},
		}}
		require.NoError(t, w.Write(&g))
	}
	require.NoError(t, w.Close())
	return path
}

// TestVisits: the shares of the visits are the target where they are known, wherever the positions are moved.
func TestVisits(t *testing.T) {
	one, err := Load(visitGames(t, 5))
	require.NoError(t, err)
	head, tail := one.Split(2)
	middle, end := tail.Split(1)
	psv := loadSample(t)
	for name, d := range map[string]*Data{
		"loaded": one, "head": head, "tail": tail, "tail of tail": end,
		"joined": Join(end, head, middle), "joined and split": first(Join(tail, head).Split(2)), "behind others": second(Join(psv, one).Split(5)),
	} {
		require.Zero(t, d.Positions()%3)
		require.Equal(t, d.Positions()/3*2, d.PolicyPositions(), name)
		for i := int32(0); int(i) < d.Positions(); i++ {
			var s sample
			d.sample(i, &s)
			require.Equal(t, i%3 == 1, s.Fast, name)
			require.Equal(t, i%3 != 1, d.teaches(i, Policy))
			require.True(t, d.teaches(i, Value))
			moves := s.Position.AppendLegal(nil)
			targets := make([]float32, len(moves))
			s.policyTargets(moves, targets)
			got := make(map[string]float64)
			for k, x := range targets {
				if x > 0 {
					got[moves[k].String()] = math.Round(1000*float64(x)) / 1000
				}
			}
			want := []map[string]float64{{"7g7f": .25, "2g2f": .75}, {"3c3d": 1}, {"2g2f": 1}}[i%3]
			require.Equal(t, want, got, "%s, record %d", name, i)
			require.Equal(t, []string{"2g2f", "3c3d", "2g2f"}[i%3], s.bestMove().String())
		}
	}
	require.NotEqual(t, one.fingerprint(), head.fingerprint())
	require.Equal(t, one.fingerprint(), Join(head, tail).fingerprint())
}

func first(a, _ *Data) *Data  { return a }
func second(_, b *Data) *Data { return b }

// TestVisitsGradient: gradient and loss are those of the cross entropy against the visits.
func TestVisitsGradient(t *testing.T) {
	data, err := Load(visitGames(t, 1))
	require.NoError(t, err)
	net := newPolicyNet(policy.NewRandomWeights(3, tinyHidden, policy.DefaultWidth), 0)
	net.skip = 0
	g := newGradients(net.tables())
	w := net.worker(g).(*policyWorker)
	var s sample
	data.sample(0, &s)
	got := w.learn(&s, 1, rand.New(rand.NewPCG(0, 0)))
	loss := func(weights [][]float64) float64 { return policyLossPlain(weights, w.in, w.targets) }
	require.InDelta(t, loss(double(net.tables())), got, 1e-4)
	requireGradient(t, net.tables(), g, loss)

	random := rand.New(rand.NewPCG(0, 0))
	require.Zero(t, testing.AllocsPerRun(20, func() {
		data.sample(0, &s)
		w.learn(&s, 1, random)
	}))
}

// TestLearnVisits: a net learns the visits, not the move that was played, and takes no notice of fast searches.
func TestLearnVisits(t *testing.T) {
	data, err := Load(visitGames(t, 200))
	require.NoError(t, err)
	c := DefaultConfig(Policy)
	c.Hidden, c.Batch, c.Workers, c.WarmUp, c.Epochs = tinyHidden, 8, 1, 5, 3
	r, err := Run(t.Context(), &Job{Config: c, Train: data, Validate: []Set{{"the same", data}}})
	require.NoError(t, err)
	entropy := -(.25*math.Log(.25) + .75*math.Log(.75)) / 2 // half of the positions have no doubt
	for _, m := range []Metrics{r.Float[0], r.Quantised[0]} {
		require.Equal(t, 400, m.Positions)
		require.InDelta(t, 1, m.Top1, 1e-9)
		require.InDelta(t, entropy, m.Loss, .05)
	}

	fast := &Data{records: append([]packed(nil), data.records[1]), visits: data.visits, games: []span{{0, 1}}}
	_, err = Run(t.Context(), &Job{Config: c, Train: fast})
	require.ErrorContains(t, err, "no positions to train a policy net on")
}
