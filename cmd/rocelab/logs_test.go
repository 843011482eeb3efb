//go:build linux && !mem

package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	programs "github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// Of the logs of a testbed that is kept, only a run's part is copied, and only those of containers with NICs.
func TestPluginsOutputOfARunIsKept(t *testing.T) {
	logs, folder := t.TempDir(), t.TempDir()
	to, noFolder := &pluginFlags{logs: folder}, &pluginFlags{}
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
		l, err1 := markLogs(to, s)
		other, err2 := markLogs(noFolder, s)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"s0", "h0", "pool"} {
			say(name, text)
		}
		if err := errors.Join(l.keep(), other.keep()); err != nil {
			t.Fatal(err)
		}
		say("h0", "between\n")
	}
	for name, want := range map[string]string{"h0": "one\ntwo\n", "pool": "one\ntwo\n"} {
		t.Run(name, func(t *testing.T) {
			if got, err := os.ReadFile(filepath.Join(folder, name+".log")); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v, want %q", name, got, err, want)
			}
			for _, flags := range []*pluginFlags{to, noFolder} {
				if got := flags.printed(); string(got[name+".log"]) != want || len(got) != 2 {
					t.Errorf("%s: kept %q, want %q", name, got, want)
				}
			}
		})
	}
	for _, name := range []string{"s0", "h1"} {
		t.Run(name, func(t *testing.T) {
			if exists(filepath.Join(folder, name+".log")) {
				t.Errorf("there is a log of %s", name)
			}
		})
	}
	if err := os.Remove(filepath.Join(logs, "h0")); err != nil {
		t.Fatal(err)
	}
	if _, err := markLogs(to, s); err == nil {
		t.Error("a log that is gone is no error")
	}
}

// The stack of a program that panics in a container is in the run folder, too.
func TestStackOfAPluginInAContainerIsKept(t *testing.T) {
	tier.Everyday(t)
	folder := t.TempDir()
	if err := programs.Build(folder, []string{"testbed/mem/testdata/crashing"}); err != nil {
		t.Fatal(err)
	}
	s, _ := newLab(t)
	s.run(5, "run", "incast.yaml", "--plugin-dir", folder, "--algorithm", "crashing", "--on", "veth",
		"--runtime", "builtin", "--daemons", "pool", "--out", "out")
	s.says(s.stderr, "; its output, including the stack, is in "+filepath.Join("out", "plugins"))
	text, err := os.ReadFile(filepath.Join("out", "plugins", "pool.log"))
	if err != nil || !regexp.MustCompile(`(?s)panic: the \w+ gives up.*main\.go:\d+`).Match(text) {
		t.Errorf("%v: no stack in %q", err, text)
	}
}
