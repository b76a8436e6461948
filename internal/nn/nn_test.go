package nn_test

import (
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/nn"
)

func example() *nn.File {
	return &nn.File{
		Kind: "value", Architecture: "a", Features: "f",
		Sizes: []nn.Number{{Name: "hidden", Value: 64}}, EvalCoef: 600, Provenance: "made by hand",
		Constants: []nn.Number{{Name: "C_init", Value: 1.44}},
		Tensors: []nn.Tensor{
			nn.NewTensor("bytes", 64, []int8{-127, 0, 1, 127, 5, 6}, 2, 3),
			nn.NewTensor("words", 1024, []int16{-32768, 32767}, 2),
			nn.NewTensor("longs", .5, []int32{-1 << 31, 1<<31 - 1, 77}, 3),
		},
	}
}

func TestRoundTrip(t *testing.T) {
	data, err := example().Encode()
	require.NoError(t, err)
	again, err := example().Encode()
	require.NoError(t, err)
	require.Equal(t, data, again, "the same net gives the same file")

	f, err := nn.Decode(data)
	require.NoError(t, err)
	require.EqualExportedValues(t, example(), f)
	require.Len(t, f.Fingerprint(), 16)
	require.NotEqual(t, example().Fingerprint(), f.Fingerprint())
	require.NoError(t, f.Expect("value", "a", "f"))
	require.Equal(t, 64, f.Size("hidden"))
	require.Zero(t, f.Size("width"))
	c, ok := f.Constant("C_init")
	require.True(t, ok)
	require.Equal(t, 1.44, c)

	bytes, scale, err := nn.Values[int8](f, "bytes", 2, 3)
	require.NoError(t, err)
	require.Equal(t, 64.0, scale)
	require.Equal(t, []int8{-127, 0, 1, 127, 5, 6}, bytes)
	words, _, err := nn.Values[int16](f, "words", 2)
	require.NoError(t, err)
	require.Equal(t, []int16{-32768, 32767}, words)
	longs, _, err := nn.Values[int32](f, "longs", 3)
	require.NoError(t, err)
	require.Equal(t, []int32{-1 << 31, 1<<31 - 1, 77}, longs)
}

// TestReadsUncompressed: a file that someone unpacked is still a net file.
func TestReadsUncompressed(t *testing.T) {
	data, err := example().Encode()
	require.NoError(t, err)
	f, err := nn.Decode(unpack(t, data))
	require.NoError(t, err)
	require.EqualExportedValues(t, example(), f)
}

func unpack(t testing.TB, data []byte) []byte {
	decoder, err := zstd.NewReader(nil)
	require.NoError(t, err)
	defer decoder.Close()
	raw, err := decoder.DecodeAll(data, nil)
	require.NoError(t, err)
	return raw
}

func TestRefuses(t *testing.T) {
	data, err := example().Encode()
	require.NoError(t, err)
	raw := unpack(t, data)
	for at := range raw {
		bad := append([]byte(nil), raw...)
		bad[at] ^= 0x40
		_, err := nn.Decode(bad)
		require.Error(t, err, "byte %d changed", at)
	}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "not a net file"},
		{[]byte("hello"), "not a net file"},
		{data[:len(data)-3], "not a net file, or a damaged one"},
		{append(append([]byte(nil), raw...), 0), "damaged net file: its checksum is wrong"},
		{[]byte(strings.Replace(string(raw), "made by hand", "made by mind", 1)), "damaged net file: its checksum is wrong"},
		{[]byte(strings.Replace(string(raw), "yomi-net-1", "yomi-net-2", 1)), `net file of format "yomi-net-2": this program reads "yomi-net-1"`},
	} {
		_, err := nn.Decode(c.data)
		require.ErrorContains(t, err, c.want)
	}
}

func TestRefusesOtherNets(t *testing.T) {
	f := example()
	require.EqualError(t, f.Expect("policy", "a", "f"), "the file holds a value net, not a policy net")
	require.EqualError(t, f.Expect("value", "b", "f"), `value net of architecture "a": this program plays "b"`)
	require.EqualError(t, f.Expect("value", "a", "g"), `value net for the features "f": this program has "g"`)
	_, _, err := nn.Values[int8](f, "none", 1)
	require.EqualError(t, err, `value net without weights "none"`)
	_, _, err = nn.Values[int8](f, "bytes", 3, 2)
	require.EqualError(t, err, `value net: weights "bytes" are int8 [2 3] in 6 bytes, want int8 [3 2]`)
	_, _, err = nn.Values[int16](f, "bytes", 2, 3)
	require.ErrorContains(t, err, "want int16 [2 3]")
	f.Tensors[0].Scale = 0
	_, _, err = nn.Values[int8](f, "bytes", 2, 3)
	require.EqualError(t, err, `value net: weights "bytes" have the scale 0`)
}

func TestQuantise(t *testing.T) {
	var costs nn.Costs
	got := nn.Quantise[int8](&costs, "w", []float32{0, .25, -.26, .99, 5, -5, .375}, 4, 15)
	require.Equal(t, []int8{0, 1, -1, 4, 15, -15, 2}, got)
	require.Len(t, costs, 1)
	c := costs[0]
	require.Equal(t, 7, c.Weights)
	require.Equal(t, 2, c.Clipped)
	require.InDelta(t, 1.25, c.Largest, 1e-6)
	require.Contains(t, costs.String(), "w             7 weights in steps of 1/4: rms change 0.66984, largest 1.25000, 2 clipped")
	require.Equal(t, 5.0, nn.Largest([]float32{1, -5, 3}))
}

func FuzzDecode(f *testing.F) {
	data, err := example().Encode()
	require.NoError(f, err)
	f.Add(data)
	f.Add(unpack(f, data))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := nn.Decode(data)
		if err != nil {
			return
		}
		again, err := file.Encode()
		require.NoError(t, err)
		_, err = nn.Decode(again)
		require.NoError(t, err)
	})
}
