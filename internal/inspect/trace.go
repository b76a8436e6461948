package inspect

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/yomi-shogi/yomi/internal/search"
)

const (
	// traceHeader is the first line of each frame.
	traceHeader = `{"format":"yomi trace","version":1}` + "\n"
	// frameBytes is about how much text a frame holds; what is lost with a cut file is one frame.
	frameBytes = 64 << 10
	// frameTime is the longest time that a record waits to be written while others come.
	frameTime = time.Second
	// maxRecord is the longest line that is read.
	maxRecord = 1 << 20
)

// Writer is a Sink that writes a trace: JSON lines in zstd frames. Each frame is whole in itself, so a file that was cut off, or to which
// another run has appended, can be read.
type Writer struct {
	mu      sync.Mutex
	out     io.Writer
	level   search.Level
	encoder *zstd.Encoder
	text    []byte
	frame   []byte
	flushed time.Time
	number  int
	err     error
}

// NewWriter returns a writer of the events of a level.
func NewWriter(out io.Writer, level search.Level) *Writer {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic("inspect: " + err.Error()) // the options are constants
	}
	return &Writer{out: out, level: level, encoder: encoder, flushed: time.Now()}
}

// Event writes an event.
func (w *Writer) Event(e *search.Event) {
	if e.Kind.Level() > w.level {
		return
	}
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.Kind == search.EventStart {
		w.number++
	}
	if len(w.text) == 0 {
		w.text = append(w.text, traceHeader...)
	}
	w.text = appendRecord(w.text, now, w.number, e)
	if len(w.text) >= frameBytes || e.Kind == search.EventEnd || now.Sub(w.flushed) > frameTime {
		w.flush(now)
	}
}

// flush writes what is there as a frame.
func (w *Writer) flush(now time.Time) {
	w.flushed = now
	if len(w.text) == 0 || w.err != nil {
		w.text = w.text[:0]
		return
	}
	w.frame = w.encoder.EncodeAll(w.text, w.frame[:0])
	w.text = w.text[:0]
	if _, err := w.out.Write(w.frame); err != nil {
		w.err = fmt.Errorf("trace: %w", err)
	}
}

// Flush writes what is still waiting and returns the first error of the writer; after an error nothing more is written.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush(time.Now())
	return w.err
}

// Read gives the records of a trace to yield until it returns an error. cut says that the end of the file is missing; what came before it
// has been given. Where several runs have written to the file the numbers of their searches go on from one to the next.
func Read(r io.Reader, yield func(*Record) error) (cut bool, err error) {
	decoder, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		return false, fmt.Errorf("trace: %w", err)
	}
	defer decoder.Close()
	in := bufio.NewReaderSize(decoder, maxRecord)
	before, last := 0, 0 // searches of the runs before, and the number of the last search
	for line := 1; ; line++ {
		text, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && len(text) == 0:
			return false, nil
		case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
			return true, nil
		case err != nil:
			return false, fmt.Errorf("trace, line %d: %w", line, err)
		}
		if text = bytes.TrimSpace(text); bytes.HasPrefix(text, []byte(`{"format":`)) {
			if string(text) != traceHeader[:len(traceHeader)-1] {
				return false, fmt.Errorf("trace, line %d: unknown format %s", line, text)
			}
			continue
		}
		record, err := ParseRecord(text)
		if err != nil {
			return false, fmt.Errorf("trace, line %d: %w", line, err)
		}
		if record.Kind == search.EventStart && before+record.Search <= last {
			before = last
		}
		record.Search += before
		last = max(last, record.Search)
		if err := yield(&record); err != nil {
			return false, err
		}
	}
}

// Tee is a Sink that passes events on to several. It is a Pauser when one of them is, and wants what one of them wants.
type Tee []search.Sink

// Event passes the event on.
func (t Tee) Event(e *search.Event) {
	for _, s := range t {
		s.Event(e)
	}
}

// Level returns the highest level that one of the sinks wants.
func (t Tee) Level() (level search.Level) {
	for _, s := range t {
		level = max(level, search.LevelOf(s))
	}
	return level
}

// Paused returns the sum of the sinks' pauses.
func (t Tee) Paused() (sum time.Duration) {
	for _, s := range t {
		sum += search.PausedBy(s)
	}
	return sum
}
