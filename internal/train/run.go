package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/internal/simd"
	"github.com/yomi-shogi/yomi/policy"
	"github.com/yomi-shogi/yomi/value"
)

const (
	// pointsPerEpoch is the number of points of the loss curve in an epoch, validationsPerEpoch how many of them are validated.
	pointsPerEpoch      = 100
	validationsPerEpoch = 5
	// quickValidation is the number of positions of a validation within an epoch.
	quickValidation = 8000
)

// network is a net in training.
type network interface {
	tables() []*table
	// worker returns a worker that adds to the gradients, one a table.
	worker(g []*gradient) worker
	quantise() (*quantised, error)
}

// worker learns and judges positions in one goroutine.
type worker interface {
	learn(s *sample, scale float32, random *rand.Rand) (loss float64)
	judge
}

// judge measures a net on positions.
type judge interface{ judge(s *sample, t *tally) }

// quantised is a net as it is played.
type quantised struct {
	costs nn.Costs
	file  func(provenance string, constants []nn.Number) *nn.File
	judge func() judge
}

// Result is a trained net.
type Result struct {
	// Float and Quantised are measured on the job's validation sets, in their order.
	Float, Quantised []Metrics
	// Costs is what quantising changed in the weights.
	Costs nn.Costs
	// Points is the loss curve.
	Points []Point
	net    *quantised
}

// Encode returns the net file's bytes, with the given words about its origin and constants of the search that were tuned with it.
func (r *Result) Encode(provenance string, constants []nn.Number) ([]byte, error) {
	return r.net.file(provenance, constants).Encode()
}

// state is how far a run is, beside the weights.
type state struct {
	// Epoch and Batch are the next to do.
	Epoch int `json:"epoch"`
	Batch int `json:"batch"`
	// Steps and Positions count what is done.
	Steps     int   `json:"steps"`
	Positions int64 `json:"positions"`
	// Loss is the sum of the losses since the last point, Losses their number.
	Loss   float64 `json:"loss"`
	Losses int     `json:"losses"`
	Points []Point `json:"points"`
}

// run is a run in progress.
type run struct {
	*Job
	state
	net     network
	tables  []*table
	grads   [][]*gradient // by table, then by worker
	workers []*shardWorker
	stepper stepper
	order   []int32
	// identity tells this job's checkpoints from others.
	identity identity
}

// shardWorker is a worker with what it needs to walk through its shard.
type shardWorker struct {
	worker
	data   *Data
	sample sample
	pcg    *rand.PCG
	random *rand.Rand
	loss   float64
}

// Run trains a net. When the context ends it writes a checkpoint and returns the context's error.
func Run(ctx context.Context, job *Job) (*Result, error) {
	if err := job.Config.Check(); err != nil {
		return nil, err
	}
	if job.Train.Positions() == 0 || job.Config.Kind == Policy && job.Train.PolicyPositions() == 0 {
		return nil, fmt.Errorf("no positions to train a %s net on", job.Config.Kind)
	}
	r, err := newRun(job)
	if err != nil {
		return nil, err
	}
	if err := r.begin(); err != nil {
		return nil, err
	}
	for ; r.Epoch < r.Config.Epochs; r.Epoch++ {
		if err := r.epoch(ctx); err != nil {
			return nil, err
		}
		r.Batch = 0
	}
	if err := r.save(); err != nil {
		return nil, err
	}
	return r.finish()
}

func newRun(job *Job) (*run, error) {
	c := &job.Config
	r := &run{Job: job, stepper: stepper{kernels: simd.Best(), corrections: newCorrections()}}
	switch random := job.Start == ""; { // random weights take their time
	case c.Kind == Policy && random:
		r.net = newPolicyNet(policy.NewRandomWeights(c.Seed, c.Hidden, policy.DefaultWidth), c.Forget)
	case c.Kind == Policy:
		r.net = newPolicyNet(policy.NewWeights(c.Hidden, policy.DefaultWidth), c.Forget)
	case random:
		r.net = newValueNet(value.NewRandomWeights(c.Seed, c.Hidden), c.target())
	default:
		r.net = newValueNet(value.NewWeights(c.Hidden), c.target())
	}
	r.tables = r.net.tables()
	r.identity = identity{Config: *c, Positions: job.Train.Positions(), Data: job.Train.fingerprint()}
	if job.Start != "" {
		var err error
		if r.identity.Start, err = startFrom(job.Start, c.Kind, r.tables); err != nil {
			return nil, fmt.Errorf("%s: %w", job.Start, err)
		}
	}
	r.grads = make([][]*gradient, len(r.tables))
	for range c.Workers {
		var own []*gradient
		for i, t := range r.tables {
			g := newGradient(t)
			own, r.grads[i] = append(own, g), append(r.grads[i], g)
		}
		pcg := rand.NewPCG(0, 0)
		r.workers = append(r.workers, &shardWorker{worker: r.net.worker(own), data: job.Train, pcg: pcg, random: rand.New(pcg)})
	}
	return r, nil
}

// begin reads the checkpoint, if that is wanted and there is one, and writes the log so far.
func (r *run) begin() error {
	if r.Resume && r.Checkpoint != "" {
		if err := r.load(); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	for i := range r.Points {
		if err := r.log(&r.Points[i]); err != nil {
			return err
		}
	}
	return nil
}

// seedOf mixes the seed with the epoch, so that no two epochs are alike.
func (r *run) seedOf(epoch int) uint64 { return r.Config.Seed + uint64(epoch)*0x9e3779b97f4a7c15 }

// epochOrder returns the records of an epoch in the order in which they are learnt.
func (r *run) epochOrder(epoch int) []int32 {
	random := rand.New(rand.NewPCG(r.seedOf(epoch), 0x6f72646572)) // "order"
	every := int32(r.Config.Every)
	order := make([]int32, 0, r.Train.Positions()/r.Config.Every+len(r.Train.games))
	for _, g := range r.Train.games {
		// Consecutive epochs take different positions, until all had their turn.
		first := int32(0)
		if every > 1 {
			first = (int32(rand.New(rand.NewPCG(r.Config.Seed, uint64(g.start))).Uint32()>>1) + int32(epoch)) % every
		}
		for i := g.start + first; i < g.end; i += every {
			if r.Train.teaches(i, r.Config.Kind) {
				order = append(order, i)
			}
		}
	}
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// epoch learns the rest of an epoch.
func (r *run) epoch(ctx context.Context) error {
	c := &r.Config
	r.order = r.epochOrder(r.Epoch)
	batches := (len(r.order) + c.Batch - 1) / c.Batch
	point := max(batches/pointsPerEpoch, 1)
	for r.Batch < batches {
		if ctx.Err() != nil {
			return errors.Join(context.Cause(ctx), r.save())
		}
		rate := learningRate(c.Rate, c.FinalRate, r.Steps, c.WarmUp, (float64(r.Epoch)+float64(r.Batch)/float64(batches))/float64(c.Epochs))
		r.learn(r.order[r.Batch*c.Batch:min((r.Batch+1)*c.Batch, len(r.order))], rate)
		r.Batch++
		progress := Progress{Batch: r.Epoch*batches + r.Batch, Batches: c.Epochs * batches}
		if r.Batch%point == 0 || r.Batch == batches {
			p, err := r.point(rate, batches, point)
			if err != nil {
				return err
			}
			progress.Point = p
		}
		if r.Report != nil {
			r.Report(progress)
		}
		if r.CheckpointBatches > 0 && r.Steps%r.CheckpointBatches == 0 {
			if err := r.save(); err != nil {
				return err
			}
		}
	}
	return nil
}

// learn makes one step of the optimiser from a batch.
func (r *run) learn(batch []int32, rate float64) {
	scale, place := 1/float32(len(batch)), r.Batch*r.Config.Batch
	parallel(len(r.workers), func(k int) {
		w := r.workers[k]
		w.loss = 0
		start, end := shard(len(batch), k, len(r.workers))
		for i := start; i < end; i++ {
			w.pcg.Seed(r.seedOf(r.Epoch), uint64(place+i))
			w.data.sample(batch[i], &w.sample)
			w.loss += w.learn(&w.sample, scale, w.random)
		}
	})
	parallel(len(r.workers), func(k int) {
		for i, t := range r.tables {
			r.stepper.step(t, r.grads[i], rate, r.Config.Decay, k, len(r.workers))
		}
	})
	for _, shards := range r.grads {
		for _, g := range shards {
			g.clear()
		}
	}
	for _, w := range r.workers {
		r.Loss += w.loss
	}
	r.Losses += len(batch)
	r.Steps++
	r.Positions += int64(len(batch))
}

// shard returns the part of n things that falls to worker k of count.
func shard(n, k, count int) (start, end int) { return n * k / count, n * (k + 1) / count }

// parallel runs f(0) … f(n-1) at the same time and waits for all.
func parallel(n int, f func(k int)) {
	var group sync.WaitGroup
	for k := 1; k < n; k++ {
		group.Go(func() { f(k) })
	}
	f(0)
	group.Wait()
}

// point ends a point of the curve: validates if it is time, logs it and starts the next.
func (r *run) point(rate float64, batches, point int) (*Point, error) {
	p := Point{
		Kind: r.Config.Kind, Epoch: float64(r.Epoch) + float64(r.Batch)/float64(batches), Positions: r.Positions,
		Rate: rate, Loss: r.Loss / float64(max(r.Losses, 1)),
	}
	if len(r.Validate) > 0 {
		interval := max(batches/point/validationsPerEpoch, 1) * point
		switch {
		case r.Batch == batches:
			m := r.measure(r.Validate[0].Data, 0, nil)
			p.Validation = &m
		case r.Batch%interval == 0 && batches-r.Batch >= interval:
			m := r.measure(r.Validate[0].Data, quickValidation, nil)
			m.Calibration = nil
			p.Validation = &m
		}
	}
	r.Loss, r.Losses = 0, 0
	r.Points = append(r.Points, p)
	return &p, r.log(&p)
}

func (r *run) log(p *Point) error {
	if r.Log == nil {
		return nil
	}
	line, err := json.Marshal(p)
	if err == nil {
		_, err = r.Log.Write(append(line, '\n'))
	}
	return err
}

// measure judges the data, or about limit positions evenly spread over it if limit is not 0. judges nil means the float net.
func (r *run) measure(d *Data, limit int, judges func() judge) Metrics {
	return measure(d, limit, len(r.workers), func(k int) judge {
		if judges != nil {
			return judges()
		}
		return r.workers[k].worker
	})
}

// finish quantises and measures the net.
func (r *run) finish() (*Result, error) {
	q, err := r.net.quantise()
	if err != nil {
		return nil, fmt.Errorf("quantising: %w", err)
	}
	result := &Result{Costs: q.costs, Points: r.Points, net: q}
	for _, set := range r.Validate {
		result.Float = append(result.Float, r.measure(set.Data, 0, nil))
		result.Quantised = append(result.Quantised, r.measure(set.Data, 0, q.judge))
	}
	return result, nil
}
