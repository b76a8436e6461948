//go:build unix

package record

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lock keeps a second program from writing to the same file. The lock goes with the process.
func lock(file *os.File) error {
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return fmt.Errorf("another program is writing to it (%w)", err)
	}
	return nil
}
