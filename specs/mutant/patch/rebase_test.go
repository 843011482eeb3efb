package main

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/internal/patch"
)

const made = `Rule: a is b

--- a/f.go
+++ b/f.go
@@ -2,3 +2,4 @@
 	one
-	two
+	2
+	2.5
 	three
`

// A patch is given the numbers and the context that the file has now, and is stale if what it removes is gone or is
// there twice.
func TestRebase(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"as it was": {"zero\n\tone\n\ttwo\n\tthree\n", made},
		"further down": {"zero\nzero\n\tone\n\ttwo\n\tthree\n",
			strings.Replace(made, "-2,3 +2,4", "-3,3 +3,4", 1)},
		"another context": {"zero\n\tten\n\ttwo\n", strings.NewReplacer("-2,3 +2,4", "-2,2 +2,3", "\tone", "\tten",
			" \tthree\n", "").Replace(made)},
		"another indentation": {"zero\n\t\tone\n\t\ttwo\n\t\tthree\n", strings.NewReplacer("\tone", "\t\tone", "\ttwo",
			"\t\ttwo", "\tthree", "\t\tthree").Replace(made)},
		"gone":                          {"zero\n\tone\n\tthree\n", ""},
		"twice":                         {"zero\n\tten\n\ttwo\n\tten\n\ttwo\n", ""},
		"twice, once with more context": {"a\n\tone\n\ttwo\n\tthree\nb\n\tone\n\ttwo\n\tthree\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := parsed(t, made)
			err := rebase(&p.Files[0], c.file, false)
			if c.want == "" && err == nil {
				t.Errorf("it is not stale:\n%s", text(p))
			}
			if got := text(p); c.want != "" && (err != nil || got != c.want) {
				t.Errorf("%v\n%s", err, got)
			}
		})
	}
}

// Of changes by number the context grows until the old lines are there once, and hunks that touch become one. The
// result makes the same file.
func TestRebaseByNumber(t *testing.T) {
	const file = "a\nx\ny\nz\nb\nx\ny\nz\nc\nd\ne\n"
	for name, c := range map[string]struct{ hunks, want, makes string }{
		"more context": {"@@ -7 +7 @@\n-y\n+Y\n", "@@ -5,5 +5,5 @@\n b\n x\n-y\n+Y\n z\n c\n",
			"a\nx\ny\nz\nb\nx\nY\nz\nc\nd\ne\n"},
		"an insertion": {"@@ -9,0 +10 @@\n+C\n", "@@ -9,2 +9,3 @@\n c\n+C\n d\n", "a\nx\ny\nz\nb\nx\ny\nz\nc\nC\nd\ne\n"},
		"two that touch": {"@@ -5 +5 @@\n-b\n+B\n@@ -7,0 +8 @@\n+Z\n", "@@ -4,5 +4,6 @@\n z\n-b\n+B\n x\n y\n+Z\n z\n",
			"a\nx\ny\nz\nB\nx\ny\nZ\nz\nc\nd\ne\n"},
		"two apart": {"@@ -1 +0,0 @@\n-a\n@@ -11 +10 @@\n-e\n+E\n",
			"@@ -1,2 +1,1 @@\n-a\n x\n@@ -10,2 +9,2 @@\n d\n-e\n+E\n", "x\ny\nz\nb\nx\ny\nz\nc\nd\nE\n"},
	} {
		t.Run(name, func(t *testing.T) {
			const head = "Rule: a\n\n--- a/f.go\n+++ b/f.go\n"
			p := parsed(t, head+c.hunks)
			if err := rebase(&p.Files[0], file, true); err != nil {
				t.Fatal(err)
			}
			if got := text(p); got != head+c.want {
				t.Errorf("%s", got)
			}
			if got, err := p.Changed(&p.Files[0], file); err != nil || got != c.makes {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func parsed(t *testing.T, text string) *patch.Patch {
	t.Helper()
	p, err := patch.Parse("p", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
