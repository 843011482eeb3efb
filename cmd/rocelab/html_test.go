package main

import (
	"strings"
	"testing"
)

// The window of HTML says which command it is of, and no command prints a terminal's table as text. Tier: -short.
func TestDocumentsSayTheirCommand(t *testing.T) {
	s := newShell(t)
	for _, c := range []struct{ args, title string }{
		{"version", "rocelab: rocelab version"},
		{"validate incast.yaml", "incast: rocelab validate"},
		{"algorithm show pc4", "Parameters: rocelab algorithm show"},
		{"metrics", "rocelab metrics"},
	} {
		s.run(0, append(strings.Fields(c.args), "--format", "html")...)
		s.says(s.stdout, c.title+"</title>")
		if strings.Contains(s.stdout, `class="facts"></p>`) {
			t.Errorf("%s: a line of facts without facts", c.args)
		}
	}
}
