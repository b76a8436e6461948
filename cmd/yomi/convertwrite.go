package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/yomi-shogi/yomi/internal/record"
	"github.com/yomi-shogi/yomi/shogi/kifu"
)

// unfit is the error of a game or sample that the format cannot hold. Other errors of a sink end the conversion.
type unfit struct{ error }

// sink writes a file in one format.
type sink interface {
	sample(*record.Sample) error
	// game writes a game and says in words what was lost beside the content that the format never holds.
	game(*record.Game) (lost []string, err error)
	close() error
}

// newSink begins the target's file.
func newSink(t target, w io.Writer) (sink, error) {
	if t.people {
		return &kifuSink{out: w, format: t.kifu}, nil
	}
	if t.record == record.Yomi {
		const block = 1 << 20
		games, err := record.NewGameWriter(bufferOnly{w})
		if err != nil {
			return nil, err
		}
		games.BlockSize = block
		return &yomiSink{games}, nil
	}
	b := &binarySink{format: t.record}
	if strings.HasSuffix(t.path, ".zst") {
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		b.zstd, w = z, z
	}
	b.out = bufio.NewWriterSize(w, 1<<20)
	return b, nil
}

// bufferOnly hides everything but Write.
type bufferOnly struct{ io.Writer }

// binarySink writes psv, hcpe and hcpe3.
type binarySink struct {
	format record.Format
	out    *bufio.Writer
	zstd   *zstd.Encoder
	buffer []byte
}

func (b *binarySink) sample(s *record.Sample) error {
	data, err := record.AppendSample(b.buffer[:0], b.format, s)
	return b.write(data, err)
}

func (b *binarySink) write(data []byte, err error) error {
	b.buffer = data
	if err != nil {
		return unfit{err}
	}
	_, err = b.out.Write(data)
	return err
}

func (b *binarySink) game(g *record.Game) ([]string, error) {
	data, err := record.AppendHCPE3(b.buffer[:0], g)
	return nil, b.write(data, err)
}

func (b *binarySink) close() error {
	err := b.out.Flush()
	if b.zstd != nil {
		err = errors.Join(err, b.zstd.Close())
	}
	return err
}

// yomiSink writes .yomi.
type yomiSink struct{ *record.GameWriter }

func (y *yomiSink) sample(*record.Sample) error { return errors.New("a .yomi file holds games") }

func (y *yomiSink) game(g *record.Game) ([]string, error) { return nil, y.Write(g) }

func (y *yomiSink) close() error { return y.Close() }

// kifuSink writes records for people. They are kept until the end, because a file has one head for all its games.
type kifuSink struct {
	out     io.Writer
	format  kifu.Format
	records []*kifu.Record
	// dropped is what the format had to leave out.
	dropped []string
}

func (k *kifuSink) sample(*record.Sample) error { return errors.New("a game record holds games") }

func (k *kifuSink) game(g *record.Game) ([]string, error) {
	r, lost := g.Kifu()
	k.records = append(k.records, r)
	return lost, nil
}

func (k *kifuSink) close() error {
	if n := len(k.records); n != 1 && k.format != kifu.CSA && k.format != kifu.USI {
		return fmt.Errorf("a file in %s holds one game, not %d: choose one with --game N, or write .csa or .usi", k.format, n)
	}
	var err error
	k.dropped, err = kifu.Write(k.out, k.format, k.records...)
	return err
}

// place is where a record stands: the file, and the record's number from 1.
type place struct {
	path   string
	number int64
}

// kept counts a record that a sink has written. One that the format cannot hold is left out and named.
func (c *conversion) kept(at place, err error) error {
	var no unfit
	if errors.As(err, &no) {
		c.leftOut(&record.BadRecord{Path: at.path, Number: at.number, Err: no.error})
		return nil
	}
	if err == nil {
		c.written++
	}
	return err
}

// sample writes a position; single says that it comes from a file of positions.
func (c *conversion) sample(s *record.Sample, at place, single bool) error {
	switch {
	case c.DeepOnly && s.Fast:
		c.fast++
		return nil
	case c.seenBefore(s.Position.Key(), uint64(s.Move)):
		return nil
	}
	if single {
		c.lost |= s.Content() &^ c.out.record.Holds()
		if c.EvalCoef > 0 {
			s.Score = record.CentipawnsOf(record.WinRateOf(s.Score, record.DefaultEvalCoef), c.EvalCoef)
		}
	}
	return c.kept(at, c.sink.sample(s))
}

// game writes a game, or its positions.
func (c *conversion) game(g *record.Game, at place) error {
	c.games++
	c.positions += int64(len(g.Moves))
	if c.Game > 0 && c.games != c.Game {
		return nil
	}
	holds := record.Content(record.KifuHolds)
	if !c.out.people {
		holds = c.out.record.Holds()
	}
	if holds&record.ContentNoResult == 0 && g.Result == record.NoResult {
		c.noResult++
		return nil
	}
	content := g.Content()
	if c.EvalCoef > 0 {
		g.Rescale(c.EvalCoef)
	}
	if !c.out.holdsGames() {
		c.lost |= content &^ holds
		c.countScores(g)
		for _, s := range g.AppendSamples(nil) {
			if err := c.sample(&s, at, false); err != nil {
				return err
			}
		}
		return nil
	}
	numbers := []uint64{g.Start.Key()}
	for i := range g.Moves {
		numbers = append(numbers, uint64(g.Moves[i].Move))
	}
	if c.seenBefore(numbers...) {
		return nil
	}
	lost, err := c.sink.game(g)
	if err := c.kept(at, err); err != nil {
		return err
	}
	c.lost |= content &^ holds
	for _, note := range lost {
		c.notes[note]++
	}
	if holds&record.ContentValues == 0 {
		c.countScores(g)
	}
	return nil
}

// countScores counts the moves whose score is not known.
func (c *conversion) countScores(g *record.Game) {
	for i := range g.Moves {
		if _, known := g.ScoreOf(i); !known {
			c.withoutScore++
		}
	}
}

// seenBefore counts what was written before and reports whether it is to be left out.
func (c *conversion) seenBefore(numbers ...uint64) bool {
	h := fnv.New64a()
	var b [8]byte
	for _, x := range numbers {
		binary.LittleEndian.PutUint64(b[:], x)
		h.Write(b[:])
	}
	key := h.Sum64()
	if _, seen := c.seen[key]; seen {
		c.duplicates++
		return c.DropDuplicates
	}
	c.seen[key] = struct{}{}
	return false
}

// report says what was read, written and lost.
func (c *conversion) report() {
	what := "positions"
	read := fmt.Sprintf("%d positions", c.positions)
	if c.games > 0 {
		read = fmt.Sprintf("%d games (%d moves)", c.games, c.positions)
	}
	if c.out.holdsGames() {
		what = "games"
	}
	fmt.Fprintf(c.Out, "read %s, wrote %d %s to %s\n", read, c.written, what, c.out.path)
	duplicates := "duplicates, kept"
	if c.DropDuplicates {
		duplicates = "duplicates, left out"
	}
	for i, line := range []struct {
		count int64
		text  string
	}{
		{c.bad, "records that make no sense, left out"}, {c.illegal, "records with an illegal move, left out"},
		{c.duplicates, duplicates}, {c.noResult, "games without a result, left out"}, {c.fast, "moves of fast searches, left out"},
		{c.cut, "games that were cut at the end of a file"},
	} {
		const always = 3
		if i < always || line.count > 0 {
			fmt.Fprintf(c.Out, "%10d %s\n", line.count, line.text)
		}
	}
	c.reportLoss()
}

// reportLoss says what the target cannot hold.
func (c *conversion) reportLoss() {
	lost := c.lost.Names()
	for _, note := range slices.Sorted(maps.Keys(c.notes)) {
		lost = append(lost, fmt.Sprintf("%s (%d games)", note, c.notes[note]))
	}
	if k, ok := c.sink.(*kifuSink); ok {
		lost = append(lost, k.dropped...)
	} else if c.withoutScore > 0 && c.out.record != record.Yomi {
		fmt.Fprintf(c.Out, "%10d positions whose score is not known, written as 0\n", c.withoutScore)
	}
	if len(lost) > 0 {
		fmt.Fprintf(c.Out, "%s does not hold: %s\n", c.out, strings.Join(lost, ", "))
	}
}
