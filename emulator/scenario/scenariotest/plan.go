// Package scenariotest makes plans for tests. Only tests import it.
package scenariotest

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
)

// Plan returns the plan of the first variant of a scenario, whose algorithms are not checked; a scenario with an error
// ends the test.
func Plan(t testing.TB, text string) *plan.Plan {
	t.Helper()
	s, err := scenario.Parse("test.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return plans[0]
}

// PlanOn is the plan of a scenario without congestion control on a topology, with these other keys.
func PlanOn(t testing.TB, topology, keys string) *plan.Plan {
	t.Helper()
	return Plan(t, "algorithm: none\ntopology: "+topology+"\n"+keys+"\n")
}
