package mutant

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/specs/mutant/schemata"
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
	// stale: see Overlay. Where it has a space, the file may have any white
	// space, so that a line break makes no mutant stale.
	Old, New string
}

// Overlay writes the changed file and a file for -overlay of the go command,
// which puts it in place of the one in the module at root, into the folder, and
// returns the latter's path. An error tells that the mutant is stale, as the
// source has moved on, or that a file cannot be read or written.
func (s *Source) Overlay(root, folder string) (string, error) {
	original := filepath.Join(root, s.File)
	changed, err := s.change(original, folder)
	if err != nil {
		return "", err
	}
	return schemata.WriteOverlay(map[string]string{original: changed}, folder)
}

// Edit is the mistake as bytes of the file in the module at root. Errors are those of Overlay.
func (s *Source) Edit(root string) (schemata.Edit, error) {
	text, err := os.ReadFile(filepath.Join(root, s.File))
	if err != nil {
		return schemata.Edit{}, err
	}
	at, end, err := s.place(text)
	return schemata.Edit{File: s.File, At: at, End: end, Text: s.New}, err
}

// change writes the file at path, with the mistake in it, into the folder and returns
// the copy's path.
func (s *Source) change(path, folder string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	at, end, err := s.place(text)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(folder, filepath.Base(s.File))
	return changed, os.WriteFile(changed, slices.Concat(text[:at], []byte(s.New), text[end:]), 0o644)
}

// place returns where Old begins and ends in the text of its file.
func (s *Source) place(text []byte) (at, end int, err error) {
	found := s.find(text)
	if n := len(found); n != 1 || s.Old == s.New {
		return 0, 0, fmt.Errorf("%s: a stale mutant: %q occurs %d times, allowed is once and something else in its place",
			s.File, s.Old, n)
	}
	return found[0][0], found[0][1], nil
}

// find returns where Old occurs in the text of its file.
func (s *Source) find(text []byte) [][]int {
	var words []string
	for _, w := range strings.Fields(s.Old) {
		words = append(words, regexp.QuoteMeta(w))
	}
	return regexp.MustCompile(strings.Join(words, `\s+`)).FindAllIndex(text, -1)
}
