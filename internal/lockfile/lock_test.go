package lockfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/lockfile"
)

// One file at a time has the lock; it can still be read, and closing gives the lock to others.
func TestTake(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	first, err := os.Create(name)
	require.NoError(t, err)
	require.NoError(t, lockfile.Take(first))
	_, err = first.WriteString("line\n")
	require.NoError(t, err)

	second, err := os.OpenFile(name, os.O_RDWR, 0)
	require.NoError(t, err)
	require.ErrorIs(t, lockfile.Take(second), lockfile.ErrLocked)
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "line\n", string(content))

	require.NoError(t, first.Close())
	require.NoError(t, lockfile.Take(second))
	require.NoError(t, second.Close())
	require.Error(t, lockfile.Take(second), "the file is closed")
}
