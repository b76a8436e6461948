package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// gameFiles reads the games of files of all formats, one after the other.
type gameFiles struct {
	streams
	bar *progressBar
	// done is how many bytes of the files were read before the one that is being read.
	done int64
	// bad is how many records made no sense and were left out.
	bad int64
}

// each calls take with every game of the files. The game is take's only until it returns.
func (g *gameFiles) each(ctx context.Context, files []target, take func(*record.Game)) error {
	total, err := totalSize(files)
	if err != nil {
		return err
	}
	g.bar = newProgressBar(g.Err, "read", 0, total)
	defer g.bar.end()
	for _, f := range files {
		if f.people {
			err = g.kifu(ctx, f.path, take)
		} else {
			err = g.records(ctx, f.path, take)
		}
		if err != nil {
			return err
		}
		if info, err := os.Stat(f.path); err == nil {
			g.done += info.Size()
		}
	}
	return ctx.Err()
}

// leftOut names a record that is left out; of many, only the first ones.
func (g *gameFiles) leftOut(err error) {
	if g.bad++; g.bad <= namedRecords {
		fmt.Fprintln(g.Err, "left out:", err)
	}
}

func (g *gameFiles) records(ctx context.Context, path string, take func(*record.Game)) error {
	r, err := record.OpenGames(path)
	if err != nil {
		return err
	}
	defer r.Close()
	for ctx.Err() == nil {
		game := new(record.Game)
		err := r.Next(game)
		var bad *record.BadRecord
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
			g.leftOut(err)
			continue
		case err != nil:
			return err
		}
		take(game)
		g.bar.set(g.done+r.Offset(), "")
	}
	return ctx.Err()
}

func (g *gameFiles) kifu(ctx context.Context, path string, take func(*record.Game)) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	games, _, err := kifu.Read(data)
	if len(games) == 0 && err != nil {
		g.leftOut(fmt.Errorf("%s: %w", path, err))
	}
	for i, r := range games {
		if ctx.Err() != nil {
			break
		}
		game, _, err := record.FromKifu(r)
		if err != nil {
			g.leftOut(&record.BadRecord{Path: path, Number: int64(i + 1), Err: err})
			continue
		}
		take(game)
	}
	return ctx.Err()
}
