package train

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"sync"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
)

// Data is positions of games, packed.
type Data struct {
	records []packed
	// games are the positions' games, in order. Each is a run of records.
	games []span
	// Skipped is the number of records that were left out, because they make no sense or their move is not legal.
	Skipped int
}

// packed is a record with the move that led to its position, MoveNone when that is not known.
type packed struct {
	psv  [record.PSVSize]byte
	last shogi.Move
}

// span is a range of records, its end not included.
type span struct{ start, end int32 }

// sample is a record that is ready for use.
type sample struct {
	record.Sample
	last shogi.Move
}

// Load reads files of records.
func Load(paths ...string) (*Data, error) {
	parts, err := loadEach(paths)
	if err != nil {
		return nil, err
	}
	return Join(parts...), nil
}

// loadEach reads files, two at a time.
func loadEach(paths []string) ([]*Data, error) {
	parts, errs := make([]*Data, len(paths)), make([]error, len(paths))
	var group sync.WaitGroup
	turn := make(chan struct{}, 2)
	for i, path := range paths {
		group.Go(func() {
			turn <- struct{}{}
			parts[i], errs[i] = loadFile(path)
			<-turn
		})
	}
	group.Wait()
	return parts, errors.Join(errs...)
}

// Join returns all the data in the order given.
func Join(parts ...*Data) *Data {
	all := new(Data)
	for _, d := range parts {
		offset := int32(len(all.records))
		all.records = append(all.records, d.records...)
		for _, g := range d.games {
			all.games = append(all.games, span{g.start + offset, g.end + offset})
		}
		all.Skipped += d.Skipped
	}
	return all
}

func loadFile(path string) (*Data, error) {
	r, err := record.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var l loader
	for {
		s, err := r.Next()
		var bad *record.BadRecord
		switch {
		case errors.Is(err, io.EOF):
			l.endGame()
			return &l.data, nil
		case errors.As(err, &bad):
			l.data.Skipped++
		case err != nil:
			return nil, err
		default:
			if r.GameBegins() {
				l.endGame()
			}
			if err := l.add(&s); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
}

// loader collects the records of a file and finds where games end.
type loader struct {
	data     Data
	start    int
	previous record.Sample
}

// add appends a record. Files of whole games tell where one begins. In others, records of a game run backwards in psv files and
// forwards in hcpe files; the two are told apart by which record's move leads to the other's position. A game ends where neither does, unless the move number still falls: then a record is
// missing in between.
func (l *loader) add(s *record.Sample) error {
	if !s.Position.IsLegal(s.Move) {
		l.data.Skipped++
		return nil
	}
	psv, err := record.EncodePSV(s)
	if err != nil {
		return err
	}
	now := packed{psv: psv}
	if n := len(l.data.records); n > l.start {
		switch {
		case leads(s, &l.previous):
			l.data.records[n-1].last = s.Move
		case leads(&l.previous, s):
			now.last = l.previous.Move
		case s.Position.Ply() >= l.previous.Position.Ply():
			l.endGame()
		}
	}
	l.data.records = append(l.data.records, now)
	l.previous = *s
	return nil
}

// leads reports whether the first record's move leads to the second's position.
func leads(from, to *record.Sample) bool {
	if from.Position.Side() == to.Position.Side() {
		return false
	}
	next := from.Position
	next.Do(from.Move)
	return next.Key() == to.Position.Key()
}

func (l *loader) endGame() {
	if end := len(l.data.records); end > l.start {
		l.data.games = append(l.data.games, span{int32(l.start), int32(end)})
		l.start = end
	}
}

// Positions returns the number of positions.
func (d *Data) Positions() int { return len(d.records) }

// Games returns the number of games; a game of which a file has only a part counts as one.
func (d *Data) Games() int { return len(d.games) }

// Split returns all but the last games, and the last ones.
func (d *Data) Split(last int) (*Data, *Data) {
	cut := max(len(d.games)-last, 0)
	at := int32(len(d.records))
	if cut < len(d.games) {
		at = d.games[cut].start
	}
	head := &Data{records: d.records[:at:at], games: d.games[:cut:cut], Skipped: d.Skipped}
	tail := &Data{records: d.records[at:]}
	for _, g := range d.games[cut:] {
		tail.games = append(tail.games, span{g.start - at, g.end - at})
	}
	return head, tail
}

// sample decodes record i.
func (d *Data) sample(i int32, s *sample) {
	var err error
	if s.Sample, err = record.DecodePSV(&d.records[i].psv); err != nil {
		panic(fmt.Sprintf("train: record %d was packed by this program: %v", i, err))
	}
	s.last = d.records[i].last
}

// fingerprint tells data apart.
func (d *Data) fingerprint() uint64 {
	sum := fnv.New64a()
	for i := range d.records {
		sum.Write(d.records[i].psv[:])
	}
	return sum.Sum64()
}
