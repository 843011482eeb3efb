// Package suite is run by the tests of program: a suite that runs a program.
package suite

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/specs/program"
)

func TestSmall(t *testing.T) {
	folder := t.TempDir()
	if err := program.Build(folder, []string{"specs/program/testdata/small"}); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(filepath.Join(folder, "small")).Output(); err != nil || len(out) == 0 {
		t.Errorf("%q, %v", out, err)
	}
}
