//go:build !unix

package bench

import "time"

// processorTime returns 0: it is measured on Unix alone.
func processorTime() time.Duration { return 0 }
