package tune

import (
	"fmt"
	"sync"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// Candidate is values that a search tries.
type Candidate struct {
	// Name is the name of the values in tables: the rule that gives them, or the values.
	Name string
	// Settings are the values, by the keys that they are for.
	Settings []scenario.Setting
	// Place is where the candidate lies on each axis of the search; nil for a known rule,
	// which lies on none.
	Place []int
}

// Known reports whether the candidate is a rule that was there before.
func (c *Candidate) Known() bool { return c.Place == nil }

// nextTo reports whether two candidates lie side by side on one axis.
func (c *Candidate) nextTo(other *Candidate) bool {
	if c.Known() || other.Known() {
		return false
	}
	steps := 0
	for axis, at := range c.Place {
		steps += max(at-other.Place[axis], other.Place[axis]-at)
	}
	return steps == 1
}

// Axis is a key with the values that are tried.
type Axis struct {
	Path   string
	Values []string
}

// Grid returns a candidate for each combination of values; the last axis changes fastest.
func Grid(axes []Axis) (list []Candidate) {
	list = []Candidate{{Place: []int{}}}
	for _, axis := range axes {
		var longer []Candidate
		for _, c := range list {
			for at, value := range axis.Values {
				name := fmt.Sprintf("%s=%s", axis.Path, value)
				if c.Name != "" {
					name = c.Name + " " + name
				}
				longer = append(longer, Candidate{
					Name:     name,
					Settings: append(append([]scenario.Setting(nil), c.Settings...), scenario.Setting{Path: axis.Path, Text: value}),
					Place:    append(append([]int(nil), c.Place...), at),
				})
			}
		}
		list = longer
	}
	return list
}

// Pattern is traffic on a fabric, for comparing candidates.
type Pattern struct {
	Name string
	// Maker makes the plans of the scenario and the names of its runs; Variant is the variant
	// of it, "" for a scenario without.
	Maker   *sweep.Maker
	Variant string

	mu sync.Mutex // of Maker
}

// run is a candidate on the pattern, as a sweep has it, without its name.
func (p *Pattern) run(c *Candidate, seed uint64) *sweep.Run {
	return &sweep.Run{Keys: settingsOf(c), Variant: p.Variant, Seed: seed}
}

// id is the name of a run.
func (p *Pattern) id(c *Candidate, seed uint64) (campaign.ID, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.Maker.ID(p.run(c, seed))
}

// plan returns the plan of a run, which records no series.
func (p *Pattern) plan(c *Candidate, seed uint64) (*plan.Plan, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	made, err := p.Maker.PlanOf(p.run(c, seed))
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", p.Name, c.Name, err)
	}
	made.Record = plan.Record{Off: true}
	return made, nil
}
