package selfplay

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/uct"
	"github.com/yomi-shogi/yomi/value"
)

// Nets are the nets that play. Their weights are shared by all workers and never change.
type Nets struct {
	policy *policy.Net
	value  *value.Net
	hash   string
}

// LoadNets reads net files; an empty name stands for the net that the binary carries. A file that cannot be played is an error.
func LoadNets(policyFile, valueFile string) (*Nets, error) {
	n := &Nets{policy: policy.Default(), value: value.Default()}
	var sums [2][sha256.Size]byte
	var err error
	if policyFile == "" {
		sums[0], err = sumOf(n.policy.File(n.policy.About().Provenance, n.policy.About().Constants), n.policy.About())
	} else {
		n.policy, sums[0], err = load(policyFile, policy.DecodeNet)
	}
	if err != nil {
		return nil, err
	}
	if valueFile == "" {
		sums[1], err = sumOf(n.value.File(n.value.About().Provenance, n.value.About().Constants), n.value.About())
	} else {
		n.value, sums[1], err = load(valueFile, value.DecodeNet)
	}
	if err != nil {
		return nil, err
	}
	n.hash = "policy " + hex.EncodeToString(sums[0][:]) + " value " + hex.EncodeToString(sums[1][:])
	return n, nil
}

func load[N any](path string, decode func([]byte) (*N, error)) (*N, [sha256.Size]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, [sha256.Size]byte{}, err
	}
	net, err := decode(data)
	if err != nil {
		return nil, [sha256.Size]byte{}, fmt.Errorf("%s: %w", path, err)
	}
	return net, sha256.Sum256(data), nil
}

// sumOf returns the SHA-256 of the file that the net came from.
func sumOf(f, about *nn.File) ([sha256.Size]byte, error) {
	f.EvalCoef = about.EvalCoef
	data, err := f.Encode()
	return sha256.Sum256(data), err
}

// Hash tells the nets apart: "policy " and "value ", each with the SHA-256 of its file.
func (n *Nets) Hash() string { return n.hash }

// evalCoef is the scale of the scores.
func (n *Nets) evalCoef() float64 {
	if c := n.value.About().EvalCoef; c > 0 {
		return c
	}
	return value.EvalCoef
}

// searcher returns a searcher with a tree of its own.
func (n *Nets) searcher(c *Config) (*uct.Searcher, error) {
	return uct.New(uct.Config{
		NewPolicy: func() uct.Policy { return policy.NewNetEvaluator(n.policy) },
		NewValue:  func() uct.Value { return value.NewNetEvaluator(n.value) },
		HashMB:    c.HashMB,
		Options:   n.options(c),
	})
}

// options returns the options of a search without noise.
func (n *Nets) options(c *Config) uct.Options {
	o := uct.DefaultOptions()
	o.MaxMovesToDraw, o.Declaration = c.MaxMoves, c.Declaration
	o.ResignThreshold, o.PVInterval = 0, 0
	o.EvalCoef = n.evalCoef()
	o.Params = uct.DefaultParams()
	for i, p := range uct.ParamTable() {
		for _, about := range []*nn.File{n.policy.About(), n.value.About()} {
			if x, ok := about.Constant(p.Name); ok {
				o.Params[i] = max(p.Min, min(p.Max, x))
			}
		}
	}
	return o
}
