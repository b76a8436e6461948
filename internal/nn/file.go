// Package nn is the file format of the policy and value nets, and the arithmetic that turns trained float32 weights into the
// small integers that they are played with.
//
// A net file is one MessagePack object, usually compressed with zstd:
//
//	envelope  format "yomi-net-1", SHA-256 of the body, body
//	body      kind, architecture, feature set, sizes, tensors (name, shape, type, scale, data), and how it was trained
//
// It describes itself: a program that knows MessagePack can list and read all tensors. A tensor's number x stands for x/scale.
package nn

import "encoding/hex"

//go:generate go tool msgp -file file.go -o file_gen.go -tests=false -io=false -unexported
//msgp:limit arrays:4096 maps:64

// File is a net with what is to be known about it.
type File struct {
	// Kind is "policy" or "value".
	Kind string `msg:"kind"`
	// Architecture names the way from inputs to output, for example "pairs-64". A program reads only those that it knows.
	Architecture string `msg:"architecture"`
	// Features names the meaning of the input rows; weights are useless with any other meaning.
	Features string `msg:"features"`
	// Sizes are the widths of the layers by name.
	Sizes []Number `msg:"sizes"`
	// EvalCoef is the score, in hundredths of a pawn, at which the net's win rate is 1/(1+1/e); 0 when a net has no score.
	EvalCoef float64 `msg:"eval_coef"`
	// Provenance says in words which data and which command the net comes from.
	Provenance string `msg:"provenance"`
	// Constants are search constants tuned with the net, by option name. Empty: the search's own.
	Constants []Number `msg:"constants"`
	// Tensors are the weights.
	Tensors []Tensor `msg:"tensors"`

	sum [32]byte `msg:"-"` // SHA-256 of the body that the file was read from
}

// Fingerprint returns 16 hexadecimal digits that tell this file's content from others, zeros for one that was not read from a file.
func (f *File) Fingerprint() string { return hex.EncodeToString(f.sum[:8]) }

// Number is a number with a name. Lists of them keep their order, so a net always gives the same file.
type Number struct {
	Name  string  `msg:"name"`
	Value float64 `msg:"value"`
}

// Tensor is an array of weights.
type Tensor struct {
	// Name is the weights' name in the architecture.
	Name string `msg:"name"`
	// Shape is the size of each dimension, the slowest first.
	Shape []int `msg:"shape"`
	// Type is "int8", "int16" or "int32", stored little-endian.
	Type string `msg:"type"`
	// Scale is how many steps stand for 1.0.
	Scale float64 `msg:"scale"`
	Data  []byte  `msg:"data,limit=268435456"`
}

// envelope is what is stored: the body with its checksum.
type envelope struct {
	Format string `msg:"format"`
	SHA256 []byte `msg:"sha256,limit=32"`
	Body   []byte `msg:"body,limit=268435456"`
}

// format is the envelope's format name.
const format = "yomi-net-1"

// find returns the number with the name from a list, and whether it is there.
func find(list []Number, name string) (float64, bool) {
	for _, n := range list {
		if n.Name == name {
			return n.Value, true
		}
	}
	return 0, false
}

// Size returns a layer's width, 0 when the file does not name it.
func (f *File) Size(name string) int {
	x, _ := find(f.Sizes, name)
	return int(x)
}

// Constant returns a search constant and whether the file has it.
func (f *File) Constant(name string) (float64, bool) { return find(f.Constants, name) }
