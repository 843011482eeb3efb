//go:build linux

package main

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
)

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
