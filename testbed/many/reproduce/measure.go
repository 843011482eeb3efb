package reproduce

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/internal/spelling"
)

// Measure is a way to measure that is Go, because no expression is one. A row calls it by its name. Exactly one of its
// functions is set.
type Measure struct {
	// Name is a word or two, such as "settled"; no two measures have one. Doc says in a line what is measured, with its
	// arguments and its unit.
	Name, Doc string
	// Value is a number of one run, in an expression: measure("NAME", ARGUMENTS...).
	Value func(run *Run, arguments Arguments) float64
	// List is numbers of one run: measures("NAME", ARGUMENTS...).
	List func(run *Run, arguments Arguments) []float64
	// Figures are of all runs of a row, in its list of figures: {measure: NAME}.
	Figures func(*Results) []Figure
	// Compute is of a row without runs: compute: {measure: NAME}.
	Compute func(ctx context.Context, in *Computing) ([]Figure, error)
}

// Computing is what a measure without runs computes from: a scenario, if its row names one, with values of keys.
type Computing struct {
	File     string
	Scenario []byte
	Set      map[string]string
}

// Arguments are those of a call of a measure.
type Arguments []any

// Text is an argument, from 0 on; "" if it is no text or is not there.
func (a Arguments) Text(i int) string {
	if i < len(a) {
		text, _ := a[i].(string)
		return text
	}
	return ""
}

// Number is an argument, from 0 on; 0 if it is no number or is not there.
func (a Arguments) Number(i int) float64 {
	if i >= len(a) {
		return 0
	}
	switch value := a[i].(type) {
	case float64:
		return value
	case int:
		return float64(value)
	}
	return 0
}

// Measures are those that rows may call.
type Measures []Measure

// find is the measure of a name that a use of it allows; the error has the names of those.
func (m Measures) find(name string, allowed func(*Measure) bool) (*Measure, error) {
	var names []string
	for i := range m {
		if allowed(&m[i]) {
			if m[i].Name == name {
				return &m[i], nil
			}
			names = append(names, m[i].Name)
		}
	}
	slices.Sort(names)
	return nil, fmt.Errorf("there is no measure %q here (%s)", name, spelling.Hint(name, names, strings.Join(names, ", ")))
}

func ofValue(m *Measure) bool   { return m.Value != nil }
func ofList(m *Measure) bool    { return m.List != nil }
func ofFigures(m *Measure) bool { return m.Figures != nil }
func ofCompute(m *Measure) bool { return m.Compute != nil }

// Once is what is read of a run, kept so that other figures of the run need not read it again. Two readings of one run
// have two names.
func Once[T any](run *Run, name string, read func(*Run) T) T {
	if value, is := run.kept[name].(T); is {
		return value
	}
	value := read(run)
	if run.kept == nil {
		run.kept = map[string]any{}
	}
	run.kept[name] = value
	return value
}
