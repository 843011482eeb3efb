package patch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	valid = `# why
Rule: a is b

--- a/x/y.go
+++ b/x/y.go
@@ -7,3 +7,4 @@ func f() {
 one
-two
+2
+2.5

`
	file = "zero\none\ntwo\n\nthree\n"
)

// A patch is placed by its lines, for any line numbers, and its header is read; the copy is for the go command. Tier:
// -short.
func TestApply(t *testing.T) {
	p, err := Parse("p", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	var rule string
	if err := p.Fields(map[string]*string{"Rule": &rule}, nil); err != nil || rule != "a is b" {
		t.Errorf("%q, %v", rule, err)
	}
	top, folder := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(top, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(top, "x/y.go"), []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	overlay, err := p.Overlay(top, folder)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadFile(overlay); err != nil || !strings.Contains(string(list), CopyOf(folder, "x/y.go")) {
		t.Errorf("%s %v", list, err)
	}
	got, err := os.ReadFile(CopyOf(folder, "x/y.go"))
	if want := "zero\none\n2\n2.5\n\nthree\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// A patch whose lines are not there once, or that changes nothing, is stale, and the error names patch, file and count.
func TestStale(t *testing.T) {
	p, err := Parse("a.patch", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	same, err := Parse("a.patch", []byte(strings.NewReplacer("2\n", "two\n", "+2.5\n", "", ",4", ",3").Replace(valid)))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		patch      *Patch
		text, says string
	}{
		"gone":      {p, "zero\n", "occur 0 times"},
		"part":      {p, "none\ntwo\n\n", "occur 0 times"},
		"twice":     {p, file + file, "occur 2 times"},
		"no change": {same, file, "allowed is once, and other lines in their place"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.patch.Changed(&c.patch.Files[0], c.text)
			if err == nil || !strings.Contains(err.Error(), "a.patch: x/y.go: a stale patch") ||
				!strings.Contains(err.Error(), c.says) {
				t.Error(err)
			}
		})
	}
}

// A malformed patch is refused at the line of the fault.
func TestMalformed(t *testing.T) {
	for name, c := range map[string]struct{ old, with, says string }{
		"header":       {"Rule: a", "Rule a", `p:2: "Rule a is b": allowed is "Key: value"`},
		"outside":      {"x/y", "../y", `p:4: "--- a/../y.go"`},
		"not clean":    {"x/y", "x//y", `p:4: "--- a/x//y.go"`},
		"other name":   {"+++ b/x", "+++ b/z", `p:5: "+++ b/z/y.go": allowed is +++ b/x/y.go`},
		"no hunk":      {"@@ -7", "@@ 7", "p:6: "},
		"too few":      {"-7,3 +7,4", "-7,3 +7,5", "p: it ends in line 11: allowed is a line of the hunk"},
		"too many":     {"-7,3 +7,4", "-7,1 +7,4", `p:8: "-two": allowed is no such line`},
		"more":         {"+2.5\n\n", "+2.5\n\nmore\n", `p:12: "more"`},
		"huge":         {"-7,3", "-7,99999999999", "p:6: "},
		"another mark": {"+2\n", "*2\n", `p:9: "*2"`},
		"twice":        {"+2.5\n\n", "+2.5\n\n--- a/x/y.go\n+++ b/x/y.go\n@@ -1 +1 @@\n-a\n+b\n", "x/y.go twice"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("p", []byte(strings.ReplaceAll(valid, c.old, c.with)))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %s", err, c.says)
			}
		})
	}
	p, err := Parse("p", []byte("Rule: a\nRule: b\n"))
	if err != nil {
		t.Fatal(err)
	}
	err = p.Fields(map[string]*string{"Rule": new(string)}, map[string]*[]string{"Set": new([]string)})
	if err == nil || err.Error() != `p: "Rule": allowed are Rule once, Set several times` {
		t.Error(err)
	}
}

// Any patch is read or refused, and a patch that was read can be searched for in any text.
func FuzzParse(f *testing.F) {
	f.Add(valid, file)
	f.Add("", "")
	f.Add("@@ -0,0 +1 @@\n+a\n", "a")
	f.Add("--- a/b\n+++ b/b\n@@ -0,0 +1 @@\n+a\n", "a\n")
	f.Add(": \n# \n--- a/b\n+++ b/b\n@@ -1 +0,0 @@\n-a", "a\n")
	f.Fuzz(func(_ *testing.T, text, file string) {
		p, err := Parse("p", []byte(text))
		if err != nil {
			return
		}
		_ = p.Fields(nil, nil)
		for i := range p.Files {
			_, _ = p.Changed(&p.Files[i], file)
		}
	})
}
