package uct

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

func TestDepthLimit(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	r := s.Search(context.Background(), game(t, middle), search.Limits{Depth: 4}, nil)
	require.Equal(t, search.ReasonDepth, r.Reason)
	require.GreaterOrEqual(t, r.Lines[0].SelDepth, 4)
}

func TestHeldAnswers(t *testing.T) {
	for _, text := range []string{mateIn1, mated, declared, middle} {
		for _, ponder := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				s := newSearcher(t, randomConfig(1))
				limits := search.Limits{Nodes: 50, Infinite: !ponder}
				hit := make(chan struct{})
				if ponder {
					limits.PonderHit = hit
				}
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				done := make(chan search.Result)
				go func() { done <- s.Search(ctx, game(t, text), limits, nil) }()
				time.Sleep(time.Hour)
				select {
				case <-done:
					t.Fatal("answered before it was asked to")
				default:
				}
				if ponder {
					close(hit)
				} else {
					cancel()
				}
				r := <-done
				require.NotEqual(t, shogi.MoveNone, r.Best)
			})
		}
	}
}

func TestStopIsHeard(t *testing.T) {
	c := randomConfig(1)
	c.Threads = 2
	s := newSearcher(t, c)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := s.Search(ctx, game(t, middle), search.Limits{Infinite: true}, nil)
	require.True(t, r.Best.IsMove(), "a stop at once still gets a move")
	require.Equal(t, search.ReasonCancelled, r.Reason)
}

func TestPonderHitStartsTheClock(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	hit := make(chan struct{})
	var hitAt time.Time
	time.AfterFunc(60*time.Millisecond, func() {
		hitAt = time.Now()
		close(hit)
	})
	limits := search.Limits{
		Clock:     &search.ClockTimes{Byoyomi: time.Millisecond},
		PonderHit: hit,
		HitTimes:  func() *search.ClockTimes { return &search.ClockTimes{Byoyomi: 160 * time.Millisecond} },
	}
	r := s.Search(context.Background(), game(t, middle), limits, nil)
	spent := time.Since(hitAt)
	require.Equal(t, search.ReasonClock, r.Reason)
	require.Greater(t, spent, 75*time.Millisecond, "the time that came with the hit was not used")
}

func TestClockLimits(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	clock := func(main, byoyomi time.Duration) search.Limits {
		return search.Limits{Clock: &search.ClockTimes{Main: [2]time.Duration{main, main}, Byoyomi: byoyomi}}
	}
	r := s.Search(context.Background(), game(t, middle), clock(0, 0), nil)
	require.True(t, r.Best.IsMove(), "without any time there is still a move")
	require.Equal(t, search.ReasonClock, r.Reason)

	r = s.Search(context.Background(), game(t, oneMove), clock(time.Hour, 0), nil)
	require.Equal(t, search.ReasonOnlyMove, r.Reason)

	r = s.Search(context.Background(), game(t, middle), search.Limits{MoveTime: 50 * time.Millisecond}, nil)
	require.Equal(t, search.ReasonMoveTime, r.Reason)
}

func TestWorkersKeepTheHardLimitThemselves(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	r := s.newRun(game(t, middle), search.Limits{})
	s.makeWorkers(r)
	r.prepare()
	r.hardIs = search.ReasonClock
	r.hard.Store(1)
	s.workers[0].loop()
	require.Equal(t, search.ReasonClock, r.reason)
	require.Zero(t, r.playouts.Load())
}

// Visits are counted in 32 bits: a search ends before they run over, and one of a root that is half full begins anew.
func TestVisitsDoNotRunOver(t *testing.T) {
	s := newSearcher(t, randomConfig(1))
	g := game(t, "startpos")
	nodes(s, g, 20)
	s.last.root.visits.Store(1 << 31)
	r := s.newRun(g, search.Limits{Infinite: true})
	s.makeWorkers(r)
	r.prepare()
	require.EqualValues(t, 1<<32-1<<16-1, r.nodes)
	require.EqualValues(t, 1, r.root.visits.Load())
	r.root.visits.Store(1 << 30)
	r = s.newRun(g, search.Limits{})
	s.makeWorkers(r)
	r.prepare()
	require.EqualValues(t, 1<<32-1<<16-1<<30, r.nodes)
}
