package uct

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

// The mean and the variance of a gamma distribution are its shape.
func TestGamma(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, shape := range []float64{0.05, 0.15, 1, 3} {
		const n = 200_000
		sum, squares := 0.0, 0.0
		for range n {
			x := gamma(random, shape)
			sum += x
			squares += x * x
		}
		mean := sum / n
		require.InDelta(t, shape, mean, 0.02*shape+0.005)
		require.InDelta(t, shape, squares/n-mean*mean, 0.06*shape+0.005)
	}
}

func TestRootNoise(t *testing.T) {
	noise := RootNoise{Share: 0.25, Concentration: 12, Seed: 5}
	a := noise.sample(30)
	sum, largest := 0.0, 0.0
	for _, x := range a {
		sum += x
		largest = max(largest, x)
	}
	require.InDelta(t, 1, sum, 1e-9)
	require.Greater(t, largest, 2.0/30)
	require.Equal(t, a, noise.sample(30), "the seed decides")
	noise.Seed++
	require.NotEqual(t, a, noise.sample(30))
	require.Nil(t, (&RootNoise{}).sample(30))

	search := func(noise RootNoise) []RootMove {
		c := randomConfig(1)
		c.Noise = noise
		s := newSearcher(t, c)
		nodes(s, shogi.NewGame(shogi.StartPosition()), 400)
		checkTree(t, s)
		return s.RootMoves()
	}
	priors := func(moves []RootMove) map[shogi.Move]float64 {
		m := map[shogi.Move]float64{}
		for _, r := range moves {
			m[r.Move] = r.Prior
		}
		return m
	}
	visits := func(moves []RootMove) map[shogi.Move]int64 {
		m := map[shogi.Move]int64{}
		for _, r := range moves {
			m[r.Move] = r.Visits
		}
		return m
	}
	plain, noisy := search(RootNoise{}), search(noise)
	require.Equal(t, noisy, search(noise))
	require.NotEqual(t, visits(plain), visits(noisy))
	require.Equal(t, priors(plain), priors(noisy), "the tree keeps the true priors")
	none := noise
	none.Share = 1e-12
	require.Equal(t, visits(plain), visits(search(none)), "next to no noise changes nothing")

	s := newSearcher(t, randomConfig(1))
	bad := s.Options()
	bad.Noise = RootNoise{Share: 0.5}
	require.ErrorContains(t, s.SetOptions(bad), "noise")
}
