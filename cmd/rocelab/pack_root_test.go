//go:build linux && !mem

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// On a machine root that has nothing but the program and the pack, without network and without
// rights, the runs are made again.
func TestPackOnAnEmptyMachine(t *testing.T) {
	tier.Slow(t)
	tier.Root(t, "another machine root")
	s := newShell(t)
	root, err := os.MkdirTemp("", "rocelab-empty-") // which everybody may enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(root, "rocelab"), ".")
	build.Dir, build.Env = startFolder, append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	s.write("x.yaml", pidnnOf)
	weightsHere(t, "files/own.txt")
	for _, line := range []string{"run x.yaml --out one --seeds 2", "pack one --out " + filepath.Join(root, "one.zip")} {
		if text, err := exec.Command(filepath.Join(root, "rocelab"), strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, text)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, "tmp"), 0o1777); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "proc"), 0o555); err != nil { // where a build reads who it is
		t.Fatal(err)
	}
	rerun := exec.Command("unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc="+filepath.Join(root, "proc"),
		"chroot", "--userspec=65534:65534", root, "/rocelab", "rerun", "/one.zip")
	rerun.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}
	text, err := rerun.CombinedOutput()
	const end = " files of 4 runs, to the byte\nmade again and the same, too: report.html, README.md\n"
	if err != nil || !strings.Contains(string(text), "/one.zip: the same: ") || !strings.HasSuffix(string(text), end) {
		t.Errorf("%v\n%s", err, text)
	}
	if left, err := os.ReadDir(filepath.Join(root, "tmp")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
