package train

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi"
)

// Data is positions of games, packed.
type Data struct {
	records []packed
	// visits are the shares of the root's moves of all records, one record after the other; base is the number of the first of them.
	visits []share
	base   uint32
	// games are the positions' games, in order. Each is a run of records.
	games []span
	// Skipped is the number of records that were left out, because they make no sense or their move is not legal.
	Skipped int
}

// packed is a record with the move that led to its position, MoveNone when that is not known.
type packed struct {
	psv  [record.PSVSize]byte
	last shogi.Move
	// fast says that the move does not teach a policy. Otherwise count shares from number first on are its target, none where only
	// the move is known.
	fast  bool
	count uint16
	first uint32
}

// share is a move's part of the visits of its root, all of which are wholeShare.
type share struct {
	move   shogi.Move
	weight uint16
}

const wholeShare = 1<<16 - 1

// span is a range of records, its end not included.
type span struct{ start, end int32 }

// sample is a record that is ready for use.
type sample struct {
	record.Sample
	last shogi.Move
	// shares are the target of a policy, empty where only the move is known.
	shares []share
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
		moved := uint32(len(all.visits)) - d.base
		all.records = append(all.records, d.records...)
		all.visits = append(all.visits, d.visits...)
		for i := range all.records[offset:] {
			all.records[int(offset)+i].first += moved
		}
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
	now := packed{psv: psv, fast: s.Fast, first: uint32(len(l.data.visits))}
	if l.data.visits = appendShares(l.data.visits, s.Visits); !s.Fast {
		now.count = uint16(len(l.data.visits) - int(now.first))
	}
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

// appendShares appends the visits as shares of their sum. Moves too rare to have one are left out.
func appendShares(shares []share, visits []record.Candidate) []share {
	var sum float64
	for _, c := range visits {
		sum += float64(c.Visits)
	}
	for _, c := range visits {
		if weight := math.Round(float64(c.Visits) / sum * wholeShare); weight > 0 {
			shares = append(shares, share{c.Move, uint16(weight)})
		}
	}
	return shares
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
	at, from := int32(len(d.records)), uint32(len(d.visits))
	if cut < len(d.games) {
		at = d.games[cut].start
		from = d.records[at].first - d.base
	}
	head := &Data{records: d.records[:at:at], visits: d.visits[:from:from], base: d.base, games: d.games[:cut:cut], Skipped: d.Skipped}
	tail := &Data{records: d.records[at:], visits: d.visits[from:], base: d.base + from}
	for _, g := range d.games[cut:] {
		tail.games = append(tail.games, span{g.start - at, g.end - at})
	}
	return head, tail
}

// Draw returns games drawn at random by the seed, whole and in their old order, until they have so many positions that teach a net of
// the kind; all of them when there are not so many.
func (d *Data) Draw(kind Kind, positions int, seed uint64) *Data {
	var drawn []int
	for _, i := range rand.New(rand.NewPCG(seed, 0x64726177)).Perm(len(d.games)) { // "draw"
		if positions <= 0 {
			break
		}
		for record := d.games[i].start; record < d.games[i].end; record++ {
			if d.teaches(record, kind) {
				positions--
			}
		}
		drawn = append(drawn, i)
	}
	slices.Sort(drawn)
	parts := make([]*Data, len(drawn))
	for k, i := range drawn {
		parts[k] = d.game(i)
	}
	return Join(parts...)
}

// game returns a game alone.
func (d *Data) game(i int) *Data {
	g := d.games[i]
	from, to := d.records[g.start].first-d.base, uint32(len(d.visits))
	if int(g.end) < len(d.records) {
		to = d.records[g.end].first - d.base
	}
	return &Data{records: d.records[g.start:g.end], visits: d.visits[from:to], base: d.base + from, games: []span{{0, g.end - g.start}}}
}

// Teaching returns the number of positions that teach a net of the kind.
func (d *Data) Teaching(kind Kind) int {
	if kind == Value {
		return d.Positions()
	}
	return d.PolicyPositions()
}

// sample decodes record i.
func (d *Data) sample(i int32, s *sample) {
	var err error
	if s.Sample, err = record.DecodePSV(&d.records[i].psv); err != nil {
		panic(fmt.Sprintf("train: record %d was packed by this program: %v", i, err))
	}
	r := &d.records[i]
	s.last, s.Fast = r.last, r.fast
	first := r.first - d.base
	s.shares = d.visits[first : first+uint32(r.count)]
}

// teaches reports whether record i has something to teach to a net of the kind.
func (d *Data) teaches(i int32, kind Kind) bool { return kind == Value || !d.records[i].fast }

// PolicyPositions returns the number of positions that teach a policy: all but those of fast searches.
func (d *Data) PolicyPositions() int {
	n := 0
	for i := range d.records {
		if !d.records[i].fast {
			n++
		}
	}
	return n
}

// fingerprint tells data apart.
func (d *Data) fingerprint() uint64 {
	sum := fnv.New64a()
	for i := range d.records {
		sum.Write(d.records[i].psv[:])
		if d.records[i].fast {
			sum.Write([]byte{1})
		}
	}
	for _, v := range d.visits {
		sum.Write([]byte{byte(v.move), byte(v.move >> 8), byte(v.weight), byte(v.weight >> 8)})
	}
	return sum.Sum64()
}
