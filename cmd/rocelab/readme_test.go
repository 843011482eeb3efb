package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/experiments"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
)

// program is the main package of the page's algorithm.
const program = "package main\n\nimport (\n\t\"github.com/rocelab/rocelab/plugins/halving\"\n" +
	"\t\"github.com/rocelab/rocelab/plugins/cc/serve\"\n)\n\nfunc main() { serve.Algorithm(halving.Algorithm{}) }\n"

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

// TestReadmeHasTheScore holds the numbers of papers' claims in the README to the registry and the recorded figures.
// Tier: -short. Red: with another number in the README.
func TestReadmeHasTheScore(t *testing.T) {
	recorded, err := reproduce.ReadRecorded(experiments.Reproduction)
	if err != nil {
		t.Fatal(err)
	}
	shipped := published.Shipped()
	standings := shipped.Registry.Standings(shipped.Rows, recorded)
	all, pc4 := reproduce.ScoreOf(standings, ""), reproduce.ScoreOf(standings, "pc4")
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(page)), " ")
	for _, want := range []string{
		fmt.Sprintf("Of %d claims %d are met, %d missed, %d untestable and %d owed", all.Claims, all.Met, all.Missed,
			all.Untestable, all.Owed),
		fmt.Sprintf("%d of its %d printed numbers", pc4.Printed, pc4.OfPrinted),
	} {
		t.Run(fmt.Sprintf("%.50q", want), func(t *testing.T) {
			if !strings.Contains(text, want) || all.Unexplained > 0 {
				t.Errorf("README.md has not %q; counted %+v", want, all)
			}
		})
	}
}

// TestFindingsAreValid holds the scenarios of docs/findings to the keys that
// there are, and its pages to naming each.
func TestFindingsAreValid(t *testing.T) {
	folder, err := filepath.Abs("../../docs/findings")
	if err != nil {
		t.Fatal(err)
	}
	glob := func(pattern string) []string {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err, files)
		}
		return files
	}
	var text []byte
	for _, page := range glob("*.md") {
		more, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, more...)
	}
	s := newShell(t)
	for _, file := range glob("*/*.yaml") {
		s.run(0, "validate", file)
		name, err := filepath.Rel(folder, file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "docs/findings/"+name+" ") {
			t.Errorf("no page has a command with %s", file)
		}
	}
}
