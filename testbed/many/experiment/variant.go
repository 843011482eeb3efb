package experiment

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/spelling"
)

// Chosen returns the plans of a scenario's variants of these names, in the order of the names; all if there
// are no names. The error is Variant's.
func Chosen(scenario string, plans []*plan.Plan, names []string) (chosen []*plan.Plan, err error) {
	if len(names) == 0 {
		return plans, nil
	}
	for _, name := range names {
		p, err := Variant(scenario, plans, name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, p)
	}
	return chosen, nil
}

// Variant returns the plan of a scenario's variant. The error names the probable one, or lists all.
func Variant(scenario string, plans []*plan.Plan, name string) (*plan.Plan, error) {
	var names []string
	for _, p := range plans {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return nil, exit.Usage(fmt.Errorf("%s has no variant %q: %s", scenario, name,
		spelling.Hint(name, names, "it has "+strings.Join(names, ", "))))
}
