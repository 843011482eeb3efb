package papers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
)

// Every row is whole: an ID of its own, a paper, something that is carried out, criteria that
// say what they are.
func TestRowsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range published.All() {
		switch {
		case seen[row.ID]:
			t.Errorf("two rows are called %s", row.ID)
		case row.Title == "", !slices.Contains(published.Papers(), row.Paper):
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
			if c.Grade != reproduce.Pass && c.Grade != reproduce.Target {
				t.Errorf("%s: criterion %q has grade %q", row.ID, c.Name, c.Grade)
			}
			if c.Miss != nil && c.Miss.Why == "" {
				t.Errorf("%s: criterion %q has a miss without a reason", row.ID, c.Name)
			}
			names[c.Name] = true
		}
	}
}

// Each row has what it was recorded with, whatever the defaults are now: when pauses are obeyed, how headroom is
// computed and for which rate alpha holds. Tier: -short. Red: without pause_response of a NIC.
func TestRowsPinTheirDefaults(t *testing.T) {
	for _, row := range published.All() {
		if row.Scenario == nil {
			continue
		}
		text := string(row.Scenario)
		for key, times := range map[string]int{"headroom_rule: ": 1, "pause_response: ": 2, "alpha_rate: ": 1} {
			t.Run(key, func(t *testing.T) {
				if strings.Count(text, key) < times {
					t.Errorf("%s lacks %q: allowed is %d times, of switch and nic", row.ID, key, times)
				}
			})
		}
	}
}
