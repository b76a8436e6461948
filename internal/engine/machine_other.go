//go:build !linux

package engine

// MachineMB returns the most memory in MB that a search may take on this machine; 0 when that is not known.
func MachineMB() int64 { return 0 }
