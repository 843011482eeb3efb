package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/internal/patch"
	"github.com/rocelab/rocelab/specs/tier"
)

// Of runs by two builds, one of which halves DCQCN's g, the first frame is found with the other program, from either
// side; without it the instant is named, and the build that is needed. Tier: slow, it builds rocelab twice.
func TestDiffOfTwoBuilds(t *testing.T) {
	tier.Slow(t)
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	halved, err := patch.Read("testdata/halved-g.patch")
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := halved.Overlay(top, folder)
	if err != nil {
		t.Fatal(err)
	}
	one, other := filepath.Join(folder, "one"), filepath.Join(folder, "other")
	for program, overlay := range map[string]string{one: "", other: overlay} {
		build := exec.Command("go", "build", "-tags", "mem", "-overlay="+overlay, "-o", program, "./cmd/rocelab")
		build.Dir = top
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}

	s := newShell(t)
	s.write("marked.yaml", marked)
	// says runs a build, whose exit code 1 means that runs differ, and returns its output.
	says := func(program string, args ...string) string {
		t.Helper()
		out, err := exec.Command(program, args...).CombinedOutput()
		if err != nil && args[0] != "diff" {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	says(one, "run", "marked.yaml", "--out", "a")
	says(other, "run", "marked.yaml", "--out", "b")
	alone := says(one, "diff", "a", "b")
	s.says(alone, "B against A: build: ")
	s.says(alone, "marked: the same up to 8us, and not at 10us\n")
	s.says(alone, "another build made it. --with takes that program")
	const first = "the first frame that differs: at 9.696140us, h6:0\n  only in "
	s.says(says(one, "diff", "a", "b", "--with", other), first+"A: there is no such frame in B at that time\n")
	s.says(says(other, "diff", "b", "a", "--with", one), first+"B: there is no such frame in A at that time\n")
	s.says(says(one, "diff", "a", "a", "--with", other), "it made neither run")
}
