package mutant

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rocelab/rocelab/internal/patch"
	"github.com/rocelab/rocelab/specs/mutant/schemata"
)

// Source is a deliberate mistake in the source of an algorithm or a model: a patch of
// one file.
type Source struct {
	*patch.Patch
	// Rule is the whole sentence of the spec that the mistake must turn red.
	Rule string
}

// Sources returns the mutants of a folder here, "rules" or "theory", of the module at root. It fails if they cannot be
// read.
func Sources(root, folder string) ([]Source, error) {
	patches, err := patch.ReadFolder(filepath.Join(root, "specs/mutant", folder))
	if err != nil {
		return nil, err
	}
	list := make([]Source, len(patches))
	for i, p := range patches {
		list[i].Patch = p
		if err := p.Fields(map[string]*string{"Rule": &list[i].Rule}, nil); err != nil {
			return nil, err
		}
		if list[i].Rule == "" || len(p.Files) != 1 {
			return nil, fmt.Errorf("%s: %d files and the rule %q: allowed is one file, and a sentence", p.Path, len(p.Files),
				list[i].Rule)
		}
	}
	return list, nil
}

// Edit returns the mistake as bytes of the file in the module at root, as few as possible. It fails if the file cannot
// be read or the patch is stale.
func (s *Source) Edit(root string) (schemata.Edit, error) {
	f := &s.Files[0]
	before, err := os.ReadFile(filepath.Join(root, f.Name))
	if err != nil {
		return schemata.Edit{}, err
	}
	old := string(before)
	text, err := s.Changed(f, old)
	if err != nil {
		return schemata.Edit{}, err
	}
	at := 0
	for at < min(len(old), len(text)) && old[at] == text[at] {
		at++
	}
	same := 0
	for same < min(len(old), len(text))-at && old[len(old)-1-same] == text[len(text)-1-same] {
		same++
	}
	return schemata.Edit{File: f.Name, At: at, End: len(old) - same, Text: text[at : len(text)-same]}, nil
}
