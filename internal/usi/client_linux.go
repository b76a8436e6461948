package usi

import "golang.org/x/sys/unix"

// pin keeps the process on one core. It is a wish: where it is refused, the process runs anywhere.
func pin(pid, cpu int) {
	var set unix.CPUSet
	set.Set(cpu)
	_ = unix.SchedSetaffinity(pid, &set)
}
