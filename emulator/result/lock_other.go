//go:build !linux && !darwin

package result

import "os"

// tryLock takes no lock: nobody can tell here whether a folder's writer is alive.
func tryLock(*os.File) bool { return false }
