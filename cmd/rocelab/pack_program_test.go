package main

import (
	"archive/zip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// namesIn are the names of the files in a zip.
func namesIn(t *testing.T, path string) (names []string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, file := range z.File {
		names = append(names, file.Name)
	}
	return names
}

// A foreign program is in a pack if that is asked for, and started only with --trust, even one that has the name of a
// shipped algorithm. One of rocelab's own is in none.
func TestPackWithPrograms(t *testing.T) {
	tier.Everyday(t)
	shipped := pluginFolder(t, "cc-dcqcn")
	s := newShell(t)
	t.Setenv("TMPDIR", t.TempDir())
	if err := os.Mkdir("others", 0o755); err != nil {
		t.Fatal(err)
	}
	started, err := filepath.Abs("started") // the program says there that it was
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\n: > %s\nexec %s/cc-dcqcn \"$@\"\n", started, shipped)
	if err := os.WriteFile("others/cc-own", []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("x.yaml", fits+"variants: [{name: b, algorithm: dcqcn}]\n")
	s.run(0, "run", "x.yaml", "--algorithm", "./others/cc-own", "--out", "own")
	s.run(0, "run", "x.yaml", "--run-as", "process", "--plugin-dir", shipped, "--out", "shipped")
	if err := os.Remove("started"); err != nil {
		t.Fatal(err)
	}
	s.run(0, "pack", "own", "--with-plugins", "--plugin-dir", "others")
	s.says(s.stdout, "with the program of dcqcn, which rerun starts with --trust\n")
	s.run(0, "pack", "shipped", "--with-plugins", "--plugin-dir", shipped)
	s.run(5, "rerun", "own.rocelab.zip")
	s.says(s.stderr, "dcqcn ran as a program that came with the pack, programs/dcqcn/cc-own with the SHA-256 ")
	s.says(s.stderr, "--trust")
	s.run(0, "rerun", "shipped.rocelab.zip")
	s.says(s.stdout, "files of 1 run, to the byte\n")
	s.says(s.stdout, "differing inputs that decide a run:\n  b: dcqcn is built in, and was process\n")
	if exists("started") {
		t.Error("a program started that nobody trusted")
	}
	s.run(0, "run", "x.yaml", "--out", "other", "--algorithm", "none")
	s.run(1, "diff", "own.rocelab.zip", "other")
	s.says(s.stdout, "the first frame is not known: own.rocelab.zip/cc-own: own.rocelab.zip: dcqcn ran as a ")
	if exists("started") {
		t.Error("diff started a program that nobody trusted")
	}
	s.run(1, "diff", "own.rocelab.zip", "other", "--trust")
	s.says(s.stdout, "the first frame that differs: at ")
	if !exists("started") {
		t.Error("the program did not start")
	}
	if err := os.Remove("started"); err != nil {
		t.Fatal(err)
	}
	s.run(0, "rerun", "own.rocelab.zip", "--trust")
	s.says(s.stdout, "own.rocelab.zip: the same: ")
	if !exists("started") {
		t.Error("the program did not start")
	}
	if names := namesIn(t, "own.rocelab.zip"); !slices.Contains(names, "programs/dcqcn/cc-own") {
		t.Errorf("%q", names)
	}
	if names := namesIn(t, "shipped.rocelab.zip"); slices.ContainsFunc(names, func(name string) bool {
		return filepath.Dir(filepath.Dir(name)) == "programs"
	}) {
		t.Errorf("%q", names)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// A program in Python is packed with its modules. Without it the program is missing by name, and
// another one is named.
func TestPackWithAProgramInPython(t *testing.T) {
	tier.Everyday(t)
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import grpc, google.protobuf").Run() != nil {
		t.Skip("no python3 with grpc and google.protobuf: on Debian, install python3-grpcio and python3-protobuf")
	}
	t.Setenv("PATH", filepath.Dir(python)+":"+os.Getenv("PATH"))
	s := newShell(t)
	s.run(0, "algorithm", "new", "snake", "--lang", "python")
	s.run(0, "run", "snake/incast.yaml", "--plugin-dir", "snake", "--algorithm", "snake", "--set", "traffic.size=20KB",
		"--out", "x")
	s.run(2, "pack", "x", "--with-plugins")
	s.says(s.stderr, "the program of snake, with the SHA-256 ")
	s.run(0, "pack", "x", "--out", "without.zip")
	s.says(s.stdout, "without the program of snake, which rerun needs: --with-plugins packs it\n")
	s.run(0, "pack", "x", "--with-plugins", "--plugin-dir", "snake")
	s.run(5, "rerun", "without.zip")
	s.says(s.stderr, "snake ran as version ")
	s.run(0, "rerun", "without.zip", "--plugin-dir", "snake")
	if err := os.Rename("snake", "gone"); err != nil {
		t.Fatal(err)
	}
	s.run(0, "rerun", "x.rocelab.zip", "--trust")
	s.says(s.stdout, "x.rocelab.zip: the same: ")
	text, err := os.ReadFile("gone/cc-snake")
	if err == nil {
		err = os.WriteFile("gone/cc-snake", append(text, "# another\n"...), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.run(0, "rerun", "x.rocelab.zip", "--plugin-dir", "gone")
	s.says(s.stdout, "snake is another program: its SHA-256 is ")
	s.run(2, "pack", "x", "--with-plugins", "--plugin-dir", "gone", "--force")
}
