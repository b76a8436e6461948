// Package journal keeps what long work has done: an append-only file of JSON lines. A line is on the disk when Append returns, a last
// line that was cut when the writer was killed is left out by Read and cut off by Open, and no two programs write to the same file.
package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrLocked is the error of Lock, and with it of Create and Open, when another program writes to the file.
var ErrLocked = errors.New("another program is writing to it")

// Read gives each whole line of in to take, with its line feed, and returns their length together. An error, of in or of take, gets the
// name of the file and the number of the line.
func Read(name string, in io.Reader, take func(line []byte) error) (whole int64, err error) {
	r := bufio.NewReader(in)
	for number := 1; ; number++ {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return whole, nil // line is empty, or one that was cut
		}
		if err == nil {
			err = take(line)
		}
		if err != nil {
			return whole, fmt.Errorf("%s, line %d: %w", name, number, err)
		}
		whole += int64(len(line))
	}
}

// Writer is a journal open for writing.
type Writer struct{ file *os.File }

// Create makes a journal with its first line. An existing file is an error, os.ErrExist.
func Create(path string, first any) (*Writer, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	w := &Writer{file}
	if err := Lock(file); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	if err := w.Append(first); err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(path)) // without its first line it is in the way of the next try
	}
	return w, nil
}

// Open opens a journal to go on behind its last whole line. read reads it and returns the length of the whole lines, as Read does. A
// missing file is made when create is set; otherwise it is an error, os.ErrNotExist.
func Open(path string, create bool, read func(in io.Reader) (whole int64, err error)) (*Writer, error) {
	flags := os.O_RDWR | os.O_APPEND
	if create {
		flags |= os.O_CREATE
	}
	file, err := os.OpenFile(path, flags, 0o644)
	if err != nil {
		return nil, err
	}
	whole := int64(0)
	if err = Lock(file); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	} else if whole, err = read(file); err == nil {
		err = file.Truncate(whole)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Writer{file}, nil
}

// Append writes a value as a line.
func (w *Writer) Append(value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if _, err := w.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return w.file.Sync()
}

// Close closes the file.
func (w *Writer) Close() error { return w.file.Close() }
