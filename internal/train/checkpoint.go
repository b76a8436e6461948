package train

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
)

// A checkpoint file is, one after the other:
//
//	magic     the line below
//	length    of the header, 4 bytes, little-endian
//	header    JSON: whose checkpoint it is, how far the run is, and the tables' names and sizes
//	tables    each: weights, first moments, second moments (float32), steps of the rows (uint32); little-endian
//	checksum  SHA-256 of all before
const checkpointMagic = "yomi-checkpoint-1\n"

// maxHeader is the largest header in bytes; a curve of 100 epochs needs a few megabytes.
const maxHeader = 64 << 20

// identity tells for which job a checkpoint is good.
type identity struct {
	Config Config `json:"config"`
	// Positions and Data are number and hash of the training positions.
	Positions int    `json:"positions"`
	Data      uint64 `json:"data"`
	// Start is the SHA-256 of the file that the run began with, "" for random weights.
	Start string `json:"start,omitempty"`
}

// header begins a checkpoint.
type header struct {
	Identity identity     `json:"identity"`
	State    state        `json:"state"`
	Tables   []tableShape `json:"tables"`
}

type tableShape struct {
	Name    string `json:"name"`
	Weights int    `json:"weights"`
	Width   int    `json:"width"`
}

func shapesOf(tables []*table) []tableShape {
	var shapes []tableShape
	for _, t := range tables {
		shapes = append(shapes, tableShape{t.name, len(t.w), t.width})
	}
	return shapes
}

// save writes the checkpoint under another name first, so that a crash leaves the old one or the new one whole.
func (r *run) save() error {
	if r.Checkpoint == "" {
		return nil
	}
	return WriteFile(r.Checkpoint, func(w io.Writer) error {
		return writeCheckpoint(w, &header{r.identity, r.state, shapesOf(r.tables)}, r.tables)
	})
}

// WriteFile writes a file under a temporary name and renames it when it is complete and on the disk.
func WriteFile(path string, write func(io.Writer) error) error {
	temporary := path + ".new"
	f, err := os.Create(temporary)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	err = errors.Join(write(w), w.Flush(), f.Sync(), f.Close())
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return os.Rename(temporary, path)
}

func writeCheckpoint(out io.Writer, h *header, tables []*table) error {
	sum := sha256.New()
	w := io.MultiWriter(out, sum)
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	start := binary.LittleEndian.AppendUint32([]byte(checkpointMagic), uint32(len(text)))
	if _, err := w.Write(append(start, text...)); err != nil {
		return err
	}
	for _, t := range tables {
		for _, x := range []any{t.w, t.m, t.v, t.steps} {
			if err := binary.Write(w, binary.LittleEndian, x); err != nil {
				return err
			}
		}
	}
	_, err = out.Write(sum.Sum(nil))
	return err
}

// load reads the checkpoint into the run; it must be of the same job.
func (r *run) load() error {
	f, err := os.Open(r.Checkpoint)
	if err != nil {
		return err
	}
	defer f.Close()
	in := newHashReader(f)
	h, err := readHeader(in)
	if err == nil && h.Identity != r.identity {
		err = differs(&h.Identity, &r.identity)
	}
	if err == nil {
		err = readTables(in, h, r.tables)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.Checkpoint, err)
	}
	r.state = h.State
	return nil
}

// differs says why a checkpoint cannot continue this job.
func differs(theirs, ours *identity) error {
	if theirs.Config != ours.Config {
		a, _ := json.Marshal(theirs.Config) // numbers and a string: cannot fail
		b, _ := json.Marshal(ours.Config)
		return fmt.Errorf("the checkpoint is of a run with other settings: %s, now %s", a, b)
	}
	if theirs.Start != ours.Start {
		return fmt.Errorf("the checkpoint is of a run that began with other weights: SHA-256 %q, now %q", theirs.Start, ours.Start)
	}
	return fmt.Errorf("the checkpoint is of a run with other positions: %d of them, now %d", theirs.Positions, ours.Positions)
}

// hashReader hashes what is read from it.
type hashReader struct {
	in  *bufio.Reader
	sum hash.Hash
}

func newHashReader(in io.Reader) *hashReader {
	return &hashReader{bufio.NewReaderSize(in, 1<<20), sha256.New()}
}

// Read implements io.Reader.
func (r *hashReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.sum.Write(p[:n])
	return n, err
}

func readHeader(in io.Reader) (*header, error) {
	start := make([]byte, len(checkpointMagic)+4)
	if _, err := io.ReadFull(in, start); err != nil || string(start[:len(checkpointMagic)]) != checkpointMagic {
		return nil, errors.New("not a checkpoint")
	}
	size := binary.LittleEndian.Uint32(start[len(checkpointMagic):])
	if size > maxHeader {
		return nil, fmt.Errorf("damaged checkpoint: a header of %d bytes", size)
	}
	var text bytes.Buffer
	if n, err := io.CopyN(&text, in, int64(size)); err != nil {
		return nil, fmt.Errorf("damaged checkpoint: its header ends after %d of %d bytes", n, size)
	}
	h := new(header)
	if err := json.Unmarshal(text.Bytes(), h); err != nil {
		return nil, fmt.Errorf("damaged checkpoint: %w", err)
	}
	return h, nil
}

// readTables reads the tables and checks the checksum.
func readTables(in *hashReader, h *header, tables []*table) error {
	if fmt.Sprint(h.Tables) != fmt.Sprint(shapesOf(tables)) {
		return fmt.Errorf("the checkpoint has other tables: %v, want %v", h.Tables, shapesOf(tables))
	}
	for _, t := range tables {
		for _, x := range []any{t.w, t.m, t.v, t.steps} {
			if err := binary.Read(in, binary.LittleEndian, x); err != nil {
				return fmt.Errorf("damaged checkpoint: table %q is cut", t.name)
			}
		}
	}
	want := in.sum.Sum(nil)
	got := make([]byte, sha256.Size+1)
	if n, _ := io.ReadFull(in.in, got); n != sha256.Size || !bytes.Equal(got[:n], want) {
		return errors.New("damaged checkpoint: its checksum is wrong")
	}
	return nil
}

// Finished reports whether the file is the checkpoint of a run that is complete. A file that does not exist is an error.
func Finished(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	h, err := readHeader(bufio.NewReader(f))
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return h.State.Epoch >= h.Identity.Config.Epochs, nil
}
