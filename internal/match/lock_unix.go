//go:build unix

package match

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lock keeps a second program from writing to the same journal. The lock goes with the process.
func lock(file *os.File) error {
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return fmt.Errorf("%s: another program is playing this match (%w)", file.Name(), err)
	}
	return nil
}
