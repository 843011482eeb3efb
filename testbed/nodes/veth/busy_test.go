package veth

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
)

func TestBusyWhileARunHoldsTheLock(t *testing.T) { holdsTheLock(t, t.TempDir()) }

// On overlayfs, which is the root of most containers, the kernel's list of locks has another device than the file.
// Tier: everyday, root.
func TestBusyOnOverlayfs(t *testing.T) {
	tier.Root(t, "overlayfs")
	holdsTheLock(t, overlay(t))
}

// overlay mounts an overlayfs, such as the root of a container is.
func overlay(t *testing.T) string {
	t.Helper()
	around := t.TempDir()
	if err := unix.Mount("tmpfs", around, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("this host mounts no tmpfs: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(around, unix.MNT_DETACH) })
	for _, name := range []string{"upper", "work", "merged"} {
		if err := os.Mkdir(filepath.Join(around, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	merged := filepath.Join(around, "merged")
	// Of layers on two file systems a file has the device of its own, and its lock that of the overlay.
	options := fmt.Sprintf("lowerdir=%[2]s,upperdir=%[1]s/upper,workdir=%[1]s/work,xino=off", around, t.TempDir())
	if err := unix.Mount("overlay", merged, "overlay", 0, options); err != nil {
		t.Skipf("this host mounts no overlayfs: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(merged, unix.MNT_DETACH) })
	return merged
}

// holdsTheLock looks at a testbed before, during and after a run.
func holdsTheLock(t *testing.T, root string) {
	t.Setenv("ROCELAB_RUN", root)
	s := &State{Name: "x"}
	if err := os.Mkdir(s.Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	if s.Busy() {
		t.Error("busy before the first run")
	}
	lock, err := s.lock()
	if err != nil {
		t.Fatal(err)
	}
	if !s.Busy() {
		t.Error("idle during a run")
	}
	if got := s.runner(); got != os.Getpid() {
		t.Errorf("process %d holds the lock, want %d", got, os.Getpid())
	}
	if _, err := s.lock(); err == nil {
		t.Error("two runs hold the lock")
	}
	lock.Close()
	if s.Busy() {
		t.Error("busy after the run")
	}
	again, err := s.lock()
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

// A lock with an unknown holder counts as held: the content of the file is believed only if the process named in it has
// the file open.
func TestWhoHoldsTheLockIsNotBelievedOfAFile(t *testing.T) {
	t.Setenv("ROCELAB_RUN", t.TempDir())
	s := saved(t, "x")
	lock, err := s.lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	for _, text := range []string{"", "process 1, descriptor 0\n", "process -5, descriptor 0\n", "nonsense"} {
		if err := lock.Truncate(0); err != nil {
			t.Fatal(err)
		}
		if _, err := lock.WriteAt([]byte(text), 0); err != nil {
			t.Fatal(err)
		}
		if got := s.runner(); got != unknownRunner || !s.Busy() {
			t.Errorf("%q: process %d holds it", text, got)
		}
	}
	if _, err := Attach("x"); err == nil || !strings.Contains(err.Error(), "PID namespace") {
		t.Error(err)
	}
}
