//go:build !linux

package nodehash

// adviseHugePages does nothing where huge pages cannot be asked for without cgo.
func adviseHugePages([]byte) {}
