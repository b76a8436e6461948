package engine

import (
	"fmt"
	"os"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/uct"
	"github.com/yomi-shogi/yomi/value"
)

// nets are the nets in use: those of the files that are set, else those that the binary carries.
type nets struct {
	policy *policy.Net
	value  *value.Net
	// policyPath and valuePath are the files that were read, "" for the binary's own.
	policyPath, valuePath string
}

// load reads the files that are set and not read yet. A file that cannot be used leaves the binary's own net in place, which a
// message says. It is asked for again only when the option changes.
func (n *nets) load(policyPath, valuePath string) []string {
	var messages []string
	if n.policy == nil || n.policyPath != policyPath {
		n.policy, messages = loadNet(policyPath, "policy", policy.Default, policy.DecodeNet, messages)
		n.policyPath = policyPath
	}
	if n.value == nil || n.valuePath != valuePath {
		n.value, messages = loadNet(valuePath, "value", value.Default, value.DecodeNet, messages)
		n.valuePath = valuePath
	}
	return messages
}

// policyNet returns the policy net in use.
func (n *nets) policyNet() *policy.Net {
	if n.policy == nil {
		return policy.Default()
	}
	return n.policy
}

// valueNet returns the value net in use.
func (n *nets) valueNet() *value.Net {
	if n.value == nil {
		return value.Default()
	}
	return n.value
}

// maxNetBytes is the largest net file that is read.
const maxNetBytes = 256 << 20

func loadNet[N any](path, kind string, own func() *N, decode func([]byte) (*N, error), messages []string) (*N, []string) {
	if path == "" {
		return own(), messages
	}
	data, err := readFile(path)
	if err == nil {
		var net *N
		if net, err = decode(data); err == nil {
			return net, messages
		}
		err = fmt.Errorf("%s: %w", path, err)
	}
	return own(), append(messages, fmt.Sprintf("Error: %v; the built-in %s net is used", err, kind))
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", path)
	case info.Size() > maxNetBytes:
		return nil, fmt.Errorf("%s has %d MB, a net has at most %d", path, info.Size()>>20, maxNetBytes>>20)
	}
	return os.ReadFile(path)
}

// evalCoef returns the scale from win rate to centipawns: the option's value unless it is the default, then what the value net
// was trained for.
func (e *Engine) evalCoef() float64 {
	if e.set.value == valueNetwork && e.set.evalCoef == value.EvalCoef {
		return e.nets.valueNet().About().EvalCoef
	}
	return float64(e.set.evalCoef)
}

// params returns the search's tunables: what is set, and for those at their defaults what was tuned with the nets in use.
func (e *Engine) params() uct.Params {
	params, defaults := e.set.uctParams(), uct.DefaultParams()
	var files []*nn.File
	if e.set.policy == policyNetwork {
		files = append(files, e.nets.policyNet().About())
	}
	if e.set.value == valueNetwork {
		files = append(files, e.nets.valueNet().About())
	}
	for i, p := range uct.ParamTable() {
		for _, f := range files {
			if x, ok := f.Constant(p.Name); ok && params[i] == defaults[i] {
				params[i] = max(p.Min, min(p.Max, x))
			}
		}
	}
	return params
}
