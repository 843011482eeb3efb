//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/testbed/veth"
)

// Of the logs of a testbed that is kept, a run's part alone is copied, and that
// of containers with NICs.
func TestPluginsOutputOfARunIsKept(t *testing.T) {
	logs, folder := t.TempDir(), t.TempDir()
	s := &veth.State{}
	for name, kind := range map[string]string{"s0": "switch", "h0": "server", "h1": "server", "pool": "pool"} {
		s.Containers = append(s.Containers, veth.ContainerState{Name: name, Kind: kind, Log: filepath.Join(logs, name)})
	}
	say := func(name, text string) {
		t.Helper()
		f, err := os.OpenFile(filepath.Join(logs, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"s0", "h0", "h1", "pool"} {
		say(name, "before\n")
	}
	for _, text := range []string{"one\n", "two\n"} {
		l, err := markLogs(folder, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"s0", "h0", "pool"} {
			say(name, text)
		}
		if err := l.keep(); err != nil {
			t.Fatal(err)
		}
		say("h0", "between\n")
	}
	for name, want := range map[string]string{"h0": "one\ntwo\n", "pool": "one\ntwo\n"} {
		if got, err := os.ReadFile(filepath.Join(folder, name+".log")); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"s0", "h1"} {
		if exists(filepath.Join(folder, name+".log")) {
			t.Errorf("there is a log of %s", name)
		}
	}
	if err := os.Remove(filepath.Join(logs, "h0")); err != nil {
		t.Fatal(err)
	}
	if _, err := markLogs(folder, s); err == nil {
		t.Error("a log that is gone is no error")
	}
}
