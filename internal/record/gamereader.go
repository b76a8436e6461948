package record

import (
	"errors"
	"fmt"
	"io"
)

// GameReader reads the games of a file one after the other.
type GameReader struct {
	path   string
	source gameSource
	read   int64
}

// gameSource is a file of games in one format.
type gameSource interface {
	// next reads a game and returns the number of its record in the file, counted from 1. Errors are as those of GameReader.Next;
	// what is wrong with a record that can be passed over is a *BadRecord without path and number.
	next(g *Game) (number int64, err error)
	cut() int64
	offset() int64
	close() error
}

// OpenGames opens a file of records, its format told by its name, to read whole games. A .yomi file may be one that is still being
// written: its whole blocks are read. In files of positions, those that follow each other are put together, forwards or backwards;
// a position that is missing parts a game in two.
func OpenGames(path string) (*GameReader, error) {
	format, err := FormatOf(path)
	if err != nil {
		return nil, err
	}
	r := &GameReader{path: path}
	switch format {
	case Yomi:
		r.source, err = openBlocks(path)
	case HCPE3:
		r.source, err = openHCPE3(path)
	default:
		r.source, err = openRuns(path)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Next reads the next game into g, io.EOF behind the last. All games returned pass Check. A *BadRecord names the file and the
// record's number, counted from 1 (of the game, in a file of positions of the position); the next call goes on behind it. In a
// .yomi file a game that was cut at the end, because the program that wrote it was killed, is no error: see Cut.
func (r *GameReader) Next(g *Game) error {
	number, err := r.source.next(g)
	r.read = number
	var bad *BadRecord
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return err
	case errors.As(err, &bad):
		bad.Path, bad.Number = r.path, number
		return bad
	}
	return fmt.Errorf("%s: record %d: %w", r.path, number, err)
}

// Number returns the number of the last record read, counted from 1.
func (r *GameReader) Number() int64 { return r.read }

// Cut returns, when Next has returned io.EOF, how many bytes of a block that was cut follow the last whole one of a .yomi file.
func (r *GameReader) Cut() int64 { return r.source.cut() }

// Offset returns how many bytes of the file have been taken, to show progress.
func (r *GameReader) Offset() int64 { return r.source.offset() }

// Close closes the file.
func (r *GameReader) Close() error { return r.source.close() }

// hcpe3File is an hcpe3 file.
type hcpe3File struct {
	*input
	read int64
}

func openHCPE3(path string) (*hcpe3File, error) {
	in, err := openInput(path)
	if err != nil {
		return nil, err
	}
	return &hcpe3File{input: in}, nil
}

func (f *hcpe3File) next(g *Game) (int64, error) {
	err := readHCPE3(f.in, g)
	if !errors.Is(err, io.EOF) {
		f.read++
	}
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, errLost):
		return f.read, err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return f.read, errCut
	}
	return f.read, &BadRecord{Err: err}
}

func (f *hcpe3File) cut() int64 { return 0 }
