package train

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
)

// TestLoadSample: the sample's games run backwards, and all positions but the first of each game know their last move.
func TestLoadSample(t *testing.T) {
	d := loadSample(t)
	require.Equal(t, 20000, d.Positions())
	require.Zero(t, d.Skipped)
	require.Equal(t, 226, d.Games())
	var s, before sample
	for _, g := range d.games {
		for i := g.start; i < g.end; i++ {
			d.sample(i, &s)
			if i+1 == g.end {
				require.Equal(t, shogi.MoveNone, s.last)
				continue
			}
			d.sample(i+1, &before)
			require.Equal(t, before.Move, s.last)
			require.Equal(t, before.Position.Ply()+1, s.Position.Ply())
			next := before.Position
			next.Do(s.last)
			require.Equal(t, next.SFEN(), s.Position.SFEN())
		}
	}
	head, tail := d.Split(22)
	require.Equal(t, 22, tail.Games())
	require.Equal(t, d.Positions(), head.Positions()+tail.Positions())
	require.Equal(t, d, Join(head, tail))
	all, none := d.Split(0)
	require.Equal(t, d, Join(all, none))
	require.Zero(t, none.Positions())
	none, all = d.Split(1000)
	require.Equal(t, d, Join(none, all))
}

// playLine returns the samples of a short game.
func playLine(t *testing.T, moves ...string) []record.Sample {
	p := shogi.StartPosition()
	var samples []record.Sample
	for _, text := range moves {
		m, err := shogi.ParseMove(text)
		require.NoError(t, err)
		samples = append(samples, record.Sample{Position: p, Move: m, Result: 1})
		p.Do(m)
	}
	return samples
}

func write(t *testing.T, name string, encode func(*record.Sample) []byte, samples []record.Sample) string {
	var b bytes.Buffer
	for i := range samples {
		b.Write(encode(&samples[i]))
	}
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

func encodePSV(s *record.Sample) []byte {
	b, _ := record.EncodePSV(s)
	return b[:]
}

func encodeHCPE(s *record.Sample) []byte {
	b, _ := record.EncodeHCPE(s)
	return b[:]
}

func lasts(d *Data) []string {
	var out []string
	for i := range d.records {
		out = append(out, d.records[i].last.String())
	}
	return out
}

func TestGames(t *testing.T) {
	line := playLine(t, "7g7f", "3c3d", "2g2f", "8c8d")
	other := playLine(t, "2g2f", "3c3d")
	t.Run("hcpe forwards", func(t *testing.T) {
		d, err := Load(write(t, "x.hcpe", encodeHCPE, append(line[:4:4], other...)))
		require.NoError(t, err)
		require.Equal(t, 2, d.Games())
		require.Equal(t, []string{"none", "7g7f", "3c3d", "2g2f", "none", "2g2f"}, lasts(d))
	})
	t.Run("psv with a missing record, an illegal move and a bad record", func(t *testing.T) {
		illegal := line[1]
		illegal.Move = line[0].Move
		samples := []record.Sample{line[3], line[1], line[0], illegal, other[1], other[0]}
		bad := false
		d, err := Load(write(t, "x.psv", func(s *record.Sample) []byte {
			b := encodePSV(s)
			if s.Move == illegal.Move && s.Position.Ply() == 2 && !bad {
				bad = true
				return append(make([]byte, record.PSVSize), b...)
			}
			return b
		}, samples))
		require.NoError(t, err)
		require.Equal(t, 2, d.Skipped)
		require.Equal(t, 2, d.Games())
		require.Equal(t, []string{"none", "7g7f", "none", "2g2f", "none"}, lasts(d))
	})
}

// TestWholeGames: files of whole games say where games begin, also where the move numbers and moves would fit.
func TestWholeGames(t *testing.T) {
	line := playLine(t, "7g7f", "3c3d", "2g2f", "8c8d")
	games := []record.Game{
		{Start: line[2].Position, Result: record.BlackWins, Moves: []record.GameMove{{Move: line[2].Move}, {Move: line[3].Move}}},
		{Start: line[0].Position, Result: record.WhiteWins, Moves: []record.GameMove{{Move: line[0].Move}, {Move: line[1].Move}}},
		{Start: line[2].Position, Result: record.BlackWins, Moves: []record.GameMove{{Move: line[2].Move}}},
	}
	path := filepath.Join(t.TempDir(), "x.yomi")
	w, err := record.AppendGames(path)
	require.NoError(t, err)
	var hcpe3 []byte
	for i := range games {
		require.NoError(t, w.Write(&games[i]))
		hcpe3, err = record.AppendHCPE3(hcpe3, &games[i])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	foreign := filepath.Join(t.TempDir(), "x.hcpe3")
	require.NoError(t, os.WriteFile(foreign, hcpe3, 0o600))
	for _, path := range []string{path, foreign} {
		d, err := Load(path)
		require.NoError(t, err)
		require.Equal(t, 3, d.Games(), path)
		require.Equal(t, []string{"none", "2g2f", "none", "7g7f", "none"}, lasts(d))
	}
}

func TestSources(t *testing.T) {
	line := playLine(t, "7g7f")
	three := write(t, "three.psv", encodePSV, []record.Sample{line[0], line[0], line[0]})
	two := write(t, "two.psv", encodePSV, []record.Sample{line[0], line[0]})
	one := write(t, "one.psv", encodePSV, []record.Sample{line[0]})

	l, err := LoadSources(Sources{Train: []string{three, two}, Also: []string{one, three}, Share: .7})
	require.NoError(t, err)
	require.Equal(t, 0, l.Train.Positions(), "of 3 + 2 games the last 3 are kept, of the 1 + 2 that are left the last 2")
	require.Equal(t, []int{3, 2}, []int{l.Validate[0].Data.Games(), l.Validate[1].Data.Games()})
	require.Contains(t, l.About, "the last 2 games of two.psv and the last 1 games of three.psv")

	l, err = LoadSources(Sources{Train: []string{three}, Last: []string{two}, Share: .5})
	require.NoError(t, err)
	require.Equal(t, 3, l.Train.Positions())
	require.Equal(t, 1, l.Validate[0].Data.Positions())

	_, err = LoadSources(Sources{Train: []string{three}, Share: 1})
	require.ErrorContains(t, err, "share 1")
	_, err = LoadSources(Sources{Train: []string{"missing.psv"}})
	require.ErrorIs(t, err, os.ErrNotExist)
}
