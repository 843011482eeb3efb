package mutant

import (
	"testing"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// Each fault of a row can still be made: the source has not moved on.
func TestRowsFitTheTree(t *testing.T) {
	faults, err := reproduce.Faults(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		if _, err := f.Change.Overlay(absolute(t), t.TempDir()); err != nil {
			t.Error(err)
		}
	}
}
