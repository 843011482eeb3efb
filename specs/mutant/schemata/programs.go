package schemata

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
)

// Programs builds the test programs of packages, such as ./specs/rules, of the module at root with an overlay, "" for
// none, into the folder. Program has their paths. An error has what the compiler printed.
func Programs(root, folder, overlay string, packages ...string) error {
	args := []string{"test", "-c", "-vet=off", "-ldflags=-w", "-overlay=" + overlay, "-o", folder + "/"}
	build := exec.Command("go", append(args, packages...)...)
	build.Dir = root
	out, err := build.CombinedOutput()
	if _, refused := errors.AsType[*exec.ExitError](err); refused {
		return refusal(out)
	}
	return err
}

// Program returns the path of a package's test program in the folder into which Programs built it.
func Program(folder, pkg string) string { return filepath.Join(folder, filepath.Base(pkg)+".test") }

// refusal is the go command's output if it cannot build a program.
type refusal string

func (r refusal) Error() string { return fmt.Sprintf("no program: %s", string(r)) }
