package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A trace is served until Ctrl-C.
func TestTreeServe(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "x.trace")
	status, _, errs := yomiTree(t, "", append([]string{"--nodes", "50", "--record", trace}, cheap...)...)
	require.Zero(t, status, errs)
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error)
	go func() {
		c := treeShowCmd{Trace: trace, Serve: true, Address: "127.0.0.1:0"}
		done <- c.serve(ctx, streams{Out: in, Err: in})
	}()
	lines := bufio.NewReader(out)
	address, err := lines.ReadString('\n')
	require.NoError(t, err)
	help, err := lines.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, help, "Ctrl-C")
	response, err := http.Get(strings.TrimSpace(address))
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)
	cancel()
	require.NoError(t, <-done)
}

func TestTreeServeRefuses(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "x.trace")
	status, _, errs := yomiTree(t, "", append([]string{"--nodes", "50", "--record", trace}, cheap...)...)
	require.Zero(t, status, errs)
	for want, args := range map[string][]string{
		"--serve needs a trace":  {"--serve"},
		"--token needs --serve":  {trace, "--token", "x"},
		"--picture":              {trace, "--serve", "-o", "x.svg"},
		"not a loopback address": {trace, "--serve", "--address", "0.0.0.0:0"},
		"want host:port":         {trace, "--serve", "--address", "x"},
	} {
		status, _, errs := yomiTree(t, "", args...)
		require.NotZero(t, status)
		require.Contains(t, errs, want)
	}
}
