package engine

import "golang.org/x/sys/unix"

// machineMB returns the most memory in MB that a tree may take here: three quarters of the machine's; 0 when that is not known.
func machineMB() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return int64(uint64(info.Totalram) * uint64(info.Unit) >> 20 * 3 / 4)
}
