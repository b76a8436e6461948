package kifu_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/shogi/kifu"
)

var samples = flag.String("samples", "", "write random records, and what a reader must find in them, into this folder")

// sample is what another program's reader must find in a file.
type sample struct {
	File  string     `json:"file"`
	Start string     `json:"start"`
	Root  sampleNode `json:"root"`
}

type sampleNode struct {
	Move     string       `json:"move"`
	Text     string       `json:"text"`
	Seconds  float64      `json:"seconds"`
	Children []sampleNode `json:"children"`
}

func sampleOf(n *kifu.Node) sampleNode {
	s := sampleNode{Seconds: n.Time.Seconds(), Children: []sampleNode{}}
	switch {
	case n.End == kifu.OtherEnd:
		s.Move = n.EndText
	case n.End != kifu.NoEnd:
		s.Move = n.End.String()
	case n.Move.IsMove():
		s.Move = n.Move.String()
	}
	for _, text := range n.Comments {
		s.Text += text + "\n"
	}
	for _, child := range n.Children {
		s.Children = append(s.Children, sampleOf(child))
	}
	return s
}

// TestWriteSamples writes files for .ci/kifu-tsshogi.
func TestWriteSamples(t *testing.T) {
	if *samples == "" {
		t.Skip("no -samples")
	}
	var list []sample
	for f := kifu.CSA; f <= kifu.USI; f++ {
		for seed := range 40 {
			g := &generator{rand.New(rand.NewPCG(uint64(seed), 99)), capacities[f]}
			r := g.record(t)
			text, dropped := write(t, f, r)
			require.Empty(t, dropped)
			name := fmt.Sprintf("%02d.%s", seed, f)
			require.NoError(t, os.WriteFile(filepath.Join(*samples, name), []byte(text), 0o644))
			list = append(list, sample{name, r.Start.SFEN(), sampleOf(r.Root)})
		}
	}
	data, err := json.Marshal(list)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(*samples, "samples.json"), data, 0o644))
}
