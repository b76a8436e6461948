package match

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func readJSON(t *testing.T, path string, to any) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, to))
}

func TestRate(t *testing.T) {
	var rows []struct {
		Note      string
		Pairs     Pentanomial
		Elo       float64
		EloError  float64 `json:"elo_error"`
		NElo      float64
		NEloError float64 `json:"nelo_error"`
		LOS       float64
	}
	readJSON(t, "testdata/ratings.json", &rows)
	for _, row := range rows {
		r := Rate(row.Pairs)
		require.True(t, r.Spread)
		for name, pair := range map[string][2]float64{
			"elo": {row.Elo, r.Elo.Value}, "elo error": {row.EloError, r.Elo.Margin()},
			"nelo": {row.NElo, r.Normalized.Value}, "nelo error": {row.NEloError, r.Normalized.Margin()},
		} {
			require.InDelta(t, pair[0], pair[1], math.Abs(pair[0])*0.01+0.005, "%s of %v", name, row.Pairs)
		}
		require.InDelta(t, row.LOS, r.LOS, 0.0001, "LOS of %v", row.Pairs)
		mirrored := Rate(Pentanomial{row.Pairs[4], row.Pairs[3], row.Pairs[2], row.Pairs[1], row.Pairs[0]})
		require.InDelta(t, -r.Elo.Value, mirrored.Elo.Value, 1e-9, "B − A is the opposite of A − B")
		require.InDelta(t, 1-r.LOS, mirrored.LOS, 1e-9)
		require.Contains(t, r.String(), "A − B")
	}
}

func TestRateWithoutSpread(t *testing.T) {
	none := Rate(Pentanomial{})
	require.Equal(t, 0.5, none.LOS)
	require.Contains(t, none.String(), "no pair")

	won := Rate(Pentanomial{4: 7})
	require.True(t, math.IsInf(won.Elo.Value, 1))
	require.Equal(t, 1.0, won.LOS)
	require.Contains(t, won.String(), "A won all of 7 pairs")

	lost := Rate(Pentanomial{3})
	require.True(t, math.IsInf(lost.Elo.Value, -1))
	require.Zero(t, lost.LOS)
	require.Contains(t, lost.String(), "B won all of 3 pairs")

	even := Rate(Pentanomial{2: 5})
	require.Zero(t, even.Elo.Value)
	require.Equal(t, 0.5, even.LOS)
	require.Contains(t, even.String(), "error unknown")

	almost := Rate(Pentanomial{3: 1, 4: 20})
	require.True(t, math.IsInf(almost.Elo.High, 1), "the interval reaches beyond a score of 1")
	require.False(t, math.IsInf(almost.Elo.Low, 0))
}

func TestLLR(t *testing.T) {
	var rows []struct {
		Model      Model
		Elo0, Elo1 float64
		Pairs      Pentanomial
		LLR        float64
	}
	readJSON(t, "testdata/sprt.json", &rows)
	for _, row := range rows {
		s := SPRT{Elo0: row.Elo0, Elo1: row.Elo1, Alpha: 0.05, Beta: 0.05, Model: row.Model}
		require.InDelta(t, row.LLR, s.LLR(row.Pairs), 0.03, "%+v", row)
	}
	s := SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.1, Model: Normalized}
	lower, upper := s.Bounds()
	require.InDelta(t, math.Log(0.1/0.95), lower, 1e-12)
	require.InDelta(t, math.Log(0.9/0.05), upper, 1e-12)
	require.Zero(t, s.LLR(Pentanomial{}))
	llr, verdict := s.Judge(Pentanomial{10, 100, 300, 200, 60})
	require.Equal(t, AcceptedH1, verdict, llr)
	_, verdict = s.Judge(Pentanomial{60, 200, 300, 100, 10})
	require.Equal(t, AcceptedH0, verdict)
	_, verdict = s.Judge(Pentanomial{1, 2, 3, 2, 1})
	require.Equal(t, Undecided, verdict)
}

func TestSPRTCheck(t *testing.T) {
	good := SPRT{0, 5, 0.05, 0.05, Normalized}
	require.NoError(t, good.Check())
	require.NoError(t, SPRT{}.Check())
	for _, bad := range []SPRT{
		{5, 0, 0.05, 0.05, Normalized}, {0, 5, 0, 0.05, Normalized}, {0, 5, 0.6, 0.5, Normalized}, {0, 5, 0.05, 0.05, "x"},
		{math.NaN(), 5, 0.05, 0.05, Normalized}, {0, 5000, 0.05, 0.05, Logistic},
	} {
		require.Error(t, bad.Check(), "%+v", bad)
	}
}

// simulated draws a pair's result: both games have the same expected score, the pair's opening favours one side or the other,
// so the two results of a pair depend on each other.
func simulated(random *rand.Rand, elo, draws float64) int {
	points := 0
	bias := float64(random.IntN(3)-1) * 60
	for game := range 2 {
		side := bias
		if game == 1 {
			side = -bias
		}
		score := Score(elo + side)
		win := max(0, score-draws/2)
		switch x := random.Float64(); {
		case x < win:
			points += 2
		case x < win+draws:
			points++
		}
	}
	return points
}

// trueElo returns the Elo of the expected score that simulated has.
func trueElo(elo float64) float64 {
	return Elo((Score(elo+60) + Score(elo) + Score(elo-60)) / 3)
}

// The 95 % interval must cover the true value in 93 to 97 of 100 matches, and LOS must be right as often as it says.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates many matches")
	}
	const matches, pairs = 2000, 300
	for _, c := range []struct{ elo, draws float64 }{{0, 0.1}, {40, 0.05}, {-120, 0.2}} {
		random := rand.New(rand.NewPCG(1, uint64(1000+c.elo)))
		covered, nCovered, positive, los := 0, 0, 0, 0.0
		variance := trueVariance(c.elo, c.draws)
		normalized := (Score(trueElo(c.elo)) - 0.5) / math.Sqrt(2*variance) * normalizedScale
		for range matches {
			var p Pentanomial
			for range pairs {
				p[simulated(random, c.elo, c.draws)]++
			}
			r := Rate(p)
			if r.Elo.Low <= trueElo(c.elo) && trueElo(c.elo) <= r.Elo.High {
				covered++
			}
			if r.Normalized.Low <= normalized && normalized <= r.Normalized.High {
				nCovered++
			}
			if r.Elo.Value > 0 {
				positive++
			}
			los += r.LOS
		}
		require.InDelta(t, 0.95, float64(covered)/matches, 0.02, "Elo %v", c.elo)
		if math.Abs(c.elo) < 100 {
			require.InDelta(t, 0.95, float64(nCovered)/matches, 0.02, "nElo %v", c.elo)
		}
		if c.elo == 0 {
			require.InDelta(t, 0.5, los/matches, 0.03)
			require.InDelta(t, 0.5, float64(positive)/matches, 0.05)
		}
	}
}

// trueVariance returns the variance of a pair's mean score in simulated, from many draws.
func trueVariance(elo, draws float64) float64 {
	random := rand.New(rand.NewPCG(2, 2))
	var p Pentanomial
	for range 1_000_000 {
		p[simulated(random, elo, draws)]++
	}
	_, variance := p.moments()
	return variance
}

// The test must accept the wrong hypothesis in about 5 of 100 runs.
func TestSPRTErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates many matches")
	}
	const runs = 600
	s := SPRT{Elo0: 0, Elo1: 60, Alpha: 0.05, Beta: 0.05, Model: Logistic}
	for _, c := range []struct {
		elo   float64
		wrong Verdict
	}{{0, AcceptedH1}, {60, AcceptedH0}} {
		random := rand.New(rand.NewPCG(3, uint64(c.elo)))
		wrong := 0
		for range runs {
			var p Pentanomial
			verdict := Undecided
			for verdict == Undecided {
				p[simulated(random, c.elo, 0.1)]++
				_, verdict = s.Judge(p)
			}
			if verdict == c.wrong {
				wrong++
			}
		}
		require.LessOrEqual(t, float64(wrong)/runs, 0.08, "true Elo %v", c.elo)
		require.Positive(t, wrong, "a test that never errs would be too slow")
	}
}

func BenchmarkLLR(b *testing.B) {
	s := SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05, Model: Normalized}
	for b.Loop() {
		s.LLR(Pentanomial{30, 200, 400, 230, 40})
	}
}

// The log-likelihood ratio is a number for all pairs at all bounds that are allowed, and grows with A's points.
func TestSPRTBounds(t *testing.T) {
	for model, most := range map[Model]float64{Normalized: 200, Logistic: 2000} {
		for _, bad := range [][2]float64{{0, most + 1}, {-most - 1, 0}, {math.Inf(-1), math.Inf(1)}, {0, 1e300}, {math.NaN(), 1}} {
			require.Error(t, SPRT{bad[0], bad[1], 0.05, 0.05, model}.Check(), bad)
		}
		s := SPRT{-most, most, 0.05, 0.05, model}
		require.NoError(t, s.Check())
		random := rand.New(rand.NewPCG(1, 1))
		for range 300 {
			var p Pentanomial
			for k := range p {
				if random.IntN(2) == 0 {
					p[k] = int(math.Pow(10, 5*random.Float64()))
				}
			}
			llr := s.LLR(p)
			require.False(t, math.IsNaN(llr) || math.IsInf(llr, 0), "%s: %v", model, p)
			better := p
			better[4] += 1 + p.Pairs()
			require.Greater(t, s.LLR(better), llr, "%s: %v", model, p)
		}
	}
}
