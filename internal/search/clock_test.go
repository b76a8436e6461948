package search

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi"
)

const ms = time.Millisecond

func bothMain(main, byoyomi, increment time.Duration) *ClockTimes {
	return &ClockTimes{
		Main:      [2]time.Duration{main, main},
		Increment: [2]time.Duration{increment, increment},
		Byoyomi:   byoyomi,
	}
}

func TestUsable(t *testing.T) {
	c := &ClockTimes{Main: [2]time.Duration{5000 * ms, -2000 * ms}, Increment: [2]time.Duration{100 * ms, 3000 * ms}, Byoyomi: 500 * ms}
	require.Equal(t, 5600*ms, c.Usable(shogi.Black))
	require.Equal(t, 1500*ms, c.Usable(shogi.White))
	require.Zero(t, bothMain(-5000*ms, 0, 0).Usable(shogi.Black))
}

func TestPlan(t *testing.T) {
	cases := []struct {
		name             string
		limits           Limits
		ply              int
		optimum, hardest time.Duration // at most; 0 is not looked at
		atLeast          time.Duration // optimum
	}{
		{"byoyomi is used up", Limits{Clock: bothMain(0, 1000*ms, 0)}, 40, 880 * ms, 880 * ms, 880 * ms},
		{"small byoyomi", Limits{Clock: bothMain(0, 100*ms, 0)}, 40, 50 * ms, 50 * ms, 50 * ms},
		{"nothing at all", Limits{Clock: bothMain(0, 0, 0)}, 40, 0, 0, 0},
		{"the rest is little beside byoyomi", Limits{Clock: bothMain(200*ms, 1000*ms, 0)}, 40, 1080 * ms, 1080 * ms, 1080 * ms},
		{"main time and byoyomi", Limits{Clock: bothMain(600*time.Second, 10*time.Second, 0)}, 1, 30 * time.Second, 220 * time.Second, 20 * time.Second},
		{"increment", Limits{Clock: bothMain(10*time.Second, 0, 100*ms)}, 60, 900 * ms, 4 * time.Second, 400 * ms},
		{"first Fischer move", Limits{Clock: bothMain(-2000*ms, 0, 3000*ms)}, 1, 880 * ms, 880 * ms, 100 * ms},
		{"sudden death", Limits{Clock: bothMain(3000*ms, 0, 0)}, 60, 150 * ms, 600 * ms, 50 * ms},
		{"time for the move", Limits{MoveTime: 500 * ms}, 1, 0, 450 * ms, 0},
		{"the first limit counts", Limits{MoveTime: 700 * ms, Clock: bothMain(time.Minute, 10*time.Second, 0)}, 1, 0, 650 * ms, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			clock := NewClock(&c.limits, shogi.Black, c.ply, DefaultClockOptions())
			require.True(t, clock.Limited())
			require.Equal(t, c.limits.Clock != nil, clock.OnClock())
			require.LessOrEqual(t, clock.Hard(), c.hardest)
			if c.limits.MoveTime > 0 {
				require.Equal(t, c.hardest, clock.Hard())
				require.Equal(t, ReasonMoveTime, clock.HardReason())
				return
			}
			require.Equal(t, ReasonClock, clock.HardReason())
			require.LessOrEqual(t, clock.Optimum(), c.optimum)
			require.GreaterOrEqual(t, clock.Optimum(), c.atLeast)
			require.LessOrEqual(t, clock.Optimum(), clock.Hard())
		})
	}
	require.False(t, NewClock(&Limits{Nodes: 10}, shogi.Black, 1, DefaultClockOptions()).Limited())
}

func TestPlanNeverExceedsUsable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		times := bothMain(time.Duration(random.Int64N(20000)-3000)*ms, time.Duration(random.IntN(3)*random.IntN(3000))*ms, time.Duration(random.IntN(3)*random.IntN(3000))*ms)
		o := DefaultClockOptions()
		o.SlowMover = 1 + random.IntN(300)
		c := NewClock(&Limits{Clock: times}, shogi.White, 1+random.IntN(300), o)
		usable := times.Usable(shogi.White)
		at := fmt.Sprintf("%+v: %+v", times, c)
		require.True(t, 0 <= c.minimum && c.minimum <= c.optimum && c.optimum <= c.maximum, at)
		require.LessOrEqual(t, c.maximum, usable-min(o.Delay, usable/2), at)
	}
}

// think runs a clock against simulated time and returns when it stopped and why. pace is the time between two looks.
func think(c *Clock, pace time.Duration, progress func(elapsed time.Duration) Progress) (time.Duration, Reason) {
	for now := time.Duration(0); ; now += pace {
		if now >= c.Hard() {
			return c.Hard(), c.HardReason()
		}
		p := progress(now)
		if reason := c.Verdict(now, &p); reason != "" {
			return now, reason
		}
	}
}

// at returns a search of 1000 playouts a second whose best and second move have these shares of them.
func at(first, second, firstRate, secondRate float64) func(time.Duration) Progress {
	return func(elapsed time.Duration) Progress {
		n := elapsed.Seconds() * 1000
		return Progress{Playouts: int64(n), First: int64(n * first), Second: int64(n * second), FirstRate: firstRate, SecondRate: secondRate}
	}
}

func TestVerdict(t *testing.T) {
	clear, settled, unsettled := at(0.95, 0.01, 0.6, 0.5), at(0, 0, 0.5, 0.5), at(0.4, 0.35, 0.5, 0.5)
	worse := at(0.5, 0.3, 0.5, 0.6)
	main := Limits{Clock: bothMain(300*time.Second, 0, time.Second)}
	plan := NewClock(&main, shogi.Black, 40, DefaultClockOptions())
	fresh := func() *Clock { c := *plan; return &c }

	spent, reason := think(fresh(), ms, settled)
	require.Equal(t, ReasonClock, reason)
	require.InDelta(t, plan.optimum.Seconds(), spent.Seconds(), 0.002)

	spent, reason = think(fresh(), ms, clear)
	require.Equal(t, ReasonOvertaking, reason)
	require.Less(t, spent, plan.optimum*6/10)
	require.GreaterOrEqual(t, spent, plan.minimum)

	for _, p := range []func(time.Duration) Progress{unsettled, worse} {
		clock := fresh()
		require.False(t, clock.Extended())
		spent, reason = think(clock, ms, p)
		require.True(t, clock.Extended())
		require.Equal(t, ReasonClock, reason)
		require.InDelta(t, 2*plan.optimum.Seconds(), spent.Seconds(), 0.01, "doubled, once")
	}

	byoyomi := Limits{Clock: bothMain(0, time.Second, 0)}
	spent, reason = think(NewClock(&byoyomi, shogi.Black, 40, DefaultClockOptions()), ms, clear)
	require.Equal(t, ReasonClock, reason, "byoyomi that is not used is lost: no stop before")
	require.Equal(t, 880*ms, spent)

	fixed := Limits{MoveTime: time.Second}
	spent, reason = think(NewClock(&fixed, shogi.Black, 40, DefaultClockOptions()), ms, clear)
	require.Equal(t, ReasonMoveTime, reason, "a fixed time is used whatever the visits are")
	require.Equal(t, 950*ms, spent)

	require.Empty(t, NewClock(&Limits{}, shogi.Black, 1, DefaultClockOptions()).Verdict(time.Hour, &Progress{}))
}

func TestLag(t *testing.T) {
	var l Lag
	o := DefaultClockOptions()
	require.Equal(t, o, l.Add(o))
	l.Note(-time.Second)
	require.Equal(t, o, l.Add(o), "early is not late")
	l.Note(80 * ms)
	require.Equal(t, o.Delay+80*ms, l.Add(o).Delay)
	require.Equal(t, o.MoveTimeDelay+80*ms, l.Add(o).MoveTimeDelay)
	l.Note(0)
	require.Equal(t, o.Delay+60*ms, l.Add(o).Delay)
	l.Note(time.Minute)
	require.Equal(t, o.Delay+maxLag, l.Add(o).Delay)
	for range 100 {
		l.Note(0)
	}
	require.Less(t, l.Add(o).Delay, o.Delay+ms)
}

// Whole games in simulated time: with lag on every move the side never oversteps, whatever the search looks like.
func TestGamesInSimulatedTime(t *testing.T) {
	controls := map[string]*ClockTimes{
		"10+0.1":             bothMain(10*time.Second, 0, 100*ms),
		"300+3":              bothMain(300*time.Second, 0, 3*time.Second),
		"byoyomi 0.2":        bothMain(0, 200*ms, 0),
		"60, byoyomi 1":      bothMain(time.Minute, time.Second, 0),
		"sudden death 60":    bothMain(time.Minute, 0, 0),
		"sudden death 5":     bothMain(5*time.Second, 0, 0),
		"5, byoyomi 1, +0.5": bothMain(5*time.Second, time.Second, 500*ms),
	}
	for name, control := range controls {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 4))
			for range 20 {
				times := *control
				for ply := 1; ply < 320; ply += 2 {
					c := NewClock(&Limits{Clock: &times}, shogi.Black, ply, DefaultClockOptions())
					first := 0.3 + 0.6*random.Float64()
					look := at(first, (1-first)*random.Float64(), 0.5, 0.45+0.1*random.Float64())
					spent, _ := think(c, 5*ms, look)
					usable := times.Usable(shogi.Black)
					lag := min(time.Duration(random.IntN(40))*ms, usable/3)
					spent += lag
					require.LessOrEqual(t, spent, usable, "ply %d", ply)
					times.Main[shogi.Black] += times.Increment[shogi.Black] - max(0, spent-times.Byoyomi)
				}
				if control.Main[shogi.Black] >= time.Minute {
					require.Less(t, times.Main[shogi.Black], control.Main[shogi.Black]/2, "most of the time is left unused")
				}
			}
		})
	}
}

// A clock that is as good as endless must not run over into a negative plan.
func TestHugeTimes(t *testing.T) {
	const years = 365 * 24 * time.Hour
	for _, times := range []*ClockTimes{bothMain(34*years, 0, 0), bothMain(34*years, 34*years, 34*years)} {
		o := DefaultClockOptions()
		o.SlowMover = 1000
		c := NewClock(&Limits{Clock: times}, shogi.White, 50, o)
		require.Greater(t, c.Optimum(), years)
		require.Greater(t, c.Hard(), years)
		require.Empty(t, c.Verdict(time.Second, &Progress{Playouts: 1}))
	}
}
