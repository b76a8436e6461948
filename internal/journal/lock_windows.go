package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Lock takes the file's lock, which goes with the process or when the file is closed. It does not wait: the error is ErrLocked when
// another program, or another open file of this one, has it.
func Lock(file *os.File) error {
	// On Windows a locked part cannot be read by others, so it is a byte far behind the end that is locked.
	const farBehind = 1 << 30 // the upper half of the offset
	part := windows.Overlapped{OffsetHigh: farBehind}
	err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &part)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}
