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

// TestReadme holds the page that a stranger sees first to what the commands
// say: where this fails, paste their new output.
func TestReadme(t *testing.T) {
	root, blocks := readme(t)
	s := newShell(t)

	s.run(0, "run", filepath.Join(root, "specs/scenarios/incast.yaml"))
	s.showed(find(t, blocks, "PASS        pc4"))

	mine := find(t, blocks, "name: mine\n")
	s.write("mine.yaml", mine)
	s.run(0, "validate", "mine.yaml")
	s.showed(find(t, blocks, "mine is valid"))
	s.run(0, "run", "mine.yaml", "--variant", "none", "--no-folder")

	s.write("mine.yaml", mine+find(t, blocks, "  - {name: pc4-gentle"))
	s.run(0, "validate", "mine.yaml")

	s.write("mine.yaml", strings.NewReplacer("kmin: 100KB, kmax: 400KB", "kmin: 400KB, kmax: 100KB", "drops ==",
		"drop ==").Replace(mine))
	s.run(2, "validate", "mine.yaml")
	s.stdout = s.stderr
	s.showed(find(t, blocks, "mine.yaml:11"))
}

// program is the main package of the page's algorithm.
const program = "package main\n\nimport (\n\t\"github.com/rocelab/rocelab/plugins/halving\"\n" +
	"\t\"github.com/rocelab/rocelab/plugins/process\"\n)\n\nfunc main() { process.Serve(halving.Algorithm{}) }\n"

// TestReadmeAlgorithm builds the page's algorithm as a program and runs it by
// its name.
func TestReadmeAlgorithm(t *testing.T) {
	tier.Everyday(t)
	root, blocks := readme(t)
	s := newShell(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	s.write("halving.go", find(t, blocks, "// Package halving"))
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

// readme returns the root of the checkout and what stands between fences on
// its page.
func readme(t *testing.T) (root string, list []string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return root, blocks(string(page))
}

// blocks returns what stands between fences, without the name of the language.
func blocks(page string) (list []string) {
	for i, part := range strings.Split(page, "```") {
		if i%2 == 1 {
			_, text, _ := strings.Cut(part, "\n")
			list = append(list, text)
		}
	}
	return list
}

// find returns the block that begins with start.
func find(t *testing.T, blocks []string, start string) string {
	t.Helper()
	for _, b := range blocks {
		if strings.HasPrefix(b, start) {
			return b
		}
	}
	t.Fatalf("no block begins with %q", start)
	return ""
}

// showed checks that each line of a block, other than "  ...", is a line of
// the last output.
func (s *shell) showed(block string) {
	s.t.Helper()
	for line := range strings.Lines(block) {
		if line != "  ...\n" && !strings.Contains(s.stdout, line) {
			s.t.Errorf("the page shows %q, the command does not:\n%s", line, s.stdout)
		}
	}
}
