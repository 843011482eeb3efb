package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// program is the main package of the page's algorithm.
const program = "package main\n\nimport (\n\t\"github.com/rocelab/rocelab/plugins/halving\"\n" +
	"\t\"github.com/rocelab/rocelab/plugins/process\"\n)\n\nfunc main() { process.Serve(halving.Algorithm{}) }\n"

// TestReadmeAlgorithm builds the page's algorithm as a program and runs it by
// its name.
func TestReadmeAlgorithm(t *testing.T) {
	tier.Everyday(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	source := ""
	for _, b := range fencedBlocks(pages(t, "README.md")["README.md"]) {
		if b.language == "go" {
			source = b.text
		}
	}
	s := newShell(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	s.write("halving.go", source)
	s.write("main.go", program)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(root, "plugins/halving/halving.go"):         filepath.Join(here, "halving.go"),
		filepath.Join(root, "plugins/shipped/cc-halving/main.go"): filepath.Join(here, "main.go"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.write("overlay.json", string(overlay))
	build := exec.Command("go", "build", "-overlay", filepath.Join(here, "overlay.json"), "-o",
		filepath.Join(here, "plugins")+"/", "./plugins/shipped/cc-halving")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s.run(0, "algorithm", "show", "halving", "--plugin-dir", "plugins")
	s.says(s.stdout, "halving 0.1.0, "+filepath.Join(here, "plugins/cc-halving")+"\n")
	s.run(0, "run", "incast.yaml", "--no-folder", "--plugin-dir", "plugins", "--algorithm", "halving")
	s.says(s.stdout, "PASS        halving: ")
}

// TestFindingsAreValid holds the scenarios of docs/findings to the keys that
// there are, and its page to naming each.
func TestFindingsAreValid(t *testing.T) {
	folder, err := filepath.Abs("../../docs/findings")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(folder, "README.md"))
	files, globbed := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || globbed != nil || len(files) == 0 {
		t.Fatal(err, globbed, files)
	}
	s := newShell(t)
	for _, file := range files {
		s.run(0, "validate", file)
		if !strings.Contains(string(page), "docs/findings/"+filepath.Base(file)+" ") {
			t.Errorf("the page has no command with %s", file)
		}
	}
}
