//go:build linux && !mem

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// telling makes a program that is not a plugin, and writes into a file as which user it runs.
func telling(t *testing.T) (program, told string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "plugin-start-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	program, told = filepath.Join(dir, "cc-telling"), filepath.Join(dir, "told")
	text := fmt.Sprintf("#!/bin/sh\necho user $(id -u) $(id -G) $HOME >%s\n", told)
	if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return program, told
}

func TestPluginsAreAskedInContainers(t *testing.T) {
	tier.Root(t, "containers need root")
	t.Setenv("ROCELAB_RUN", fmt.Sprintf("/run/rocelab-test-%d", os.Getpid()))
	program, told := telling(t)
	s := newShell(t)
	for _, command := range [][]string{{"run", "--on", "veth", "--no-folder"}, {"deploy"}} {
		s.process(5, append(command, "incast.yaml", "--algorithm", program)...)
		s.says(s.stderr, "as required in a container")
		if exists(told) {
			t.Fatalf("%v runs it on the host", command)
		}
	}
	if exists(os.Getenv("ROCELAB_RUN")) {
		t.Error("its folder is left")
	}
}

func TestPluginsRunAsTheCallerOfSudo(t *testing.T) {
	tier.Root(t, "to run as another user")
	program, told := telling(t)
	s := newShell(t)
	const asRoot = "programs of algorithms run as root here"
	for _, c := range []struct{ uid, gid, user, says string }{
		{"65534", "65533", "user 65534 65533", ""},
		{"", "", "user 0 ", asRoot + ": SUDO_UID is not set"},
		{"0", "0", "user 0 ", asRoot + ": SUDO_UID is not set"},
		{"1 0", "x", "user 0 ", asRoot + `: SUDO_UID="1 0"`},
	} {
		t.Run(fmt.Sprintf("uid=%q", c.uid), func(t *testing.T) {
			t.Setenv("SUDO_UID", c.uid)
			t.Setenv("SUDO_GID", c.gid)
			os.Remove(told)
			s.run(5, "run", "incast.yaml", "--no-folder", "--algorithm", program)
			if text, err := os.ReadFile(told); err != nil || !strings.HasPrefix(string(text), c.user) {
				t.Errorf("as %s: %q, %v", c.uid, text, err)
			}
			if n := strings.Count(s.stderr, asRoot); c.says != "" && n != 1 || c.says == "" && n != 0 ||
				!strings.Contains(s.stderr, c.says) {
				t.Errorf("as %s it says: %s", c.uid, s.stderr)
			}
		})
	}
	t.Setenv("SUDO_UID", "65534")
	t.Setenv("SUDO_GID", "65534")
	closed := filepath.Join(filepath.Dir(program), "closed")
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	before := os.TempDir()
	t.Setenv("TMPDIR", closed)
	s.run(4, "run", "incast.yaml", "--no-folder", "--algorithm", program)
	s.says(s.stderr, "user 65534, the user that plugins run as here (SUDO_UID), may not enter "+closed+": set TMPDIR")
	t.Setenv("TMPDIR", before)
	if err := os.Chmod(filepath.Dir(program), 0o700); err != nil {
		t.Fatal(err)
	}
	s.run(5, "run", "incast.yaml", "--no-folder", "--algorithm", program)
	s.says(s.stderr, "cannot be reached or executed by user 65534")
}
