package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// license is the one of Go's standard library.
func license(t *testing.T) string {
	t.Helper()
	root, err := output(exec.Command("go", "env", "GOROOT"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		t.Skipf("Go's own licence is the example: %v", err)
	}
	return string(text)
}

func TestReadLegal(t *testing.T) {
	bsd := license(t)
	for _, c := range []struct {
		name     string
		files    map[string]string
		licences []string
		texts    int
		err      string
	}{
		{
			name: "a licence and what goes with it",
			files: map[string]string{"LICENSE": bsd, "PATENTS": "A grant.", "NOTICE.txt": "A name.",
				"license.go": "package x"},
			licences: []string{"BSD-3-Clause"},
			texts:    3,
		},
		{name: "another spelling", files: map[string]string{"licence.md": bsd}, licences: []string{"BSD-3-Clause"}, texts: 1},
		{name: "a text that is not known", files: map[string]string{"COPYING": "Do good."}, err: "no licence that is known"},
		{name: "one of two not known", files: map[string]string{"LICENSE": bsd, "LICENSE-2": "Do good."},
			err: "no licence that is known"},
		{name: "a notice alone", files: map[string]string{"NOTICE": bsd}, err: "there is no licence"},
		{name: "nothing", err: "there is no licence"},
	} {
		folder := t.TempDir()
		for name, text := range c.files {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		p := part{path: "example.com/part"}
		err := p.readLegal([]string{folder})
		switch {
		case c.err == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.err)
		case c.err == "" && (!slices.Equal(p.licences, c.licences) || len(p.texts) != c.texts):
			t.Errorf("%s: licences %v and %d texts, want %v and %d", c.name, p.licences, len(p.texts), c.licences, c.texts)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		arches []string
		rest   []string
		ok     bool
	}{
		{arches: []string{"amd64", "arm64"}, ok: true},
		{arches: []string{"x86_64"}},
		{arches: []string{""}},
		{arches: []string{"amd64"}, rest: []string{"dist"}},
	} {
		if err := check(c.arches, c.rest); (err == nil) != c.ok {
			t.Errorf("%v %v: error %v", c.arches, c.rest, err)
		}
	}
}
