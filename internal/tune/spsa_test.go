package tune

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConverges begins between 350 and 700 Elo below the optimum and ends within 20.
func TestConverges(t *testing.T) {
	const eloPerLogit = 400 / math.Ln10
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		plan := hillPlan(250)
		plan.Seed = seed
		r, _ := fakeRun(t, plan)
		require.Less(t, eloPerLogit*hill(plan.start()), -350.0)
		require.NoError(t, r.Play(context.Background(), Options{Concurrency: 2, NewOpponents: fakes}))
		end := values(&r.Header, r.Iterations)
		require.Greater(t, eloPerLogit*hill(end), -20.0, "seed %d: %v", seed, end)
		for i, top := range hillTop {
			require.InDelta(t, top, end[i], 0.3*hillWidth[i], "seed %d: %s", seed, plan.Params[i].Name)
		}
	}
}

// TestStraying lets equals play: chance moves the values about as far as the report says.
func TestStraying(t *testing.T) {
	sum, n := 0.0, 0
	said := 0.0
	for seed := range uint64(8) {
		plan := hillPlan(60)
		plan.Seed, plan.R = seed, 0.02
		for i := range plan.Params {
			plan.Params[i] = Param{Name: plan.Params[i].Name, Start: 0, Min: -100000, Max: 100000, Step: 100}
		}
		r, _ := fakeRun(t, plan)
		require.NoError(t, r.Play(context.Background(), Options{NewOpponents: func() Opponents { return &fake{logits: func([]float64) float64 { return 0 }} }}))
		said = r.Header.strayed(r.Iterations)
		for _, v := range r.Header.Values(r.Iterations) {
			sum, n = sum+v.Steps*v.Steps, n+1
		}
		require.InDelta(t, 2*plan.R*math.Sqrt(60*8), said, 0.15*said, "the package comment's rule of thumb")
	}
	require.InDelta(t, said, math.Sqrt(sum/float64(n)), 0.4*said)
}

func TestGains(t *testing.T) {
	p := hillPlan(100)
	shift, gain := p.gains(100)
	require.InDelta(t, 1, shift, 1e-12, "the last shift is one step")
	require.InDelta(t, p.R, gain, 1e-12)
	shift, gain = p.gains(1) // k = 8 of N = 800, A = 80
	require.InDelta(t, math.Pow(100, 0.101), shift, 1e-12)
	// By the package comment's first form, with a and c found from the end.
	step := 400.0
	a, c := p.R*step*step*math.Pow(880, 0.602), step*math.Pow(800, 0.101)
	ak, ck := a/math.Pow(88, 0.602), c/math.Pow(8, 0.101)
	require.InDelta(t, ak/(ck*ck)*ck, gain*step, 1e-9)
	require.InDelta(t, ck, shift*step, 1e-9)
}

func TestFollow(t *testing.T) {
	p := hillPlan(10)
	before := p.start()
	_, gain := p.gains(3)
	for net := -16; net <= 16; net++ {
		after := p.follow(3, before, net)
		for i, sign := range p.signs(3) {
			require.InDelta(t, before[i]+sign*gain*float64(p.Params[i].Step)*float64(net), after[i], 1e-9)
		}
	}
	ups := 0.0
	for k := range 400 {
		require.Equal(t, p.signs(k), p.signs(k))
		for _, sign := range p.signs(k) {
			require.Equal(t, 1.0, math.Abs(sign))
			ups += sign
		}
	}
	require.Less(t, math.Abs(ups), 4*math.Sqrt(1200), "up and down are even")
}

// TestPlayers draws parameters and values: the players' values stay in the range, differ, and are the nearest whole numbers.
func TestPlayers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	cases := 10_000
	if testing.Short() {
		cases = 1000
	}
	for range cases {
		low := random.Int64N(200) - 100
		param := Param{Name: "x", Min: low, Max: low + 1 + random.Int64N(50)}
		param.Start, param.Step = low, 1+random.Int64N(max(1, (param.Max-low+1)/2))
		p := Plan{Params: []Param{param}, Iterations: 1 + random.IntN(100), Pairs: 1, R: 0.1, Seed: random.Uint64()}
		require.NoError(t, p.Check())
		value := float64(low) + random.Float64()*float64(param.Max-low)
		if random.IntN(3) == 0 {
			value = math.Round(value*2) / 2
		}
		number := 1 + random.IntN(p.Iterations)
		plus, minus := p.players(number, []float64{value})
		require.NotEqual(t, plus, minus, "%v at %v", p, value)
		shift, _ := p.gains(number)
		by := shift * float64(param.Step) * p.signs(number)[0]
		for _, got := range []struct {
			value int64
			want  float64
		}{{plus[0], value + by}, {minus[0], value - by}} {
			require.GreaterOrEqual(t, got.value, param.Min)
			require.LessOrEqual(t, got.value, param.Max)
			if got.want >= float64(param.Min) && got.want <= float64(param.Max) {
				require.LessOrEqual(t, math.Abs(float64(got.value)-got.want), 0.5)
			}
		}
	}
}

// TestClamp tunes where more is always better, and always worse: the values end at the edges of their ranges.
func TestClamp(t *testing.T) {
	plan := hillPlan(120)
	plan.R = 0.2
	r, _ := fakeRun(t, plan)
	up := func(values []float64) float64 { return values[0]/800 - values[1]/8 + values[2]/200 }
	var mu sync.Mutex
	require.NoError(t, r.Play(context.Background(), Options{Concurrency: 3, NewOpponents: func() Opponents {
		return &fake{logits: up, seen: func(g *Game) {
			mu.Lock()
			defer mu.Unlock()
			for _, values := range [][]float64{numbers(g.Plus), numbers(g.Minus)} {
				for i, v := range values {
					require.GreaterOrEqual(t, v, float64(plan.Params[i].Min))
					require.LessOrEqual(t, v, float64(plan.Params[i].Max))
				}
			}
		}}
	}}))
	end := values(&r.Header, r.Iterations)
	for i, want := range []int64{plan.Params[0].Max, plan.Params[1].Min, plan.Params[2].Max} {
		require.InDelta(t, float64(want), end[i], 3*float64(plan.Params[i].Step), plan.Params[i].Name)
	}
	for _, it := range r.Iterations {
		require.NoError(t, it.check(&plan), "values within their ranges")
	}
}
