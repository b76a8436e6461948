package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Format is a file format of training records.
type Format int

// The formats.
const (
	PSV Format = iota
	HCPE
)

// FormatOf returns the format that a file's name tells: .psv or .hcpe, with or without .zst behind it.
func FormatOf(path string) (Format, error) {
	name := strings.TrimSuffix(path, ".zst")
	switch {
	case strings.HasSuffix(name, ".psv"):
		return PSV, nil
	case strings.HasSuffix(name, ".hcpe"):
		return HCPE, nil
	}
	return PSV, fmt.Errorf("%s: unknown record format, want a name ending in .psv or .hcpe (.zst)", path)
}

// Reader reads the samples of a file one after the other.
type Reader struct {
	path   string
	format Format
	file   *os.File
	zstd   *zstd.Decoder
	in     *bufio.Reader
	read   int64
}

// Open opens a file of training records, plain or zstd, its format told by its name.
func Open(path string) (*Reader, error) {
	format, err := FormatOf(path)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{path: path, format: format, file: file}
	var in io.Reader = file
	if strings.HasSuffix(path, ".zst") {
		if r.zstd, err = zstd.NewReader(file, zstd.WithDecoderConcurrency(1)); err != nil {
			file.Close()
			return nil, err
		}
		in = r.zstd
	}
	r.in = bufio.NewReaderSize(in, 1<<20)
	return r, nil
}

// Next returns the next sample, io.EOF behind the last. Other errors name the file and the record's number, counted from 1.
// A record that makes no sense does not end the file: the next call reads the one after it.
func (r *Reader) Next() (Sample, error) {
	var data [PSVSize]byte
	size := PSVSize
	if r.format == HCPE {
		size = HCPESize
	}
	if _, err := io.ReadFull(r.in, data[:size]); err != nil {
		if errors.Is(err, io.EOF) {
			return Sample{}, io.EOF
		}
		return Sample{}, fmt.Errorf("%s: record %d is cut: %w", r.path, r.read+1, err)
	}
	r.read++
	var s Sample
	var err error
	if r.format == HCPE {
		s, err = DecodeHCPE((*[HCPESize]byte)(data[:HCPESize]))
	} else {
		s, err = DecodePSV(&data)
	}
	if err != nil {
		return Sample{}, &BadRecord{Path: r.path, Number: r.read, Err: err}
	}
	return s, nil
}

// Close closes the file.
func (r *Reader) Close() error {
	if r.zstd != nil {
		r.zstd.Close()
	}
	return r.file.Close()
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
