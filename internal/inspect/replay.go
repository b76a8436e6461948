package inspect

import (
	"errors"
	"fmt"
	"io"

	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// Replay is a trace with a place in it: the state just after one of its records. A trace may hold the searches of a whole game.
type Replay struct {
	records []Record
	// Cut says that the file's end is missing.
	Cut     bool
	at      int // records that have happened
	builder *Builder
}

// maxRecords bounds the memory of a replay to about 8 GB.
const maxRecords = 20_000_000

var errTooLong = errors.New("the trace is too long to go through; print it with a filter instead")

// NewReplay reads a trace. The replay begins before the first record.
func NewReplay(r io.Reader) (*Replay, error) {
	p := &Replay{builder: NewBuilder(0)}
	var err error
	p.Cut, err = Read(r, func(record *Record) error {
		if len(p.records) >= maxRecords {
			return errTooLong
		}
		p.records = append(p.records, *record)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Len returns the number of records, At how many of them have happened.
func (p *Replay) Len() int { return len(p.records) }

// At returns how many records have happened.
func (p *Replay) At() int { return p.at }

// Record returns the record that happened last, nil at the beginning.
func (p *Replay) Record() *Record {
	if p.at == 0 {
		return nil
	}
	return &p.records[p.at-1]
}

// Goto goes to where n records have happened, within the trace.
func (p *Replay) Goto(n int) {
	n = max(0, min(n, len(p.records)))
	if n < p.at {
		p.at, p.builder = p.fresh(n), NewBuilder(0)
	}
	for ; p.at < n; p.at++ {
		p.builder.Event(&p.records[p.at].Event)
	}
}

// fresh returns the last place up to n from which on nothing older counts: before a search with an empty tree.
func (p *Replay) fresh(n int) int {
	for i := n - 1; i >= 0; i-- {
		if e := &p.records[i].Event; e.Kind == search.EventStart && (e.Engine != search.EngineUCT || e.Visits <= 1) {
			return i
		}
	}
	return 0
}

// Find goes to the next record that the filter matches, or the one before when back is set. Without one it stays and returns false.
func (p *Replay) Find(f *Filter, back bool) bool {
	if back {
		for i := p.at - 2; i >= 0; i-- {
			if f.Match(&p.records[i].Event, p.records[i].Search) {
				p.Goto(i + 1)
				return true
			}
		}
		return false
	}
	for i := p.at; i < len(p.records); i++ {
		if f.Match(&p.records[i].Event, p.records[i].Search) {
			p.Goto(i + 1)
			return true
		}
	}
	return false
}

// GotoSearch goes to the end of a search, by number. The error says which there are.
func (p *Replay) GotoSearch(number int) error {
	last := -1
	for i := range p.records {
		if p.records[i].Search == number {
			last = i
		}
	}
	if last < 0 {
		return fmt.Errorf("bad search %d: the trace has searches 1 to %d", number, p.Searches())
	}
	p.Goto(last + 1)
	return nil
}

// Searches returns the number of searches in the trace.
func (p *Replay) Searches() (n int) {
	for i := range p.records {
		n = max(n, p.records[i].Search)
	}
	return n
}

// Tree returns the tree as it is at this place.
func (p *Replay) Tree() Tree { return p.builder.Tree() }

// Position returns the root of the search and the moves to the node of the last record; ok is false before the first search.
func (p *Replay) Position() (root shogi.Position, line []shogi.Move, ok bool) {
	if root, ok = p.builder.Root(); !ok || p.at == 0 {
		return root, nil, ok
	}
	return root, p.builder.Line(&p.records[p.at-1].Event), true
}

// Course returns the records of the search at this place that have happened, its start first; nil before the first search.
func (p *Replay) Course() []Record {
	for i := p.at - 1; i >= 0; i-- {
		if p.records[i].Kind == search.EventStart {
			return p.records[i:p.at]
		}
	}
	return nil
}

// Latest returns the latest record of the search at this place for which the function is true, nil for none.
func (p *Replay) Latest(wanted func(*search.Event) bool) *Record {
	for i := p.at - 1; i >= 0; i-- {
		if wanted(&p.records[i].Event) {
			return &p.records[i]
		}
		if p.records[i].Kind == search.EventStart {
			break
		}
	}
	return nil
}
