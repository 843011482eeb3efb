//go:build !unix

package bench

import (
	"os"
)

// largestSet returns 0: it is measured on Unix only.
func largestSet(*os.ProcessState) int64 { return 0 }
