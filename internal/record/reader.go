package record

import (
	"errors"
	"fmt"
	"io"
)

// Reader reads the samples of a file one after the other.
type Reader struct {
	path   string
	format Format
	read   int64
	// in is a file of samples, games one of games.
	in    *input
	games *GameReader
	// waiting are the samples of the last game that are still to come, begins says that the last one returned was its first.
	waiting []Sample
	begins  bool
}

// Open opens a file of training records, its format told by its name. Of a file of games it reads the positions of the games that
// have a result, in the order of play.
func Open(path string) (*Reader, error) {
	format, err := FormatOf(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{path: path, format: format}
	if format.HoldsGames() {
		r.games, err = OpenGames(path)
	} else {
		r.in, err = openInput(path)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Next returns the next sample, io.EOF behind the last. Other errors name the file and the record's number, counted from 1; in a
// file of games the game's.
// A record that makes no sense does not end the file: it is a *BadRecord, and the next call reads the one after it.
func (r *Reader) Next() (Sample, error) {
	if r.games != nil {
		return r.nextOfGame()
	}
	s, err := r.record()
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return s, err
	case errors.As(err, new(*BadRecord)):
		return s, &BadRecord{Path: r.path, Number: r.read, Err: errors.Unwrap(err)}
	}
	return s, fmt.Errorf("%s: record %d: %w", r.path, r.read+1, err)
}

// record reads a record. Its errors name no place.
func (r *Reader) record() (Sample, error) {
	var data [PSVSize]byte
	size := PSVSize
	if r.format != PSV {
		size = HCPESize
	}
	if _, err := io.ReadFull(r.in.in, data[:size]); err != nil {
		if errors.Is(err, io.EOF) {
			return Sample{}, io.EOF
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errCut
		}
		return Sample{}, err
	}
	r.read++
	var s Sample
	var err error
	switch r.format {
	case HCPE:
		s, err = DecodeHCPE((*[HCPESize]byte)(data[:HCPESize]))
	case HCPE2:
		s, err = DecodeHCPE2((*[HCPESize]byte)(data[:HCPESize]))
	default:
		s, err = DecodePSV(&data)
	}
	if err != nil {
		return Sample{}, &BadRecord{Err: err}
	}
	return s, nil
}

func (r *Reader) nextOfGame() (Sample, error) {
	r.begins = false
	for len(r.waiting) == 0 {
		var g Game
		if err := r.games.Next(&g); err != nil {
			return Sample{}, err
		}
		r.waiting = g.AppendSamples(r.waiting[:0])
		r.begins = true
	}
	s := r.waiting[0]
	r.waiting = r.waiting[1:]
	return s, nil
}

// GameBegins reports whether the last sample is known to be the first of its game. Files of positions do not tell.
func (r *Reader) GameBegins() bool { return r.begins }

// errCut is the error of a record that ends before its last byte.
var errCut = fmt.Errorf("it is cut: %w", io.ErrUnexpectedEOF)

// Number returns the number of the last record read, counted from 1; in a file of games the game's.
func (r *Reader) Number() int64 {
	if r.games != nil {
		return r.games.Number()
	}
	return r.read
}

// Offset returns how many bytes of the file have been taken, to show progress.
func (r *Reader) Offset() int64 {
	if r.games != nil {
		return r.games.Offset()
	}
	return r.in.offset()
}

// Close closes the file.
func (r *Reader) Close() error {
	if r.games != nil {
		return r.games.Close()
	}
	return r.in.close()
}

// BadRecord is the error of a record that makes no sense.
type BadRecord struct {
	Path   string
	Number int64
	Err    error
}

// Error names file and record.
func (e *BadRecord) Error() string { return fmt.Sprintf("%s: record %d: %v", e.Path, e.Number, e.Err) }

// Unwrap returns what is wrong with the record.
func (e *BadRecord) Unwrap() error { return e.Err }
