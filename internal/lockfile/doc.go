// Package lockfile keeps two programs from writing to the same file.
package lockfile

import "errors"

// ErrLocked is the error of Take when another program has the lock.
var ErrLocked = errors.New("another program is writing to it")
