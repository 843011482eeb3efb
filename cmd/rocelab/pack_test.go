package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pidnnOf runs an algorithm whose weights are a file.
const pidnnOf = `name: learnt
topology: {kind: star, hosts: 5, rate: 100Gbps, latency: 1us}
traffic:
  - {name: incast, kind: incast, senders: 4, size: 200KB}
variants:
  - {name: own, algorithm: {name: pidnn, params: {weights: files/own.txt}}}
  - {name: other, algorithm: dcqcn}
`

// weightsHere copies a file of weights that pidnn ships, with a comment of its own.
func weightsHere(t *testing.T, to string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(startFolder, "../../plugins/pidnn/weights/shipped.txt"))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o700)
	}
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// startFolder is where the tests began.
var startFolder, _ = os.Getwd()

// A pack is one file, the same on every machine, and its runs are made again in an empty folder
// with an empty home.
func TestPack(t *testing.T) {
	s := newShell(t)
	s.write("x.yaml", rerunnable)
	s.run(0, "run", "x.yaml", "--out", "one", "--seeds", "2", "--set", "switch.buffer=8MB")
	s.run(0, "run", "x.yaml", "--out", "two/one", "--seeds", "2", "--set", "switch.buffer=8MB", "--workers", "2",
		"--no-report")
	s.run(0, "pack", "one")
	s.says(s.stdout, "one.rocelab.zip: 4 runs, ")
	_, sum, _ := strings.Cut(s.stdout, "SHA-256 ")
	s.run(0, "pack", "two/one", "--out", "other.zip")
	one, err := os.ReadFile("one.rocelab.zip")
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile("other.zip")
	if err != nil || !bytes.Equal(one, other) {
		t.Errorf("the same runs make two packs, of %d and %d B, %v", len(one), len(other), err)
	}
	t.Chdir(t.TempDir())
	tmp, home := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("HOME", home)
	s.write("p.zip", string(one))
	s.run(0, "rerun", "p.zip")
	s.says(s.stdout, "p.zip: SHA-256 "+sum+"p.zip: the same: ")
	s.says(s.stdout, "files of 4 runs, to the byte\n")
	s.run(0, "rerun", "p.zip", "--format", "json", "--out", "again")
	var document struct {
		Folder, Pack_SHA256 string
		Same                bool
	}
	if err := json.Unmarshal([]byte(s.stdout), &document); err != nil || !document.Same ||
		document.Folder != "p.zip" || document.Pack_SHA256+"\n" != sum {
		t.Errorf("%v: %s", err, s.stdout)
	}
	s.run(2, "rerun", "again", "--trust")
	s.run(0, "rerun", "again")
	one[len(one)/2] ^= 1
	s.write("p.zip", string(one))
	s.run(2, "rerun", "p.zip")
	s.says(s.stderr, "p.zip: ")
	s.run(2, "rerun", "again/manifest.json")
	s.says(s.stderr, "it is not a pack")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.ctx = ctx
	s.run(130, "rerun", "p.zip")
	for _, folder := range []string{tmp, home} {
		t.Run(fmt.Sprintf("%.50q", folder), func(t *testing.T) {
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("left in it: %v, %v", left, err)
			}
		})
	}
}

// Files that a scenario names are in its pack, by their digest, and no other of the machine is read.
func TestPackHasTheFilesOfItsScenario(t *testing.T) {
	s := newShell(t)
	s.write("x.yaml", pidnnOf)
	weightsHere(t, "files/own.txt")
	s.run(0, "run", "x.yaml", "--out", "one")
	s.run(0, "run", "x.yaml", "--out", "part", "--variant", "other")
	s.run(0, "pack", "one")
	s.says(s.stdout, "with files/own.txt, the weights of pidnn\n")
	s.run(0, "pack", "part")
	if err := os.Rename("files/own.txt", "files/gone.txt"); err != nil {
		t.Fatal(err)
	}
	s.run(0, "rerun", "one.rocelab.zip")
	s.says(s.stdout, "files of 2 runs, to the byte\n")
	s.run(0, "rerun", "part.rocelab.zip")
	s.run(2, "pack", "one", "--force")
	s.says(s.stderr, "the file that pidnn had as weights, with the SHA-256 ")
	s.write("files/own.txt", "other\n")
	s.run(2, "pack", "one", "--force")
	s.says(s.stderr, "is not there any more, or was changed")
	s.run(0, "rerun", "one.rocelab.zip") // it takes its own
}

// Inputs that must not be handed on are refused, and nothing is left or overwritten.
func TestPackRefuses(t *testing.T) {
	s := newShell(t)
	s.write("x.yaml", rerunnable)
	s.run(0, "run", "x.yaml", "--out", "one", "--variant", "b")
	s.run(2, "pack", "none")
	s.says(s.stderr, "none has no manifest.json")
	s.run(2, "pack")
	s.run(2, "pack", "one", "--out", "one/x.zip")
	s.says(s.stderr, "would be in a run folder")
	s.write("one.rocelab.zip", "mine")
	s.run(2, "pack", "one")
	s.says(s.stderr, "one.rocelab.zip exists already")
	if text, err := os.ReadFile("one.rocelab.zip"); string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	s.run(4, "pack", "one", "--out", "no/such/place.zip")
	s.write("one/b/flows.csv", "flow\n")
	s.run(2, "pack", "one", "--force")
	s.says(s.stderr, "one: b/flows.csv was changed")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.run(0, "run", "x.yaml", "--out", "two", "--variant", "b")
	s.ctx = ctx
	s.run(130, "pack", "two")
	if left, err := filepath.Glob("*.part"); err != nil || len(left) > 0 || exists("two.rocelab.zip") {
		t.Errorf("left: %v, %v", left, err)
	}
}
