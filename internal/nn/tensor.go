package nn

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// Integer is the types of quantised weights.
type Integer interface{ int8 | int16 | int32 }

// typeName returns the type's name in a file.
func typeName[T Integer]() string { return fmt.Sprintf("%T", T(0)) }

// NewTensor returns the weights as a tensor; the shape multiplies to their number.
func NewTensor[T Integer](name string, scale float64, data []T, shape ...int) Tensor {
	size := int(unsafe.Sizeof(T(0)))
	t := Tensor{Name: name, Shape: shape, Type: typeName[T](), Scale: scale, Data: make([]byte, 0, size*len(data))}
	for _, x := range data {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], uint64(x))
		t.Data = append(t.Data, word[:size]...)
	}
	return t
}

// Values returns the weights of the named tensor and their scale. It is an error when the file lacks the tensor or it has another
// type or shape.
func Values[T Integer](f *File, name string, shape ...int) ([]T, float64, error) {
	i := slices.IndexFunc(f.Tensors, func(t Tensor) bool { return t.Name == name })
	if i < 0 {
		return nil, 0, fmt.Errorf("%s net without weights %q", f.Kind, name)
	}
	t := &f.Tensors[i]
	size, count := int(unsafe.Sizeof(T(0))), 1
	for _, n := range shape {
		count *= n
	}
	if t.Type != typeName[T]() || !slices.Equal(t.Shape, shape) || len(t.Data) != count*size {
		return nil, 0, fmt.Errorf("%s net: weights %q are %s %v in %d bytes, want %s %v",
			f.Kind, name, t.Type, t.Shape, len(t.Data), typeName[T](), shape)
	}
	if !(t.Scale > 0) || math.IsInf(t.Scale, 0) {
		return nil, 0, fmt.Errorf("%s net: weights %q have the scale %v", f.Kind, name, t.Scale)
	}
	out := make([]T, count)
	for i := range out {
		var word [8]byte
		copy(word[:], t.Data[i*size:(i+1)*size])
		out[i] = T(binary.LittleEndian.Uint64(word[:]))
	}
	return out, t.Scale, nil
}

// TensorReader reads the tensors of a file one after the other and keeps the first error.
type TensorReader struct {
	file *File
	err  error
}

// NewTensorReader returns a reader of the file's tensors.
func NewTensorReader(f *File) *TensorReader { return &TensorReader{file: f} }

// Err returns the first error of all reads.
func (r *TensorReader) Err() error { return r.err }

// Read returns the weights of the named tensor, nil after an error. The tensor must have the type T, the scale and the shape, and no
// weight beyond ±limit.
func Read[T Integer](r *TensorReader, name string, scale float64, limit int32, shape ...int) []T {
	if r.err != nil {
		return nil
	}
	w, stored, err := Values[T](r.file, name, shape...)
	switch {
	case err != nil:
		r.err = err
	case stored != scale:
		r.err = fmt.Errorf("%s net: weights %q in steps of 1/%v, want 1/%v", r.file.Kind, name, stored, scale)
	case Largest(w) > float64(limit):
		r.err = fmt.Errorf("%s net: a weight of %q is larger than %d steps", r.file.Kind, name, limit)
	default:
		return w
	}
	return nil
}
