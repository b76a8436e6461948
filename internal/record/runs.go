package record

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// runFile puts the samples of a file that follow each other together to games.
type runFile struct {
	reader *Reader
	// run are the samples of the game being read.
	run []Sample
	// direction is 1 when they run forwards, -1 backwards, 0 while that is not known.
	direction int
	// first is the number of the run's first record, pending an error that comes behind the run.
	first   int64
	pending error
}

func openRuns(path string) (*runFile, error) {
	r, err := Open(path)
	if err != nil {
		return nil, err
	}
	return &runFile{reader: r}, nil
}

func (f *runFile) next(g *Game) (int64, error) {
	if err := f.pending; err != nil {
		f.pending = nil
		return f.failedAt(err), err
	}
	for {
		s, err := f.reader.record()
		if err == nil && !s.Position.IsLegal(s.Move) {
			err = &BadRecord{Err: fmt.Errorf("%w %s in %s", ErrIllegalMove, s.Move, s.Position.SFEN())}
		}
		var bad *BadRecord
		if errors.As(err, &bad) { // it may stand beside a game or within one: what follows decides
			return f.reader.Number(), &BadRecord{Err: bad.Err}
		}
		if err == nil && f.joins(&s) {
			f.run = append(f.run, s)
			continue
		}
		if len(f.run) == 0 {
			if err != nil {
				return f.failedAt(err), err
			}
			f.begin(&s)
			continue
		}
		number := f.first
		f.end(g)
		if err == nil {
			f.begin(&s)
		}
		f.pending = err
		return number, nil
	}
}

// failedAt returns the number of the record that could not be read, at the end of the file that of the last one.
func (f *runFile) failedAt(err error) int64 {
	if errors.Is(err, io.EOF) {
		return f.reader.Number()
	}
	return f.reader.Number() + 1
}

func (f *runFile) begin(s *Sample) {
	f.run, f.direction, f.first = append(f.run[:0], *s), 0, f.reader.Number()
}

// joins reports whether the sample belongs to the run.
func (f *runFile) joins(s *Sample) bool {
	if len(f.run) == 0 || len(f.run) == maxGameMoves {
		return false
	}
	last := &f.run[len(f.run)-1]
	if s.result() != last.result() {
		return false
	}
	switch {
	case f.direction >= 0 && last.leadsTo(s):
		f.direction = 1
	case f.direction <= 0 && s.leadsTo(last):
		f.direction = -1
	default:
		return false
	}
	return true
}

// leadsTo reports whether the sample's move leads to the other's position, the move numbers agreeing or not told.
func (s *Sample) leadsTo(next *Sample) bool {
	if s.Position.Side() == next.Position.Side() {
		return false
	}
	if ply := next.Position.Ply(); ply != s.Position.Ply()+1 && ply != s.Position.Ply() {
		return false
	}
	p := s.Position
	p.Do(s.Move)
	return p.Key() == next.Position.Key()
}

// end makes the run a game.
func (f *runFile) end(g *Game) {
	if f.direction < 0 {
		slices.Reverse(f.run)
	}
	*g = Game{Start: f.run[0].Position, Result: f.run[0].result()}
	for i := range f.run {
		s := &f.run[i]
		g.Moves = append(g.Moves, GameMove{Move: s.Move, Known: HasScore, Score: s.Score, Deep: !s.Fast})
	}
	f.run = f.run[:0]
}

func (f *runFile) cut() int64 { return 0 }

func (f *runFile) offset() int64 { return f.reader.Offset() }

func (f *runFile) close() error { return f.reader.Close() }
