package veth

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
)

// A full file system for the state is reported, with a remedy, and half-written files do not stay. Older files are as
// before.
func TestFullStateFolderIsSaid(t *testing.T) {
	tier.Root(t, "mounting a small file system in memory")
	root := t.TempDir()
	if err := unix.Mount("none", root, "tmpfs", 0, "size=64k,mode=0700"); err != nil {
		t.Skip("this host mounts nothing: ", err)
	}
	t.Cleanup(func() { unix.Unmount(root, 0) })
	t.Setenv("ROCELAB_RUN", root)
	s := &Testbed{State: &State{Name: "one"}}
	if err := s.claim(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(s.path(stateFile))
	if err != nil {
		t.Fatal(err)
	}
	filler, err := os.Create(filepath.Join(root, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer filler.Close()
	for err == nil {
		_, err = filler.Write(make([]byte, 1<<12))
	}
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
	s.Ready = true
	err = stateError(s.save())
	if !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), "free space there: `df "+root) {
		t.Errorf("saved: %v", err)
	}
	if _, err := os.Stat(s.path(stateFile + ".part")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a file stays: %v", err)
	}
	if after, err := os.ReadFile(s.path(stateFile)); err != nil || string(after) != string(before) {
		t.Errorf("the state is %q now, was %q (%v)", after, before, err)
	}
	err = (&Testbed{State: &State{Name: "two"}}).claim()
	if !errors.Is(err, unix.ENOSPC) {
		t.Errorf("claimed: %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, "two")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what could not be claimed stays: %v", err)
	}
}
