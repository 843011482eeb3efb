//go:build !unix

package bench

import (
	"os"
	"time"
)

// processorTime returns 0: it is measured on Unix alone.
func processorTime() time.Duration { return 0 }

// largestSet returns 0: it is measured on Unix alone.
func largestSet(*os.ProcessState) int64 { return 0 }
