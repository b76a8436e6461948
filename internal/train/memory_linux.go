package train

import "golang.org/x/sys/unix"

// adviseHugePages asks for huge pages behind the memory. It is only a hint, so an error is no reason to fail.
func adviseHugePages(memory []byte) { _ = unix.Madvise(memory, unix.MADV_HUGEPAGE) }
