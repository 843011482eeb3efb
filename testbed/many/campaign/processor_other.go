//go:build !unix

package campaign

import "time"

// ProcessorTime is 0: this system is not asked.
func ProcessorTime() time.Duration { return 0 }
