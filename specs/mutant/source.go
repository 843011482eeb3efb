package mutant

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Source is a deliberate mistake in the source of an algorithm or a model: one
// edit of one file, of which the compiler is handed a copy. No file of the tree
// changes.
type Source struct {
	// Rule is the whole sentence of the spec in specs/rules that the mistake
	// must turn red.
	Rule string
	// File is the file's path from the top of the module.
	File string
	// Old is replaced by New. It occurs once in the file, or the mutant is
	// stale: see Overlay.
	Old, New string
}

// Overlay writes the changed file and a file for -overlay of the go command,
// which puts it in place of the one in the module at root, into the folder, and
// returns the latter's path. An error tells that the mutant is stale, as the
// source has moved on, or that a file cannot be read or written.
func (s *Source) Overlay(root, folder string) (string, error) {
	original := filepath.Join(root, s.File)
	text, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), s.Old); n != 1 || s.Old == s.New {
		return "", fmt.Errorf("%s: a stale mutant: %q occurs %d times, allowed is once and something else in its place",
			s.File, s.Old, n)
	}
	changed := filepath.Join(folder, filepath.Base(s.File))
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), s.Old, s.New, 1)), 0o644); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o644)
}
