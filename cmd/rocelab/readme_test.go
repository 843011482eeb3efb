package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadme holds the page that a stranger sees first to what the commands
// say: where this fails, paste their new output.
func TestReadme(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := blocks(string(page))
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

	s.write("mine.yaml", strings.NewReplacer("kmin: 100KB, kmax: 400KB", "kmin: 400KB, kmax: 100KB", "drops ==", "drop ==").Replace(mine))
	s.run(2, "validate", "mine.yaml")
	s.stdout = s.stderr
	s.showed(find(t, blocks, "mine.yaml:11"))
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
