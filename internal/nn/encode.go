package nn

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// maxUnpacked is the largest size of a net file without compression, in bytes.
const maxUnpacked = 256 << 20

// zstdMagic begins a zstd frame.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// Encode returns the file's bytes, compressed. The same net gives the same bytes.
func (f *File) Encode() ([]byte, error) {
	body, err := f.MarshalMsg(nil)
	if err != nil {
		return nil, fmt.Errorf("net file: %w", err)
	}
	sum := sha256.Sum256(body)
	e := envelope{Format: format, SHA256: sum[:], Body: body}
	raw, err := e.MarshalMsg(nil)
	if err != nil {
		return nil, fmt.Errorf("net file: %w", err)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("net file: %w", err)
	}
	return encoder.EncodeAll(raw, nil), encoder.Close()
}

// Decode reads a net file, compressed or not. It refuses what is no net file, is damaged or contradicts itself; whether the net
// is the one that is wanted is for Expect and Values to say.
func Decode(data []byte) (*File, error) {
	raw := data
	if bytes.HasPrefix(data, zstdMagic) {
		decoder, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, fmt.Errorf("net file: %w", err)
		}
		defer decoder.Close()
		if raw, err = decoder.DecodeAll(data, nil); err != nil {
			return nil, fmt.Errorf("not a net file, or a damaged one: %w", err)
		}
	}
	var e envelope
	rest, err := e.UnmarshalMsg(raw)
	if err != nil || e.Format == "" {
		return nil, errors.New("not a net file")
	}
	if e.Format != format {
		return nil, fmt.Errorf("net file of format %q: this program reads %q", e.Format, format)
	}
	sum := sha256.Sum256(e.Body)
	if len(rest) > 0 || !bytes.Equal(sum[:], e.SHA256) {
		return nil, errors.New("damaged net file: its checksum is wrong")
	}
	f := &File{sum: sum}
	if rest, err = f.UnmarshalMsg(e.Body); err != nil || len(rest) > 0 {
		return nil, errors.New("damaged net file: its body cannot be read")
	}
	return f, nil
}

// Expect returns an error unless the file holds a net of the kind, architecture and feature set.
func (f *File) Expect(kind, architecture, features string) error {
	switch {
	case f.Kind != kind:
		return fmt.Errorf("the file holds a %s net, not a %s net", f.Kind, kind)
	case f.Architecture != architecture:
		return fmt.Errorf("%s net of architecture %q: this program plays %q", kind, f.Architecture, architecture)
	case f.Features != features:
		return fmt.Errorf("%s net for the features %q: this program has %q", kind, f.Features, features)
	}
	return nil
}
