package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestArguments(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "cpu.out")
	for _, c := range []struct {
		args   string
		status int
		out    string // must be in the output
		errs   string // must be in the error output, which is else empty
	}{
		{"-h", 0, "USI_Hash", ""},
		{"help", 0, "go perft N", ""},
		{"bench 20", 0, "signature: ", ""},
		{"-cpuprofile " + profile + " bench 20", 0, "signature: ", ""},
		{"-cpuprofile", 2, "", "want a file"},
		{"-cpuprofile /none/x bench 20", 1, "", "/none/x"},
		{"bench none", 1, "", `"none"`},
		{"bench 0", 1, "", `"0"`},
		{"bench 1 2", 1, "", "one number"},
		{"-hash", 2, "", `"-hash"`},
		{"", 0, "readyok", ""},
	} {
		var out, errs strings.Builder
		status := run(strings.Fields(c.args), strings.NewReader("isready\nquit\n"), &out, &errs, nil)
		require.Equal(t, c.status, status, c.args)
		require.Contains(t, out.String(), c.out, c.args)
		require.Contains(t, errs.String(), c.errs, c.args)
		require.Equal(t, c.errs == "", errs.Len() == 0, errs.String())
	}
	info, err := os.Stat(profile)
	require.NoError(t, err)
	require.Positive(t, info.Size())
}

func TestBenchEndsOnSignal(t *testing.T) {
	terminate := make(chan os.Signal, 1)
	terminate <- syscall.SIGTERM
	var out, errs strings.Builder
	require.Equal(t, 1, run([]string{"bench", "1000000000"}, nil, &out, &errs, terminate))
	require.Contains(t, errs.String(), "canceled")
}
