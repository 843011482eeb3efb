package papers_test

import (
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/experiments"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
)

// Criteria are those under which recorded figures were judged, or the changelog has the reason; every claim that is
// missed has a reason, and every figure that a criterion names is one of its row. Tier: -short. Red: with another bound
// of any criterion.
func TestClaimsStand(t *testing.T) {
	recorded, err := reproduce.ReadRecorded(experiments.Reproduction)
	if err != nil {
		t.Fatal(err)
	}
	changelog, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	shipped := published.Shipped()
	for _, line := range shipped.Registry.Check(shipped.Rows, recorded, reproduce.ReadChanges(changelog)) {
		t.Error(line)
	}
	for _, row := range shipped.Rows {
		if len(row.Criteria) == 0 {
			t.Errorf("row %s has no criteria: nothing is claimed of it", row.ID)
		}
	}
	if strings.Contains(string(published.Claims()), "\t") {
		t.Error("claims.yaml has a tab: write it as an escape")
	}
}
