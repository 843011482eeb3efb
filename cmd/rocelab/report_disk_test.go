//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
)

// Whatever the room on a disk, more of it never costs a result that less of it had kept: all of a run is written before
// its page. Tier: everyday, root.
func TestThePageTakesNoRoomFromTheRun(t *testing.T) {
	tier.Root(t, "a disk of its own")
	s := newShell(t)
	if err := os.Mkdir("small", 0o777); err != nil {
		t.Fatal(err)
	}
	kept, pages := 0, 0
	for size := 96; size <= 480; size += 16 {
		if err := unix.Mount("tmpfs", "small", "tmpfs", 0, fmt.Sprintf("size=%dk", size)); err != nil {
			t.Skipf("this host mounts no tmpfs: %v", err)
		}
		want := 4
		if kept > 0 {
			want = 0
		}
		var stdout, stderr bytes.Buffer
		got := execute(s.ctx, strings.Fields("run incast.yaml --out small/run --variant fixed"), &stdout, &stderr)
		switch {
		case got == 0:
			kept++
			s.run(0, "rerun", "small/run")
		case got != 4 || want == 0:
			t.Errorf("%d KB: exit code %d, %s", size, got, stderr.String())
		}
		if exists("small/run/report.html") {
			pages++
		} else if got == 0 && !strings.Contains(stderr.String(), "no report.html is written") {
			t.Errorf("%d KB: the page is not there, and that is not said: %s", size, stderr.String())
		}
		if left, err := filepath.Glob("small/*.part"); len(left) > 0 || err != nil {
			t.Errorf("%d KB: left is %v, %v", size, left, err)
		}
		if err := unix.Unmount("small", 0); err != nil {
			t.Fatal(err)
		}
	}
	if kept == pages || pages == 0 {
		t.Errorf("%d runs are kept, %d with a page: the sizes prove nothing", kept, pages)
	}
}

// A disk without room for the contents of a pack is the host's fault and not the pack's. Tier: everyday, root.
func TestNoRoomForAPack(t *testing.T) {
	tier.Root(t, "a disk of its own")
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--out", "one", "--variant", "fixed")
	s.run(0, "pack", "one", "--out", "one.zip")
	small := t.TempDir()
	if err := unix.Mount("tmpfs", small, "tmpfs", 0, "size=16k"); err != nil {
		t.Skipf("this host mounts no tmpfs: %v", err)
	}
	defer unix.Unmount(small, 0)
	t.Setenv("TMPDIR", small)
	s.run(4, "rerun", "one.zip")
	s.says(s.stderr, "no space left on device")
	if left, err := os.ReadDir(small); err != nil || len(left) > 0 {
		t.Errorf("left is %v, %v", left, err)
	}
}

// A disk that has no room for a page leaves the run without one, and the page that was there as it was.
// Tier: everyday, root.
func TestNoRoomForAPage(t *testing.T) {
	tier.Root(t, "a disk of its own")
	s := newShell(t)
	if err := os.Mkdir("small", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", "small", "tmpfs", 0, "size=160k"); err != nil {
		t.Skipf("this host mounts no tmpfs: %v", err)
	}
	defer unix.Unmount("small", 0)
	s.run(0, "run", "incast.yaml", "--out", "small/run", "--variant", "fixed")
	s.says(s.stderr, "no report.html is written: ")
	s.says(s.stderr, "no space left on device")
	if exists("small/run/report.html") || !exists("small/run/host.json") {
		t.Error("of the run there is not all but its page")
	}
	s.run(0, "report", "small/run", "-o", "page.html")
	if err := os.WriteFile("small/page.html", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(4, "report", "small/run", "-o", "small/page.html")
	s.says(s.stderr, "no space left on device")
	if text, err := os.ReadFile("small/page.html"); err != nil || string(text) != "old" {
		t.Errorf("the page that was there is %q, %v", text, err)
	}
	entries, err := os.ReadDir("small")
	if err := errors.Join(err, os.Remove("small/page.html")); err != nil || len(entries) != 2 {
		t.Errorf("left are %v, %v", entries, err)
	}
}
