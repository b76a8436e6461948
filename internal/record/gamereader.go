package record

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// GameReader reads the games of a .yomi file one after the other.
type GameReader struct {
	path    string
	file    *os.File
	scanner *blockScanner
	zstd    *zstd.Decoder
	block   []byte
	// rest is what is left of block; left counts its games.
	rest []byte
	left uint32
	read int64
}

// OpenGames opens a .yomi file. It may be one that is still being written: its whole blocks are read.
func OpenGames(path string) (*GameReader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := newGameReader(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	r.path, r.file = path, file
	return r, nil
}

func newGameReader(file *os.File) (*GameReader, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	r := new(GameReader)
	if r.scanner, err = newBlockScanner(file, info.Size()); err != nil {
		return nil, err
	}
	r.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlock))
	return r, err
}

// Next reads the next game into g, io.EOF behind the last. A game that was cut at the end of the file, because the program that
// wrote it was killed, is no error: see Cut. A *BadRecord names the file and the game's number, counted from 1; the next call
// goes on behind it. All games returned pass Check.
func (r *GameReader) Next(g *Game) error {
	for r.left == 0 {
		if err := r.nextBlock(); err != nil {
			return err
		}
	}
	r.left--
	r.read++
	*g = Game{} // samples of the last game keep its visits
	rest, err := g.UnmarshalMsg(r.rest)
	if err != nil { // what follows in the block cannot be found
		r.left, r.rest = 0, nil
		return r.bad(err)
	}
	r.rest = rest
	if err := g.Check(); err != nil {
		return r.bad(err)
	}
	return nil
}

func (r *GameReader) bad(err error) error { return &BadRecord{Path: r.path, Number: r.read, Err: err} }

func (r *GameReader) nextBlock() error {
	if len(r.rest) > 0 {
		n := len(r.rest)
		r.rest = nil
		return r.bad(fmt.Errorf("%d bytes behind the last game of a block", n))
	}
	at := r.scanner.at
	head, payload, damaged, err := r.scanner.next()
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case err != nil:
		return fmt.Errorf("%s: %w", r.path, err)
	}
	if damaged > 0 {
		r.scanner.at = r.scanner.end - blockHeadSize - int64(head.length) // this block again, next time
		return &BadRecord{Path: r.path, Number: r.read + 1, Err: fmt.Errorf("%d damaged bytes at %d", damaged, at)}
	}
	if r.block, err = r.zstd.DecodeAll(payload, r.block[:0]); err != nil {
		r.read += int64(head.games)
		return r.bad(err)
	}
	r.rest, r.left = r.block, head.games
	return nil
}

// Cut returns, when Next has returned io.EOF, how many bytes of a block that was cut follow the last whole one.
func (r *GameReader) Cut() int64 { return r.scanner.size - r.scanner.end }

// Close closes the file.
func (r *GameReader) Close() error {
	r.zstd.Close()
	return r.file.Close()
}
