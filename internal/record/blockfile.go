package record

import (
	"errors"
	"fmt"
	"os"

	"github.com/klauspost/compress/zstd"
)

// blockFile is a .yomi file.
type blockFile struct {
	file    *os.File
	scanner *blockScanner
	zstd    *zstd.Decoder
	block   []byte
	// rest is what is left of block; left counts its games.
	rest []byte
	left uint32
	read int64
}

func openBlocks(path string) (*blockFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := newBlockFile(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return f, nil
}

func newBlockFile(file *os.File) (*blockFile, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	f := &blockFile{file: file}
	if f.scanner, err = newBlockScanner(file, info.Size()); err != nil {
		return nil, err
	}
	f.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlock))
	return f, err
}

func (f *blockFile) next(g *Game) (int64, error) {
	for f.left == 0 {
		if err := f.nextBlock(); err != nil {
			return f.read, err
		}
	}
	f.left--
	f.read++
	*g = Game{} // samples of the last game keep its visits
	rest, err := g.UnmarshalMsg(f.rest)
	if err != nil { // what follows in the block cannot be found
		f.read += int64(f.left)
		f.left, f.rest = 0, nil
		return f.read, &BadRecord{Err: err}
	}
	f.rest = rest
	if err := g.Check(); err != nil {
		return f.read, &BadRecord{Err: err}
	}
	return f.read, nil
}

func (f *blockFile) nextBlock() error {
	if len(f.rest) > 0 {
		n := len(f.rest)
		f.rest = nil
		return &BadRecord{Err: fmt.Errorf("%d bytes behind the last game of a block", n)}
	}
	at := f.scanner.at
	head, payload, damaged, err := f.scanner.next()
	if err != nil {
		return err
	}
	if damaged > 0 {
		f.scanner.at = f.scanner.end - blockHeadSize - int64(head.length) // this block again, next time
		return &BadRecord{Err: fmt.Errorf("damaged: the next %d bytes, from %d on", damaged, at)}
	}
	if f.block, err = f.zstd.DecodeAll(payload, f.block[:0]); err != nil {
		f.read += int64(head.games)
		return &BadRecord{Err: err}
	}
	f.rest, f.left = f.block, head.games
	return nil
}

func (f *blockFile) cut() int64 { return f.scanner.size - f.scanner.end }

func (f *blockFile) offset() int64 { return f.scanner.at }

func (f *blockFile) close() error {
	f.zstd.Close()
	return f.file.Close()
}
