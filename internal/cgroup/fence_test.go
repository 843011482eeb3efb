//go:build linux

package cgroup

import (
	"path/filepath"
	"strings"
	"testing"
)

// In version 2 a cgroup with processes in it, such as the outermost one of a privileged container, gives its children
// no limits. The error names that reason, not a missing file.
func TestParentHoldsProcesses(t *testing.T) {
	parent := t.TempDir() // where no file for a limit comes into being either
	tree := Hierarchy{
		Unified:     true,
		Controllers: []string{"memory", "pids"},
		Mount:       parent,
		Own:         parent,
		Parent:      parent,
	}
	fence, err := At([]Hierarchy{tree}, "rocelab@plugin-1-1")
	if err != nil {
		t.Fatal(err)
	}
	if folders := fence.Folders(); len(folders) != 1 || filepath.Dir(folders[0]) != parent {
		t.Errorf("%q", folders)
	}
	err = fence.Make(Limits{Memory: 1 << 20, Tasks: 5})
	if err == nil || !strings.Contains(err.Error(), parent+" holds processes") {
		t.Error(err)
	}
	if err := fence.Remove(); err != nil {
		t.Error(err)
	}
}
