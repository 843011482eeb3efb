package reproduce

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rocelab/rocelab/internal/patch"
)

// Fault is a deliberate fault that a published experiment or a record of hardware must see: the row is carried out with
// it, and a criterion must be missed that is met without.
type Fault struct {
	// Row is the experiment's ID, such as "A10". Criterion is the one that must be missed, of any
	// grade; "" for any of grade P.
	Row, Criterion string
	// Name describes the fault, such as "Kmin is fixed at 400 KB".
	Name string
	// Set changes keys of the row's scenario, by path as of --set, in all variants. A value that
	// the row sweeps over holds against it only at another place, such as "switches".
	Set map[string]string
	// Change changes the source, from which a rocelab is then built. It has no files if Set changes the scenario.
	Change *patch.Patch
	// Mends is set if the change is for the better: the criterion is missed without it, and must be met with it. A row
	// that meets nothing has no other way to show that its criteria look.
	Mends bool
}

// Faults returns the faults of all rows, of rocelab's source at root, in the order of their names. It fails if they
// cannot be read.
func Faults(root string) (faults []*Fault, err error) {
	patches, err := patch.ReadFolder(filepath.Join(root, "specs/mutant/rows"))
	if err != nil {
		return nil, err
	}
	for _, p := range patches {
		f := &Fault{Set: map[string]string{}, Change: p}
		var mends string
		var set []string
		once := map[string]*string{"Row": &f.Row, "Criterion": &f.Criterion, "Fault": &f.Name, "Mends": &mends}
		if err := p.Fields(once, map[string]*[]string{"Set": &set}); err != nil {
			return nil, err
		}
		for _, one := range set {
			key, value, is := strings.Cut(one, "=")
			if !is {
				return nil, fmt.Errorf("%s: Set: %q: allowed is KEY=VALUE", p.Path, one)
			}
			f.Set[key] = value
		}
		switch f.Mends = mends != ""; {
		case f.Row == "" || f.Name == "" || (len(set) > 0) == (len(p.Files) > 0):
			return nil, fmt.Errorf("%s: it must have a Row, a Fault, and either Set or changes of files", p.Path)
		case f.Mends && mends != "yes":
			return nil, fmt.Errorf("%s: Mends: %q: allowed is yes", p.Path, mends)
		}
		faults = append(faults, f)
	}
	return faults, nil
}
