//go:build !linux || mem

package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/rocelab/rocelab/plugins/cc"
)

// Algorithm prints what the program is and that it serves on Linux, and exits with
// code 2.
func Algorithm(a cc.Algorithm) {
	fmt.Fprint(os.Stderr, introduction(filepath.Base(os.Args[0]), a.Describe()))
	fmt.Fprintf(os.Stderr, "\nPlugins need Linux, and this is %s.\n", runtime.GOOS)
	os.Exit(2)
}
