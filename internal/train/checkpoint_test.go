package train

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func tinyTables(fill float32) []*table {
	a := newTable("a", &[]float32{fill, 2, 3, 4}, 2, false, 1)
	a.m[1], a.v[2], a.steps[1] = fill, fill, uint32(fill)
	return []*table{a, newTable("b", &[]float32{fill}, 1, true, 1)}
}

func tinyCheckpoint(t testing.TB) []byte {
	var b bytes.Buffer
	tables := tinyTables(7)
	h := &header{identity{Config: DefaultConfig(Value), Positions: 5, Data: 6}, state{Epoch: 1, Batch: 2, Points: []Point{{Loss: .1}}}, shapesOf(tables)}
	require.NoError(t, writeCheckpoint(&b, h, tables))
	return b.Bytes()
}

func readTiny(data []byte) (*header, []*table, error) {
	in := newHashReader(bytes.NewReader(data))
	tables := tinyTables(0)
	h, err := readHeader(in)
	if err != nil {
		return nil, nil, err
	}
	return h, tables, readTables(in, h, tables)
}

func TestCheckpoint(t *testing.T) {
	good := tinyCheckpoint(t)
	h, tables, err := readTiny(good)
	require.NoError(t, err)
	require.Equal(t, tinyTables(7), tables)
	require.Equal(t, 1, h.State.Epoch)
	require.Equal(t, []Point{{Loss: .1}}, h.State.Points)
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		_, _, err := readTiny(bad)
		require.Error(t, err, "byte %d changed", i)
		_, _, err = readTiny(good[:i])
		require.Error(t, err, "cut at %d", i)
	}
	_, _, err = readTiny(append(bytes.Clone(good), 0))
	require.ErrorContains(t, err, "checksum")
	_, _, err = readTiny([]byte("x"))
	require.ErrorContains(t, err, "not a checkpoint")
}

// TestWriteFile: a file that cannot be completed leaves the old one.
func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	require.NoError(t, WriteFile(path, text("old")))
	failed := errors.New("failed")
	require.ErrorIs(t, WriteFile(path, func(w io.Writer) error { return errors.Join(text("half")(w), failed) }), failed)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old", string(got))
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, files, 1)
}

func FuzzCheckpoint(f *testing.F) {
	good := tinyCheckpoint(f)
	f.Add(good)
	f.Add(good[:40])
	f.Fuzz(func(t *testing.T, data []byte) {
		h, tables, err := readTiny(data)
		if err != nil {
			return
		}
		var again bytes.Buffer
		require.NoError(t, writeCheckpoint(&again, h, tables))
		_, same, err := readTiny(again.Bytes())
		require.NoError(t, err)
		require.Len(t, same, len(tables))
	})
}
