package container

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// What a killed prober left is cleared; what belongs to one that lives stays, and so does
// what only looks alike.
func TestClearProbes(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	trees, err := hierarchies()
	if err != nil {
		t.Skip(err)
	}
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	gone, here := dead.Process.Pid, os.Getpid()
	for id, stays := range map[string]bool{
		fmt.Sprintf("probe-%d-77", gone):    false,
		fmt.Sprintf("probe-%d-77", here):    true,
		fmt.Sprintf("probe-%d-77.h0", gone): true, // of a testbed
	} {
		folder := filepath.Join(os.TempDir(), "rocelab-"+id)
		group := filepath.Join(trees[0].Parent, cgroupName(id))
		for _, path := range []string{folder, group} {
			if err := os.Mkdir(path, 0o700); errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			defer os.Remove(path)
		}
		if err := ClearProbes(context.Background()); err != nil {
			t.Error(err)
		}
		for _, path := range []string{folder, group} {
			if _, err := os.Stat(path); (err == nil) != stays {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}
