//go:build !unix

package campaign

import (
	"io/fs"
	"time"
)

// isOwn is true: this system is not asked.
func isOwn(fs.FileInfo) bool { return true }

// ProcessorTime is 0: this system is not asked.
func ProcessorTime() time.Duration { return 0 }
