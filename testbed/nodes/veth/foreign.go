package veth

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// entries are all that rocelab makes in a testbed's folder.
var entries = []string{"containers", goneFolder, "control", currentFile, "lock", "log", "net", "page", stateFile}

// goneFolder is the name of the folder of containers while its testbed is taken away.
const goneFolder = "containers.gone"

// foreignError reports that something in the folder of testbeds is not rocelab's.
type foreignError struct{ path, why string }

func (e *foreignError) Error() string {
	return fmt.Sprintf("%s is not a testbed's folder (%s) and stays: ROCELAB_RUN must name a folder that is only "+
		"for testbeds",
		e.path, e.why)
}

// checkForeign refuses a folder that was not made for a testbed. Records may be damaged or missing, so it goes by the
// names in it: rocelab never makes others. A folder without any must be private, as rocelab makes it.
func checkForeign(dir string, info fs.FileInfo) error {
	if !info.IsDir() {
		return &foreignError{dir, "it is a file"}
	}
	found, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range found {
		if !slices.Contains(entries, strings.TrimSuffix(e.Name(), partSuffix)) {
			return &foreignError{dir, fmt.Sprintf("a testbed has no %q", e.Name())}
		}
	}
	if len(found) == 0 && info.Mode().Perm()&0o077 != 0 {
		return &foreignError{dir, fmt.Sprintf("it is empty and has mode %04o", info.Mode().Perm())}
	}
	return nil
}
