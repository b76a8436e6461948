package learn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/yomi-shogi/yomi/internal/nn"
	"github.com/yomi-shogi/yomi/internal/train"
)

// checkpointBatches is how often the training writes a checkpoint.
const checkpointBatches = 500

// netBytes is more than a net file takes, with the curve and the log of its training.
const netBytes = 16 << 20

// ownData is the window's positions.
type ownData struct{ learn, validate *train.Data }

// train is the stage of training a net of the kind.
func (l *Loop) train(ctx context.Context, kind train.Kind) error {
	// The games as they were played are there no longer than it takes to know that the sorted ones are.
	if err := os.RemoveAll(l.file(l.now.Number, playingName)); err != nil {
		return err
	}
	if err := l.trainingRoom(kind); err != nil {
		return err
	}
	if err := l.chooseWindow(); err != nil {
		return err
	}
	stage := TrainPolicy
	if kind == train.Value {
		stage = TrainValue
	}
	l.report(Progress{Stage: stage, Text: "reading"})
	job, figures, err := l.trainJob(kind)
	if err != nil {
		return err
	}
	log, err := os.Create(l.file(l.now.Number, string(kind)+".log.jsonl"))
	if err != nil {
		return err
	}
	defer log.Close()
	job.Log = log
	var failed error
	job.Report = func(p train.Progress) {
		failed = errors.Join(failed, l.clock.tick())
		now := Progress{Stage: stage, Done: int64(p.Batch), Total: int64(p.Batches)}
		if p.Point != nil {
			now.Text = fmt.Sprintf("loss %.4f", p.Point.Loss)
		}
		l.report(now)
	}
	result, err := train.Run(ctx, job)
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	return errors.Join(log.Close(), l.keepNet(kind, job, result, figures))
}

// trainingRoom makes room for the training: before a window is chosen, for that of both nets.
func (l *Loop) trainingRoom(kind train.Kind) error {
	need, err := l.trainingNeed(kind)
	if err != nil {
		return err
	}
	return l.room(need)
}

// trainingNeed returns the bytes that the training of a net will need at most beyond what is there. The old checkpoint stays until the
// new one is whole, that of the policy net until the gate is over.
func (l *Loop) trainingNeed(kind train.Kind) (int64, error) {
	ofPolicy, ofValue := train.CheckpointBytes(&l.Config.Policy), train.CheckpointBytes(&l.Config.Value)
	need := 2*ofValue + netBytes
	if kind == train.Policy {
		need = ofPolicy + max(ofPolicy, 2*ofValue) + 2*netBytes
	}
	there, err := sizeOf(l.checkpoint(l.now.Number, kind))
	return max(0, need-there), err
}

// chooseWindow decides which games this generation learns from, before any of it is learnt from: as many as are still there.
func (l *Loop) chooseWindow() error {
	if len(l.now.Window) > 0 {
		return nil
	}
	for n := max(1, l.now.Number-l.Config.Window+1); n <= l.now.Number; n++ {
		if _, err := os.Stat(l.file(n, gamesName)); err == nil {
			l.now.Window = append(l.now.Window, n)
		}
	}
	return l.saveState()
}

// trainJob returns what is to be trained, and figures with what it is trained on.
func (l *Loop) trainJob(kind train.Kind) (*train.Job, *Net, error) {
	if err := l.load(); err != nil {
		return nil, nil, err
	}
	job := &train.Job{
		Config: l.Config.Policy, Checkpoint: l.checkpoint(l.now.Number, kind), CheckpointBatches: checkpointBatches,
		Resume: true, Train: l.own.learn,
	}
	purpose := uint64(policySeed)
	if kind == train.Value {
		job.Config, purpose = l.Config.Value, valueSeed
	}
	job.Config.Seed = l.seed(purpose)
	figures := &Net{OwnPositions: l.own.learn.Teaching(kind)}
	if share := l.Config.HandedShare; l.handed != nil && share > 0 {
		want := math.Round(float64(figures.OwnPositions) * share / (1 - share))
		drawn := l.handed.Train.Draw(kind, int(want), l.seed(drawSeed))
		figures.HandedPositions = drawn.Teaching(kind)
		job.Train = train.Join(l.own.learn, drawn)
	}
	if l.handed != nil {
		job.Validate = slices.Clone(l.handed.Validate)
	}
	if l.own.validate.Positions() > 0 {
		job.Validate = append(job.Validate, train.Set{Name: "self-play", Data: l.own.validate})
	}
	if !l.Config.Scratch {
		job.Start = l.checkpoint(l.now.Best, kind)
		if _, err := os.Stat(job.Start); err != nil {
			job.Start = l.net(l.now.Best, kind)
		}
	}
	return job, figures, nil
}

// load reads the window's games, each generation's last ones for validation, and once the handed data.
func (l *Loop) load() (err error) {
	if l.handed == nil && len(l.Config.Handed.Train) > 0 {
		if l.handed, err = train.LoadSources(l.Config.Handed); err != nil {
			return err
		}
		for i, name := range []string{"handed", "handed apart"}[:len(l.handed.Validate)] {
			l.handed.Validate[i].Name = name
		}
		l.handed.Validate = slices.DeleteFunc(l.handed.Validate, func(s train.Set) bool { return s.Data.Positions() == 0 })
	}
	if l.own != nil {
		return nil
	}
	var learn, validate []*train.Data
	for _, n := range l.now.Window {
		data, err := train.Load(l.file(n, gamesName))
		if err != nil {
			return err
		}
		last := int(math.Ceil(float64(data.Games()) * l.Config.Handed.Share))
		if last == data.Games() {
			last = 0 // a single game is learnt from
		}
		head, tail := data.Split(last)
		learn, validate = append(learn, head), append(validate, tail)
	}
	l.own = &ownData{train.Join(learn...), train.Join(validate...)}
	return nil
}

// keepNet writes the net that was trained, with its curve, and notes its figures.
func (l *Loop) keepNet(kind train.Kind, job *train.Job, result *train.Result, figures *Net) error {
	before, err := train.Measure(l.net(l.now.Best, kind), &job.Config, job.Validate)
	if err != nil {
		return err
	}
	for i, set := range job.Validate {
		after := result.Quantised[i]
		after.Calibration, before[i].Calibration = nil, nil
		figures.Sets = append(figures.Sets, Validation{Set: set.Name, Before: before[i], After: after})
	}
	constants, err := l.constants(kind)
	if err != nil {
		return err
	}
	file, err := result.Encode(l.provenance(figures), constants)
	if err != nil {
		return err
	}
	curve := func(w io.Writer) error { return train.WriteCurve(w, result.Points) }
	err = errors.Join(writeBytes(l.net(l.now.Number, kind), file), train.WriteFile(l.file(l.now.Number, string(kind)+".svg"), curve))
	if kind == train.Policy {
		l.now.Policy = *figures
	} else {
		l.now.Value = *figures
	}
	return err
}

// constants returns the search's constants of the best net. They are not trained, so the new net inherits them.
func (l *Loop) constants(kind train.Kind) ([]nn.Number, error) {
	data, err := os.ReadFile(l.net(l.now.Best, kind))
	if err != nil {
		return nil, err
	}
	f, err := nn.Decode(data)
	if err != nil {
		return nil, err
	}
	return f.Constants, nil
}

// provenance says in words where a net comes from. It depends on the config only.
func (l *Loop) provenance(figures *Net) string {
	text := fmt.Sprintf("Generation %d of a learning loop (yomi train --loop) with the seed %d: %d positions of self-play by the nets of generation %d and before",
		l.now.Number, l.Config.Seed, figures.OwnPositions, l.now.Best)
	if figures.HandedPositions > 0 {
		text += fmt.Sprintf(", %d of other games", figures.HandedPositions)
	}
	return text
}
