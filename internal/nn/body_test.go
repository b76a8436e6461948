package nn

import (
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzBody reads bodies whose checksum is right, whatever they hold, as a net of a known form.
func FuzzBody(f *testing.F) {
	file := File{Kind: "value", Sizes: []Number{{"hidden", 64}}, Tensors: []Tensor{NewTensor("w", 64, []int16{1, -2}, 1, 2)}}
	body, err := file.MarshalMsg(nil)
	require.NoError(f, err)
	f.Add(body)
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		raw, err := (&envelope{Format: format, SHA256: sum[:], Body: body}).MarshalMsg(nil)
		require.NoError(t, err)
		file, err := Decode(raw)
		if err != nil {
			return
		}
		r := NewTensorReader(file)
		w := Read[int16](r, "w", 64, 100, 1, 2)
		require.True(t, len(w) == 2 || r.Err() != nil)
		file.Size("hidden")
	})
}
