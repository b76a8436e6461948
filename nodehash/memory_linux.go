package nodehash

import "golang.org/x/sys/unix"

// adviseHugePages asks the kernel to back the memory with huge pages: a search in a large table then misses the TLB far
// less often. memory starts and ends at page boundaries. It is only a hint, so an error is no reason to fail.
func adviseHugePages(memory []byte) {
	_ = unix.Madvise(memory, unix.MADV_HUGEPAGE)
}
