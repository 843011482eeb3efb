//go:build !linux

package campaign

import "os"

// toDisk has the folder be on the disk.
var toDisk = func(_ *os.File, folder string) error { return syncFiles(folder) }
