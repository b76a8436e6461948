package learn

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/match"
	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/internal/train"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/value"
)

const tinyHidden = 64

// tinyConstants are the search's constants of the tiny policy net.
func tinyConstants() []nn.Number { return []nn.Number{{Name: "C_puct", Value: 3000}} }

// tinyNets writes the smallest nets, with random weights, to a folder.
func tinyNets(dir string) (Start, error) {
	start := Start{filepath.Join(dir, "policy.nn"), filepath.Join(dir, "value.nn")}
	p, _, err := policy.NewNet(policy.NewRandomWeights(1, tinyHidden, policy.DefaultWidth))
	if err != nil {
		return start, err
	}
	v, _, err := value.NewNet(value.NewRandomWeights(1, tinyHidden))
	if err != nil {
		return start, err
	}
	for path, file := range map[string]interface{ Encode() ([]byte, error) }{
		start.Policy: p.File("random", tinyConstants()), start.Value: v.File("random", nil),
	} {
		data, err := file.Encode()
		if err == nil {
			err = os.WriteFile(path, data, 0o600)
		}
		if err != nil {
			return start, err
		}
	}
	return start, nil
}

// tinyConfig makes generations in about a second.
func tinyConfig() Config {
	c := DefaultConfig()
	c.Seed, c.Games, c.Window = 3, 4, 2
	s := &c.SelfPlay
	s.DeepNodes, s.FastNodes, s.DeepShare, s.MaxMoves, s.HashMB = 8, 4, .5, 30, 1
	for _, net := range []*train.Config{&c.Policy, &c.Value} {
		net.Hidden, net.Workers, net.Batch, net.WarmUp = tinyHidden, 2, 16, 2
	}
	c.Gate.Nodes, c.Gate.Games, c.Gate.HashMB, c.Gate.Rules.MaxPlies = 4, 8, 1, 30
	c.Gate.SPRT = easy
	return c
}

// easy is a gate that equals pass, hard one that they do not.
var (
	easy = match.SPRT{Elo0: -200, Elo1: 0, Alpha: .4, Beta: .4, Model: match.Normalized}
	hard = match.SPRT{Elo0: 50, Elo1: 200, Alpha: .4, Beta: .4, Model: match.Normalized}
)

// handed writes the first records of the sample to a psv file.
func handed(t *testing.T, records int) string {
	in, err := os.Open("../../testdata/sample.psv.zst")
	require.NoError(t, err)
	defer in.Close()
	z, err := zstd.NewReader(in)
	require.NoError(t, err)
	defer z.Close()
	data := make([]byte, records*record.PSVSize)
	_, err = io.ReadFull(z, data)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "handed.psv")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

const plenty = int64(1) << 40

func tinyOptions(generations int) Options {
	return Options{Generations: generations, Workers: 1, Disk: plenty, Program: "program test"}
}

// begin opens a tiny loop in a new folder.
func begin(t *testing.T, c Config) *Loop {
	start, err := tinyNets(t.TempDir())
	require.NoError(t, err)
	l, err := Open(filepath.Join(t.TempDir(), "loop"), c, start)
	require.NoError(t, err)
	return l
}

// finish runs a loop to its end and closes it.
func finish(t *testing.T, l *Loop, o Options) outcome {
	require.NoError(t, l.Run(context.Background(), o))
	require.NoError(t, l.Close())
	return outcomeOf(t, l)
}

// outcome is what must be the same in loops that do the same.
type outcome struct {
	history []Generation
	nets    map[string]string
}

func outcomeOf(t *testing.T, l *Loop) outcome {
	o := outcome{nets: make(map[string]string)}
	for _, g := range l.History {
		g.Seconds, g.Ended = nil, time.Time{}
		o.history = append(o.history, g)
	}
	paths, err := filepath.Glob(filepath.Join(l.dir, "gen-*", "*.nn"))
	require.NoError(t, err)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		name, err := filepath.Rel(l.dir, path)
		require.NoError(t, err)
		o.nets[filepath.ToSlash(name)] = string(data)
	}
	return o
}

// files lists the files of a generation's folder; folders have a slash behind them.
func files(t *testing.T, l *Loop, generation int) []string {
	entries, err := os.ReadDir(l.folder(generation))
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	names := []string{}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return names
}
