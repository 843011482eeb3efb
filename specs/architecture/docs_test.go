package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	markdownLink = regexp.MustCompile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)(?: `([A-Za-z_]+)`)?(?: \"([^\"]+)\")?")
	rootDocs     = "../../docs"
)

// A link of a page leads to a file or folder that exists, a name in backquotes
// right behind it is declared there, and a sentence in quotes is a spec there.
// Tier: -short.
func TestPagesPointAtWhatExists(t *testing.T) {
	pages, err := filepath.Glob(rootDocs + "/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	more, err := filepath.Glob(rootDocs + "/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(append(pages, more...), "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range markdownLink.FindAllStringSubmatch(string(text), -1) {
			if problem := follow(filepath.Join(filepath.Dir(page), m[1]), m[2], m[3]); problem != "" {
				t.Errorf("%s: %s: %s", page, m[0], problem)
			}
		}
	}
}

// follow says what is wrong with a link to a path at which a name is declared
// or a spec has a sentence, "" for nothing.
func follow(path, name, sentence string) string {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "leads nowhere"
	case sentence != "":
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), `("`+sentence+`"`) {
			return "has no such spec"
		}
		return ""
	case name == "" || !info.IsDir() && !strings.HasSuffix(path, ".go"):
		return ""
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = filepath.Glob(path + "/*.go"); err != nil {
			return err.Error()
		}
	}
	declared := regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |var |const |\t)` + name + `\b`)
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && declared.Match(text) {
			return ""
		}
	}
	return "declares no " + name
}

// Tier: -short.
func TestWrongPointersAreFound(t *testing.T) {
	for _, c := range []struct {
		path, name, sentence string
		fine                 bool
	}{
		{path: "../../emulator/fabric/fabric.go", name: "Node", fine: true},
		{path: "../../emulator/fabric", name: "Node", fine: true},
		{path: "../../emulator/fabric/fabric.go", name: "Knot"},
		{path: "../../emulator/fabrik"},
		{path: "../faults/plugin_test.go", sentence: "that fails on ", fine: true},
		{path: "../faults/plugin_test.go", sentence: "that fails in no way"},
	} {
		if problem := follow(c.path, c.name, c.sentence); (problem == "") != c.fine {
			t.Errorf("%s %s: %q", c.path, c.name, problem)
		}
	}
}
