package engine

// version is set by .ci/release through the linker; a plain build has the number of the release that is being worked on.
var version = "0.1"

// Version returns the version of this program: that of its release, such as "0.1", without a leading v.
func Version() string { return version }
