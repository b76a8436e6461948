package learn

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/yomi-shogi/yomi/internal/selfplay"
	"github.com/yomi-shogi/yomi/internal/train"
)

// Names of the files of games: as they are played, and complete and sorted.
const (
	playingName = "playing.yomi"
	gamesName   = "games.yomi"
)

// play is the stage of self-play with the best nets.
func (l *Loop) play(ctx context.Context) error {
	nets, err := selfplay.LoadNets(l.Files(l.now.Best))
	if err != nil {
		return err
	}
	job := selfplay.Job{
		Config: l.Config.SelfPlay, Nets: nets, Openings: l.openings, Games: l.Config.Games, Workers: l.options.Workers, Program: l.options.Program,
		Path: l.file(l.now.Number, playingName),
	}
	job.Seed = l.seed(playSeed)
	run, err := selfplay.Open(job)
	if err != nil {
		return err
	}
	err = l.playAll(ctx, run, job.Path)
	if err := errors.Join(err, run.Close()); err != nil {
		return err
	}
	s := run.Summary()
	l.now.Games, l.now.Positions, l.now.Deep = s.Games, s.Positions, s.Deep
	l.now.Black, l.now.White, l.now.Draws = s.Black, s.White, s.Draws
	sorted := func(out io.Writer) error { return selfplay.Sort(job.Path, out) }
	return train.WriteFile(l.file(l.now.Number, gamesName), sorted)
}

// playAll plays the games that are missing, as far as the disk budget goes.
func (l *Loop) playAll(ctx context.Context, run *selfplay.Run, path string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	guard := func() error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		return errors.Join(l.room(info.Size()), l.clock.tick()) // room for the sorted copy
	}
	if err := guard(); err != nil {
		return err
	}
	l.report(Progress{Stage: SelfPlay, Done: run.Summary().Games, Total: l.Config.Games})
	err := run.Play(ctx, func(s *selfplay.Summary) {
		if err := guard(); err != nil {
			cancel(err)
		}
		l.report(Progress{Stage: SelfPlay, Done: s.Games, Total: l.Config.Games, Text: s.Line()})
	})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
