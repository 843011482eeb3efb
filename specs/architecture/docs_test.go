package architecture

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var (
	markdownLink = regexp.MustCompile("\\]\\(([^)#:]+)(?:#([^)]*))?\\)(?: `([A-Za-z_]+)`)?(?: \"([^\"]+)\")?")
	rootDocs     = "../../docs"
)

// pages returns the text of the pages for readers, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, pattern := range []string{"*.md", "llms.txt", "docs/*.md", "docs/*/*.md", "*/README.md", "specs/*/README.md"} {
		files, err := filepath.Glob("../../" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			list[file] = string(text)
		}
	}
	return list
}

// A link of a page leads to a file or folder that exists, a name in backquotes
// right behind it is declared there, and a sentence in quotes is a spec there.
func TestPagesPointAtWhatExists(t *testing.T) {
	for page, text := range pages(t) {
		for _, m := range markdownLink.FindAllStringSubmatch(text, -1) {
			if problem := follow(filepath.Join(filepath.Dir(page), m[1]), m[3], m[4]); problem != "" {
				t.Errorf("%s: %s: %s", page, m[0], problem)
			}
			if m[2] != "" && strings.HasSuffix(m[1], ".md") && !hasHeading(filepath.Join(filepath.Dir(page), m[1]), m[2]) {
				t.Errorf("%s: %s: there is no such heading", page, m[0])
			}
		}
	}
}

var noLetter = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// hasHeading reports whether a page has a heading that is linked by an anchor, as
// GitHub makes them.
func hasHeading(page, anchor string) bool {
	text, err := os.ReadFile(page)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if heading, is := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); is && strings.HasPrefix(line, "#") {
			heading = noLetter.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
			if strings.ReplaceAll(heading, " ", "-") == anchor {
				return true
			}
		}
	}
	return false
}

// The index of the documentation and llms.txt name every page, and each has its
// line there.
func TestEveryPageIsListed(t *testing.T) {
	all := pages(t)
	for page := range all {
		name, isDoc := strings.CutPrefix(page, rootDocs+"/")
		if !isDoc || name == "README.md" {
			continue
		}
		if !strings.Contains(all[rootDocs+"/README.md"], "]("+name+")") {
			t.Errorf("docs/README.md does not name %s", name)
		}
		if !strings.Contains(all["../../llms.txt"], "](docs/"+name+"): ") {
			t.Errorf("llms.txt has no line for %s", name)
		}
	}
}

// llms.txt has the form of llmstxt.org: a title, a summary, lists of links with a
// line each.
func TestLlmsTxtHasItsForm(t *testing.T) {
	text := pages(t)["../../llms.txt"]
	if !regexp.MustCompile(`\A# rocelab\n\n> (.+\n> )*.+\n\n`).MatchString(text) {
		t.Error("it does not begin with a title and a summary")
	}
	_, lists, _ := strings.Cut(text, "\n## ")
	for line := range strings.Lines("## " + lists) {
		if !regexp.MustCompile(`^(## .+|- \[.+\]\(.+\): .+|)\n$`).MatchString(line) {
			t.Errorf("%q is no heading and no link with a line", line)
		}
	}
}

// Lines of prose fit the screen: tables, and blocks between fences, are as wide as they must be.
func TestNoProseIsWide(t *testing.T) {
	fence := regexp.MustCompile("(?ms)^```.*?^```$")
	for page, text := range pages(t) {
		text = fence.ReplaceAllStringFunc(text, func(block string) string {
			return strings.Repeat("\n", strings.Count(block, "\n"))
		})
		for n, line := range strings.Split(text, "\n") {
			if columns := utf8.RuneCountInString(line); columns > maxColumns && !strings.HasPrefix(line, "|") {
				t.Errorf("%s:%d: %d columns, allowed are %d", page, n+1, columns, maxColumns)
			}
		}
	}
}

// follow returns the fault of a link to a path at which a name is declared or a spec has a sentence, "" for none.
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
		t.Run(fmt.Sprintf("path=%s,name=%s,sentence=%s", c.path, c.name, c.sentence), func(t *testing.T) {
			if problem := follow(c.path, c.name, c.sentence); (problem == "") != c.fine {
				t.Errorf("%s %s: %q", c.path, c.name, problem)
			}
		})
	}
}
