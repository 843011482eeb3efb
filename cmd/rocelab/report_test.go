package main

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// A run writes its page, which is the one that report makes of its folder; several folders
// make one page. Tier: -short, some 0.3 s.
func TestReport(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--out", "a", "--variant", "fixed")
	s.says(s.stdout, "fixed: slowest flow: ")
	_, slowest, _ := strings.Cut(strings.ReplaceAll(s.stdout, "\n    ", " "), "fixed: slowest flow: ")
	slowest, _, _ = strings.Cut(slowest, "\n")
	s.run(0, "run", "incast.yaml", "--out", "b", "--no-report")
	s.run(0, "report", "a", "-o", "a.html")
	s.says(s.stdout, "report: a.html")
	written, err := os.ReadFile("a/report.html")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(written), "<p class=\"finding\">fixed: "+slowest+"</p>") {
		t.Errorf("the page has not what the terminal says of the slowest flow: %s", slowest)
	}
	if again, err := os.ReadFile("a.html"); err != nil || string(again) != string(written) {
		t.Errorf("the page of the run is another than that of its folder: %v", err)
	}
	if exists("b/report.html") {
		t.Error("--no-report wrote a page")
	}
	s.run(0, "report", "a", "b", "-o", "-")
	for _, label := range []string{"<h2>a/fixed</h2>", "<h2>b/fixed</h2>", "<h2>b/dcqcn</h2>"} {
		s.says(s.stdout, label)
	}
}

// A folder that is not a run folder, or that was changed, is refused with its name.
func TestReportRefuses(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--out", "a", "--variant", "fixed")
	s.run(0, "run", "incast.yaml", "--out", "b", "--variant", "fixed")
	s.run(0, "run", "incast.yaml", "--out", "deep/er/c", "--variant", "fixed")
	s.run(0, "run", "incast.yaml", "--out", "deep/er/d", "--variant", "fixed")
	err := errors.Join(os.Remove("deep/er/c/host.json"), os.Remove("deep/er/d/fixed/flows.csv"), os.Mkdir("empty", 0o777))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("a/fixed/flows.csv", []byte("flow\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"", "report needs RUN... and got nothing (see rocelab report --help)"},
		{"empty", "empty has no manifest.json"},
		{"nowhere", "rocelab: there is no run folder nowhere"},
		{"incast.yaml", "incast.yaml is a file"},
		{"a", "a: fixed/flows.csv was changed"},
		{"deep/er/c", "rocelab: deep/er/c: host.json is missing: it was removed"},
		{"b deep/er/d", "rocelab: deep/er/d: fixed/flows.csv is missing"},
		{"a a", "a run folder is given twice"},
		{"b -o b/report.html", "b/report.html would be in a run folder"},
		{"b -o b/fixed/x.html", "b/fixed/x.html would be in a run folder"},
	} {
		s.run(2, append([]string{"report"}, strings.Fields(c.args)...)...)
		s.says(s.stderr, c.want)
	}
	if exists("report.html") {
		t.Error("a page was written nevertheless")
	}
	// Its own page is made of the rest: a changed one does not matter.
	if err := os.WriteFile("b/report.html", []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	s.run(0, "report", "b", "-o", "again.html")
}

func TestFolderNames(t *testing.T) {
	for _, c := range []struct{ paths, want string }{
		{"/x/a /x/b", "a b"},
		{"/x/a /y/a", "x/a y/a"},
		{"/x/a/ /y/x/a", "/x/a y/x/a"},
		{"/one", "one"},
	} {
		t.Run(c.paths, func(t *testing.T) {
			names, err := folderNames(strings.Fields(c.paths))
			if err != nil || !slices.Equal(names, strings.Fields(c.want)) {
				t.Errorf("%s: %q, %v", c.paths, names, err)
			}
		})
	}
}
