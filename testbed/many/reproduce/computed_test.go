package reproduce

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Figures of a row that computes are found again, and the ones of another scenario under the same ID are not. Red if
// they are kept under the ID of the row only.
func TestComputedFiguresCountByContent(t *testing.T) {
	dir, made := filepath.Join(t.TempDir(), "unfinished"), 0
	compute := func(scenario string, times int) {
		t.Helper()
		u := campaign.OpenUnfinished(dir)
		j := &Job{unfinished: u, Row: &Row{
			ID:     "X1",
			inputs: []any{"counted", &Computing{Scenario: []byte(scenario)}},
			Compute: func(context.Context, bool) ([]Figure, error) {
				made++
				return []Figure{{Name: scenario}}, nil
			},
		}}
		list, err := j.compute(t.Context())
		if err != nil || made != times || len(list) != 1 || list[0].Name != scenario {
			t.Errorf("%s: %d made, %+v, %v", scenario, made, list, err)
		}
		u.Close(false)
	}
	compute("a", 1)
	compute("a", 1)
	compute("b", 2)
}
