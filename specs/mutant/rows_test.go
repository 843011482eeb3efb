package mutant

import "testing"

// Each fault of a row can still be made: the source has not moved on. Tier: -short.
func TestRowsFitTheTree(t *testing.T) {
	for _, r := range Rows {
		if (len(r.Set) > 0) == (len(r.Edits) > 0) || r.Fault == "" {
			t.Errorf("%s: %q wants a sentence, and changes of keys or edits of the source", r.Row, r.Fault)
		}
		if _, err := r.Overlay(absolute(t), t.TempDir()); err != nil {
			t.Error(err)
		}
	}
}
