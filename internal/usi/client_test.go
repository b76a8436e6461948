package usi_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/usi"
)

// TestMain lets the test binary be the program that a client talks to.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "be-an-engine" {
		beAnEngine()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// beAnEngine answers usi, and does by request what engines do wrong.
func beAnEngine() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch strings.TrimSpace(line) {
		case "usi":
			fmt.Println("id name Test Engine 1\nid author none\noption name USI_Hash type spin default 16 min 1 max 64\noption bad\nusiok")
		case "go":
			fmt.Println("info depth 1 score cp 10 pv 7g7f\ninfo depth 2 multipv 2 score cp 5 pv 2g2f\ninfo depth 3 multipv 1 score cp 30 pv 7g7f\ninfo depth 4\nbestmove 7g7f")
		case "long":
			fmt.Println(strings.Repeat("x", 5<<20))
			fmt.Println("done")
		case "flood":
			for range 200_000 {
				fmt.Fprintln(os.Stderr, "stderr is never read by some")
			}
			fmt.Println("done")
		case "exit 3":
			fmt.Fprintln(os.Stderr, "last words")
			os.Exit(3)
		case "exit 0":
			os.Exit(0)
		case "child":
			child := exec.Command("sleep", "300")
			child.Stdout = os.Stdout
			if err := child.Start(); err != nil {
				panic(err)
			}
			fmt.Println("done", child.Process.Pid)
		case "quit":
			return
		}
	}
}

func start(t *testing.T, p usi.Program) *usi.Client {
	self, err := os.Executable()
	require.NoError(t, err)
	p.Path, p.Args = self, []string{"be-an-engine"}
	c, err := usi.Start(p)
	require.NoError(t, err)
	t.Cleanup(c.Kill)
	return c
}

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// failure asks and returns the failure that this brings.
func failure(t *testing.T, c *usi.Client, ctx context.Context, late usi.FailureKind, line string) *usi.Failure {
	_, err := c.Ask(ctx, "readyok", late, line)
	var f *usi.Failure
	require.ErrorAs(t, err, &f)
	return f
}

func TestClient(t *testing.T) {
	var tapped atomic.Int64
	c := start(t, usi.Program{CPU: 1, Tap: func(string, time.Time) { tapped.Add(1) }})
	ctx := within(t, 20*time.Second)
	_, err := c.Ask(ctx, "usiok", usi.Stall, "usi")
	require.NoError(t, err)
	require.Equal(t, "Test Engine 1", c.Name())
	require.Equal(t, []usi.Option{{Name: "USI_Hash", Type: usi.Spin, Default: "16", Min: 1, Max: 64}}, c.Options())
	before := time.Now()
	a, err := c.Ask(ctx, "bestmove", usi.NoBestMove, "position startpos", "go")
	require.NoError(t, err)
	require.Equal(t, "bestmove 7g7f", a.Line)
	require.True(t, a.HasInfo)
	require.Equal(t, 3, a.Info.Depth, "the last line of the first candidate that has a score")
	require.Equal(t, 30, a.Info.Score.CP)
	require.WithinRange(t, a.At, before, time.Now())
	require.EqualValues(t, 10, tapped.Load())
	c.Close()
	require.Zero(t, c.ExitCode())
}

func TestClientFloods(t *testing.T) {
	c := start(t, usi.Program{})
	ctx := within(t, 60*time.Second)
	_, err := c.Ask(ctx, "done", usi.Stall, "long")
	require.NoError(t, err)
	_, err = c.Ask(ctx, "done", usi.Stall, "flood")
	require.NoError(t, err)
	f := c.Describe(usi.Stall, "x")
	require.LessOrEqual(t, len(f.Stderr), 4<<10)
	require.Contains(t, f.Stderr, "never read")
	total := 0
	for _, line := range f.Lines {
		total += len(line)
	}
	require.Less(t, total, 20_000, "long lines are cut in reports")
}

func TestClientFailures(t *testing.T) {
	f := failure(t, start(t, usi.Program{}), within(t, 20*time.Second), usi.Stall, "exit 3")
	require.Equal(t, usi.Crash, f.Kind)
	require.Contains(t, f.Detail, "exit status 3")
	require.Contains(t, f.Stderr, "last words")
	require.Equal(t, []string{"> exit 3"}, f.Lines)
	require.Equal(t, "crash: the program ended: exit status 3", f.Error())

	f = failure(t, start(t, usi.Program{}), within(t, 20*time.Second), usi.Stall, "exit 0")
	require.Equal(t, usi.Disconnect, f.Kind)

	f = failure(t, start(t, usi.Program{}), within(t, 50*time.Millisecond), usi.NoBestMove, "think")
	require.Equal(t, usi.NoBestMove, f.Kind)
	require.Contains(t, f.Detail, `"think"`)

	_, err := usi.Start(usi.Program{Path: "/no/such/engine"})
	require.ErrorContains(t, err, "cannot start")

	c := start(t, usi.Program{})
	c.CloseInput()
	require.Error(t, c.Send("usi"))
	<-c.Ended()
	require.Zero(t, c.ExitCode(), "the program ends when its input does")
}

// A late answer belongs to nobody: the next question does not get it.
func TestClientLateAnswer(t *testing.T) {
	c := start(t, usi.Program{})
	require.NoError(t, c.Send("go"))
	time.Sleep(200 * time.Millisecond)
	_, err := c.Ask(within(t, 300*time.Millisecond), "bestmove", usi.NoBestMove, "think")
	var f *usi.Failure
	require.ErrorAs(t, err, &f)
}

// What a program has started is killed with it, and a child that keeps the pipe open does not keep the client waiting.
func TestClientKillsGroup(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks into /proc")
	}
	c := start(t, usi.Program{})
	a, err := c.Ask(within(t, 20*time.Second), "done", usi.Stall, "child")
	require.NoError(t, err)
	_, child := usi.Split(a.Line)
	require.FileExists(t, filepath.Join("/proc", child, "stat"))
	began := time.Now()
	c.Close()
	require.Less(t, time.Since(began), 10*time.Second)
	require.Eventually(t, func() bool {
		stat, err := os.ReadFile(filepath.Join("/proc", child, "stat"))
		return err != nil || strings.Contains(string(stat), ") Z ")
	}, 5*time.Second, 10*time.Millisecond, "the child still runs")
}

func TestFolder(t *testing.T) {
	here, err := os.Getwd()
	require.NoError(t, err)
	for _, c := range []struct {
		program usi.Program
		want    string
	}{
		{usi.Program{Path: "python3"}, here},
		{usi.Program{Path: "./engine"}, here},
		{usi.Program{Path: "../engine"}, filepath.Dir(here)},
		{usi.Program{Path: "/opt/engines/a/engine"}, "/opt/engines/a"},
		{usi.Program{Path: "python3", Dir: "/tmp"}, "/tmp"},
	} {
		folder, err := c.program.Folder()
		require.NoError(t, err)
		require.Equal(t, c.want, folder, c.program.Path)
	}
}
