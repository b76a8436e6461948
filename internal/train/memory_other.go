//go:build !linux

package train

// adviseHugePages does nothing where huge pages cannot be asked for without cgo.
func adviseHugePages([]byte) {}
