package record

import (
	"bufio"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// input is a file that is read from its begin to its end, plain or zstd.
type input struct {
	file *os.File
	zstd *zstd.Decoder
	in   *bufio.Reader
}

// openInput opens a file; a name that ends in .zst tells that it is compressed.
func openInput(path string) (*input, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	i := &input{file: file}
	var in io.Reader = file
	if strings.HasSuffix(path, ".zst") {
		if i.zstd, err = zstd.NewReader(file, zstd.WithDecoderConcurrency(1)); err != nil {
			file.Close()
			return nil, err
		}
		in = i.zstd
	}
	i.in = bufio.NewReaderSize(in, 1<<20)
	return i, nil
}

// offset returns how many bytes of the file were taken.
func (i *input) offset() int64 {
	at, err := i.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return at
}

func (i *input) close() error {
	if i.zstd != nil {
		i.zstd.Close()
	}
	return i.file.Close()
}
