package veth

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// programsIn writes files that pass for the binaries of a testbed.
func programsIn(t *testing.T) Testbed {
	t.Helper()
	dir := t.TempDir()
	file := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("\x7fELF "+name), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return Testbed{
		State:   &State{Name: "x", Plugins: map[string]string{"mine": file("mine")}},
		program: file("rocelab"),
	}
}

func TestAnotherBuildIsRefused(t *testing.T) {
	b := programsIn(t)
	if err := b.noteDigests(); err != nil {
		t.Fatal(err)
	}
	if err := b.checkDigests(b.Plugins); err != nil {
		t.Error(err)
	}
	for path, about := range map[string]string{b.program: "the daemons", b.Plugins["mine"]: "algorithm mine"} {
		was, _ := os.ReadFile(path)
		os.WriteFile(path, append(was, '2'), 0o755)
		err := b.checkDigests(b.Plugins)
		if unfit := (*FitError)(nil); !errors.As(err, &unfit) || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), about) {
			t.Errorf("%s was built anew: %v", about, err)
		}
		os.WriteFile(path, was, 0o755)
	}
	// A plugin that the run does not need may change.
	os.WriteFile(b.Plugins["mine"], []byte("\x7fELF mine 2"), 0o755)
	if err := b.checkDigests(nil); err != nil {
		t.Error(err)
	}
}

func TestPluginsThatContainersCannotHoldAreRefused(t *testing.T) {
	b := programsIn(t)
	script := filepath.Join(t.TempDir(), "script")
	os.WriteFile(script, []byte("#!/bin/sh\n"), 0o755)
	b.Plugins["other"] = script
	if err := b.noteDigests(); err == nil || !strings.Contains(err.Error(), script+" is not an ELF executable") {
		t.Error(err)
	}
	// A program may serve several algorithms, and others have one file name.
	other := filepath.Join(t.TempDir(), "mine")
	os.WriteFile(other, []byte("\x7fELF"), 0o755)
	b.Plugins["other"], b.Plugins["third"] = other, other
	if err := b.noteDigests(); err != nil {
		t.Error(err)
	}
}
