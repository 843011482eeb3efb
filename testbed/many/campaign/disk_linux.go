package campaign

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// toDisk has the folder be on the disk: the whole file system's changes, of which a file was
// opened before any of them was made. That is one wait, where each of a run's twenty files
// had one.
var toDisk = func(opened *os.File, folder string) error {
	err := unix.Syncfs(int(opened.Fd()))
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) { // a sandbox without it
		return syncFiles(folder)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written to the disk: %w", folder, err)
	}
	return nil
}
