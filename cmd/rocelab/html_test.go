package main

import (
	"strings"
	"testing"
)

// The window of HTML names its command, and no document has a terminal's table as text: Markdown and HTML have tables
// of their own.
func TestDocumentsSayTheirCommand(t *testing.T) {
	s := newShell(t)
	for _, c := range []struct{ args, title string }{
		{"version --modules", "rocelab: rocelab version"},
		{"validate incast.yaml", "incast: rocelab validate"},
		{"algorithm show pc4", "Parameters: rocelab algorithm show"},
		{"metrics", "rocelab metrics"},
	} {
		t.Run(c.title, func(t *testing.T) {
			s.run(0, append(strings.Fields(c.args), "--format", "html")...)
			s.says(s.stdout, c.title+"</title>")
			if strings.Contains(s.stdout, `class="facts"></p>`) {
				t.Errorf("%s: a line of facts without facts", c.args)
			}
			s.run(0, append(strings.Fields(c.args), "--format", "markdown")...)
			if strings.ContainsAny(s.stdout, "\u250c\u2502\u2514") {
				t.Errorf("%s: a terminal's table in Markdown:\n%s", c.args, s.stdout)
			}
		})
	}
	s.run(0, "version", "--format", "markdown")
	s.says(s.stdout, "| models | ")
	if strings.Contains(s.stdout, "```") {
		t.Errorf("the version is a listing:\n%s", s.stdout)
	}
}

// The progress of a sweep is reported in sentences, in each format.
func TestStatusIsADocument(t *testing.T) {
	s := newShell(t)
	s.write("tiny.yaml", tiny)
	s.run(0, "sweep", "tiny.yaml", "--seeds", "1", "--out", "few", "--jobs", "1")
	s.run(0, "sweep", "status", "few")
	said := strings.TrimSpace(s.stdout)
	s.run(0, "sweep", "status", "few", "--format", "markdown")
	s.says(s.stdout, "\n\n"+said)
	if strings.Contains(s.stdout, "```") {
		t.Errorf("the status is a listing:\n%s", s.stdout)
	}
	s.run(0, "sweep", "status", "few", "--format", "html")
	s.says(s.stdout, "<p>"+said+"</p>")
}
