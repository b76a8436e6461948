//go:build !linux

package engine

// machineMB returns the most memory in MB that a tree may take here; 0 when that is not known.
func machineMB() int64 { return 0 }
