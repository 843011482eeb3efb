package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	target = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchor = regexp.MustCompile(` id="([^"]*)"`)
)

// Each link of each page leads to a page, an anchor or a file that is there, the pictures too; the index of the search
// names only places that exist.
func TestLinks(t *testing.T) {
	out := t.TempDir()
	report := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(report, []byte("<p>a report"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	if err := run(out, report); err != nil {
		t.Fatal(err)
	}
	pages, anchors := map[string]string{}, map[string]bool{}
	err := filepath.WalkDir(out, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" {
			return err
		}
		data, err := os.ReadFile(path)
		pages[path] = string(data)
		for _, m := range anchor.FindAllStringSubmatch(string(data), -1) {
			anchors[path+"#"+m[1]] = true
		}
		return err
	})
	if err != nil || len(pages) < 50 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	leads := func(from, to string) {
		path, id, has := strings.Cut(to, "#")
		path = filepath.Join(filepath.Dir(from), path)
		if strings.HasPrefix(to, "#") {
			path = from
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %s leads nowhere", from, to)
		} else if has && !anchors[path+"#"+id] {
			t.Errorf("%s: %s has no such heading", from, to)
		}
	}
	checked := 0
	for path, text := range pages {
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(m[1], "://") {
				checked++
				leads(path, m[1])
			} else if file, ours := strings.CutPrefix(m[1], source+"blob/main/"); ours {
				if _, err := os.Stat(file); err != nil {
					t.Errorf("%s: the source has no %s", path, file)
				}
			}
		}
		if strings.Contains(text, "raw HTML omitted") {
			t.Errorf("%s has HTML that is left out", path)
		}
	}
	data, err := os.ReadFile(filepath.Join(out, "search.js"))
	if err != nil {
		t.Fatal(err)
	}
	var index []entry
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(data), "const index = ")), &index); err != nil {
		t.Fatal(err)
	}
	for _, e := range index {
		leads(filepath.Join(out, "index.html"), e.Address)
	}
	if checked < 1000 || len(index) < 200 {
		t.Errorf("only %d links and %d sections were found", checked, len(index))
	}
}
