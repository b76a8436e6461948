package learn

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/train"
)

// match returns the gate's match. The test is not part of it: the loop judges pairs in the order of their numbers, so that the verdict
// does not depend on which of several games at a time ended first.
func (c *Config) match(newName, bestName string, seed uint64) match.Config {
	spec := func(name string) match.Spec {
		return match.Spec{Name: name, Time: match.TimeControl{Nodes: c.Gate.Nodes}, Options: []match.Setting{{Name: "USI_Hash", Value: strconv.Itoa(c.Gate.HashMB)}}}
	}
	return match.Config{A: spec(newName), B: spec(bestName), Openings: c.Openings, Seed: seed, Games: c.Gate.Games, Rules: c.Gate.Rules}
}

// gate is the stage of the match of the new nets against the best.
func (l *Loop) gate(ctx context.Context) error {
	config := l.Config.match(fmt.Sprintf("generation %d", l.now.Number), fmt.Sprintf("generation %d", l.now.Best), l.seed(gateSeed))
	for spec, generation := range map[*match.Spec]int{&config.A: l.now.Number, &config.B: l.now.Best} {
		spec.Options = append(spec.Options, match.Setting{Name: "PolicyFile", Value: l.net(generation, train.Policy)},
			match.Setting{Name: "ValueFile", Value: l.net(generation, train.Value)})
	}
	m, err := openMatch(ctx, l.file(l.now.Number, "gate"), config)
	if err != nil {
		return err
	}
	judge := newPairJudge(l.Config.Gate.SPRT, m.Records)
	err = errors.Join(l.playGate(ctx, m, judge), m.Close())
	if err != nil {
		return err
	}
	l.now.Gate = judge.result
	l.now.Promoted = judge.result.Verdict == match.AcceptedH1
	return nil
}

// openMatch begins the match in the folder or goes on with it.
func openMatch(ctx context.Context, dir string, config match.Config) (*match.Match, error) {
	path := filepath.Join(dir, match.JournalName)
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return match.Create(ctx, dir, config)
	}
	if err == nil && !bytes.Contains(data, []byte("\n")) { // killed while it wrote the header
		if err := os.Remove(path); err != nil {
			return nil, err
		}
		return match.Create(ctx, dir, config)
	}
	if err != nil {
		return nil, err
	}
	m, err := match.Resume(ctx, dir, 0)
	if err != nil {
		return nil, fmt.Errorf("%w; to play the gate anew, remove %s", err, dir)
	}
	return m, nil
}

// playGate plays games until the judge has decided or there are no more.
func (l *Loop) playGate(ctx context.Context, m *match.Match, judge *pairJudge) error {
	if judge.decided() {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	guard := func() error { return errors.Join(l.room(0), l.clock.tick()) }
	if err := guard(); err != nil {
		return err
	}
	games := int64(len(m.Records))
	l.report(Progress{Stage: GateMatch, Done: games, Total: int64(m.Games()), Text: judge.text()})
	_, err := m.Run(ctx, match.RunOptions{Concurrency: l.options.Workers, Progress: func(r *match.Record, _ *match.Standings) {
		games++
		if judge.add(r); judge.decided() {
			cancel(nil)
		} else if err := guard(); err != nil {
			cancel(err)
		}
		l.report(Progress{Stage: GateMatch, Done: games, Total: int64(m.Games()), Text: judge.text()})
	}})
	if judge.decided() {
		return nil
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// pairJudge puts pairs to the test in the order of their numbers, whatever the order in which they end.
type pairJudge struct {
	sprt   match.SPRT
	result Match
	next   int
	// waiting are the points of pairs' games that the test has not seen, by the pair's number.
	waiting map[int][]int
}

func newPairJudge(sprt match.SPRT, records []match.Record) *pairJudge {
	j := &pairJudge{sprt: sprt, waiting: make(map[int][]int)}
	for _, r := range slices.SortedFunc(slices.Values(records), func(a, b match.Record) int { return cmp.Compare(a.Game, b.Game) }) {
		j.add(&r)
	}
	return j
}

// add takes a game. What comes after the decision does not count.
func (j *pairJudge) add(r *match.Record) {
	j.waiting[r.Pair] = append(j.waiting[r.Pair], r.PointsA())
	for !j.decided() && len(j.waiting[j.next]) == 2 {
		points := j.waiting[j.next]
		delete(j.waiting, j.next)
		j.next++
		j.result.Pairs[points[0]+points[1]]++
		j.result.LLR, j.result.Verdict = j.sprt.Judge(j.result.Pairs)
	}
}

func (j *pairJudge) decided() bool { return j.result.Verdict != match.Undecided }

func (j *pairJudge) text() string {
	low, high := j.sprt.Bounds()
	return fmt.Sprintf("%s, LLR %.2f [%.2f, %.2f]", j.result.elo(), j.result.LLR, low, high)
}
