//go:build unix

package learn

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lock keeps a second program from writing to the same loop. The lock goes with the process.
func lock(file *os.File) error {
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return fmt.Errorf("another program is at this loop (%w)", err)
	}
	return nil
}
