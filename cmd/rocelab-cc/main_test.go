package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	programs "github.com/rocelab/rocelab/specs/program"
)

// The algorithm is named by the argument or by the link.
func TestAskedByName(t *testing.T) {
	for line, want := range map[string]string{
		"rocelab-cc pc4":       "pc4",
		"/x/rocelab-cc dcqcn":  "dcqcn",
		"/plugins/cc-swift":    "swift",
		"/plugins/cc-swift x":  "swift",
		"rocelab-cc":           "",
		"rocelab-cc cubic":     "",
		"rocelab-cc pc4 dcqcn": "",
		"/usr/lib/rocelab/pc4": "pc4",
		"cc-cubic":             "",
	} {
		t.Run(line, func(t *testing.T) {
			got := ""
			if a := asked(strings.Fields(line)); a != nil {
				got = a.Describe().Name
			}
			if got != want {
				t.Errorf("%q asks for %q, want %q", line, got, want)
			}
		})
	}
}

// By hand the program prints what it is and which algorithms it has.
func TestByHand(t *testing.T) {
	folder := t.TempDir()
	if err := programs.Build(folder, []string{"cmd/rocelab-cc"}); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "rocelab-cc")
	out, err := exec.Command(program, "--list").Output()
	if list := strings.Fields(string(out)); err != nil || len(list) != len(names()) || list[0] != "dcqcn" {
		t.Errorf("it lists %v, %v", list, err)
	}
	for line, words := range map[string][]string{
		"":    {"rocelab-cc serves the congestion-control algorithms", "dcqcn, dctcp,"},
		"pc4": {"cc-pc4 is a plugin for rocelab", "pc4 "},
	} {
		t.Run(line, func(t *testing.T) {
			var exit *exec.ExitError
			_, err := exec.Command(program, strings.Fields(line)...).Output()
			if !errors.As(err, &exit) || exit.ExitCode() != 2 {
				t.Fatalf("rocelab-cc %s: %v", line, err)
			}
			for _, w := range words {
				if !strings.Contains(string(exit.Stderr), w) {
					t.Errorf("rocelab-cc %s: no %q in\n%s", line, w, exit.Stderr)
				}
			}
		})
	}
}
