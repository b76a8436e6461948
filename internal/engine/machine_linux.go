package engine

import "golang.org/x/sys/unix"

// MachineMB returns the most memory in MB that a search may take on this machine: three quarters of the machine's; 0 when that is not known.
func MachineMB() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return int64(uint64(info.Totalram) * uint64(info.Unit) >> 20 * 3 / 4)
}
