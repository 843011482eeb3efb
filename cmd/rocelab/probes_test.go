//go:build linux && !mem

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/registry"
)

// If a host cannot start the program that is to be asked, neither the scenario is at fault, although its reader reports
// it, nor the program.
func TestAHostThatCannotAskIsNotWrongUsage(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "mine"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	lacked := exit.Host(errors.New("start container probe-1: no space left"))
	r := registry.New(registry.Config{
		Folders: []string{folder},
		Describe: func(process.Program, process.Options) (cc.Description, error) {
			return cc.Description{Name: "mine"}, nil
		},
		Start: func(process.Program, process.Options) (registry.Running, error) { return nil, lacked },
	})
	if _, err := r.Lookup("mine"); exit.Of(err) != exit.CodeHost {
		t.Errorf("%v: exit code %d", err, exit.Of(err))
	}
	f := &pluginFlags{opened: r}
	if code := exit.Of(f.withCause(fmt.Errorf("a.yaml:5:12: %s", lacked))); code != exit.CodeHost {
		t.Errorf("exit code %d", code)
	}
	if code := exit.Of(f.withCause(errors.New("a.yaml:1:1: unknown key"))); code != exit.CodeUsage {
		t.Errorf("another error: exit code %d", code)
	}
	if err := f.withCause(nil); err != nil {
		t.Error(err)
	}
}

// A folder for temporary files that is not there is the host's fault in memory, too.
func TestAHostThatCannotStartAPlugin(t *testing.T) {
	s := newShell(t)
	t.Setenv("TMPDIR", "/no/such/folder")
	for _, verb := range []string{"run", "validate"} {
		s.run(exit.CodeHost, verb, "incast.yaml", "--algorithm", "/bin/true")
		s.says(s.stderr, "make a folder in /no/such/folder")
	}
}
