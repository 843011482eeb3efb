package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/internal/exit"
	programs "github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
)

// pluginFolder returns a folder with the shipped programs of that name.
func pluginFolder(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	packages := make([]string, len(names))
	for i, name := range names {
		packages[i] = "plugins/shipped/" + name
	}
	if err := programs.Build(dir, packages); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAlgorithmsAsProcesses(t *testing.T) {
	tier.Everyday(t)
	dir := pluginFolder(t, "cc-dcqcn", "cc-fixed")
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--no-folder")
	want := s.stdout
	if err := os.Mkdir("logs", 0o700); err != nil {
		t.Fatal(err)
	}
	s.run(0, "run", "incast.yaml", "--no-folder", "--run-as", "process", "--plugin-dir", dir, "--plugin-logs", "logs")
	if s.stdout != want {
		t.Errorf("with processes:\n%s\nbuilt in:\n%s", s.stdout, want)
	}
	if !exists("logs/cc-dcqcn.log") {
		t.Error("no log of the plugin")
	}
	s.run(0, "validate", "incast.yaml", "--run-as", "process", "--plugin-dir", dir)
	s.run(2, "run", "incast.yaml", "--no-folder", "--run-as", "process")
	s.says(s.stderr, "incast.yaml:9:30: algorithm fixed is built in, and there is no program of it: looked for "+
		"cc-fixed in ")
	s.run(2, "run", "incast.yaml", "--no-folder", "--plugin-dir", dir)
	s.says(s.stderr, "algorithm dcqcn is claimed by "+dir+"/cc-dcqcn and the built-in one")
	t.Setenv("ROCELAB_PLUGINS", dir)
	s.run(0, "algorithm", "show", "fixed", "--run-as", "process")
	s.says(s.stdout, "fixed 1.0.0, "+dir+"/cc-fixed")
}

func TestBuildWithoutAlgorithms(t *testing.T) {
	tier.Everyday(t)
	dir := pluginFolder(t, "cc-dcqcn", "cc-fixed")
	folder := t.TempDir()
	if err := programs.Build(folder, []string{"cmd/rocelab"}, "-tags=nobuiltin"); err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(folder, "rocelab")
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--no-folder")
	out, err := exec.Command(bare, "run", "incast.yaml", "--no-folder", "--plugin-dir", dir).Output()
	if err != nil || string(out) != s.stdout {
		t.Errorf("%v, prints\n%s\nand not\n%s", err, out, s.stdout)
	}
}

// The build of the README's first command runs the same as the whole one, and explains how to get the rest. Tier:
// everyday.
func TestBuildForMemAlone(t *testing.T) {
	tier.Everyday(t)
	folder := t.TempDir()
	if err := programs.Build(folder, []string{"cmd/rocelab"}, "-tags=mem"); err != nil {
		t.Fatal(err)
	}
	rocelab := filepath.Join(folder, "rocelab")
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--no-folder")
	out, err := exec.Command(rocelab, "run", "incast.yaml", "--no-folder").Output()
	if err != nil || string(out) != s.stdout {
		t.Errorf("%v, prints\n%s\nand not\n%s", err, out, s.stdout)
	}
	for _, line := range []string{
		"run incast.yaml --on veth",
		"run incast.yaml --algorithm ./incast.yaml",
		"doctor",
		"test --algorithm pc4",
		"algorithm check pc4",
	} {
		t.Run(line, func(t *testing.T) {
			out, err := exec.Command(rocelab, strings.Fields(line)...).CombinedOutput()
			if err == nil || !strings.Contains(string(out), "build it without -tags mem") {
				t.Errorf("rocelab %s: %v, and says %q", line, err, out)
			}
		})
	}
}

// A parameter that would wrap is refused with its range, and a plugin that hears of congestion and decides nothing
// voids its run. Tier: -short has the parameter, everyday the plugin.
func TestSwitchedOff(t *testing.T) {
	s := newShell(t)
	s.run(2, "run", "incast.yaml", "--algorithm", "dcqcn:rpg_byte_reset=9223372036854775807B")
	s.says(s.stderr, "parameter rpg_byte_reset: 9223372036854775807B is above 1GB: allowed is 0B to 1GB")
	s.run(2, "run", "incast.yaml", "--set",
		"variants.dcqcn.algorithm={name: dcqcn, params: {rpg_time_reset: 9223372036us}}")
	s.says(s.stderr, "9223372036us is above 1s: allowed is 1ns to 1s")
	tier.Everyday(t)
	dir := t.TempDir()
	if err := programs.Build(dir, []string{"testbed/many/judge/testdata/mutants/deaf"}); err != nil {
		t.Fatal(err)
	}
	s.write("crowd.yaml", strings.ReplaceAll(crowd, "ALGORITHM", "deaf"))
	s.run(exit.CodeVerdict, "run", "crowd.yaml", "--no-folder", "--plugin-dir", dir)
	s.says(strings.Join(strings.Fields(s.stdout), " "), " signals of congestion, CNPs or marked ACKs, ")
	s.says(s.stdout, "VOID")
	s.write("crowd.yaml", strings.ReplaceAll(crowd, "ALGORITHM", "fixed"))
	s.run(0, "run", "crowd.yaml", "--no-folder")
	s.says(s.stdout, "fixed made no decision, although there was congestion")
}

const crowd = `name: crowd
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4, algorithm: ALGORITHM}]
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
run: {until: 1ms}
`

func TestBadPlugins(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "hello")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho hello\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	s.run(5, "algorithm", "list", "--plugin-dir", dir)
	s.says(s.stdout, "built in")
	s.says(s.stderr, "rocelab: plugin "+script+": is not a plugin")
	s.run(5, "run", "incast.yaml", "--no-folder", "--set", "variants.fixed.algorithm=hello", "--plugin-dir", dir)
	s.says(s.stderr, "--set variants.fixed.algorithm: plugin "+script+": is not a plugin") // at once
	s.run(0, "run", "incast.yaml", "--no-folder", "--plugin-dir", dir)
	for flag, value := range map[string]string{"--plugin-dir": dir + "/missing", "--run-as": "both",
		"--plugin-logs": script + "/logs"} {
		s.run(2, "run", "incast.yaml", "--no-folder", flag, value)
		s.says(s.stderr, value)
	}
}
