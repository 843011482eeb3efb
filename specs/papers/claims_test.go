package papers_test

import (
	"os"
	"slices"
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

// The page on papers names the claims with a miss of unknown cause, and no others. Red: without a name.
func TestUnknownCausesAreNamed(t *testing.T) {
	page, err := os.ReadFile("../../docs/findings/papers.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "whose cause is unknown:")
	text, _, _ = strings.Cut(text, ". ")
	var named, want []string
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			named = append(named, strings.Join(strings.Fields(part), " "))
		}
	}
	for _, claim := range published.Shipped().Registry.Claims {
		unknown := func(c reproduce.Criterion) bool { return c.Miss != nil && c.Miss.Unknown }
		if slices.ContainsFunc(claim.Criteria, unknown) {
			want = append(want, claim.ID)
		}
	}
	slices.Sort(named)
	slices.Sort(want)
	if !slices.Equal(named, want) {
		t.Errorf("docs/findings/papers.md names %q, want %q", named, want)
	}
}
