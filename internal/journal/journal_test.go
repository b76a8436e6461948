package journal_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/journal"
)

// reader reads a journal into lines.
func reader(lines *[]string) func(io.Reader) (int64, error) {
	*lines = nil
	return func(in io.Reader) (int64, error) {
		return journal.Read("name", in, func(line []byte) error {
			*lines = append(*lines, string(line))
			return nil
		})
	}
}

// A cut last line is neither read nor kept, and the next one begins where it began.
func TestCutLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	w, err := journal.Create(path, 1)
	require.NoError(t, err)
	require.NoError(t, w.Append("two"))
	require.NoError(t, w.Close())
	_, err = journal.Create(path, 1)
	require.ErrorIs(t, err, os.ErrExist)

	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = file.WriteString(`"thr`)
	require.NoError(t, err)
	require.NoError(t, file.Close())

	var lines []string
	w, err = journal.Open(path, false, reader(&lines))
	require.NoError(t, err)
	require.Equal(t, []string{"1\n", "\"two\"\n"}, lines)
	require.NoError(t, w.Append(3))
	require.NoError(t, w.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "1\n\"two\"\n3\n", string(content))
}

// What cannot be read stays as it is.
func TestErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	var lines []string
	_, err := journal.Open(path, false, reader(&lines))
	require.ErrorIs(t, err, os.ErrNotExist)
	w, err := journal.Open(path, true, reader(&lines))
	require.NoError(t, err)
	require.NoError(t, w.Append(1))
	require.Error(t, w.Append(func() {}), "no JSON")
	require.NoError(t, w.Append(2))
	require.NoError(t, w.Close())

	bad := errors.New("bad")
	take := func(line []byte) error {
		if string(line) == "2\n" {
			return bad
		}
		return nil
	}
	_, err = journal.Open(path, false, func(in io.Reader) (int64, error) { return journal.Read("name", in, take) })
	require.ErrorIs(t, err, bad)
	require.ErrorContains(t, err, "name, line 2: bad")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "1\n2\n", string(content))

	_, err = journal.Create(filepath.Join(t.TempDir(), "journal"), func() {})
	require.Error(t, err)
	whole, err := journal.Read("name", strings.NewReader(""), take)
	require.NoError(t, err)
	require.Zero(t, whole)
}

// One program at a time writes; others can read, and closing lets the next one in.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	w, err := journal.Create(path, 1)
	require.NoError(t, err)
	var lines []string
	_, err = journal.Open(path, false, reader(&lines))
	require.ErrorIs(t, err, journal.ErrLocked)
	require.ErrorContains(t, err, path)
	require.Empty(t, lines)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "1\n", string(content))
	require.NoError(t, w.Close())
	require.Error(t, w.Append(2), "it is closed")

	w, err = journal.Open(path, false, reader(&lines))
	require.NoError(t, err)
	require.NoError(t, w.Close())
}
