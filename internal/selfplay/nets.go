package selfplay

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
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
	p, err := load(policyFile, policy.Default, policy.DecodeNet)
	if err != nil {
		return nil, err
	}
	v, err := load(valueFile, value.Default, value.DecodeNet)
	if err != nil {
		return nil, err
	}
	policySum, err1 := sumOf(p.File(p.About().Provenance, p.About().Constants), p.About())
	valueSum, err2 := sumOf(v.File(v.About().Provenance, v.About().Constants), v.About())
	return &Nets{p, v, "policy " + policySum + " value " + valueSum}, errors.Join(err1, err2)
}

// Encode returns the bytes of both net files.
func (n *Nets) Encode() (policyFile, valueFile []byte, err error) {
	p := n.policy.File(n.policy.About().Provenance, n.policy.About().Constants)
	v := n.value.File(n.value.About().Provenance, n.value.About().Constants)
	v.EvalCoef = n.value.About().EvalCoef
	policyFile, err1 := p.Encode()
	valueFile, err2 := v.Encode()
	return policyFile, valueFile, errors.Join(err1, err2)
}

func load[N any](path string, own func() *N, decode func([]byte) (*N, error)) (*N, error) {
	if path == "" {
		return own(), nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	net, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return net, nil
}

// sumOf returns the SHA-256 of what a net file holds, which the file itself carries too.
func sumOf(f, about *nn.File) (string, error) {
	f.EvalCoef = about.EvalCoef
	body, err := f.MarshalMsg(nil)
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:]), err
}

// Hash tells the nets apart: "policy " and "value ", each with the SHA-256 of what its file holds.
func (n *Nets) Hash() string { return n.hash }

// Hidden returns the number of hidden units of the policy net and of the value net.
func (n *Nets) Hidden() (ofPolicy, ofValue int) {
	return n.policy.About().Size("hidden"), n.value.About().Size("hidden")
}

// EvalCoef is the scale of the scores: the score that stands for a win rate of 1/(1+1/e).
func (n *Nets) EvalCoef() float64 {
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
	o.EvalCoef = n.EvalCoef()
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
