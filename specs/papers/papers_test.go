package papers_test

import (
	"slices"
	"testing"

	"github.com/rocelab/rocelab/specs/papers"
	"github.com/rocelab/rocelab/testbed/reproduction"
)

// Every row is whole: an ID of its own, a paper, something that is carried out, criteria that
// say what they are. Tier: -short.
func TestRowsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range papers.All() {
		switch {
		case seen[row.ID]:
			t.Errorf("two rows are called %s", row.ID)
		case row.Title == "", !slices.Contains(papers.Papers, row.Paper):
			t.Errorf("%s lacks a title or a paper", row.ID)
		case (row.Scenario == nil) == (row.Compute == nil), (row.Scenario == nil) != (row.Measure == nil):
			t.Errorf("%s wants a scenario and what measures its runs, or what computes", row.ID)
		}
		seen[row.ID] = true
		names := map[string]bool{}
		for _, c := range row.Criteria {
			if names[c.Name] || c.Text == "" || c.Holds == nil {
				t.Errorf("%s: criterion %q: its name is taken, or it lacks a text or what judges it", row.ID, c.Name)
			}
			if c.Grade != reproduction.Pass && c.Grade != reproduction.Target {
				t.Errorf("%s: criterion %q has grade %q", row.ID, c.Name, c.Grade)
			}
			if c.Miss != nil && c.Miss.Why == "" {
				t.Errorf("%s: criterion %q has a miss without a reason", row.ID, c.Name)
			}
			names[c.Name] = true
		}
	}
}
