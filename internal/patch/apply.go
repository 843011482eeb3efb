package patch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Old are the lines that the hunk wants to find, as text of the file.
func (h *Hunk) Old() string { return h.side('+') }

// With are the lines in their place.
func (h *Hunk) With() string { return h.side('-') }

// side returns the text of the lines without the ones of one kind.
func (h *Hunk) side(without byte) string {
	var text strings.Builder
	for _, line := range h.Lines {
		if line[0] != without {
			text.WriteString(line[1:] + "\n")
		}
	}
	return text.String()
}

// Find returns the offsets in a text at which lines occur, each at the beginning of a line.
func Find(text, lines string) (offsets []int) {
	for at := 0; at < len(text); {
		next := strings.Index(text[at:], lines)
		if next < 0 {
			return offsets
		}
		at += next
		if at == 0 || text[at-1] == '\n' {
			offsets = append(offsets, at)
		}
		at++
	}
	return offsets
}

// Changed returns the text of the file with the change in it. It fails if the patch is stale because the file has moved
// on.
func (p *Patch) Changed(f *File, text string) (string, error) {
	type place struct {
		at int
		*Hunk
	}
	var places []place
	for i := range f.Hunks {
		h := &f.Hunks[i]
		found := Find(text, h.Old())
		if len(found) != 1 || h.Old() == h.With() {
			return "", fmt.Errorf("%s: %s: a stale patch: the old lines of its hunk %d, of line %d, occur %d times; "+
				"allowed is once, and other lines in their place: `go run ./specs/mutant/patch refresh` if only their "+
				"surroundings have changed", p.Path, f.Name, i+1, h.Line, len(found))
		}
		places = append(places, place{found[0], h})
	}
	slices.SortFunc(places, func(a, b place) int { return a.at - b.at })
	var out strings.Builder
	written := 0
	for _, h := range places {
		if h.at < written {
			return "", fmt.Errorf("%s: %s: the old lines of two hunks overlap, at line %d", p.Path, f.Name, h.Line)
		}
		out.WriteString(text[written:h.at] + h.With())
		written = h.at + len(h.Old())
	}
	return out.String() + text[written:], nil
}

// Apply returns the texts of all changed files, by name, in the module at root. It fails as Changed does, or if a file
// cannot be read.
func (p *Patch) Apply(root string) (map[string]string, error) {
	texts := map[string]string{}
	for i := range p.Files {
		f := &p.Files[i]
		text, err := os.ReadFile(filepath.Join(root, f.Name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Path, err)
		}
		if texts[f.Name], err = p.Changed(f, string(text)); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// Overlay writes the changed files into the folder, and returns the path of the file for -overlay of the go command,
// which puts them in place of the files of the module at root. It fails as Apply does, or if a file cannot be written.
func (p *Patch) Overlay(root, folder string) (string, error) {
	texts, err := p.Apply(root)
	if err != nil {
		return "", err
	}
	return WriteOverlay(root, folder, texts)
}

// WriteOverlay does what Overlay does for texts of files, by their paths from the top of the module.
func WriteOverlay(root, folder string, texts map[string]string) (string, error) {
	replaced := map[string]string{}
	for name, text := range texts {
		replaced[filepath.Join(root, name)] = CopyOf(folder, name)
		if err := os.WriteFile(CopyOf(folder, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o644)
}

// CopyOf is where the text in place of a file stands in the folder of an overlay.
func CopyOf(folder, name string) string {
	return filepath.Join(folder, strings.ReplaceAll(name, "/", "_"))
}
