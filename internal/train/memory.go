package train

import "unsafe"

// hugePage is the size of a huge page where there are some.
const hugePage = 2 << 20

// newFloats returns n zeros, in huge pages if the system has them: rows of large tables are read in random order, and with small
// pages most reads would also miss the processor's table of pages.
func newFloats(n int) []float32 {
	x := make([]float32, n)
	const size = int(unsafe.Sizeof(x[0]))
	if n*size < 2*hugePage {
		return x
	}
	memory := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), n*size)
	toBoundary := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) & (hugePage - 1)
	whole := memory[toBoundary:]
	adviseHugePages(whole[:len(whole)&^(hugePage-1)])
	return x
}
