package match

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseTimeControl(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for text, want := range map[string]struct {
		control TimeControl
		normal  string
	}{
		"10+0.1":          {TimeControl{Main: 10 * s, Increment: 100 * ms}, "10+0.1"},
		"60,1":            {TimeControl{Main: 60 * s, Byoyomi: s}, "60,1"},
		"0,1":             {TimeControl{Byoyomi: s}, "0,1"},
		"0,0.25":          {TimeControl{Byoyomi: 250 * ms}, "0,0.25"},
		"5:00+3,2":        {TimeControl{Main: 300 * s, Increment: 3 * s, Byoyomi: 2 * s}, "300+3,2"},
		"1:30":            {TimeControl{Main: 90 * s}, "90+0"},
		"movetime=1s":     {TimeControl{MoveTime: s}, "movetime=1s"},
		"movetime=1500ms": {TimeControl{MoveTime: 1500 * ms}, "movetime=1.5s"},
		"nodes=800":       {TimeControl{Nodes: 800}, "nodes=800"},
		"depth=6":         {TimeControl{Depth: 6}, "depth=6"},
		" 10+0 nodes=5 ":  {TimeControl{Main: 10 * s, Nodes: 5}, "10+0 nodes=5"},
	} {
		got, err := ParseTimeControl(text)
		require.NoError(t, err, text)
		require.Equal(t, want.control, got, text)
		require.Equal(t, want.normal, got.String())
	}
	for text, part := range map[string]string{
		"": `""`, "10": `"10"`, "x+1": `"x"`, "10+-1": `"-1"`, "1,2,3": `"2,3"`, "0,0": "no time", "movetime=1": `"1"`,
		"nodes=0": `"0"`, "node=8": `"node", did you mean "nodes"?`, "depth=x": `"x"`, "1+1 1+1": "twice",
		"1+1 movetime=1s": "exclude", "1e9+1": `"1e9"`, "movetime=1ns": `"1ns"`,
	} {
		_, err := ParseTimeControl(text)
		require.ErrorContains(t, err, part, text)
	}
}

func FuzzParseTimeControl(f *testing.F) {
	for _, text := range []string{"10+0.1", "60,1", "5:00+3,2", "movetime=1s nodes=800", "depth=6", "1.0005+.1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseTimeControl(text)
		if err != nil {
			return
		}
		again, err := ParseTimeControl(got.String())
		require.NoError(t, err, got.String())
		require.Equal(t, got, again)
		clock := NewClock(got)
		clock.Spend(time.Hour)
		require.GreaterOrEqual(t, clock.Left, time.Duration(0))
	})
}

func TestClock(t *testing.T) {
	c := NewClock(TimeControl{Main: 10 * time.Second, Increment: time.Second})
	require.Equal(t, 11*time.Second, limitOf(t, &c), "the increment of a move can be used for it")
	c.Spend(3 * time.Second)
	require.Equal(t, 8*time.Second, c.Left)
	c.Spend(20 * time.Second)
	require.Zero(t, c.Left)

	c = NewClock(TimeControl{Main: 10 * time.Second, Byoyomi: 2 * time.Second})
	require.Equal(t, 12*time.Second, limitOf(t, &c))
	c.Spend(11 * time.Second)
	require.Zero(t, c.Left, "1 s of the 11 is paid by the byoyomi")
	require.Equal(t, 2*time.Second, limitOf(t, &c))
	c.Spend(2 * time.Second)
	require.Equal(t, 2*time.Second, limitOf(t, &c))

	c = NewClock(TimeControl{MoveTime: time.Second})
	c.Spend(5 * time.Second)
	require.Equal(t, time.Second, limitOf(t, &c))

	c = NewClock(TimeControl{Nodes: 5})
	_, limited := c.Limit()
	require.False(t, limited)
}

func TestDidYouMean(t *testing.T) {
	known := []string{"USI_Hash", "Threads", "MultiPV"}
	require.Equal(t, `, did you mean "Threads"?`, didYouMean("Thread", known))
	require.Equal(t, `, did you mean "USI_Hash"?`, didYouMean("usi_hsah", known))
	require.Empty(t, didYouMean("Zzzzzzz", known))
	require.Equal(t, 3, distance("kitten", "sitting"))
}

// limitOf returns the limit of a clock that has one.
func limitOf(t *testing.T, c *Clock) time.Duration {
	limit, limited := c.Limit()
	require.True(t, limited)
	return limit
}

// A clock without increment and byoyomi that has run out within the margin leaves no time, not all the time of a player
// without a clock.
func TestClockRunsOut(t *testing.T) {
	c := NewClock(TimeControl{Main: time.Second})
	c.Spend(1050 * time.Millisecond)
	require.Zero(t, limitOf(t, &c))

	rules := DefaultRules()
	black := &scripted{moves: []string{"7g7f", "2g2f"}, wall: 80 * time.Millisecond}
	white := &scripted{moves: []string{"3c3d", "8c8d"}}
	controls := [2]TimeControl{{Main: 50 * time.Millisecond}, {Main: time.Hour}}
	table := Table{Players: [2]Player{black, white}, Controls: controls, Rules: rules}
	r, err := Play(t.Context(), table, Opening{Text: "startpos"})
	require.NoError(t, err)
	require.Len(t, r.Plies, 4, "80 ms are within 50 ms and the margin, and so are they within the margin alone")
	require.Equal(t, OutcomeCrash, r.Outcome)

	black = &scripted{moves: []string{"7g7f", "2g2f"}, wall: 130 * time.Millisecond}
	table.Players[0], table.Players[1] = black, &scripted{moves: []string{"3c3d", "8c8d"}}
	r, err = Play(t.Context(), table, Opening{Text: "startpos"})
	require.NoError(t, err)
	require.Equal(t, OutcomeTimeLoss, r.Outcome, "0 ms and the margin of 100 ms are not enough")
	require.Len(t, r.Plies, 2)
	require.Contains(t, r.Detail, "allowed 0s and 100ms margin")
}
