package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Maker makes plans of a scenario's template, and the runs that they list.
type Maker struct {
	Template *scenario.Template
	// Identify identifies a flow's algorithm; it is called once for each name and parameters.
	Identify Identify
	// Models is the version of the models.
	Models int
	// Whole is the number of nodes and flows up to which Plan makes whole plans, which finds faults of combined values,
	// such as a buffer that is too small for its ports. If all combinations have more, it makes some, spread over all,
	// and Checked of Combinations were checked; the others are checked when their turn has come.
	Whole                 int
	Checked, Combinations int

	known map[string]Algorithm
}

// UsualWhole is a second or two of one processor.
const UsualWhole = 100_000

// maxRuns is the maximum number of runs of a plan without a confirmation.
const maxRuns = 1_000_000

// TooMany is the error of a sweep of more than maxRuns runs. Count is a float64, as it may be
// beyond any integer.
type TooMany struct{ Count float64 }

func (e *TooMany) Error() string {
	return fmt.Sprintf("the sweep has %.0f runs: allowed are up to %d", e.Count, maxRuns)
}

// Count returns the number of runs of a sweep for a scenario with the given number of variants.
func Count(s *scenario.Sweep, variants int) float64 {
	count := float64(max(1, len(s.List))) * float64(max(1, s.Draws)) * float64(max(1, len(s.Seeds)))
	for i := range s.Grid {
		count *= float64(len(s.Grid[i].Values))
	}
	if len(s.Variants) > 0 {
		variants = len(s.Variants)
	}
	return count * float64(max(1, variants))
}

// Plan lists the runs of a sweep: combinations of list slowest, then each key of the grid,
// then draws, variants and seeds. The seeds of a sweep without are that one of seed. An
// error is a *TooMany unless forced, or an *Invalid with all that is wrong with values.
func (m *Maker) Plan(s *scenario.Sweep, seed uint64, forced bool) (*Plan, error) {
	variants := s.Variants
	if len(variants) == 0 {
		variants = m.Template.Variants()
	}
	if count := Count(s, len(variants)); count > maxRuns && !forced {
		return nil, &TooMany{count}
	}
	if len(variants) == 0 {
		variants = []string{""}
	}
	seeds := s.Seeds
	if len(seeds) == 0 {
		seeds = []uint64{seed}
	}
	p, wrong := &Plan{Keys: keysOf(s)}, &Invalid{}
	m.Checked, m.Combinations = 0, 0
	left, stride := m.Whole, 1
	for settings := range combinations(s) {
		values := make(map[string]string, len(settings))
		for i := range settings {
			values[settings[i].Path] = settings[i].Text
		}
		for _, variant := range variants {
			id, err := m.identity(variant, settings)
			if err == nil && left > 0 && m.Combinations%stride == 0 {
				var size int
				size, err = m.checkWhole(variant, settings)
				if left -= size; m.Checked == 0 && size > 0 {
					all := unit.Whole[int](Count(s, len(variants))) / len(seeds)
					stride = max(1, (all*size+m.Whole-1)/m.Whole)
				}
				m.Checked++
			}
			m.Combinations++
			if err != nil {
				if err := wrong.add(Run{Keys: values, Variant: variant}, err); err != nil {
					return nil, err
				}
				continue
			}
			for _, seed := range seeds {
				p.Runs = append(p.Runs, Run{
					Index:   len(p.Runs),
					ID:      id(seed),
					Keys:    values,
					Variant: variant,
					Seed:    seed,
				})
			}
		}
	}
	if len(wrong.Problems) > 0 {
		return nil, wrong
	}
	return p, nil
}

// checkWhole makes the plan of a combination, and returns how many nodes and flows it has.
func (m *Maker) checkWhole(variant string, settings []scenario.Setting) (size int, err error) {
	p, err := m.Template.Plan(m.run(variant, settings))
	if err != nil {
		return 0, err
	}
	return len(p.NICs) + len(p.Switches) + len(p.Flows), nil
}

// keysOf are the paths that a sweep changes, in their written order.
func keysOf(s *scenario.Sweep) (keys []string) {
	for i := range s.List[:min(1, len(s.List))] {
		for _, setting := range s.List[i] {
			keys = append(keys, setting.Path)
		}
	}
	for i := range s.Grid {
		keys = append(keys, s.Grid[i].Path)
	}
	for i := range s.Draw {
		keys = append(keys, s.Draw[i].Path)
	}
	return keys
}

// combinations yields the values of all keys, each time in a new slice.
func combinations(s *scenario.Sweep) func(yield func([]scenario.Setting) bool) {
	return func(yield func([]scenario.Setting) bool) {
		rows := s.List
		if len(rows) == 0 {
			rows = [][]scenario.Setting{nil}
		}
		at := make([]int, len(s.Grid))
		for _, row := range rows {
			for more := true; more; more = next(at, s.Grid) {
				for draw := range max(1, s.Draws) {
					settings := append([]scenario.Setting(nil), row...)
					for i := range s.Grid {
						settings = append(settings, s.Grid[i].Values[at[i]])
					}
					for i := range s.Draw {
						settings = append(settings, s.Draw[i].At(s.DrawSeed, draw))
					}
					if !yield(settings) {
						return
					}
				}
			}
		}
	}
}

// next goes on to the next place of a grid, whose last key changes fastest; false after
// the last, when it is at the first again.
func next(at []int, grid []scenario.Axis) bool {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i]++; at[i] < len(grid[i].Values) {
			return true
		}
		at[i] = 0
	}
	return false
}

// ID returns a run's name here: it differs from the plan's if the models, an algorithm or a file has changed.
func (m *Maker) ID(r *Run) (campaign.ID, error) {
	id, err := m.identity(r.Variant, r.settings())
	if err != nil {
		return "", err
	}
	return id(r.Seed), nil
}

func (m *Maker) identity(variant string, settings []scenario.Setting) (func(seed uint64) campaign.ID, error) {
	form, err := m.Template.Form(m.run(variant, settings))
	if err != nil {
		return nil, err
	}
	return identity(form, m.Models, m.identify)
}

// identify asks Identify once for each algorithm.
func (m *Maker) identify(a *plan.Algorithm) (Algorithm, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return Algorithm{}, err
	}
	key := string(text)
	if identified, ok := m.known[key]; ok {
		return identified, nil
	}
	identified, err := m.Identify(a)
	if err == nil {
		if m.known == nil {
			m.known = map[string]Algorithm{}
		}
		m.known[key] = identified
	}
	return identified, err
}

func (m *Maker) run(variant string, settings []scenario.Setting) scenario.Run {
	return scenario.Run{Variant: variant, Settings: inOrder(slices.Clone(settings))}
}

// ofSeed is a run as the scenario has it.
func (m *Maker) ofSeed(r *Run) scenario.Run {
	made := m.run(r.Variant, r.settings())
	made.Settings = append(made.Settings, scenario.Setting{Path: "seed", Text: fmt.Sprint(r.Seed)})
	return made
}

// PlanOf returns the plan of a run.
func (m *Maker) PlanOf(r *Run) (*plan.Plan, error) { return m.Template.Plan(m.ofSeed(r)) }

// SourceOf returns a run as a scenario of its own.
func (m *Maker) SourceOf(r *Run) []byte { return m.Template.Source(m.ofSeed(r)) }

// Invalid has the faults of a sweep's values. Its runs are not made.
type Invalid struct{ Problems []problem }

// problem is something that is wrong with one or several combinations of values.
type problem struct {
	Err error
	// First is the first combination that has it, Others how many more do.
	First  Run
	Others int
}

// add records the problems of a combination. It returns errors other than problems of values.
func (e *Invalid) add(run Run, err error) error {
	var list scenario.Errors
	if !errors.As(err, &list) {
		return err
	}
	for _, one := range list {
		found := false
		for i := range e.Problems {
			if found = e.Problems[i].Err.Error() == one.Error(); found {
				e.Problems[i].Others++
				break
			}
		}
		if !found {
			e.Problems = append(e.Problems, problem{Err: one, First: run})
		}
	}
	return nil
}

// mostProblems is the maximum number of problems reported, as no one reads more.
const mostProblems = 50

// Error returns the problems, one a line, each with the combination that has it.
func (e *Invalid) Error() string {
	var lines []string
	for i := range e.Problems[:min(mostProblems, len(e.Problems))] {
		lines = append(lines, e.Problems[i].String())
	}
	if more := len(e.Problems) - mostProblems; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

func (p *problem) String() string {
	text := p.Err.Error() + " (in " + p.First.combination()
	switch {
	case p.Others == 1:
		text += ", and in one other combination"
	case p.Others > 1:
		text += fmt.Sprintf(", and in %d other combinations", p.Others)
	}
	return text + ")"
}
