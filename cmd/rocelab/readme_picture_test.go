package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/report"
)

var update = flag.Bool("update", false, "draw the picture of the README anew")

// TestReadmePicture holds the picture of the README to the first seed of the run above it.
func TestReadmePicture(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "docs/pictures/incast/queue.svg")
	s := newShell(t)
	s.run(0, "run", filepath.Join(root, "specs/scenarios/incast.yaml"), "--algorithm", "pc4,dcqcn,hpcc", "--no-report",
		"--out", "incast")
	folder, err := report.Open("incast", "incast", os.DirFS("incast"))
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := report.QueuePicture(folder)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, []byte(drawn.File()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil || string(kept) != drawn.File() {
		t.Errorf("the file is not what the run draws (%v): go test ./cmd/rocelab -run TestReadmePicture -update", err)
	}
}
