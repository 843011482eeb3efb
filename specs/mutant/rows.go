package mutant

import "slices"

// Row is a fault that a published experiment of specs/papers, or a record of specs/hardware, must see: rocelab
// reproduce --mutants carries the row out with it, and wants a criterion missed that is met without.
type Row struct {
	// Row is the experiment's ID, such as "A10". Criterion is the one that must be missed, of any
	// grade; "" for any of grade P.
	Row, Criterion string
	// Fault says what goes wrong, such as "Kmin is fixed at 400 KB".
	Fault string
	// Set changes keys of the row's scenario, by path as of --set, in all variants. A value that
	// the row sweeps over holds against it only at another place, such as "switches".
	Set map[string]string
	// Edits change the source, of which a rocelab is built then; their Rule is not used.
	Edits []Source
	// Mends is set if the change is for the better: the criterion is missed without it, and must be met with it. A row
	// that meets nothing has no other way to show that its criteria look.
	Mends bool
}

// Rows are the faults of all rows, paper by paper, and of the records of hardware.
var Rows = slices.Concat(rowsOfPC4, rowsOfPC4Claims, rowsOfArticle, rowsOfDraft, rowsOfThesis, rowsApart,
	rowsOfHardware)

// Overlay does for all edits of a fault what Source.Overlay does for one.
func (r *Row) Overlay(root, folder string) (string, error) {
	repair := Repair{Name: r.Row + ": " + r.Fault, Edits: r.Edits}
	return repair.Overlay(root, folder)
}
