//go:build !linux && !darwin

package result

import (
	"errors"
	"os"
)

// TryLock takes no lock: nobody can tell here whether a folder's writer is alive.
func TryLock(*os.File) error { return errors.ErrUnsupported }
