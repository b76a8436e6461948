package record

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var dataDir = flag.String("data", "", "folder of psv files (*.psv.zst) that TestData reads whole")

// TestData reads all records of all psv files of a folder: go test ./internal/record -run TestData -v -data DIR. Each must be a
// possible position with a legal move, and come back from hcpe the same. The games that they are put together to must have the same
// moves in hcpe3.
func TestData(t *testing.T) {
	if *dataDir == "" {
		t.Skip("give a folder with -data")
	}
	paths, err := filepath.Glob(filepath.Join(*dataDir, "*.psv.zst"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var positions, games, moves int
	for _, path := range paths {
		n := checkSamples(t, path)
		g, m := checkGames(t, path)
		require.Equal(t, n, m, path)
		t.Logf("%s: %d positions, %d games, 0 illegal", filepath.Base(path), n, g)
		positions, games, moves = positions+n, games+g, moves+m
	}
	t.Logf("together %d positions, %d games", positions, games)
}

// checkSamples reads a file record by record.
func checkSamples(t *testing.T, path string) int {
	r, err := Open(path)
	require.NoError(t, err)
	defer r.Close()
	for n := 0; ; n++ {
		s, err := r.Next()
		if errors.Is(err, io.EOF) {
			return n
		}
		require.NoError(t, err)
		if !s.Position.IsLegal(s.Move) {
			require.Fail(t, "illegal move", "%s: record %d: %s in %s", path, r.Number(), s.Move, s.Position.SFEN())
		}
		data, err := EncodeHCPE(&s)
		require.NoError(t, err)
		again, err := DecodeHCPE(&data)
		require.NoError(t, err)
		was, is := s.Position.Setup(), again.Position.Setup()
		is.Ply = was.Ply
		if was != is || s.Move != again.Move || s.Score != again.Score || s.Result != again.Result {
			require.Fail(t, "another sample", "%s: record %d: %s", path, r.Number(), s.Position.SFEN())
		}
	}
}

// checkGames reads a file game by game.
func checkGames(t *testing.T, path string) (games, moves int) {
	r, err := OpenGames(path)
	require.NoError(t, err)
	defer r.Close()
	var data []byte
	for ; ; games++ {
		var g Game
		err := r.Next(&g)
		if errors.Is(err, io.EOF) {
			return games, moves
		}
		require.NoError(t, err)
		moves += len(g.Moves)
		data, err = AppendHCPE3(data[:0], &g)
		require.NoError(t, err)
		checkHCPE3(t, &g, data)
	}
}

// checkHCPE3 compares a game with its hcpe3 form.
func checkHCPE3(t *testing.T, g *Game, data []byte) {
	var again Game
	require.NoError(t, readHCPE3(bytes.NewReader(data), &again))
	require.Equal(t, [2]any{g.Start.Key(), g.Result}, [2]any{again.Start.Key(), again.Result})
	require.Len(t, again.Moves, len(g.Moves))
	for i := range g.Moves {
		if g.Moves[i].Move != again.Moves[i].Move || g.Moves[i].Score != again.Moves[i].Score {
			require.Fail(t, "another move", "move %d from %s", i+1, g.Start.SFEN())
		}
	}
}
