package train

import (
	"math/rand/v2"
	"testing"

	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/value"
)

// BenchmarkLearn is what a position costs one worker: decoding, features, forward and backward. The nets are new, which is the
// dearest time for the policy: later most moves' gradients are tiny and left out.
func BenchmarkLearn(b *testing.B) {
	data := loadSample(b)
	for name, net := range map[string]network{
		"policy": newPolicyNet(policy.NewRandomWeights(1, policy.DefaultHidden, policy.DefaultWidth), .05),
		"value":  newValueNet(value.NewRandomWeights(1, value.DefaultHidden), target{.9, 600}),
	} {
		b.Run(name, func(b *testing.B) {
			w := net.worker(newGradients(net.tables()))
			random := rand.New(rand.NewPCG(1, 1))
			var s sample
			for b.Loop() {
				data.sample(int32(random.IntN(data.Positions())), &s)
				w.learn(&s, 1, random)
			}
		})
	}
}

// BenchmarkStep is the optimiser's step over all rows of the policy's largest table, of which a batch touches some thousand.
func BenchmarkStep(b *testing.B) {
	net := newPolicyNet(policy.NewRandomWeights(1, policy.DefaultHidden, policy.DefaultWidth), .05)
	g := newGradient(net.e)
	s := stepper{net.kernels, newCorrections()}
	for b.Loop() {
		for row := range net.e.steps {
			g.touch(uint16(row))
		}
		s.step(net.e, []*gradient{g}, 1e-3, 0, 0, 1)
		g.clear()
	}
}
