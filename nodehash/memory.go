package nodehash

import "unsafe"

const pageBytes = 4096

// Memory returns n zero elements in memory that is in huge pages where the system offers them, and touched, so that its
// first use does not wait for the system. E should hold no pointers.
func Memory[E any](n int) []E {
	elements := make([]E, n)
	prepare(elements)
	return elements
}

// prepare asks for huge pages for a slice that was just made and touches each of its pages, so that the system provides
// them now. The slice is all zeros before and after.
func prepare[E any](elements []E) {
	if len(elements) == 0 {
		return
	}
	memory := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(elements))), uintptr(len(elements))*unsafe.Sizeof(elements[0]))
	if len(memory) < 2*pageBytes {
		return
	}
	toBoundary := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) & (pageBytes - 1)
	whole := memory[toBoundary:]
	whole = whole[:len(whole)&^(pageBytes-1)]
	adviseHugePages(whole)
	for i := 0; i < len(whole); i += pageBytes {
		whole[i] = 0
	}
}
