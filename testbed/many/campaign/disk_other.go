//go:build !linux

package campaign

import "os"

// toDisk brings the folder onto the disk.
var toDisk = func(_ *os.File, folder string) error { return syncFiles(folder) }
