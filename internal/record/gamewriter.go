package record

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/yomi-shogi/yomi/internal/journal"
)

// GameWriter writes a file of games. It is for one goroutine at a time.
type GameWriter struct {
	// BlockSize is how many bytes of games, before compression, are collected for a block. 0 writes each game at once, and when
	// the output is a file that can, to the disk: then a kill or a power cut costs no finished game. Larger blocks take less room.
	BlockSize int

	out     io.Writer
	closer  io.Closer
	zstd    *zstd.Encoder
	games   int64
	waiting []byte
	count   int
	block   []byte
	err     error
}

// NewGameWriter begins a file of games on an output.
func NewGameWriter(out io.Writer) (*GameWriter, error) {
	if _, err := out.Write(fileHead[:]); err != nil {
		return nil, err
	}
	return newGameWriter(out)
}

func newGameWriter(out io.Writer) (*GameWriter, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, err
	}
	return &GameWriter{out: out, zstd: z}, nil
}

// AppendGames opens a file of games to write more, and makes it when it is missing. What follows the last whole block, a game that
// was being written when the program was killed, is cut off. Games tells how many are there already. A file that is open for
// writing elsewhere is refused where the system can tell.
func AppendGames(path string) (*GameWriter, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	w, err := appendGames(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	w.closer = file
	return w, nil
}

func appendGames(file *os.File) (*GameWriter, error) {
	if err := journal.Lock(file); err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	s, err := newBlockScanner(file, info.Size())
	if err != nil {
		return nil, err
	}
	var games int64
	for {
		head, _, _, err := s.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		games += int64(head.games)
	}
	end := s.end
	if end < int64(len(fileHead)) {
		end = 0
	}
	if err := file.Truncate(end); err != nil {
		return nil, err
	}
	if _, err := file.Seek(end, io.SeekStart); err != nil {
		return nil, err
	}
	open := newGameWriter
	if end == 0 {
		open = NewGameWriter
	}
	w, err := open(file)
	if err != nil {
		return nil, err
	}
	w.games = games
	return w, nil
}

// Games returns how many games the file has, those that wait for their block included.
func (w *GameWriter) Games() int64 { return w.games }

// Write adds a game. A game that Check refuses is not written, and the writer goes on. After any other error the writer is of no
// more use.
func (w *GameWriter) Write(g *Game) error {
	if w.err != nil {
		return w.err
	}
	if err := g.Check(); err != nil {
		return err
	}
	before := len(w.waiting)
	data, err := g.MarshalMsg(w.waiting)
	if err == nil && len(data)-before > maxGames {
		err = fmt.Errorf("a game of %d bytes, at most %d", len(data)-before, maxGames)
	}
	if err != nil {
		w.waiting = w.waiting[:before]
		return err
	}
	if len(data) > maxGames {
		game := append([]byte(nil), data[before:]...)
		w.waiting = data[:before]
		if err := w.Flush(); err != nil {
			return err
		}
		data = append(w.waiting, game...)
	}
	w.waiting = data
	w.count++
	w.games++
	if len(w.waiting) >= w.BlockSize {
		return w.Flush()
	}
	return nil
}

// Flush writes the games that wait for their block.
func (w *GameWriter) Flush() error {
	if w.err != nil || w.count == 0 {
		return w.err
	}
	var room [blockHeadSize]byte
	w.block = w.zstd.EncodeAll(w.waiting, append(w.block[:0], room[:]...))
	newBlockHead(w.block[blockHeadSize:], w.count).append(w.block[:0])
	w.waiting, w.count = w.waiting[:0], 0
	if _, w.err = w.out.Write(w.block); w.err != nil {
		return w.err
	}
	if file, ok := w.out.(interface{ Sync() error }); ok && w.BlockSize == 0 {
		w.err = file.Sync()
	}
	return w.err
}

// Close writes what is left. It closes the file that AppendGames opened.
func (w *GameWriter) Close() error {
	err := errors.Join(w.Flush(), w.zstd.Close())
	if w.closer != nil {
		err = errors.Join(err, w.closer.Close())
	}
	return err
}
