package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// The commands of the gallery and of the tutorial draw their pictures, byte for byte: go test ./cmd/rocelab -run
// TestGallery -update draws them again. Runs do not make a page, which changes no picture. Tier: everyday, 7 s of
// processor time.
func TestGallery(t *testing.T) {
	tier.Everyday(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	list := pages(t, "docs/gallery.md", "docs/tutorial.md")
	s := newShell(t)
	if err := os.Symlink(filepath.Join(root, "specs"), "specs"); err != nil {
		t.Fatal(err)
	}
	s.writeFiles(list)
	for path, want := range map[string]int{"docs/gallery.md": 12, "docs/tutorial.md": 2} {
		t.Run(path, func(t *testing.T) {
			if drawn := s.draws(root, list[path]); drawn != want {
				t.Errorf("%s: %d pictures are drawn, not %d", path, drawn, want)
			}
		})
	}
}

// draws runs the commands of a page that run and plot, and returns how many pictures these drew.
func (s *shell) draws(root, page string) (drawn int) {
	for _, line := range shownCommands(page) {
		args := strings.Fields(line)
		switch args[0] {
		case "run":
			s.try(append(args, "--no-report")...)
			continue
		case "plot":
			s.try(args...)
		default:
			continue
		}
		drawn++
		name := args[len(args)-1]
		if !strings.Contains(page, "](pictures/gallery/"+name+")") {
			s.t.Errorf("the page does not show %s", name)
		}
		file, err := os.ReadFile(name)
		if err != nil {
			s.t.Errorf("rocelab %s: %s", line, s.stderr)
			continue
		}
		kept := filepath.Join(root, "docs/pictures/gallery", name)
		if *update {
			if err := os.WriteFile(kept, file, 0o644); err != nil {
				s.t.Fatal(err)
			}
		}
		if old, err := os.ReadFile(kept); err != nil || string(old) != string(file) {
			s.t.Errorf("rocelab %s draws another picture than the page has (%v)", line, err)
		}
	}
	return drawn
}
