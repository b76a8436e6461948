package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// fileHead begins a file of games. Its last byte is the version.
var fileHead = [...]byte{'y', 'o', 'm', 'i', ' ', 'g', 'a', 'm', 'e', 's', 0, 1}

// blockMark begins a block, so that the next one is found behind a damaged one.
var blockMark = [...]byte{0xf7, 'Y', 'G', '\n'}

const (
	blockHeadSize = 20
	// maxBlock is the largest block in bytes, before and after compression; a writer puts at most maxGames bytes of games in one.
	maxBlock = 1 << 28
	maxGames = maxBlock / 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// blockHead is what stands before a block's payload.
type blockHead struct {
	// length is the payload's size in bytes, games how many it holds, sum its CRC-32C.
	length, games, sum uint32
}

func newBlockHead(payload []byte, games int) blockHead {
	return blockHead{uint32(len(payload)), uint32(games), crc32.Checksum(payload, castagnoli)}
}

func (h blockHead) append(b []byte) []byte {
	start := len(b)
	b = append(b, blockMark[:]...)
	b = binary.LittleEndian.AppendUint32(b, h.length)
	b = binary.LittleEndian.AppendUint32(b, h.games)
	b = binary.LittleEndian.AppendUint32(b, h.sum)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli))
}

// parseBlockHead reads the head of a block; ok is false for anything else.
func parseBlockHead(b []byte) (h blockHead, ok bool) {
	if len(b) < blockHeadSize || [4]byte(b) != blockMark ||
		binary.LittleEndian.Uint32(b[16:]) != crc32.Checksum(b[:16], castagnoli) {
		return h, false
	}
	h = blockHead{binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:]), binary.LittleEndian.Uint32(b[12:])}
	return h, h.length <= maxBlock
}

// blockScanner walks through the blocks of a file. What is no whole block is passed over.
type blockScanner struct {
	in   io.ReaderAt
	size int64
	// at is where the next block is looked for.
	at int64
	// end is where the last whole block ends.
	end     int64
	payload []byte
}

var errNoGames = errors.New("not a file of yomi's games")

// newBlockScanner begins behind the file's head. A file that was cut within the head has no blocks.
func newBlockScanner(in io.ReaderAt, size int64) (*blockScanner, error) {
	head := make([]byte, min(size, int64(len(fileHead))))
	if _, err := in.ReadAt(head, 0); err != nil && !(errors.Is(err, io.EOF) && len(head) == 0) {
		return nil, err
	}
	version := len(fileHead) - 1
	switch {
	case bytes.Equal(head, fileHead[:len(head)]):
	case len(head) == len(fileHead) && bytes.Equal(head[:version], fileHead[:version]):
		return nil, fmt.Errorf("version %d of yomi's games, this program knows %d", head[version], fileHead[version])
	default:
		return nil, errNoGames
	}
	return &blockScanner{in: in, size: size, at: int64(len(head)), end: int64(len(head))}, nil
}

// next returns the next block; its payload is valid until the next call. damaged is the number of bytes before it that are no
// whole block. Behind the last block the error is io.EOF; bytes that follow it are a block that was cut.
func (s *blockScanner) next() (head blockHead, payload []byte, damaged int64, err error) {
	begin := s.at
	for s.at+blockHeadSize <= s.size {
		head, ok, err := s.block()
		if err != nil {
			return head, nil, 0, err
		}
		if ok {
			damaged = s.at - begin
			s.at += blockHeadSize + int64(head.length)
			s.end = s.at
			return head, s.payload, damaged, nil
		}
		if err := s.seek(); err != nil {
			return head, nil, 0, err
		}
	}
	return blockHead{}, nil, 0, io.EOF
}

// block reads the block at s.at; ok is false when there is no whole one.
func (s *blockScanner) block() (head blockHead, ok bool, err error) {
	var b [blockHeadSize]byte
	if _, err := s.in.ReadAt(b[:], s.at); err != nil {
		return head, false, err
	}
	if head, ok = parseBlockHead(b[:]); !ok || s.at+blockHeadSize+int64(head.length) > s.size {
		return head, false, nil
	}
	if cap(s.payload) < int(head.length) {
		s.payload = make([]byte, head.length)
	}
	s.payload = s.payload[:head.length]
	if _, err := s.in.ReadAt(s.payload, s.at+blockHeadSize); err != nil && !errors.Is(err, io.EOF) {
		return head, false, err
	}
	return head, crc32.Checksum(s.payload, castagnoli) == head.sum, nil
}

// seek moves on to the next mark, or to the end.
func (s *blockScanner) seek() error {
	var window [1 << 12]byte
	for s.at++; s.at < s.size; {
		n, err := s.in.ReadAt(window[:min(int64(len(window)), s.size-s.at)], s.at)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if i := bytes.Index(window[:n], blockMark[:]); i >= 0 {
			s.at += int64(i)
			return nil
		}
		s.at += max(1, int64(n-len(blockMark)+1))
	}
	return nil
}
