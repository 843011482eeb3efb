//go:build linux && !mem

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/links"
)

// linked runs a function that makes or removes links and returns its output.
func linked(t *testing.T, do func(*bytes.Buffer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := do(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Links are made once, renewed if they lead elsewhere, and removed, each with a report.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	make := func(programs string) func(*bytes.Buffer) error {
		return func(out *bytes.Buffer) error { return links.Make(out, programs, dir, linkNames()) }
	}
	said := linked(t, make("/opt/rocelab"))
	for _, line := range []string{"/cc-pc4 -> /opt/rocelab/rocelab-cc\n", "/nicd -> /opt/rocelab/rocelab\n", "/wand -> "} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			if !strings.Contains(said, dir+line) {
				t.Errorf("no %q in\n%s", line, said)
			}
		})
	}
	if lines := strings.Count(said, "\n"); lines != 9+3 {
		t.Errorf("%d links are made", lines)
	}
	if again := linked(t, make("/opt/rocelab")); again != "" {
		t.Errorf("made again:\n%s", again)
	}
	linked(t, make(""))
	if target, err := os.Readlink(filepath.Join(dir, "switchd")); target != "rocelab" {
		t.Errorf("switchd leads to %q, %v", target, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	gone := linked(t, func(out *bytes.Buffer) error { return links.Remove(out, dir, linkNames()) })
	if list, _ := os.ReadDir(dir); len(list) != 1 || strings.Count(gone, "removed "+dir) != 9+3 {
		t.Errorf("left: %v; said:\n%s", list, gone)
	}
}

// A file in the way, or a link to something else, is left as it is, and nothing is
// made beside it.
func TestLinksRefuseForeignFiles(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "nicd"), []byte("another's"), 0o755),
		os.Symlink("/usr/bin/false", filepath.Join(dir, "cc-pc4"))); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := links.Make(&out, "/opt", dir, linkNames())
	if !exit.Is(err, exit.CodeUsage) || !strings.Contains(err.Error(), dir+"/nicd exists and is not a link to "+
		"rocelab") ||
		!strings.Contains(err.Error(), dir+"/cc-pc4 exists and is not a link to rocelab-cc") {
		t.Error(err)
	}
	if err := links.Remove(&out, dir, linkNames()); err != nil {
		t.Error(err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 2 || out.String() != "" {
		t.Errorf("there are %v; said:\n%s", list, out.String())
	}
}

// Links lead to the programs of their own folder by bare names, otherwise to the
// running program's, which needs rocelab-cc beside it.
func TestLinksFindThePrograms(t *testing.T) {
	s := newShell(t)
	s.run(2, "links")
	s.run(4, "links", ".")
	s.says(s.stderr, "rocelab is not in ") // the test's own program has another name
	s.write("rocelab", "")
	s.run(4, "links", ".")
	s.says(s.stderr, "rocelab-cc is not in ., so there is nothing to link to")
	s.write("rocelab-cc", "")
	s.run(0, "links", ".")
	s.says(s.stdout, "cc-dcqcn -> rocelab-cc\n")
	s.run(2, "links", "nowhere")
	s.run(0, "links", ".", "--remove")
	s.says(s.stdout, "removed wand\n")
}

// A terminal obeys nothing in reports of links, whatever the folder is called.
func TestReportsOfLinksAreNotObeyed(t *testing.T) {
	t.Chdir(t.TempDir())
	const bad = "a\x1b[2Jb\u202ec"
	if err := os.Mkdir(bad, 0o700); err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	made := links.Make(&printed, bad, bad, linkNames())
	if err := errors.Join(made, links.Remove(&printed, bad, linkNames())); err != nil ||
		strings.ContainsFunc(printed.String(), obeyed) {
		t.Errorf("%v: a terminal would obey %q", err, printed.String())
	}
}
