package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A pack is compared as the folder that it was made of, and nothing of it is left: the same, by variant, and with the
// first frame that differs. Its files of parameters are those in it.
func TestDiffOfPacks(t *testing.T) {
	s := newShell(t)
	t.Setenv("TMPDIR", t.TempDir())
	s.write("marked.yaml", marked)
	s.run(0, "run", "marked.yaml", "--out", "a")
	s.run(0, "pack", "a", "--out", "a.zip")
	s.run(0, "run", "marked.yaml", "--out", "b", "--set", "switch.ecn.pmax=0.2005")
	s.run(0, "diff", "a.zip", "a")
	s.says(s.stdout, "A a.zip and B a: the same: 1 run with the same trace and metrics\n")
	s.run(1, "diff", "a.zip/marked", "b")
	s.says(s.stdout, "A a.zip/marked and B b: not the same\n")
	s.says(s.stdout, "\nthe first frame that differs: at 569.131887us, s0:16\n  ECN: ECT(0) in A, CE in B\n  A B 568.")

	s.write("x.yaml", rerunnable)
	s.run(0, "run", "x.yaml", "--out", "two")
	s.run(0, "pack", "two", "--out", "two.zip")
	s.run(1, "diff", "two.zip/a", "two.zip/b")
	s.says(s.stdout, "the first frame that differs: at ")
	s.run(1, "diff", "two.zip", "two/a")
	s.says(s.stdout, filepath.Join("two.zip", "b")+" has no partner on the other side")

	for _, c := range []struct{ line, says string }{
		{"two.zip/c", "two.zip has no run c: it has a, b"},
		{"x.yaml", "x.yaml: "},
		{"two --trust", "--trust is for the programs in a pack"},
		{"two.zip --with x.yaml", "--with takes only run folders, and two.zip is a pack"},
	} {
		s.run(2, append([]string{"diff", "two"}, strings.Fields(c.line)...)...)
		s.says(s.stderr, c.says)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}
