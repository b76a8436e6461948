package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/value"
)

// startFrom sets the tables' weights to those of a file and returns the file's SHA-256. A checkpoint gives the weights as they were
// learnt; a net file gives them rounded, which costs as little as quantising did, but loses what later runs would have added to
// changes smaller than half a step. Moments of the optimiser begin at 0 either way: they belong to other data.
func startFrom(path string, kind Kind, tables []*table) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", errors.Unwrap(err) // the caller names the file
	}
	if bytes.HasPrefix(data, []byte(checkpointMagic)) {
		err = startFromCheckpoint(data, kind, tables)
	} else {
		err = startFromNet(data, kind, tables)
	}
	for _, t := range tables {
		for i, x := range t.w {
			t.w[i] = max(-t.limit, min(t.limit, x))
		}
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

func startFromCheckpoint(data []byte, kind Kind, tables []*table) error {
	in := newHashReader(bytes.NewReader(data))
	h, err := readHeader(in)
	if err != nil {
		return err
	}
	if theirs := h.Identity.Config.Kind; theirs != kind {
		return fmt.Errorf("the checkpoint is of a %s net, not of a %s net", theirs, kind)
	}
	if err := readTables(in, h, tables); err != nil {
		return err
	}
	for _, t := range tables {
		clear(t.m)
		clear(t.v)
		clear(t.steps)
	}
	return nil
}

// startFromNet undoes quantising: a tensor's number x stands for x/scale.
func startFromNet(data []byte, kind Kind, tables []*table) error {
	if _, err := decodeJudges(data, &Config{Kind: kind}); err != nil {
		return err // it says what is wrong with a file that cannot be played
	}
	f, err := nn.Decode(data)
	if err != nil {
		return err
	}
	for _, t := range tables {
		i := slices.IndexFunc(f.Tensors, func(x nn.Tensor) bool { return x.Name == t.name })
		if i < 0 {
			return fmt.Errorf("%s net without weights %q", kind, t.name)
		}
		w, err := dequantise(f, &f.Tensors[i])
		if err != nil {
			return err
		}
		if len(w) != len(t.w) {
			return fmt.Errorf("the %s net has %d weights %q, want %d: give its number of hidden units", kind, len(w), t.name, len(t.w))
		}
		copy(t.w, w)
	}
	return nil
}

// dequantise returns a tensor's weights.
func dequantise(f *nn.File, t *nn.Tensor) ([]float32, error) {
	switch t.Type {
	case "int8":
		return dequantiseAs[int8](f, t)
	case "int16":
		return dequantiseAs[int16](f, t)
	}
	return dequantiseAs[int32](f, t)
}

func dequantiseAs[T nn.Integer](f *nn.File, t *nn.Tensor) ([]float32, error) {
	steps, scale, err := nn.Values[T](f, t.Name, t.Shape...)
	w := make([]float32, len(steps))
	for i, x := range steps {
		w[i] = float32(float64(x) / scale)
	}
	return w, err
}

// decodeJudges returns what makes judges of the net file's net, of the config's kind.
func decodeJudges(data []byte, c *Config) (func() judge, error) {
	if c.Kind == Policy {
		net, err := policy.DecodeNet(data)
		if err != nil {
			return nil, err
		}
		return newPolicyJudges(net), nil
	}
	net, err := value.DecodeNet(data)
	if err != nil {
		return nil, err
	}
	return newValueJudges(net, c.target()), nil
}

// Measure measures a net file as Run measures what it trained with the config.
func Measure(path string, c *Config, sets []Set) ([]Metrics, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	judges, err := decodeJudges(data, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var all []Metrics
	for _, set := range sets {
		all = append(all, measure(set.Data, 0, c.Workers, func(int) judge { return judges() }))
	}
	return all, nil
}

// measure judges the data with so many workers, or about limit positions evenly spread over it if limit is not 0. judgeOf returns the
// judge of a worker.
func measure(d *Data, limit, workers int, judgeOf func(k int) judge) Metrics {
	stride := 1
	if limit > 0 {
		stride = max(d.Positions()/limit, 1)
	}
	tallies := make([]tally, workers)
	count := (d.Positions() + stride - 1) / stride
	parallel(workers, func(k int) {
		j := judgeOf(k)
		var s sample
		start, end := shard(count, k, workers)
		for i := start; i < end; i++ {
			d.sample(int32(i*stride), &s)
			j.judge(&s, &tallies[k])
		}
	})
	for i := range tallies[1:] {
		tallies[0].merge(&tallies[i+1])
	}
	return tallies[0].metrics()
}

// CheckpointBytes returns the size of a checkpoint of a run with the settings, but for the header, which grows with the curve.
func CheckpointBytes(c *Config) int64 {
	tables := newPolicyNet(policy.NewWeights(c.Hidden, policy.DefaultWidth), 0).tables()
	if c.Kind == Value {
		tables = newValueNet(value.NewWeights(c.Hidden), target{}).tables()
	}
	bytes := int64(0)
	for _, t := range tables {
		const words = 4 * 3 // weight and two moments
		bytes += words*int64(len(t.w)) + 4*int64(len(t.steps))
	}
	return bytes
}
