package policy

import (
	_ "embed" // for the default net
	"sync"
)

//go:embed default.nn
var defaultFile []byte

// Default returns the net that the binary carries. It is unpacked once, at the first call, and shared.
func Default() *Net { return defaultNet() }

var defaultNet = sync.OnceValue(func() *Net {
	net, err := DecodeNet(defaultFile)
	if err != nil {
		panic("the embedded policy net: " + err.Error()) // TestDefault reads it
	}
	return net
})
