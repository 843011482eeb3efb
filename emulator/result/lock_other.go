//go:build !linux && !darwin

package result

import (
	"errors"
	"os"
)

// TryLock takes no lock: this system offers no way to find out whether a folder's writer is alive.
func TryLock(*os.File) error { return errors.ErrUnsupported }
