package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/tier"
)

func valueText(value *string) string {
	if value == nil {
		return "null"
	}
	return *value
}

// algorithmsIn are those of the first run of a folder.
func algorithmsIn(t *testing.T, folder string) []result.Algorithm {
	t.Helper()
	m, err := result.ReadManifest(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	return m.Runs[0].Algorithms
}

// The manifest has each algorithm of a run with all its parameters, of the one that runs
// as a process its program too.
func TestTheManifestSaysWhatRan(t *testing.T) {
	s := newShell(t)
	s.write("two.yaml", `name: two
topology: {kind: star, hosts: 3, rate: 100Gbps, latency: 1us}
traffic:
  - {name: a, kind: flow, from: h0, to: h2, size: 20KB, algorithm: {name: dcqcn, params: {set: paper, g: 0.01}}}
  - {name: b, kind: flow, from: h1, to: h2, size: 20KB, algorithm: fixed}
  - {name: c, kind: flow, from: h1, to: h2, size: 20KB, algorithm: {name: dcqcn, params: {set: paper, g: 0.01}}}
`)
	s.run(0, "run", "two.yaml", "--out", "x")
	ran := algorithmsIn(t, "x")
	if len(ran) != 2 || ran[0].Name != "dcqcn" || ran[1].Name != "fixed" || ran[0].Version == "" {
		t.Fatalf("%+v", ran)
	}
	for name, want := range map[string]string{
		"set":           "paper",
		"g":             "0.01",
		"rir_step":      "1Gbps",
		"rpg_gd":        "null",
		"initial_alpha": "1",
	} {
		t.Run(name, func(t *testing.T) {
			if got, listed := ran[0].Params[name]; !listed || valueText(got) != want {
				t.Errorf("%s is %s, want %s", name, valueText(got), want)
			}
		})
	}
	for _, a := range ran {
		if a.Form != result.FormBuiltIn || a.Program != nil {
			t.Errorf("%+v", a)
		}
	}
}

// Of a program in Python the manifest has the Python and every module of its folder, too.
func TestTheManifestOfAProgramInPython(t *testing.T) {
	tier.Everyday(t)
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		path, err := exec.LookPath(name)
		if err == nil && exec.Command(path, "-c", "import grpc, google.protobuf").Run() == nil {
			python = path
		}
	}
	if python == "" {
		t.Skip("no python3 with grpc and google.protobuf: on Debian, install python3-grpcio and python3-protobuf")
	}
	t.Setenv("PATH", filepath.Dir(python)+":"+os.Getenv("PATH"))
	s := newShell(t)
	s.run(0, "algorithm", "new", "snake", "--lang", "python")
	s.run(0, "run", "snake/incast.yaml", "--plugin-dir", "snake", "--algorithm", "snake", "--set", "traffic.size=20KB",
		"--out", "x")
	ran := algorithmsIn(t, "x")[0]
	digests := map[string]string{"cc-snake": ran.Program.SHA256}
	for _, file := range ran.Program.Files {
		digests[file.Name] = file.SHA256
	}
	for _, name := range []string{"cc-snake", "algorithm.py", "rocelab/server.py"} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("snake", name))
			if err != nil {
				t.Fatal(err)
			}
			if sum := sha256.Sum256(text); digests[name] != hex.EncodeToString(sum[:]) {
				t.Errorf("%s has the digest %q", name, digests[name])
			}
		})
	}
	if !strings.Contains(ran.Program.Runtime, "Python 3.") || ran.Program.Build != nil ||
		valueText(ran.Params["target"]) != "10us" {
		t.Errorf("%+v", ran)
	}
}
