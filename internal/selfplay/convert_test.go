package selfplay

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
)

var long = flag.Bool("long", false, "convert 10,000 positions of self-play")

// fact is what all formats hold of a position.
type fact struct {
	Setup  shogi.Setup
	Score  int16
	Move   shogi.Move
	Result int8
}

// factsOf reads the positions of a file.
func factsOf(t *testing.T, path string) []fact {
	r, err := record.Open(path)
	require.NoError(t, err)
	defer r.Close()
	var out []fact
	for {
		s, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		require.NoError(t, err)
		require.True(t, s.Position.IsLegal(s.Move), "%s in %s", s.Move, s.Position.SFEN())
		setup := s.Position.Setup()
		setup.Ply = 0 // hcpe has no move number
		out = append(out, fact{setup, s.Score, s.Move, s.Result})
	}
}

// rewrite writes the games of a file, or what a file of positions gives of games, in the format that the other name tells.
func rewrite(t *testing.T, from, to string) {
	format, err := record.FormatOf(to)
	require.NoError(t, err)
	in, err := record.OpenGames(from)
	require.NoError(t, err)
	defer in.Close()
	var out bytes.Buffer
	games, err := record.NewGameWriter(&out)
	require.NoError(t, err)
	if format != record.Yomi {
		out.Reset()
	}
	for {
		var g record.Game
		if err := in.Next(&g); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		var data []byte
		switch format {
		case record.Yomi:
			require.NoError(t, games.Write(&g))
		case record.HCPE3:
			data, err = record.AppendHCPE3(nil, &g)
			require.NoError(t, err)
		default:
			for _, s := range g.AppendSamples(nil) {
				data, err = record.AppendSample(data, format, &s)
				require.NoError(t, err)
			}
		}
		out.Write(data)
	}
	require.NoError(t, os.WriteFile(to, out.Bytes(), 0o600))
}

// TestFormats leads games of self-play through all formats, one after the other: positions, scores, moves and results stay.
func TestFormats(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.yomi")
	job := quickJob(t, path, 4)
	least := 80
	if *long {
		job.Games, job.MaxMoves, least = 140, 200, 10_000
	}
	play(t, job)
	want := factsOf(t, path)
	require.GreaterOrEqual(t, len(want), least)
	t.Logf("%d positions", len(want))
	for _, name := range []string{"a.psv", "b.hcpe", "c.hcpe3", "d.yomi", "e.hcpe3", "f.psv", "g.yomi", "h.hcpe", "i.psv", "j.hcpe3"} {
		next := filepath.Join(dir, name)
		rewrite(t, path, next)
		require.Equal(t, want, factsOf(t, next), name)
		path = next
	}
}
