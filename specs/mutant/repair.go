package mutant

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rocelab/rocelab/specs/mutant/schemata"
)

// Repair is a weakness that rocelab once had, brought back by undoing its repair: a
// few edits of the source, of which the compiler is handed copies. It names the test
// that turns red then, which shows that the repair is held.
type Repair struct {
	// Name says what goes wrong again, as a sentence.
	Name string
	// Edits undo the repair. Their Rule is not used.
	Edits []Source
	// Package is the folder of the test, from the top of the module.
	Package string
	// Run selects the test, as in go test -run; Focus selects a spec in it, as in
	// -ginkgo.focus. Focus may be "".
	Run, Focus string
	// Env are further variables of the test's environment, as NAME=value.
	Env []string
}

// Repairs are all of them, room by room.
var Repairs = slices.Concat(
	repairsOfNemesis,
	repairsOfFuzz,
	repairsOfConfine,
	repairsOfDestroy,
	repairsOfPage,
	repairsOfFolder,
	repairsOfInput,
	repairsOfPrograms,
	repairsOfKit,
	repairsOfDoubts,
	repairsOfOutside,
	repairsOfVerdicts,
	repairsOfRepeat,
	repairsOfMemory,
)

// Overlay does for all edits of a repair what Source.Overlay does for one. Several
// edits of one file must not overlap.
func (r *Repair) Overlay(root, folder string) (string, error) {
	replaced := map[string]string{}
	for i, edit := range r.Edits {
		from := filepath.Join(root, edit.File)
		sub := filepath.Join(folder, fmt.Sprint(i))
		if err := os.Mkdir(sub, 0o755); err != nil {
			return "", err
		}
		if before, twice := replaced[from]; twice {
			from = before
		}
		changed, err := edit.change(from, sub)
		if err != nil {
			return "", fmt.Errorf("%s: %w", r.Name, err)
		}
		replaced[filepath.Join(root, edit.File)] = changed
	}
	return schemata.WriteOverlay(replaced, folder)
}
