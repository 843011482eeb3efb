package reproduce

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Figures of a row that computes are found again, and those of another scenario under the same ID are not. Tier:
// -short. Red if they are kept under the ID of the row only.
func TestComputedFiguresCountByContent(t *testing.T) {
	dir, made := filepath.Join(t.TempDir(), "unfinished"), 0
	for _, c := range []struct {
		scenario string
		made     int
	}{{"a", 1}, {"a", 1}, {"b", 2}} {
		u := campaign.OpenUnfinished(dir)
		j := &Job{unfinished: u, Row: &Row{
			ID:     "X1",
			inputs: []any{"counted", &Computing{Scenario: []byte(c.scenario)}},
			Compute: func(context.Context, bool) ([]Figure, error) {
				made++
				return []Figure{{Name: c.scenario}}, nil
			},
		}}
		list, err := j.compute(t.Context())
		if err != nil || made != c.made || len(list) != 1 || list[0].Name != c.scenario {
			t.Errorf("%+v: %d made, %+v, %v", c, made, list, err)
		}
		u.Close(false)
	}
}
